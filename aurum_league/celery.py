"""The Celery application: its tasks are nudges, the work itself waits in Postgres."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")

app = Celery("aurum_league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
