"""A public server behind TLS: refuses to start while a variable it needs is missing."""

from aurum_league.settings.base import *  # noqa: F403
from aurum_league.settings.base import TRUSTED_PROXIES
from aurum_league.settings.environment import require_text

for name in ("SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL", "REDIS_URL"):
    require_text(name)

SECRET_KEY = require_text("SECRET_KEY")
CSRF_TRUSTED_ORIGINS = [require_text("SITE_URL")]
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-session"
DEVICE_COOKIE_NAME = "__Host-device"
SECOND_FACTOR_REQUIRED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = False
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
