"""`aurum bot upload, status, activate, logs, proof, trial`: an author's way without a browser, also for scripts."""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console

from aurum_league.cli.bot import EXIT_FAILED, FILE_HELP
from aurum_league.cli.bot_connect import read_token, read_url, tell_refusal
from aurum_league.cli.main import CommandError
from aurum_league.client import ClientError, LeagueClient

CHECKING = frozenset({"new", "checking"})
PAUSE_SECONDS = 1.0
TRIAL_PAUSE_SECONDS = 5.0
LATEST = 10


def add_site(parser: argparse.ArgumentParser) -> None:
    """Where, and who asks; a token is never an argument, since every list of processes shows those."""
    parser.add_argument("--url", required=True, type=read_url, help="the site, such as https://aurum.example.org")
    parser.add_argument(
        "--token-file",
        required=True,
        metavar="FILE",
        help="a file with a token of yours with the scopes bots and read, made under Account; - reads it from stdin",
    )
    parser.add_argument("--json", action="store_true", help="what the site answers, as JSON")


@contextmanager
def open_league(arguments: argparse.Namespace) -> Iterator[LeagueClient]:
    try:
        with LeagueClient(arguments.url, read_token(arguments.token_file)) as league:
            yield league
    except ClientError as error:
        raise CommandError(tell_refusal(error)) from None


def tell(arguments: argparse.Namespace, answer: Any, sentence: Callable[[], str]) -> None:
    if arguments.json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        Console(highlight=False).print(sentence(), markup=False, soft_wrap=True)


def add_upload(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help=FILE_HELP)
    parser.add_argument("--bot", metavar="NAME", help="which of yours; made if none is (default: the file's name)")
    parser.add_argument("--note", default="", help="what is new, for your own eyes")
    parser.add_argument("--activate", action="store_true", help="wait for the check, then let this version play")
    add_site(parser)


def upload(arguments: argparse.Namespace) -> int:
    file = Path(arguments.file)
    code = file.read_bytes()
    name = arguments.bot or file.stem
    with open_league(arguments) as league:
        bot = find_bot(league, name) or league.register_bot(name, "uploaded")
        version = league.add_version(bot["slug"], code, note=arguments.note, filename=file.name)
        if arguments.activate:
            version = wait_for_check(league, bot["slug"], version["number"])
            if version["state"] == "qualified" and bot["active_version"] != version["number"]:
                league.activate_version(bot["slug"], version["number"])
    tell(arguments, version, lambda: f"{bot['name']}, version {version['number']}: {tell_version(version)}")
    return EXIT_FAILED if version["state"] == "rejected" else 0


def find_bot(league: LeagueClient, name: str) -> Any:
    """One's own bot of this name or slug; None where there is none."""
    wanted = name.casefold()
    return next((bot for bot in league.list_bots(mine=True) if wanted in (bot["slug"], bot["name"].casefold())), None)


def require_bot(league: LeagueClient, name: str) -> Any:
    bot = find_bot(league, name)
    if bot is None:
        there = ", ".join(sorted(bot["slug"] for bot in league.list_bots(mine=True))) or "none"
        raise CommandError(f"You have no bot {name!r}. There are: {there}.")
    return bot


def require_only_bot(league: LeagueClient) -> Any:
    bots = [bot for bot in league.list_bots(mine=True) if bot["mode"] == "uploaded" and bot["state"] != "retired"]
    if len(bots) != 1:
        there = ", ".join(sorted(bot["slug"] for bot in bots)) or "none"
        raise CommandError(f"Say which of your bots by --bot. There are: {there}.")
    return bots[0]


def find_wanted(league: LeagueClient, arguments: argparse.Namespace) -> Any:
    return require_bot(league, arguments.bot) if arguments.bot else require_only_bot(league)


def wait_for_check(league: LeagueClient, slug: str, number: int) -> Any:
    while True:
        version = next(row for row in league.list_versions(slug) if row["number"] == number)
        if version["state"] not in CHECKING:
            return version
        time.sleep(PAUSE_SECONDS)


def tell_version(version: Any) -> str:
    fault = (version["report"] or {}).get("fault")
    if not fault:
        return str(version["state"])
    return f"{version['state']}: {fault['step']}: {fault['verdict']}: {fault['detail']}"


def add_status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", nargs="?", help="one bot with its versions (default: all of yours)")
    add_site(parser)


def show_status(arguments: argparse.Namespace) -> int:
    with open_league(arguments) as league:
        bots = [require_bot(league, arguments.bot)] if arguments.bot else list(league.list_bots(mine=True))
        rows = [
            {
                **bot,
                "versions": list(league.list_versions(bot["slug"])),
                "matches": list(islice(league.list_matches(player=bot["slug"], state="finished"), LATEST)),
            }
            for bot in bots
        ]
    tell(arguments, rows, lambda: "\n".join(tell_bot(row) for row in rows) or "You have no bots yet.")
    return 0


def tell_bot(row: Any) -> str:
    lines = [f"{row['name']} ({row['slug']}): {row['mode']}, {row['state']}"]
    for version in row["versions"]:
        mark = "plays" if version["number"] == row["active_version"] else "     "
        lines.append(f"  {mark} version {version['number']}: {tell_version(version)}")
    return "\n".join([*lines, *(tell_match(match, row["slug"]) for match in row["matches"])])


