"""`aurum show`: draw a recorded match in the terminal, trick by trick."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from aurum_league.cli.main import CommandError
from aurum_league.cli.record_files import read_records
from games.rules.errors import RecordFault
from games.rules.record import read_record
from games.rules.ruleset import Ruleset
from games.rules.transcript import write_transcript

SUIT_STYLES = {"B": "magenta", "C": "red", "P": "green", "S": "cyan", "Z": "blue", "G": "bold yellow"}
END_SENTENCES = {
    "no_lead": "seat {} has no card to lead with",
    "no_play": "seat {} has no card to play",
    "declined_gold": "seat {} keeps the gold and stops the round",
}
LONGEST_NAME = 24


def draw_match(record: dict[str, Any]) -> Iterator[RenderableType]:
    ruleset = Ruleset.from_dict(record["ruleset"])
    names = seat_names(record, ruleset.players)
    yield Text(f"Aurum {ruleset.code}: " + ", ".join(f"{seat} {name}".strip() for seat, name in enumerate(names)))
    for number, told in enumerate(record["rounds"], 1):
        yield Rule(Text(f"Round {number}, seat {told['first_seat']} is first"))
        yield _draw_hands(told, names)
        yield _draw_tricks(told, ruleset.players)
        yield Padding(_end_sentence(told["end"]), (0, 1))
        yield _draw_scores(told)
    yield Rule(Text("Result"))
    yield _draw_result(record["result"])


def seat_names(record: dict[str, Any], players: int) -> list[str]:
    """Names that a record may give beside the fixed keys; empty where it does not."""
    seats = record.get("seats")
    names = [""] * players
    if isinstance(seats, list):
        for seat, told in enumerate(seats[:players]):
            name = told.get("name", told.get("agent")) if isinstance(told, dict) else told
            if isinstance(name, str) and name.isprintable():
                names[seat] = name[:LONGEST_NAME]
    return names


def _end_sentence(end: dict[str, Any]) -> Text:
    return Text(f"The round ends: {END_SENTENCES[end['reason']].format(end['seat'])}.")


def _cards(cards: list[str]) -> Text:
    return Text(" ").join(_card(card) for card in cards)


def _card(card: str) -> Text:
    return Text(card, SUIT_STYLES[card[0]])


def _draw_hands(told: dict[str, Any], names: list[str]) -> Table:
    table = Table(box=None, pad_edge=True)
    for heading in ("seat", "hand as dealt", "bid"):
        table.add_column(heading)
    for seat, hand in enumerate(told["hands"]):
        table.add_row(Text(f"{seat} {names[seat]}"), _cards(hand), _card(told["bids"][seat]))
    if told["set_aside"]:
        table.add_row(Text("aside"), _cards(told["set_aside"]), Text(""))
    return table


def _draw_tricks(told: dict[str, Any], players: int) -> Table:
    table = Table()
    table.add_column("trick", justify="right")
    for seat in range(players):
        table.add_column(f"seat {seat}")
    for heading in ("won by", "gold", "bid changes before it"):
        table.add_column(heading)
    for number, trick in enumerate(told["tricks"], 1):
        table.add_row(str(number), *_trick_cells(trick, players))
    return table


def _trick_cells(trick: dict[str, Any], players: int) -> list[Text]:
    plays = [Text("") for _ in range(players)]
    for turn, card in enumerate(trick["plays"]):
        seat = (trick["leader"] + turn) % players
        plays[seat] = Text("> " if turn == 0 else "  ").append_text(_card(card))
        if seat == trick["winner"]:
            plays[seat].append(" *")
    gold = Text("none" if trick["gold"] is None else f"G{trick['gold']}").append(f" to {trick['gold_to']}")
    changes = [
        f"seat {change['seat']} spends G{change['gold']}: bid of {change['bid_of']} is {change['card']}"
        for change in trick["bid_changes"]
    ]
    is_open = trick["winner"] is None
    won_by = Text("nobody" if is_open else str(trick["winner"]))
    return [*plays, won_by, Text("") if is_open else gold, Text("; ".join(changes))]


def _draw_scores(told: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=True)
    for heading in ("side", "bid", "tricks", "bid points", "gold points", "total", "nugget"):
        table.add_column(heading, justify="right")
    for side, score in enumerate(told["scores"]):
        values = (score[key] for key in ("bid", "tricks", "bid_points", "gold_points", "total"))
        table.add_row(str(side), *map(str, values), "1" if side in told["winners"] else "")
    return table


def _draw_result(result: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=True)
    for heading in ("place", "side", "nuggets", "points"):
        table.add_column(heading, justify="right")
    place = 1
    for group in result["places"]:
        for side in group:
            table.add_row(str(place), str(side), str(result["nuggets"][side]), str(result["totals"][side]))
        place += len(group)
    if result["lots"]:
        table.caption = "Lots decided the first places."
    return table


HELP = "draw a recorded match, trick by trick"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="RECORD",
        help="a file of records, or a zip of such files; - is standard input; games.jsonl:17 is its line 17",
    )
    parser.add_argument("--line", type=int, default=1, metavar="N", help="which line of the file (default: 1)")
    parser.add_argument("--text", action="store_true", help="the compact notation, one line a trick")
    parser.add_argument(
        "--failures", action="store_true", help="list the decisions that bots failed to make, of what bot play saved"
    )


def run(arguments: argparse.Namespace) -> int:
    path, number = split_place(arguments.file, arguments.line)
    if arguments.failures:
        return list_failures(path, number if path != arguments.file else None)
    record = _find_record(path, number)
    if arguments.text:
        print(write_transcript(record), end="")
        return 0
    console = Console(highlight=False)
    for part in draw_match(record):
        console.print(part)
    return 0


def _find_record(path: str, number: int) -> Any:
    """The record on that line, judged before it is drawn."""
    for line in read_records(path):
        if line.number == number:
            try:
                if line.fault is not None:
                    raise line.fault
                read_record(line.record)
            except RecordFault as fault:
                raise CommandError(f"{path}:{number}: {fault}") from None
            return line.record
    raise CommandError(f"{path} has no record on line {number}.")


def split_place(place: str, line: int) -> tuple[str, int]:
    """`games.jsonl:17` is line 17 of games.jsonl, unless a file has that very name."""
    path, _, number = place.rpartition(":")
    return (path, int(number)) if path and number.isdecimal() and not Path(place).exists() else (place, line)


def list_failures(path: str, only: int | None) -> int:
    """Every failed decision, or those of one line, with the place of its match, so that it can be shown."""
    from bots.runners.streams import show_text

    found = 0
    console = Console(highlight=False)
    for line in read_records(path):
        if only not in (None, line.number):
            continue
        saved = line.record.get("bench", {}) if isinstance(line.record, dict) else {}
        for told in saved.get("failures", []):
            found += 1
            who = f"seat {told['seat']}, after {told['step']} actions"
            what = f"{path}:{line.number}: {who}: {told['verdict']}: {show_text(told['detail'])}"
            console.print(what, markup=False, soft_wrap=True)
            for title in ("answered", "stderr"):
                if told[title]:
                    console.print(f"  {title}: {show_text(told[title].rstrip())}", markup=False, soft_wrap=True)
    console.print(f"{found} failed decisions")
    return 0
