"""Versions of bots: uploaded, kept as code, and activated."""

import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from redis import RedisError

from aurum_league.common.broker import send_nudge
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.presence import read_sandbox_report
from bots.contract import CONTRACT, RULES_VERSION
from bots.models import Bot, BotMode, BotState, BotVersion, VersionState
from bots.runners.archive import content_hash, read_upload, unpack
from bots.runners.verdict import ArchiveError
from bots.services.registration import BotStep, lock_own_bot, next_bot_state, require_room_for_version

CHECK_QUEUE = "checks"


def nudge_checks() -> None:
    """Have uploads checked, by a worker for whom no match waits."""
    send_nudge("bots.check_versions", queue=CHECK_QUEUE)


@transaction.atomic
def activate_version(*, bot_id: int, owner: User, number: int) -> Bot:
    """Also how a paused bot comes back. Matches that were created before keep the version they were given."""
    bot = lock_own_bot(bot_id, owner)
    version = bot.versions.filter(number=number).first()
    if version is None:
        raise LeagueError(
            "version_unknown", N_("There is no version %(number)s of %(bot)s."), status=404, number=number, bot=bot
        )
    set_active(bot, version)
    return bot


def set_active(bot: Bot, version: BotVersion) -> None:
    """The caller holds the bot's lock."""
    if version.state != VersionState.QUALIFIED:
        raise LeagueError(
            "not_qualified", N_("Version %(number)s has not passed the check."), status=409, number=version.number
        )
    bot.state = next_bot_state(bot.state, BotStep.ACTIVATE)
    bot.active_version = version
    bot.failures = 0
    bot.paused_at = bot.author_told_at = None
    bot.save(update_fields=("state", "active_version", "failures", "paused_at", "author_told_at"))


# A version never changes, so that its folder needs no second look at the database.
_folders: dict[int, Path] = {}


def fetch_code(version_id: int) -> Path:
    """The folder with a version's main.py or main.wasm; any worker can make it, several at once too."""
    folder = _folders.get(version_id)
    if folder is None or not folder.is_dir():
        version = BotVersion.objects.only("upload", "content_hash").get(pk=version_id, upload__isnull=False)
        folder = Path(settings.MEDIA_ROOT) / "bots" / version.content_hash
        if not folder.is_dir():
            assert version.upload is not None
            _unpack_once(bytes(version.upload), folder)
        _folders[version_id] = folder
    return folder


def _unpack_once(upload: bytes, folder: Path) -> None:
    """Unpack beside and rename: a folder of that name is always whole."""
    draft = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}")
    unpack(upload, draft)
    with suppress(OSError):
        draft.rename(folder)
        return
    shutil.rmtree(draft)


def add_version(*, bot_id: int, owner: User, upload: bytes, note: str = "") -> BotVersion:
    """Store an upload as the bot's next version; the same files twice are refused with the number they have."""
    require_sandbox()
    try:
        files = sorted(name for name, _ in read_upload(upload))
        digest = content_hash(upload)
    except ArchiveError as error:
        raise LeagueError(error.code, error.sentence, N_("Mend the file and upload it again."), status=422) from error
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        bot = lock_own_bot(bot_id, owner)
        _require_takes_uploads(bot, digest)
        require_room_for_version(owner, len(upload))
        last = bot.versions.aggregate(last=Max("number"))["last"] or 0
        version = BotVersion.objects.create(
            bot=bot,
            number=last + 1,
            upload=upload,
            size=len(upload),
            content_hash=digest,
            files=files,
            contract=CONTRACT,
            rules=RULES_VERSION,
            note=note.strip()[:200],
        )
        transaction.on_commit(nudge_checks)
    return version


def require_sandbox() -> None:
    """Refused while no worker of ours has a sandbox that holds: there is no other way to run an upload."""
    reason = find_sandbox_refusal()
    if reason:
        raise LeagueError(
            "sandbox_unsafe",
            N_("Uploads are refused: %(reason)s"),
            N_("Connect your bot instead."),
            status=503,
            reason=reason,
        )


def find_sandbox_refusal() -> str:
    """Why uploaded bots cannot be played now; empty where they can."""
    try:
        report = read_sandbox_report()
    except RedisError:
        return "whether the sandbox holds cannot be found out now."
    if report is None:
        return "no worker has tried its sandbox yet."
    return "" if report.is_safe else report.reason


def _require_takes_uploads(bot: Bot, digest: str) -> None:
    if bot.mode != BotMode.UPLOADED:
        raise LeagueError("bot_mode", N_("A connected bot runs at yours and takes no uploads."), status=409)
    if bot.state == BotState.RETIRED:
        raise LeagueError("bot_state", N_("A retired bot takes no versions."), status=409)
    known = bot.versions.filter(content_hash=digest).first()
    if known is not None:
        raise LeagueError(
            "version_exists", N_("These files are version %(number)s already."), status=409, number=known.number
        )
