"""The public server's settings on the tests' own services: by TLS, with its cookies, roles held to a second factor."""

import os

from aurum_league.settings import test
from tests.server_settings import COMPLETE

# What a public server cannot start without; the tests' services are known by now. Make exports empty ones.
for _name, _value in COMPLETE.items():
    os.environ[_name] = os.environ.get(_name) or _value

from aurum_league.settings import server  # noqa: E402

globals().update({name: value for name, value in vars(test).items() if name.isupper()})
_OF_TESTS: tuple[str, ...] = ("ALLOWED_HOSTS", "CACHES", "DATABASES", "LIVE_URL", "STORAGES", "STATIC_ROOT")
_OF_TESTS += ("PASSWORD_HASHERS",)
_OF_TESTS += ("EMAIL_BACKEND", "CELERY_TASK_ALWAYS_EAGER", "CELERY_TASK_EAGER_PROPAGATES", "ANSWER_CACHE_SECONDS")
_OF_TESTS += ("WHITENOISE_AUTOREFRESH", "WHITENOISE_USE_FINDERS")
globals().update({name: value for name, value in vars(server).items() if name.isupper() and name not in _OF_TESTS})
CSRF_TRUSTED_ORIGINS = ["https://localhost"]
# A browser takes a passkey from this machine without TLS; a test of passkeys turns this off.
if os.environ.get("WITHOUT_TLS"):
    SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = False
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, DEVICE_COOKIE_NAME = "sessionid", "csrftoken", "device"
    MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
