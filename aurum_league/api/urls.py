"""Addresses of the API: version 1, its schema, and the pages that show it."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from aurum_league.api.views import Account, Notices, Push, UnknownAddress, redoc, swagger, welcome

version_1: list[URLPattern | URLResolver] = [
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("account", Account.as_view(), name="api-account"),
    path("account/notices", Notices.as_view(), name="api-notices"),
    path("account/push", Push.as_view(), name="api-push"),
    path("", include("games.api.urls")),
    path("", include("tournaments.api.urls")),
]
urlpatterns = [
    path("", welcome, name="api"),
    path("v1/docs/", swagger, name="api-swagger"),
    path("v1/redoc/", redoc, name="api-redoc"),
    path("v1/", include(version_1)),
    # Line breaks too: `.` would leave them to the page for people.
    re_path(r"^[\s\S]*$", UnknownAddress.as_view()),
]
