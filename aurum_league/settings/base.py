"""Settings that hold everywhere; an overlay adds the secret key and what differs."""

import logging
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.templatetags.static import static

from aurum_league.common.breaker import ANSWER_SECONDS, make_redis_options
from aurum_league.operations.logs import make_logging
from aurum_league.settings.connections import (
    CACHE_DATABASE,
    LIVE_DATABASE,
    celery_broker_url,
    database_url,
    list_provider_origins,
    make_postgres_waits,
    make_providers,
    owner_database_url,
    parse_mail_url,
    read_sign_in_keys,
    redis_url,
)
from aurum_league.settings.environment import CHECKOUT, read_choice, read_data_folder, read_list, read_number, read_text

DEBUG = False
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS")
SITE_URL = read_text("SITE_URL") or f"http://{read_text('HOST')}:{read_number('PORT', 1, 65535)}"
TRUSTED_PROXIES = read_number("TRUSTED_PROXIES", 0, 10)
ROOT_URLCONF = "aurum_league.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Whoever the operator has keys of; the addresses and buttons of the others do not exist.
SIGN_IN_KEYS = read_sign_in_keys()

INSTALLED_APPS = [
    "aurum_league",
    "games",
    "bots",
    "tournaments",
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{name}" for name in SIGN_IN_KEYS),
    "csp",
    "django_celery_beat",
    "django_cotton",
    "django_filters",
    "django_htmx",
    "django_prometheus",
    "django_structlog",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "pgtrigger",
    "rest_framework",
]

MIDDLEWARE = [
    "aurum_league.web.requests.answer_probes",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "aurum_league.web.requests.AdminPolicyMiddleware",
    "aurum_league.web.requests.deny_devices",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "aurum_league.common.cache.cache_answers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "aurum_league.accounts.sessions.note_browser",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "aurum_league.accounts.sign_in.guard_roles",
    "django_htmx.middleware.HtmxMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "aurum_league.web.requests.MatchOnLogLines",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [CHECKOUT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# One connection a thread, and no pool: a pool tries a server that was away only after longer and longer pauses.
# Compiling a query to machine code costs Postgres more than any query of a page takes.
STATEMENT_SECONDS = read_number("STATEMENT_SECONDS", 1, 86_400)
_database = dj_database_url.parse(database_url(), conn_max_age=60, conn_health_checks=True)
DATABASES: dict[str, Any] = {
    "default": {**_database, "OPTIONS": {**make_postgres_waits(STATEMENT_SECONDS), **_database.get("OPTIONS", {})}}
}
DATABASE_OWNER = dj_database_url.parse(owner_database_url())
DATABASE_SITE_ROLE = _database["USER"]
CACHES: dict[str, Any] = {
    "default": {
        "BACKEND": "aurum_league.common.cache.SteadyCache",
        "LOCATION": redis_url(CACHE_DATABASE),
        "KEY_PREFIX": "aurum",
        "OPTIONS": make_redis_options(),
    }
}
LIVE_URL = redis_url(LIVE_DATABASE)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français"), ("de", "Deutsch"), ("ru", "Русский")]
LOCALE_PATHS = [CHECKOUT / "aurum_league" / "locale"]
FORMAT_MODULE_PATH = ["aurum_league.locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT: Path | None = CHECKOUT / "staticfiles"
MEDIA_ROOT = read_data_folder() / "media"
ARCHIVE_ROOT = read_data_folder() / "archives"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LEAST_PASSWORD = 12
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
AUTH_PASSWORD_VALIDATORS += [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": LEAST_PASSWORD},
    }
]
LOGIN_REDIRECT_URL = "profile"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
# Sign-up goes through with an address that somebody has already; only one account can ever confirm it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Aurum League] "
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_BLACKLIST = ["admin", "api", "bot", "house", "organiser", "staff"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_ADAPTER = "aurum_league.accounts.sign_in.SignInAdapter"
# Whoever may be at somebody's account tells its owner.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Every guess is counted before it is compared, those of a browser that is known to the account apart from strangers'.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": "30/m/ip,5/300s/key", "login_failed_known": "10/300s/key"}
DEVICE_COOKIE_NAME = "device"

# Whether accounts with a role can do anything without a second factor; a public server says so.
SECOND_FACTOR_REQUIRED = False
MFA_ADAPTER = "aurum_league.accounts.sign_in.SecondFactorAdapter"
MFA_FORMS = {
    f"{deed}_webauthn": f"aurum_league.accounts.sign_in.{deed.title()}PasskeyForm"
    for deed in ("add", "authenticate", "login", "reauthenticate")
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Aurum League"
# Passkeys on this machine's own `localhost`, without TLS; a public server takes them by TLS only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

# An account elsewhere opens the account here that was made with it or joined to it by its owner, and no other; names
# are chosen here, and an address counts as confirmed only where the provider says that it is.
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_EMAIL_REQUIRED = True
SOCIALACCOUNT_PROVIDERS = make_providers(SIGN_IN_KEYS, read_text("GITHUB_URL"))
MAIL = parse_mail_url(read_text("EMAIL_URL"))
EMAIL_BACKEND = MAIL.backend
EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.use_tls, MAIL.use_ssl
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = read_text("EMAIL_FROM")

SESSION_ENGINE = "aurum_league.accounts.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        # A form that begins a sign-in elsewhere is answered by a redirect, which browsers hold to this as well.
        "form-action": [SELF, *list_provider_origins(SIGN_IN_KEYS, read_text("GITHUB_URL"))],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "aurum_league.accounts.access.AccessTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["aurum_league.common.api.access.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["aurum_league.common.api.access.ScopeThrottle"],
    # Requests a minute, for each token and scope; strangers are counted by address.
    "DEFAULT_THROTTLE_RATES": {"anonymous": 600, "read": 1200, "play": 600, "bots": 120, "organise": 300},
    # The address is the client's already, as far as proxies are trusted.
    "NUM_PROXIES": 0,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "aurum_league.common.api.idempotency.BoundedJSONParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "aurum_league.common.api.errors.answer_api_error",
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# How old an answer may be that the API sends to strangers without asking the database; 0 caches none.
ANSWER_CACHE_SECONDS = 1.0
REST_KNOX = {"TOKEN_TTL": None, "TOKEN_PREFIX": "aur_", "AUTH_HEADER_PREFIX": "Bearer"}
KNOX_TOKEN_MODEL = "aurum_league.AccessToken"
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Aurum League",
    "DESCRIPTION": "Everything the site does, for programs. docs/API.md begins with a first session by curl.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    # `?fields=` leaves out any of them.
    "COMPONENT_NO_READ_ONLY_REQUIRED": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "PlayerKind": "games.models.PlayerKind",
        "MatchKind": "games.models.MatchKind",
        "MatchState": "games.models.MatchState",
        "TournamentState": "tournaments.models.TournamentState",
        "StageState": "tournaments.models.StageState",
        "MatchdayState": "tournaments.models.MatchdayState",
        "FixtureState": "tournaments.models.FixtureState",
        "EntrantState": "tournaments.models.EntrantState",
        "ReportKind": "tournaments.models.ReportKind",
        "Strength": "games.services.lobby.STRENGTHS",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "aurum_league.api.schema.add_streams",
        "aurum_league.api.schema.add_errors",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}
UNFOLD = {
    "SITE_TITLE": "Aurum League",
    "SITE_HEADER": "Aurum League",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("svg/favicon.svg")}],
    "STYLES": [lambda request: static("css/admin.css")],
}

