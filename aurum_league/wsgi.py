"""The WSGI application: pages, API and admin."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")

application = get_wsgi_application()
