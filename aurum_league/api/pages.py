"""Pages about the API: where to begin, and the schema by Swagger UI and ReDoc from our own files."""

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def welcome(request: HttpRequest) -> HttpResponse:
    return render(request, "api/welcome.html")


# Both lay out with inline styles; neither needs a script of anybody else's.
@require_safe
@csp_update({"style-src": [UNSAFE_INLINE]})
def swagger(request: HttpRequest) -> HttpResponse:
    return render(request, "api/swagger.html")


@require_safe
@csp_update({"style-src": [UNSAFE_INLINE], "worker-src": ["blob:"]})
def redoc(request: HttpRequest) -> HttpResponse:
    return render(request, "api/redoc.html")
