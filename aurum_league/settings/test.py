"""Tests: as embedded, but quick, quiet and in a data folder of their own."""

from aurum_league.common import breaker
from aurum_league.settings.connections import CACHE_DATABASE, LIVE_DATABASE, redis_url
from aurum_league.settings.environment import enter_test_folder, read_test_process

enter_test_folder()
# On a busy machine Redis may be kept from answering for a second, which is no fault; it is when nothing answers at all.
breaker.ANSWER_SECONDS = 20.0

from aurum_league.settings.embedded import *  # noqa: E402, F403
from aurum_league.settings.embedded import CACHES, DATABASE_OWNER, DATABASES  # noqa: E402

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
CACHES["default"]["LOCATION"] = redis_url(CACHE_DATABASE + 2 * read_test_process())
LIVE_URL = redis_url(LIVE_DATABASE + 2 * read_test_process())
# A connection kept by a thread that has ended would keep test databases from being dropped.
DATABASES["default"]["CONN_MAX_AGE"] = 0
# Tests make and empty tables; tests/security/test_database_roles.py tries what the site itself may do.
DATABASES["default"] |= {name: DATABASE_OWNER[name] for name in ("USER", "PASSWORD")}
# A whole test is one transaction, and on a busy machine the first sums of a process load SciPy for longer than this.
TRANSACTION_SECONDS = 300
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
WHITENOISE_AUTOREFRESH = True
# Tests read at once what they wrote by other ways than requests.
ANSWER_CACHE_SECONDS = 0.0
