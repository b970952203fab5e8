"""A tournament as an organiser writes it: plain keys and values, every mistake named; and presets to start from."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from aurum_league.common.errors import N_, LeagueError
from games.rules.ruleset import Ruleset, RulesetError
from tournaments.rules.formats import FORMATS, make_stage_format
from tournaments.rules.pairing import TableKind
from tournaments.rules.standings import DEFAULT_CHAIN, LATE_CHAIN, Metric, Scoring

MOST_MATCHES = 999
RELEASES = ("all", "matchday", "by_hand", "timed")
ENTRY_KINDS = ("bots", "people", "mixed")

REAL_CARDS = {"real_cards": 1}
"""The clock of a tournament that is played at real tables."""

MOST_LINKS, LONGEST_TITLE, LONGEST_ADDRESS = 10, 60, 300
LONGEST_NAME, LONGEST_DESCRIPTION, LONGEST_CONTACT = 80, 4000, 200
LARGEST_FIELD = 100_000
LINK_WORDS = N_("Give each as a title and an address that begins with https://.")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StageSpec:
    """One stage: its format with options, how it is scored, and how many go on from it."""

    format: str
    name: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    points: tuple[float, ...] = ()
    tiebreaks: tuple[str, ...] = ()
    """Empty as given: the usual chain of the format."""
    block_deals: int = 0
    matches_each: int = 1
    groups: int = 0
    cut: int | None = None
    release: str = ""


@dataclass(frozen=True, slots=True)
class TournamentSpec:
    """One tournament with its stages in order."""

    name: str
    stages: tuple[StageSpec, ...]
    description: str = ""
    ruleset: str = "en3"
    table_kind: TableKind = TableKind.SOLO3
    entry_kind: str = "bots"
    is_rated: bool = True
    capacity: int | None = None
    needs_check_in: bool = False
    clock: dict[str, float] | None = None
    contact: str = ""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of a title and an address."""


def read_spec(given: Mapping[str, Any]) -> TournamentSpec:
    """Check a plain mapping with a list `stages`; raises a coded error at the first mistake."""
    values = dict(given)
    stages = values.pop("stages", None)
    if not isinstance(stages, list | tuple) or not stages:
        raise _mistake(N_("A tournament needs at least one stage."), N_("Give `stages`, each with a `format`."))
    if "table_kind" in values:
        _require_choice("table_kind", values["table_kind"], tuple(TableKind))
        values["table_kind"] = TableKind(values["table_kind"])
    if "links" in values:
        values["links"] = read_links(values["links"])
    spec = _build(TournamentSpec, values | {"stages": ()}, "tournament")
    _check_tournament(spec)
    last = len(stages) - 1
    checked = tuple(_read_stage(spec, stage, is_last=number == last) for number, stage in enumerate(stages))
    return _build(TournamentSpec, values | {"stages": checked}, "tournament")


def read_links(given: Any) -> tuple[tuple[str, str], ...]:
    """Pairs of a title and an address of the web, as a page shows them; a coded error at the first mistake."""
    if not isinstance(given, list | tuple) or len(given) > MOST_LINKS:
        raise _mistake(N_("At most %(most)s links can be given."), LINK_WORDS, most=MOST_LINKS)
    links = []
    for pair in given:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(isinstance(one, str) for one in pair):
            raise _mistake(N_("A link is a title and an address."), LINK_WORDS)
        title, address = (one.strip() for one in pair)
        if not (title and len(title) <= LONGEST_TITLE and _is_web_address(address)):
            raise _mistake(N_("%(link)s cannot be used as a link."), LINK_WORDS, link=repr(f"{title} {address}"))
        links.append((title, address))
    return tuple(links)


