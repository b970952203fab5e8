"""What the games app does when a match has moved on, and when somebody signs up."""

from allauth.account.signals import user_signed_up
from django.contrib.auth.models import User
from django.dispatch import receiver
from django.http import HttpRequest

from aurum_league.common.broker import publish
from games.pages.play import read_sitter
from games.services.players import ensure_person, take_over_guest
from games.signals import match_moved


@receiver(match_moved)
def tell_watchers(match_id: int, version: int, **details: object) -> None:
    publish(f"match:{match_id}", {"kind": "moved", "version": version})


@receiver(user_signed_up)
def welcome(request: HttpRequest, user: User, **details: object) -> None:
    """A new account has its page before its first match, and what this browser played as a guest is on it."""
    if guest := read_sitter(request).guest:
        take_over_guest(user=user, guest=guest)
    else:
        ensure_person(user)
