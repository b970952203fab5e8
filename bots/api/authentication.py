"""Who a connected bot is: the token that its author was shown once, and nothing else."""

from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from aurum_league.common.api.throttles import is_within_rate, seconds_left
from bots.models import Bot
from bots.services.registration import TOKEN_PREFIX, digest_token

SCHEME = "bearer"


def find_bot(request: HttpRequest | Request) -> Bot | None:
    """The bot whose token the request carries; None for no token of a bot, or one that is void."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != SCHEME or not token.startswith(TOKEN_PREFIX):
        return None
    bots = Bot.objects.select_related("player__owner").filter(player__owner__is_active=True)
    return bots.filter(token_digest=digest_token(token)).first()


class BotTokenAuthentication(BaseAuthentication):
    """Sets `request.auth` to the bot; its user is the author, who holds no more rights by it than the bot."""

    def authenticate(self, request: Request) -> tuple[object, Bot]:
        bot = find_bot(request)
        if bot is None or bot.player.owner is None:
            raise AuthenticationFailed("The token of a connected bot is needed, as Authorization: Bearer aurbot_…")
        return bot.player.owner, bot

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class BotTokenScheme(OpenApiAuthenticationExtension):
    target_class = "bots.api.authentication.BotTokenAuthentication"
    name = "bot_token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A connected bot's token, from its dashboard."}


class IsBot(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.auth, Bot)


class BotThrottle(BaseThrottle):
    """Requests a minute: more than any bot needs at fifty tables; past it the answer is 429 with Retry-After."""

    rate = 1200
    scope = "bot"

    def allow_request(self, request: Request, view: APIView) -> bool:
        return not isinstance(request.auth, Bot) or is_within_rate(str(request.auth.pk), self.scope, self.rate)

    def wait(self) -> float:
        return seconds_left()


class StreamThrottle(BotThrottle):
    """Opening streams: a client that reconnects in a loop is slowed down."""

    rate = 30
    scope = "bot-stream"
