"""Who is asking: the owner of an access token, found by the token's hash."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from aurum_league.models import AccessToken

# A write for every request would cost more than most requests do.
LAST_USE_STEP = timedelta(minutes=1)


class AccessTokenAuthentication(TokenAuthentication):
    """One query by primary key, where knox would look at every token of the same user."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, AccessToken]:
        try:
            digest = hash_token(token.decode("ascii"))
        except UnicodeDecodeError:
            raise AuthenticationFailed("This token is not valid.") from None
        now = timezone.now()
        found = AccessToken.objects.select_related("user").filter(digest=digest).first()
        if found is None or (found.expiry is not None and found.expiry < now) or not found.user.is_active:
            raise AuthenticationFailed("This token is not valid: it is unknown, revoked or expired.")
        if found.last_used_at is None or now - found.last_used_at > LAST_USE_STEP:
            AccessToken.objects.filter(pk=found.pk).update(last_used_at=now)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class AccessTokenScheme(OpenApiAuthenticationExtension):
    target_class = "aurum_league.api.authentication.AccessTokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from /account/tokens/, with scopes."}
