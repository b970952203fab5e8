"""Authors with bots, and a site whose sandbox holds."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.models import Bot, BotMode, BotVersion
from bots.services.qualify import qualify_waiting_versions
from bots.services.registration import register_bot
from bots.services.uploads import add_version
from games.models import Player, PlayerKind

SOURCES = Path(__file__).parent / "sources"
MakeBot = Callable[..., Bot]


def read_source(name: str) -> bytes:
    return (SOURCES / f"{name}.py").read_bytes()


@pytest.fixture
def safe_sandbox(db: None) -> None:
    report_sandbox(SandboxReport(is_safe=True, reason=""))


@pytest.fixture
def author(db: None) -> User:
    return User.objects.create_user("author", "author@example.org", "pass-word-1")


@pytest.fixture
def make_bot(author: User, safe_sandbox: None) -> MakeBot:
    """A bot with one upload that has passed its check, unless told otherwise."""

    def make(name: str = "Alpha", source: str = "any_legal", owner: User = author, is_checked: bool = True) -> Bot:
        bot = register_bot(owner=owner, name=name, mode=BotMode.UPLOADED)
        add_version(bot_id=bot.pk, owner=owner, upload=read_source(source) + f"# {name}\n".encode())
        if is_checked:
            qualify_waiting_versions()
        bot.refresh_from_db()
        return bot

    return make


def force_active(bot: Bot) -> BotVersion:
    """As if the check had been passed: for bots that fail only in real matches."""
    version = bot.versions.get()
    BotVersion.objects.filter(pk=version.pk).update(state="qualified")
    Bot.objects.filter(pk=bot.pk).update(state="active", active_version=version)
    bot.refresh_from_db()
    return version


def house_player(brain: str = "random", number: int = 1) -> Player:
    slug = f"house-{brain}_{number}"
    return Player.objects.get_or_create(slug=slug, defaults={"kind": PlayerKind.HOUSE, "name": f"{brain} {number}"})[0]
