"""What the site answers, by type: the fields of docs/openapi.yaml, which a test compares one by one."""

from typing import Any, TypedDict


class Player(TypedDict):
    slug: str
    name: str
    kind: str
    owner: str | None
    is_active: bool
    created_at: str


class Seat(TypedDict):
    seat: int
    side: int
    player: str
    name: str
    kind: str
    by_token: int


class Result(TypedDict):
    """By side; what a sealed match does not tell is null."""

    places: list[int]
    forfeits: list[int]
    is_by_hand: bool
    nuggets: list[int] | None
    totals: list[int] | None
    rounds: int | None
    lots: bool | None


class Match(TypedDict):
    id: int
    kind: str
    ruleset: str
    players: int
    is_rated: bool
    share: float
    state: str
    commitment: str
    deals: str
    is_sealed: bool
    created_at: str
    started_at: str | None
    finished_at: str | None
    seats: list[Seat]
    result: Result | None


class Table(TypedDict):
    """A match as a seat, or everybody, sees it now."""

    match: int
    state: str
    ruleset: str
    awaited: list[int]
    deadline: str | None
    counter: int
    view: dict[str, Any] | None


class League(TypedDict):
    slug: str
    name: str
    description: str
    is_unlisted: bool
    organiser: str
    created_at: str


class Tournament(TypedDict):
    slug: str
    name: str
    description: str
    contact: str
    links: list[list[str]]
    league: str | None
    season: int | None
    organiser: str
    state: str
    ruleset: str
    table_kind: str
    entry_kind: str
    is_rated: bool
    capacity: int | None
    needs_check_in: bool
    time_zone: str
    entries_open_at: str | None
    entries_close_at: str | None
    check_in_opens_at: str | None
    check_in_ends_at: str | None
    draws_at: str | None
    starts_at: str | None
    runs_itself: bool
    is_unlisted: bool
    clock: dict[str, Any] | None
    commitment: str | None
    seed: str | None
    created_at: str
    started_at: str | None
    finished_at: str | None


class Stage(TypedDict):
    number: int
    name: str
    format: str
    options: dict[str, Any]
    state: str
    points: list[float]
    tiebreaks: list[str]
    block_deals: int
    matches_each: int
    release: str
    groups: int
    cut: int | None
    results_version: int
    finished_at: str | None


class Entrant(TypedDict):
    id: int
    player: str
    name: str
    state: str
    seed_number: int | None
    division: str
    entered_on: int
    left_on: int | None
    entered_at: str
    contribution: str


class Contribution(TypedDict):
    entrant: int
    contribution: str


class Beacon(TypedDict):
    chain: str
    round: int
    randomness: str
    signature: str


class SeedParts(TypedDict):
    """What a tournament's seed is mixed from; the secret and the seed are told when it has finished."""

    mixing: str
    commitment: str
    secret: str | None
    contributions: list[Contribution]
    beacon_round: int | None
    beacon: Beacon | None
    seed: str | None


class Team(TypedDict):
    slug: str
    name: str
    members: list[str]
    created_by: str
    created_at: str


class Preset(TypedDict):
    """`spec` lacks only a name."""

    code: str
    title: str
    description: str
    spec: dict[str, Any]


class Opinion(TypedDict):
    applied: int
    trick: int
    played: str
    best: str
    cost: float
    chance: float


class Judgement(TypedDict):
    """Of one round of a seat; `opinions` is None until a worker has looked at every decision."""

    match: int
    seat: int
    round: int
    rounds: int
    champion: str
    opinions: list[Opinion] | None
    done: int
    total: int


class LoggedDecision(TypedDict):
    """`action` is None where it failed; `wall_us` is known of Python, `fuel` of a module."""

    counter: int
    action: str | None
    verdict: str
    cpu_us: int
    wall_us: int | None
    fuel: int | None
    said: str


class DecisionLog(TypedDict):
    decisions: list[LoggedDecision]
    last_words: str


class SeatLog(TypedDict):
    """Of one seat of an upload of one's own; `log` is None where none is kept."""

    seat: int
    bot: str
    version: int
    log: DecisionLog | None


class ProvenSeat(TypedDict):
    seat: int
    agent: str
    asked: int
    alike: int


class Difference(TypedDict):
    """A decision that came out otherwise than the record has it."""

    counter: int
    seat: int
    recorded: str
    played: str


class Proof(TypedDict):
    """`left_out` are seats whose agents answer as they like: people, connected bots, uploads in Python."""

    seats: list[ProvenSeat]
    left_out: list[int]
    differences: list[Difference]


class ProofState(TypedDict):
    """`proof` is None until a worker has asked every question again."""

    proof: Proof | None
    is_asked: bool


class Standing(TypedDict):
    place: int
    entrant: int
    player: str
    name: str
    is_house: bool
    state: str
    division: str
    values: dict[str, float | None]
    tally: dict[str, int]
    decided_by: dict[str, Any] | None


class Standings(TypedDict):
    version: int
    is_current: bool
    chain: list[str]
    lines: list[Standing]


class Event(TypedDict):
    number: int
    kind: str
    actor: str | None
    reason: str
    detail: dict[str, Any]
    at: str


class Rating(TypedDict):
    pool: str
    player: str
    name: str
    kind: str
    rank: int | None
    rank_best: int | None
    rank_worst: int | None
    number: float
    low: float
    high: float
    lower_bound: float
    is_provisional: bool
    is_official: bool
    matches: int


class Bot(TypedDict):
    slug: str
    name: str
    author: str
    mode: str
    state: str
    description: str
    allows_scrimmages: bool
    active_version: int | None
    created_at: str


class Version(TypedDict):
    number: int
    state: str
    size: int
    content_hash: str
    files: list[str]
    contract: int
    rules: int
    note: str
    report: dict[str, Any] | None
    created_at: str
    checked_at: str | None


class Trial(TypedDict):
    id: int
    bot: str
    new: int | None
    old: int | None
    ruleset: str
    effect: float
    most_units: int
    state: str
    trouble: str
    llr: float
    estimate: float | None
    estimate_low: float | None
    estimate_high: float | None
    created_at: str
    finished_at: str | None


class TrialProgress(TypedDict):
    """The ratio walks between the bounds; the trial ends where it meets one of them."""

    trial: Trial
    lower: float
    upper: float
    units: int
    drawn: int
    matches: int
    ratios: list[float]


class Report(TypedDict):
    """What you reported, and whether a moderator has closed the case."""

    id: int
    player: str
    match: int | None
    kind: str
    round_number: int | None
    trick: int | None
    text: str
    made_at: str
    is_closed: bool
