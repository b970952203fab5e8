"""WebAssembly modules from the form to the tournament: compiled and checked in the sandbox, played, charged fuel."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import bots.runners.selftest as launch_module
from aurum_league.cli.main import main
from bots.agents.conformance import check_bot
from bots.agents.uploaded import compile_uploaded
from bots.models import Bot, BotMode, BotState, SeatUsage, VersionState
from bots.runners.archive import content_hash, read_upload, unpack
from bots.runners.selftest import SandboxState
from bots.runners.verdict import SandboxUnsafeError, Verdict
from bots.runners.wasm import WasmLimits
from bots.selectors import read_usage
from bots.services.qualify import qualify_waiting_versions
from bots.services.registration import register_bot
from bots.services.versions import activate_version, add_version
from games.models import Match, MatchKind, MatchState, RunnerNeed
from games.play.agents import PlatformFault
from games.services.play import play_ready_matches
from tests.bots.test_uploaded import play_against_random
from tests.services.tournaments.conftest import make_bots
from tests.wasm.hostile import repeat
from tests.wasm.modules import ANSWER, make_fair_module, make_json_module, make_module
from tests.wasm.toolchains import ToolMissing, build_starter
from tournaments.models import StageStandings, TournamentState
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

DASHBOARD = "/bots/alpha/dashboard/"
WASI = '(import "wasi_snapshot_preview1" "fd_write" (func))'
# Bulk instructions cost by the byte: all fuel is burnt in a moment, so that no test waits for it.
BURN = repeat("(memory.fill (i32.const 0) (i32.const 0) (i32.const 131072))")


@pytest.fixture(scope="module")
def starter(request: pytest.FixtureRequest) -> bytes:
    try:
        return build_starter("c", Path(request.config.cache.mkdir("starters")))
    except ToolMissing as missing:
        pytest.skip(f"THE C STARTER WAS NOT BUILT: {missing}")


def upload_module(author: User, module: bytes) -> Bot:
    bot = register_bot(owner=author, name="Alpha", mode=BotMode.UPLOADED)
    add_version(bot_id=bot.pk, owner=author, upload=module)
    return bot


def unpack_module(module: bytes, folder: Path) -> Path:
    unpack(module, folder / "bot")
    return folder / "bot"


def test_a_module_is_one_file_named_for_what_it_is() -> None:
    module = make_fair_module()
    assert list(read_upload(module)) == [("main.wasm", module)]
    assert content_hash(module) != content_hash(b"print()")


@pytest.mark.django_db
def test_a_starter_is_uploaded_checked_and_plays_a_tournament(
    starter: bytes, author: User, safe_sandbox: None, client: Client
) -> None:
    client.force_login(author)
    client.post("/bots/new/", {"name": "Alpha", "mode": "uploaded"})
    sent = {"upload": SimpleUploadedFile("alpha.wasm", starter)}
    assert client.post("/bots/alpha/versions/", sent).status_code == 302
    assert qualify_waiting_versions() == 1
    bot = Bot.objects.get()
    version = bot.versions.get()
    assert (version.state, bot.state, version.files) == (VersionState.QUALIFIED, BotState.ACTIVE, ["main.wasm"])
    assert 1_000 < version.report["fuel"]["p50"] <= version.report["fuel"]["p99"] < 100_000
    stage = {"format": "round_robin", "options": {"meetings": 1}}
    tournament = create_tournament(spec={"name": "Mixed", "stages": [stage]}, organiser=author)
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=[bot.player, *make_bots(2, "random"), *make_bots(2)])
    draw_tournament(tournament_id=tournament.id)
    start_tournament(tournament_id=tournament.id)
    for _ in range(20):
        advance_tournament(tournament_id=tournament.id)
        play_ready_matches(needs=RunnerNeed.HOUSE)
        play_ready_matches(needs=RunnerNeed.SANDBOX)
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.FINISHED
    played = Match.objects.filter(kind=MatchKind.TOURNAMENT, seats__agent=f"version:{version.pk}").distinct()
    assert played and all(match.state == MatchState.FINISHED and not match.result.forfeits for match in played)
    stored = StageStandings.objects.get(stage__tournament=tournament)
    assert len(stored.rows) == 5
    usages = SeatUsage.objects.filter(version=version)
    assert usages.count() == played.count() and all(sum(usage.fuel or ()) == sum(usage.cpu) > 1 for usage in usages)
    fuel = read_usage(version.pk).fuel
    assert fuel is not None and 1_000 < fuel.p50 <= fuel.p99 < 100_000
    assert f"{fuel.p50:,} / {fuel.p99:,} fuel" in client.get(DASHBOARD).content.decode()
    told = client.get("/api/v1/bots/alpha/performance").json()
    assert told[0]["fuel"]["p50"] == fuel.p50


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("module", "verdict", "told"),
    [
        pytest.param(make_module(ANSWER, imports=WASI), "wasm_import", "WASI", id="wants files"),
        pytest.param(b"\0asm\1\0\0\0\xff", "wasm_malformed", "", id="damaged"),
        pytest.param(make_module(BURN), "fuel", "fuel", id="never ends"),
        pytest.param(make_module("(unreachable)"), "crash", "unreachable", id="traps"),
        pytest.param(make_module("(i32.const -1)"), "illegal", "-1", id="answers nonsense"),
        pytest.param(make_json_module("[1]"), "protocol", "", id="answers with no object"),
    ],
)
def test_a_hostile_module_is_rejected_with_its_sentence(
    author: User, safe_sandbox: None, client: Client, module: bytes, verdict: str, told: str
) -> None:
    bot = upload_module(author, module)
    assert qualify_waiting_versions() == 1
    version = bot.versions.get()
    fault = version.report["fault"]
    assert (version.state, fault["verdict"]) == (VersionState.REJECTED, verdict)
    assert fault["detail"] and told in fault["detail"] + fault["answered"]
    client.force_login(author)
    page = client.get(DASHBOARD).content.decode()
    assert f"<summary>{verdict}</summary>" in page
    assert ("What it was asked" in page) == (fault["asked"] != "")


@pytest.mark.django_db
def test_running_out_of_fuel_in_a_match_is_told_to_the_author(author: User, safe_sandbox: None) -> None:
    bot = upload_module(author, make_module(BURN))
    bot.versions.update(state=VersionState.QUALIFIED)
    activate_version(bot_id=bot.pk, owner=author, number=1)
    (match,) = play_against_random(Bot.objects.get())
    assert match.state == MatchState.FINISHED and match.result.forfeits == [0]
    assert [failure.verdict for failure in match.failures.all()] == [Verdict.FUEL] * 3
    fuel = read_usage(bot.versions.get().pk).fuel
    assert fuel is not None and fuel.p99 >= 0.8 * WasmLimits().decision, "what was burnt is what is charged"


def test_no_module_is_compiled_or_run_where_the_sandbox_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = unpack_module(make_fair_module(), tmp_path)
    unsafe = SandboxState(False, ("fork",), "the sandbox leaves open: fork.", "none", 7)
    monkeypatch.setattr(launch_module, "_probed", (float("inf"), unsafe))
    with pytest.raises(SandboxUnsafeError, match="leaves open: fork"):
        compile_uploaded(code)
    with pytest.raises(PlatformFault, match="leaves open: fork"):
        check_bot(code)
    assert not (tmp_path / "compiled").exists()


def test_the_commands_take_modules(starter: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my.wasm").write_bytes(starter)
    (tmp_path / "bad.wasm").write_bytes(make_module(ANSWER, imports=WASI))
    mine, bad = str(tmp_path / "my.wasm"), str(tmp_path / "bad.wasm")
    assert main(["bot", "check", mine]) == 0
    told = capsys.readouterr().out
    assert told.count("passed") == 4 and "fuel p50" in told
    assert main(["bot", "check", bad]) == 1
    assert "failed  compiling the module: wasm_import" in capsys.readouterr().out
    command = ["bot", "play", mine, "counting", "--matches", "3", "--seed", "7"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert "3 matches on 1 deals" in first and "fuel a decision: p50" in first
    assert main(command) == 0
    assert capsys.readouterr().out == first, "the same deals, answers and fuel again"
    assert main(["bot", "play", mine, bad]) == 2
    assert "(wasm_import)" in capsys.readouterr().err


def test_a_module_plays_against_a_file(starter: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my.wasm").write_bytes(starter)
    (tmp_path / "stuck.wasm").write_bytes(make_module("(unreachable)"))
    assert (
        main(["bot", "play", str(tmp_path / "my.wasm"), str(tmp_path / "stuck.wasm"), "random", "--matches", "3"]) == 0
    )
    told = capsys.readouterr().out
    assert "failed decisions of others: 18" in told and "forfeits" not in told
