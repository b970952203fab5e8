"""Tickets: the commitment of a table that is not there yet, shown beside the button that deals it.

A page asks for one on every look, so nothing is stored: the secret follows from the ticket and the site's key, and
comes into the database with the table. A ticket opens one table only; used again it would deal the same cards again.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from django.conf import settings

from aurum_league.common.errors import N_, LeagueError
from games.rules.deal import commitment
from games.rules.mixing import is_contribution
from games.services.create import new_seed

PURPOSE = b"aurum table ticket"


@dataclass(frozen=True, slots=True)
class Ticket:
    """`text` is what comes back with the wish for a table; `commitment` binds the site to the table's secret."""

    text: str
    commitment: str


def offer_ticket() -> Ticket:
    nonce = secrets.token_hex(16)
    bound = commitment(_derive(nonce))
    return Ticket(f"{nonce}.{bound}", bound)


def read_ticket(text: str) -> bytes:
    """The secret that a ticket stands for; a fresh one where it is none of ours, or from before the key changed."""
    nonce, _, bound = text.partition(".")
    secret = _derive(nonce)
    return secret if hmac.compare_digest(commitment(secret).encode(), bound.encode()) else new_seed()


def take_ticket(text: str) -> str:
    """The ticket that somebody holds, or a new one where it is none of ours: from here on there is one."""
    _nonce, _, bound = text.partition(".")
    return text if commitment(read_ticket(text)) == bound else offer_ticket().text


def require_contribution(text: str) -> str:
    """What somebody adds to the deals, or nothing; a coded error where it is neither."""
    if text and not is_contribution(text):
        raise LeagueError(
            "bad_contribution",
            N_("A contribution to chance is 64 hexadecimal digits."),
            N_("Send 32 random bytes in small letters, or none."),
        )
    return text


def _derive(nonce: str) -> bytes:
    key = hashlib.sha256(PURPOSE + settings.SECRET_KEY.encode()).digest()
    return hmac.digest(key, nonce.encode(), "sha256")
