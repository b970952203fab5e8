"""Tests: as embedded, but quick, quiet and in a data folder of their own."""

from aurum_league.environment import enter_test_folder

enter_test_folder()

from aurum_league.settings.embedded import *  # noqa: E402, F403
from aurum_league.settings.embedded import DATABASES  # noqa: E402

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# A pool would keep test databases from being dropped.
DATABASES["default"]["OPTIONS"] = {}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
WHITENOISE_AUTOREFRESH = True
