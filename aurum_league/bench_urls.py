"""The site's addresses and one more: a trivial JSON view, to measure the others by."""

from django.http import HttpRequest, JsonResponse
from django.urls import include, path


def trivial(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"hello": "world"})


urlpatterns = [path("bench/trivial", trivial), path("", include("aurum_league.urls"))]