OWN_EVENTS_AT_ONCE = read_number("OWN_EVENTS_AT_ONCE", 0, 1000)
OWN_EVENT_ENTRANTS = read_number("OWN_EVENT_ENTRANTS", 2, 100_000)
"""What somebody who is no organiser may run."""

CELERY_BROKER_URL = celery_broker_url()
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Nobody waits for a broker that is away: a message that cannot be sent is left to the sweep.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "max_retries": 0,
    "socket_timeout": ANSWER_SECONDS,
    "socket_connect_timeout": ANSWER_SECONDS,
    "socket_keepalive": True,
}
CELERY_WORKER_CONSUMER = "aurum_league.celery:SteadyConsumer"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CONCURRENCY = read_number("WORKER_CONCURRENCY", 0, 256) or None
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"

SCHEDULE: dict[str, tuple[str, float]] = {
    "sweep matches": ("games.sweep_matches", 5.0),
    "sweep tournaments": ("tournaments.sweep", 5.0),
    "keep the times of tournaments": ("tournaments.keep_time", 15.0),
    "sweep bots": ("bots.sweep", 60.0),
    "forget old logs of bots": ("bots.prune_logs", 3600.0),
    "choose the puzzle of the day": ("bots.choose_puzzle", 300.0),
    "send turn notices": ("games.send_turn_notices", 60.0),
    "send notices": ("aurum_league.send_notices", 60.0),
    "forget old answers": ("aurum_league.forget_old_answers", 3600.0),
    "publish heads": ("aurum_league.publish_heads", 3600.0),
    "forget old traces": ("aurum_league.forget_old_traces", 86_400.0),
    "look for cases": ("tournaments.look_for_cases", 21_600.0),
    "study cases": ("tournaments.study_cases", 300.0),
    "fit ratings": ("tournaments.fit_ratings", 600.0),
}
"""Name of the entry: the task that beat starts, and the seconds between two starts."""

CELERY_BEAT_SCHEDULE = {name: {"task": task, "schedule": seconds} for name, (task, seconds) in SCHEDULE.items()}

BEACON = read_text("BEACON")
LEASE_SECONDS = read_number("LEASE_SECONDS", 2, 3600)
# After which Postgres ends the transaction of a worker that froze in the midst of it.
TRANSACTION_SECONDS = 15
METRICS_TOKEN = read_text("METRICS_TOKEN")
PROMETHEUS_EXPORT_MIGRATIONS = False
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# It believes any X-Forwarded-For, and took a sixteenth of a decision's processor time.
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
LOGGING = make_logging(read_choice("LOG_FORMAT", "console", "json"), read_text("LOG_LEVEL"))

PUSH_SERVICES = (
    "https://fcm.googleapis.com",
    "https://updates.push.services.mozilla.com",
    "https://*.push.apple.com",
    "https://*.notify.windows.com",
)
"""Where browsers take messages; a subscription to any other address is refused."""
