"""Adding versions: an upload is judged by its bytes, stored as it came, and waits for its check."""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from redis import RedisError

from aurum_league.common.errors import LeagueError
from aurum_league.common.presence import read_sandbox_report
from bots.contract import CONTRACT
from bots.contract.messages import RULES_VERSION
from bots.models import Bot, BotMode, BotState, BotVersion
from bots.runners.archive import content_hash, read_upload
from bots.runners.errors import ArchiveError
from bots.services.nudge import nudge_sweep_on_commit
from bots.services.quotas import require_room_for_version
from bots.services.registration import lock_own_bot


def add_version(*, bot_id: int, owner: User, upload: bytes, note: str = "") -> BotVersion:
    """Store an upload as the bot's next version; the same files twice are refused with the number they have."""
    require_sandbox()
    try:
        files = sorted(name for name, _ in read_upload(upload))
        digest = content_hash(upload)
    except ArchiveError as error:
        raise LeagueError(error.code, str(error), "Mend the file and upload it again.", 422) from error
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
        nudge_sweep_on_commit()
    return version


def require_sandbox() -> None:
    """Refused while no worker of ours has a sandbox that holds: there is no other way to run an upload."""
    reason = find_sandbox_refusal()
    if reason:
        raise LeagueError("sandbox_unsafe", f"Uploads are refused: {reason}", "Connect your bot instead.", 503)


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
        raise LeagueError("bot_mode", "A connected bot runs at yours and takes no uploads.", status=409)
    if bot.state == BotState.RETIRED:
        raise LeagueError("bot_state", "A retired bot takes no versions.", status=409)
    known = bot.versions.filter(content_hash=digest).first()
    if known is not None:
        raise LeagueError("version_exists", f"These files are version {known.number} already.", status=409)
