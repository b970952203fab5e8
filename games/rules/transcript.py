"""A whole match as text for people, one line a trick, that can be read back to the same record.

aurum en4
round 1, first seat 2
hand 0: B1 C3 C4 …
bids: C4 C8 C1 C6
 1. [2 swap G0 2 P2] 2 leads C2 Z9 S9 G0 -> 1 wins, G2 to 2
 2. 2 leads B2 C8 -> unfinished
end: no_play by 0
side 0: bid 8, tricks 0, points 0 + 3 = 3
nuggets to: 0
places: 0 | 1
"""

import re
from typing import Any

from games.rules.deal import DEALING
from games.rules.errors import RecordFault
from games.rules.record_shape import FORMAT, VERSION
from games.rules.ruleset import Ruleset, RulesetError


def write_transcript(record: dict[str, Any]) -> str:
    """The text of a record that holds; keys of the caller's own are left out."""
    lines = [f"aurum {Ruleset.from_dict(record['ruleset']).code}"]
    if record.get("dealing") == DEALING:
        lines.append(f"seed: {record['seed']}")
    for number, told in enumerate(record["rounds"], 1):
        lines += _write_round(number, told)
    result = record["result"]
    return "\n".join(
        [
            *lines,
            f"places: {' | '.join(_join(group) for group in result['places'])}",
            f"nuggets: {_join(result['nuggets'])}",
            f"totals: {_join(result['totals'])}",
            f"lots: {'yes' if result['lots'] else 'no'}",
            "",
        ]
    )


def _join(items: list[Any]) -> str:
    return " ".join(map(str, items))


def _write_round(number: int, told: dict[str, Any]) -> list[str]:
    scores = [
        f"side {side}: bid {score['bid']}, tricks {score['tricks']}, "
        f"points {score['bid_points']} + {score['gold_points']} = {score['total']}"
        for side, score in enumerate(told["scores"])
    ]
    return [
        f"round {number}, first seat {told['first_seat']}",
        *(f"hand {seat}: {_join(hand)}" for seat, hand in enumerate(told["hands"])),
        *([f"set aside: {_join(told['set_aside'])}"] if told["set_aside"] else []),
        f"bids: {_join(told['bids'])}",
        *(_write_trick(index + 1, trick) for index, trick in enumerate(told["tricks"])),
        f"end: {told['end']['reason']} by {told['end']['seat']}",
        *scores,
        f"nuggets to: {_join(told['winners'])}",
    ]


def _write_trick(number: int, trick: dict[str, Any]) -> str:
    changes = "".join(
        f"[{change['seat']} swap G{change['gold']} {change['bid_of']} {change['card']}] "
        for change in trick["bid_changes"]
    )
    end = "unfinished"
    if trick["winner"] is not None:
        gold = "no gold" if trick["gold"] is None else f"G{trick['gold']}"
        end = f"{trick['winner']} wins, {gold} to {trick['gold_to']}"
    return f"{number:2}. {changes}{trick['leader']} leads {_join(trick['plays'])} -> {end}"


