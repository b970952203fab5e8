"""Every address of the site."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

import bots.api.urls
import tournaments.api.urls
from aurum_league.accounts.pages import (
    change_push,
    choose_language,
    go_to_login,
    profile,
    revoke,
    show_notices,
    show_sessions,
    show_tokens,
    sign_out,
)
from aurum_league.common.pages import show_refused
from aurum_league.web.installed import show_manifest, show_offline, show_touch_icon, show_worker

handler403 = show_refused

urlpatterns = [
    # One login for all, with its limits: the admin's own took any number of guesses.
    path("admin/login/", go_to_login),
    path("admin/", admin.site.urls),
    path("accounts/profile/", profile, name="profile"),
    path("accounts/", include("allauth.urls")),
    path("i18n/setlang/", choose_language, name="set_language"),
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
    path("live/", include("aurum_league.web.streams")),
    path("", include("bots.urls")),
    path("api/v1/", include("bots.api.urls")),
    path("live/", include(bots.api.urls.live_patterns)),
    path("account/notices/", show_notices, name="notices"),
    path("account/push/", change_push, name="push"),
    path("sw.js", show_worker, name="service_worker"),
    path("manifest.webmanifest", show_manifest, name="manifest"),
    path("apple-touch-icon.png", show_touch_icon, name="touch_icon"),
    path("offline/", show_offline, name="offline"),
    path("account/tokens/", show_tokens, name="tokens"),
    path("account/tokens/<uuid:handle>/revoke/", revoke, name="token_revoke"),
    path("account/sessions/", show_sessions, name="sessions"),
    path("account/sessions/end/", sign_out, name="sessions_end"),
    path("api/", include("aurum_league.api.urls")),
    path("live/api/v1/", include(tournaments.api.urls.live_patterns)),
]

if settings.DEBUG:
    urlpatterns.append(path("styleguide/", TemplateView.as_view(template_name="styleguide.html"), name="styleguide"))
