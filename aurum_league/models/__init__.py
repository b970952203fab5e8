"""Tables of the site as a whole: access tokens, and answers kept for requests that are sent again."""

from aurum_league.models.answer import KeptAnswer
from aurum_league.models.token import AccessToken

__all__ = ["AccessToken", "KeptAnswer"]