def read_transcript(text: str) -> dict[str, Any]:
    """The record that a text tells, not yet judged; raises RecordFault at a line that cannot be read."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rounds": [],
        "result": {"places": [], "nuggets": [], "totals": [], "lots": False},
    }
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            _read_line(record, line.strip(), number)
    return record


def _read_line(record: dict[str, Any], line: str, number: int) -> None:
    for pattern, read in _LINES:
        found = pattern.fullmatch(line)
        if found:
            try:
                read(record, found)
            except LookupError:
                raise RecordFault("not_a_transcript", f"line {number}", "this line comes before its round") from None
            except RulesetError as error:
                raise RecordFault("unknown_ruleset", f"line {number}", str(error)) from None
            return
    raise RecordFault("not_a_transcript", f"line {number}", f"{line[:40]!r} cannot be read")


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split()]


def _read_ruleset(record: dict[str, Any], found: re.Match[str]) -> None:
    record["ruleset"] = Ruleset.from_code(found[1]).to_dict()


def _read_seed(record: dict[str, Any], found: re.Match[str]) -> None:
    record |= {"dealing": DEALING, "seed": found[1]}


def _open_round(record: dict[str, Any], found: re.Match[str]) -> None:
    told = {"first_seat": int(found[1]), "hands": [], "set_aside": [], "bids": [], "tricks": [], "scores": []}
    record["rounds"].append(told)


def _read_hand(record: dict[str, Any], found: re.Match[str]) -> None:
    record["rounds"][-1]["hands"].append(found[1].split())


def _read_cards(record: dict[str, Any], found: re.Match[str]) -> None:
    record["rounds"][-1]["bids" if found[1] == "bids" else "set_aside"] = found[2].split()


def _read_trick(record: dict[str, Any], found: re.Match[str]) -> None:
    changes = [
        {"seat": int(seat), "gold": int(gold), "bid_of": int(bid_of), "card": card}
        for seat, gold, bid_of, card in _CHANGE.findall(found["changes"])
    ]
    gold = found["gold"]
    record["rounds"][-1]["tricks"].append(
        {
            "leader": int(found["leader"]),
            "bid_changes": changes,
            "plays": found["plays"].split(),
            "winner": int(found["winner"]) if found["winner"] else None,
            "gold_to": int(found["gold_to"]) if found["gold_to"] else None,
            "gold": int(gold[1:]) if gold and gold != "no gold" else None,
        }
    )


def _read_end(record: dict[str, Any], found: re.Match[str]) -> None:
    record["rounds"][-1]["end"] = {"reason": found[1], "seat": int(found[2])}


def _read_score(record: dict[str, Any], found: re.Match[str]) -> None:
    names = ("bid", "tricks", "bid_points", "gold_points", "total")
    record["rounds"][-1]["scores"].append(dict(zip(names, map(int, found.groups()), strict=True)))


def _read_winners(record: dict[str, Any], found: re.Match[str]) -> None:
    record["rounds"][-1]["winners"] = _numbers(found[1])


def _read_places(record: dict[str, Any], found: re.Match[str]) -> None:
    record["result"]["places"] = [_numbers(group) for group in found[1].split("|")]


def _read_sums(record: dict[str, Any], found: re.Match[str]) -> None:
    record["result"][found[1]] = _numbers(found[2])


def _read_lots(record: dict[str, Any], found: re.Match[str]) -> None:
    record["result"]["lots"] = found[1] == "yes"


_CHANGE = re.compile(r"\[(\d) swap G(\d) (\d) (\w{2,3})\] ")
_LINES = [
    (re.compile(pattern), read)
    for pattern, read in (
        (r"aurum (\S+)", _read_ruleset),
        (r"seed: ([0-9a-f]+)", _read_seed),
        (r"round \d{1,2}, first seat (\d)", _open_round),
        (r"hand \d: ([\w ]*)", _read_hand),
        (r"(bids|set aside): ([\w ]+)", _read_cards),
        (
            r"\d{1,3}\. (?P<changes>(?:\[\d swap G\d \d \w{2,3}\] )*)(?P<leader>\d) leads (?P<plays>[\w ]*) -> "
            r"(?:unfinished|(?P<winner>\d) wins, (?P<gold>G\d|no gold) to (?P<gold_to>\d))",
            _read_trick,
        ),
        (r"end: (\w+) by (\d)", _read_end),
        (r"side \d: bid (\d{1,2}), tricks (\d{1,2}), points (\d{1,2}) \+ (\d{1,2}) = (\d{1,2})", _read_score),
        (r"nuggets to: ([\d ]+)", _read_winners),
        (r"places: ([\d |]+)", _read_places),
        (r"(nuggets|totals): ((?:\d{1,3} ?)+)", _read_sums),
        (r"lots: (yes|no)", _read_lots),
    )
]
