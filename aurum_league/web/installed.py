"""The site on a home screen: its manifest, its service worker, and the page it shows without a connection."""

import hashlib
import json
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-512.png", "512x512", "maskable"),
)
SHELL = ("css/tokens.css", "css/base.css", "css/frame.css", "css/components.css", "svg/icons.svg", "svg/cards.svg")


@require_safe
@cache_control(public=True, max_age=3600)
def show_manifest(request: HttpRequest) -> JsonResponse:
    icons = [
        {"src": static(f"icons/{name}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in ICONS
    ]
    told = {
        "name": "Aurum League",
        "short_name": "Aurum",
        "description": gettext("Leagues and tournaments of people and bots for the card game Aurum."),
        "id": "/",
        "start_url": reverse("play"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#10141b",
        "theme_color": "#151b26",
        "icons": icons,
    }
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def show_worker(request: HttpRequest) -> HttpResponse:
    """At the root, since a service worker answers for what lies below its own address; with the shell it keeps."""
    script = Path(str(finders.find("js/sw.js"))).read_text()
    shell = json.dumps([reverse("offline"), *map(static, SHELL)])
    version = hashlib.sha256((shell + script).encode()).hexdigest()[:12]
    text = f'const KEPT = "aurum-{version}";\nconst SHELL = {shell};\n{script}'
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


@require_safe
def show_touch_icon(request: HttpRequest) -> HttpResponse:
    """Where phones look for it unasked, so that no page has to name it."""
    return redirect(static("icons/icon-192.png"))


@require_safe
def show_offline(request: HttpRequest) -> HttpResponse:
    return render(request, "offline.html")
