"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from aurum_league.accounts import profile
from aurum_league.pages.tokens import revoke, show_tokens

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/profile/", profile, name="profile"),
    path("accounts/", include("allauth.account.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("games.urls")),
    path("bots/", include("bots.urls")),
    path("api/v1/", include("bots.api.urls")),
    path("live/", include("bots.api.live_urls")),
    path("account/tokens/", show_tokens, name="tokens"),
    path("account/tokens/<uuid:handle>/revoke/", revoke, name="token_revoke"),
    path("api/", include("aurum_league.api.urls")),
]