def _is_web_address(text: str) -> bool:
    if len(text) > LONGEST_ADDRESS or any(sign.isspace() or ord(sign) < 32 for sign in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def check_texts(name: str, description: str, contact: str) -> None:
    """A coded error where a text is missing or too long."""
    _require_text("name", name, LONGEST_NAME)
    if not name.isprintable():
        raise _mistake(N_("A name has visible characters and plain spaces only."))
    _require_text("description", description, LONGEST_DESCRIPTION, can_be_empty=True)
    _require_text("contact", contact, LONGEST_CONTACT, can_be_empty=True)


def _check_tournament(spec: TournamentSpec) -> None:
    check_texts(spec.name, spec.description, spec.contact)
    _require_text("ruleset", spec.ruleset, LONGEST_NAME)
    _require_choice("entry_kind", spec.entry_kind, ENTRY_KINDS)
    for name, value in (("is_rated", spec.is_rated), ("needs_check_in", spec.needs_check_in)):
        _require_choice(name, value, (True, False))
    try:
        ruleset = Ruleset.from_code(spec.ruleset)
    except RulesetError as error:
        raise LeagueError("unknown_ruleset", error.sentence) from None
    if ruleset.players != spec.table_kind.seats:
        raise _mistake(
            N_("The ruleset %(ruleset)s is for %(players)s players, but tables of kind %(table_kind)s seat %(seats)s."),
            N_("Choose a ruleset and a kind of table for the same number of players."),
            ruleset=spec.ruleset,
            players=ruleset.players,
            table_kind=spec.table_kind,
            seats=spec.table_kind.seats,
        )
    if spec.capacity is not None:
        _require_number("capacity", spec.capacity, spec.table_kind.entrants, LARGEST_FIELD)
    if spec.clock is not None and not _is_clock(spec.clock):
        raise _mistake(
            N_("The clock is not understood."), N_("Give `bank` or `each` in seconds, or `real_cards` as 1.")
        )
    if spec.clock == REAL_CARDS and (spec.is_rated or spec.entry_kind != "people"):
        raise _mistake(
            N_("With real cards people play among themselves, and nothing is rated."),
            N_("Let only people enter, and make it unrated."),
        )


def _is_clock(clock: Any) -> bool:
    if clock == REAL_CARDS:
        return True
    return (
        isinstance(clock, dict)
        and bool({"bank", "each"} & clock.keys())
        and all(type(value) in (int, float) and 0 < value < 10_000_000 for value in clock.values())
    )


def _read_stage(spec: TournamentSpec, given: Any, *, is_last: bool) -> StageSpec:
    if not isinstance(given, Mapping) or "format" not in given:
        raise _mistake(N_("A stage has no format."), N_("Give each stage a `format`."))
    values = dict(given)
    _require_text("format", values["format"], LONGEST_NAME)
    for name in ("points", "tiebreaks"):
        if name in values:
            values[name] = tuple(_require_list(name, values[name]))
    stage = _build(StageSpec, values, "stage")
    if not isinstance(stage.options, Mapping):
        raise _mistake(N_("options are names with values, not %(value)s."), value=repr(stage.options))
    _require_number("groups", stage.groups, 0, MOST_MATCHES)
    _check_groups(stage)
    # How large the groups are is known only when entries close.
    options = {"divisions": (0,), **stage.options} if stage.groups else stage.options
    make_stage_format(stage.format, spec.table_kind, options)
    _require_text("stage name", stage.name, LONGEST_NAME, can_be_empty=True)
    for metric in stage.tiebreaks:
        _require_choice("tiebreaks", metric, tuple(Metric))
    _require_number("block_deals", stage.block_deals, 0, MOST_MATCHES)
    _require_number("matches_each", stage.matches_each, 1, MOST_MATCHES)
    if stage.release:
        _require_choice("release", stage.release, RELEASES)
    if stage.cut is None and not is_last:
        raise _mistake(N_("A stage before the last must say how many go on from it."), N_("Give it a `cut`."))
    if stage.cut is not None:
        _require_number("cut", stage.cut, spec.table_kind.entrants, LARGEST_FIELD)
    check_points(spec.table_kind, stage.points)
    return stage if stage.tiebreaks else replace(stage, tiebreaks=usual_chain(stage.format))


def _check_groups(stage: StageSpec) -> None:
    grouped = [code for code, made in FORMATS.items() if made.has_divisions]
    if stage.groups and stage.format in FORMATS and stage.format not in grouped:
        sentence, fix = N_("The format %(name)s has no groups."), N_("Formats with groups: %(names)s.")
        raise _mistake(sentence, fix, name=stage.format, names=grouped)


def usual_chain(code: str) -> tuple[Metric, ...]:
    """What orders the standings of a format: means where entries may be late, totals elsewhere."""
    return LATE_CHAIN if FORMATS[code].takes_late_entries else DEFAULT_CHAIN


def default_points(kind: TableKind) -> tuple[float, ...]:
    return (2, 1, 0) if kind is TableKind.SOLO3 else (1, 0)


def check_points(kind: TableKind, points: tuple[float, ...]) -> None:
    if not points:
        return
    if len(points) != len(default_points(kind)):
        raise _mistake(
            N_("Tables of kind %(kind)s need %(needed)s points by place, not %(given)s."),
            kind=kind,
            needed=len(default_points(kind)),
            given=len(points),
        )
    try:
        Scoring(points)
    except (ValueError, TypeError, OverflowError) as error:
        raise _mistake(N_("The points by place cannot be used: %(error)s."), error=error) from None


def _build(made: type[T], values: Mapping[str, Any], what: str) -> T:
    known = fields(made)  # type: ignore[arg-type]
    names = {one.name for one in known}
    if unknown := sorted(set(values) - names):
        raise LeagueError(
            "unknown_option",
            N_("A %(what)s has no %(name)s."),
            N_("It has: %(names)s."),
            what=what,
            name=repr(unknown[0]),
            names=sorted(names),
        )
    for one in known:
        if one.default is MISSING and one.default_factory is MISSING and one.name not in values:
            raise _mistake(N_("A %(what)s needs a %(name)s."), what=what, name=one.name)
    return made(**values)


def _require_text(name: str, value: Any, most: int, *, can_be_empty: bool = False) -> None:
    if not isinstance(value, str) or len(value) > most or not (value.strip() or can_be_empty):
        raise _mistake(N_("The %(name)s must be text of at most %(most)s characters."), name=name, most=most)


def _require_list(name: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise _mistake(N_("%(name)s is %(value)s, but must be a list."), name=name, value=repr(value))
    return value


def _require_number(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _mistake(
            N_("%(name)s is %(value)s, but must be a whole number from %(least)s to %(most)s."),
            name=name,
            value=repr(value),
            least=least,
            most=most,
        )


def _require_choice(name: str, value: Any, choices: tuple[str | bool, ...]) -> None:
    # By its type too, since 1 is True.
    if value not in choices or isinstance(value, bool) != isinstance(choices[0], bool):
        raise _mistake(
            N_("%(name)s is %(value)s, but must be one of: %(names)s."),
            name=name,
            value=repr(value),
            names=list(choices),
        )


def _mistake(sentence: str, fix: str = "", **values: object) -> LeagueError:
    return LeagueError("bad_spec", sentence, fix, status=400, **values)


@dataclass(frozen=True, slots=True)
class Preset:
    """`spec` lacks only what every organiser chooses: the name. Texts are marked for the catalogues."""

    title: str
    description: str
    spec: dict[str, Any]


GROUPS = {"meetings": 2, "laps": 1}
"""Two meetings are exact for a group of any size, and left and right cancel; one would leave small groups uneven."""

PRESETS: dict[str, Preset] = {
    "bot_league": Preset(
        N_("Bot league, three players"),
        N_("Everybody meets everybody twice, on deals that all three play from every seat."),
        {"stages": [{"format": "round_robin", "options": {"meetings": 2}, "block_deals": 4}]},
    ),
    "swiss_weekend": Preset(
        N_("Swiss weekend"),
        N_("Equals meet equals; a house bot fills the seat that is missing."),
        {
            "entry_kind": "mixed",
            "needs_check_in": True,
            "stages": [{"format": "swiss", "options": {"house_fills": True}}],
        },
    ),
    "whist_evening": Preset(
        N_("Whist evening"),
        N_("Four at a table, and everybody is everybody's partner once."),
        {
            "ruleset": "en4",
            "table_kind": "solo4",
            "entry_kind": "people",
            "stages": [{"format": "round_robin", "options": {"meetings": 1}}],
        },
    ),
    "knockout_cup": Preset(
        N_("Knockout cup"),
        N_("Lose and you are out; long sets on the same deals, because one match is a lottery."),
        {"ruleset": "en3-golden", "stages": [{"format": "knockout", "block_deals": 4}]},
    ),
    "team_league": Preset(
        N_("Team league"),
        N_("Fixed sides of two, home and return."),
        {
            "ruleset": "en4",
            "table_kind": "teams4",
            "entry_kind": "mixed",
            "stages": [{"format": "round_robin", "options": {"meetings": 1, "laps": 2}}],
        },
    ),
    "groups_then_knockout": Preset(
        N_("Groups, then knockout"),
        N_("Three groups; the first three of each go on to tables of three."),
        {
            "ruleset": "en3-golden",
            "stages": [
                {"format": "league_season", "name": "Groups", "groups": 3, "options": GROUPS, "cut": 9},
                {"format": "knockout", "name": "Finals", "block_deals": 4},
            ],
        },
    ),
    "ladder": Preset(
        N_("Ladder"),
        N_("Runs on; whose rating is least certain plays next, against those rated near."),
        {"stages": [{"format": "ladder"}]},
    ),
}


def spec_from_preset(preset: Any, **changes: Any) -> dict[str, Any]:
    """A preset's spec with an organiser's changes laid over it."""
    if not isinstance(preset, str) or preset not in PRESETS:
        raise LeagueError(
            "unknown_preset",
            N_("There is no preset %(name)s."),
            N_("There are: %(names)s."),
            name=repr(preset),
            names=list(PRESETS),
        )
    return {**PRESETS[preset].spec, **changes}
