"""Lets the admin's own widgets work: only there, and only for staff, may scripts evaluate and styles be inline."""

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

# Unfold builds its menus with Alpine.js, which evaluates attributes; no inline script is needed.
ADMIN_SOURCES = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


class AdminPolicyMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        if match and match.app_name == "admin":
            response._csp_update = ADMIN_SOURCES  # type: ignore[attr-defined]
        return response
