"""The default: on this machine, for whoever sits at it, with the embedded services."""

from aurum_league.settings.base import *  # noqa: F403
from aurum_league.settings.connections import load_or_make_secret
from aurum_league.settings.environment import read_data_folder, read_list, read_text

ALLOWED_HOSTS = [*read_list("ALLOWED_HOSTS"), "localhost", "127.0.0.1", "[::1]"]
SECRET_KEY = read_text("SECRET_KEY") or load_or_make_secret(read_data_folder())
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