def tell_match(match: Any, slug: str) -> str:
    """By its number, which `logs` and `proof` want; where a bot meets itself, the place of the first of its seats."""
    own = next(seat["side"] for seat in match["seats"] if seat["player"] == slug)
    others = ", ".join(seat["name"] for seat in match["seats"] if seat["side"] != own)
    came = f"place {match['result']['places'][own]}{', sealed' if match['is_sealed'] else ''}"
    return f"        match {match['id']}: {match['kind']}, {match['ruleset']}, against {others}: {came}"


def add_activate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("version", type=int, help="the number of the version that is to play from now on")
    parser.add_argument("--bot", metavar="NAME", help="which of your bots (default: the only one that is uploaded)")
    add_site(parser)


def activate(arguments: argparse.Namespace) -> int:
    with open_league(arguments) as league:
        slug = find_wanted(league, arguments)["slug"]
        bot = league.activate_version(slug, arguments.version)
    tell(arguments, bot, lambda: f"{bot['name']}: version {bot['active_version']} plays from now on")
    return 0


def add_logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", type=int, help="the number of a match in which a bot of yours played")
    add_site(parser)


def show_logs(arguments: argparse.Namespace) -> int:
    with open_league(arguments) as league:
        seats = league.read_logs(arguments.match)
    tell(arguments, seats, lambda: "\n\n".join(tell_log(seat) for seat in seats))
    return 0


def tell_log(seat: Any) -> str:
    """A line a decision, and under it what was said; whatever would steer the terminal is escaped."""
    head = f"seat {seat['seat']}: {seat['bot']}, version {seat['version']}"
    if seat["log"] is None:
        return f"{head}: no log is kept of this match"
    lines = [head]
    for row in seat["log"]["decisions"]:
        used = f"{row['cpu_us'] / 1000:.2f} ms" if row["fuel"] is None else f"{row['fuel']:,} fuel"
        lines.append(f"{row['counter']:>5}  {row['action'] or row['verdict']:<14} {used:>16}")
        lines += _quote(row["said"])
    return "\n".join(lines + _quote(seat["log"]["last_words"]))


def _quote(said: str) -> list[str]:
    from bots.runners.streams import show_text

    return [f"       | {line}" for line in show_text(said).splitlines()]


def show_proof(arguments: argparse.Namespace) -> int:
    """Ends with 1 where a decision came out otherwise."""
    with open_league(arguments) as league:
        state = league.ask_proof(arguments.match)
        while (proof := state["proof"]) is None:
            time.sleep(PAUSE_SECONDS)
            state = league.read_proof(arguments.match)
            if not state["is_asked"]:
                raise CommandError("The site has lost the question, or could not answer it. Ask again.")
    tell(arguments, proof, lambda: tell_proof(proof))
    return EXIT_FAILED if any(seat["asked"] != seat["alike"] for seat in proof["seats"]) else 0


def tell_proof(proof: Any) -> str:
    lines = [
        f"seat {seat['seat']}, {seat['agent']}: {seat['alike']} of {seat['asked']} decisions come out again"
        for seat in proof["seats"]
    ]
    lines += [f"seat {seat} is not asked: it may answer as it likes" for seat in proof["left_out"]]
    lines += [
        f"decision {one['counter']} of seat {one['seat']}: the record has {one['recorded']}, it plays {one['played']}"
        for one in proof["differences"]
    ]
    return "\n".join(lines)


def add_trial(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", type=int, help="the number of the version that is to be beaten")
    parser.add_argument("new", type=int, help="the number of the version that may be better")
    parser.add_argument("--bot", metavar="NAME", help="which of your bots (default: the only one that is uploaded)")
    parser.add_argument("--ruleset", default="en3", help="by its code (default: en3)")
    parser.add_argument("--wait", action="store_true", help="until the trial has decided")
    add_site(parser)


def run_trial(arguments: argparse.Namespace) -> int:
    with open_league(arguments) as league:
        bot = find_wanted(league, arguments)
        trial = league.start_trial(bot["slug"], arguments.new, arguments.old, ruleset=arguments.ruleset)
        while arguments.wait and trial["finished_at"] is None:
            time.sleep(TRIAL_PAUSE_SECONDS)
            trial = league.read_trial(bot["slug"], trial["id"])["trial"]
    tell(arguments, trial, lambda: f"trial {trial['id']}: {trial['state']}{tell_estimate(trial)}")
    return 0


def tell_estimate(trial: Any) -> str:
    if trial["estimate"] is None:
        return ""
    return f", {trial['estimate']:+.3f} ({trial['estimate_low']:+.3f} to {trial['estimate_high']:+.3f}) points a match"


COMMANDS = {
    "upload": ("send your bot to a site, which checks it", add_upload, upload),
    "status": ("show your bots at a site, with their versions, checks and latest matches", add_status, show_status),
    "activate": ("let a version that has passed its check play from now on", add_activate, activate),
    "logs": ("show every decision of your bot in a match, with its time and its stderr", add_logs, show_logs),
    "proof": ("have a site ask the bots of a match every question again", add_logs, show_proof),
    "trial": ("have a site try a new version against an old one", add_trial, run_trial),
}
