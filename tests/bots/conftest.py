"""Authors with bots, and a site whose sandbox holds."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.models import Bot, BotMode, VersionState
from bots.services.qualify import qualify_waiting_versions
from bots.services.registration import register_bot
from bots.services.versions import activate_version, add_version
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
    """A bot with one upload: `active` as if it had passed its check, `checked` in the sandbox, or only `uploaded`."""

    def make(name: str = "Alpha", source: str = "any_legal", owner: User = author, until: str = "active") -> Bot:
        bot = register_bot(owner=owner, name=name, mode=BotMode.UPLOADED)
        add_version(bot_id=bot.pk, owner=owner, upload=read_source(source) + f"# {name}\n".encode())
        if until == "checked":
            qualify_waiting_versions()
        elif until == "active":
            bot.versions.update(state=VersionState.QUALIFIED)
            activate_version(bot_id=bot.pk, owner=owner, number=1)
        bot.refresh_from_db()
        return bot

    return make


def house_player(brain: str = "random", number: int = 1) -> Player:
    slug = f"house-{brain}_{number}"
    return Player.objects.get_or_create(slug=slug, defaults={"kind": PlayerKind.HOUSE, "name": f"{brain} {number}"})[0]
