"""`aurum rules`: the rules that hold under a ruleset, where the printed book has them, and which are our rulings."""

import argparse
import textwrap
from collections.abc import Iterator

from aurum_league.cli.main import add_ruleset_options, read_ruleset
from games.rules.books import ALL, write_cells
from games.rules.rulebook import RULES, TOPICS, Mark, Rule, cell_of, cells_of_ruling, rules_in_force
from games.rules.ruleset import EDITIONS, PLAYERS, Ruleset
from games.rules.rulings import RULINGS, Share

HELP = "print the rules that hold"
WIDTH = 100
NOTHING = "-"
HEAD = (
    "Aurum {code}: the rules that hold. [R-n] marks a ruling of ours, where the printed book is silent or can be read"
    " in two ways; [not as printed] what the book has otherwise. In brackets: where the book has it."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, choices=PLAYERS, default=3, help="how many play (default: 3)")
    parser.add_argument(
        "--markdown", action="store_true", help="the whole rulebook of all editions, as docs/RULES.md has it"
    )
    add_ruleset_options(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.markdown:
        print(write_rulebook())
        return 0
    ruleset = read_ruleset(arguments, arguments.players)
    print(textwrap.fill(HEAD.format(code=ruleset.code), WIDTH))
    topic = ""
    for rule in rules_in_force(ruleset):
        if rule.topic != topic:
            topic = rule.topic
            print(f"\n{topic}")
        print(textwrap.fill(_tell_rule(rule, ruleset), WIDTH, initial_indent="- ", subsequent_indent="  "))
    return 0


def _tell_rule(rule: Rule, ruleset: Ruleset) -> str:
    words = [rule.text]
    mark = rule.mark_in(cell_of(ruleset))
    if mark is not None:
        words += [f"[{number}]" for number in mark.rulings]
        words += ["[not as printed]"] if mark.departs else []
    passage = rule.passage_in(cell_of(ruleset))
    if passage is not None:
        words.append(f"({passage.heading}, p. {passage.page})" if passage.page else f"({passage.heading})")
    return " ".join(words)


def write_rulebook() -> str:
    """Every rule and every ruling of all editions as Markdown."""
    return "\n".join([*_write_rules(), *_write_rulings()])


def _write_rules() -> Iterator[str]:
    for topic in TOPICS:
        yield f"### {topic}\n"
        yield f"| | {' | '.join(f'`{edition}`' for edition in EDITIONS)} |"
        yield f"|---|{'---|' * len(EDITIONS)}"
        for rule in RULES:
            if rule.topic == topic:
                only = f" (`{rule.variant}`)" if rule.variant else ""
                yield f"| {rule.text}{only} | {' | '.join(_write_marks(rule, edition) for edition in EDITIONS)} |"
        yield ""


def _write_marks(rule: Rule, edition: str) -> str:
    marks = {players: _write_mark(rule.mark_in(f"{edition}{players}")) for players in PLAYERS}
    if len(set(marks.values())) == 1:
        return marks[PLAYERS[0]]
    return ", ".join(f"{players}: {mark}" for players, mark in marks.items() if mark != NOTHING)


def _write_mark(mark: Mark | None) -> str:
    if mark is None:
        return NOTHING
    if mark.departs:
        return "*otherwise*"
    return ", ".join([*(["printed"] if mark.is_printed else []), *(f"**{number}**" for number in mark.rulings)])


def _write_rulings() -> Iterator[str]:
    yield "### Rulings of ours\n"
    yield "| | what it decides | ours in | why | how often it matters: three players, four players |"
    yield "|---|---|---|---|---|"
    for number, ruling in RULINGS.items():
        cells = cells_of_ruling(number)
        where = "all" if cells == ALL else write_cells(cells)
        shares = "; ".join(_write_share(share) for share in ruling.shares) or NOTHING
        yield f"| **{number}** | {ruling.text} | {where} | {ruling.reason} | {shares} |"


def _write_share(share: Share) -> str:
    found = [NOTHING if value is None else f"{value:.1f} %" for value in (share.three, share.four)]
    return f"{share.text}: {', '.join(found)}"
