"""Proof of a match: its house bots and modules are asked every question again, from the committed chance.

A worker asks; what came out is cached, and can be asked for again where it was lost.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User

from aurum_league.common.broker import send_nudge
from aurum_league.common.cache import add_cached, cache_value, drop_cached, find_cached
from aurum_league.common.errors import N_, LeagueError
from bots.agents.conformance import Difference, replay_decisions
from bots.agents.uploaded import open_uploaded
from bots.brains import BRAINS, make_brain
from bots.services.versions import fetch_code
from games.models import Match
from games.play.agents import Agent, AgentRef, SeatOrder, close_agent, derive_bot_seed
from games.selectors.matches import load_match, record_source, replay_match

TASK = "bots.form_proof"
CACHE_SECONDS = 30 * 86_400
SILENT_SECONDS = 300
"""A worker that has given no answer for so long has died, or had no time: it can be asked again."""

MOST_TOLD = 50


@dataclass(frozen=True, slots=True)
class ProvenSeat:
    """How many decisions of a seat were asked for again, and how many came out alike."""

    seat: int
    agent: str
    asked: int
    alike: int


@dataclass(frozen=True, slots=True)
class Proof:
    """`left_out` are the seats of people, connected bots and uploads in Python, which answer as they like.

    `differences` are at most `MOST_TOLD`; the seats have the whole count.
    """

    seats: list[ProvenSeat]
    left_out: list[int]
    differences: list[Difference]

    @property
    def is_whole(self) -> bool:
        return bool(self.seats) and all(seat.asked == seat.alike for seat in self.seats)


@dataclass(frozen=True, slots=True)
class ProofState:
    """What is known: the proof, or whether a worker is at it."""

    proof: Proof | None
    is_asked: bool


def read_proof(match: Match) -> ProofState:
    known = find_cached(_key(match))
    if known is None:
        return ProofState(None, find_cached(f"{_key(match)}:asked") is not None)
    seats = [ProvenSeat(**told) for told in known["seats"]]
    differences = [Difference(**told) for told in known["differences"]]
    return ProofState(Proof(seats, known["left_out"], differences), True)


def ask_proof(*, match: Match, owner: User) -> None:
    """Whoever sat at the table, or whose bot did, has a worker prove it; once is enough."""
    if not any(seat.owner_id == owner.pk for seat in match.seats.all()):
        raise LeagueError(
            "not_seated",
            N_("Neither you nor a bot of yours sat at this table."),
            N_("The archive of a tournament can be proved by anybody: aurum verify --replay."),
            status=403,
        )
    replay_match(match)
    if find_cached(_key(match)) is None and add_cached(f"{_key(match)}:asked", 1, SILENT_SECONDS):
        send_nudge(TASK, kwargs={"match_id": match.pk}, queue="patient", expires=SILENT_SECONDS)


def form_proof(*, match_id: int) -> None:
    """Raises PlatformFault where this machine failed; then nothing is known, and it can be asked for again."""
    match = load_match(match_id)
    if match is None or find_cached(_key(match)) is not None:
        return
    play = replay_match(match)
    agents: dict[int, Agent] = {}
    asked, alike, differences = Counter[int](), Counter[int](), list[Difference]()
    try:
        agents.update(_open_agents(match))
        decided = (entry & 3 for entry in play.log if entry & 3 in agents)
        for seat, difference in zip(decided, replay_decisions(play, agents), strict=True):
            asked[seat] += 1
            alike[seat] += difference is None
            if difference is not None:
                differences.append(difference)
    finally:
        for agent in agents.values():
            close_agent(agent)
        drop_cached(f"{_key(match)}:asked")
    held = record_source(match).seats.all()
    seats = [ProvenSeat(one.seat, one.ref.public, asked[one.seat], alike[one.seat]) for one in held]
    proof = Proof(
        [seat for seat in seats if seat.seat in agents],
        [seat.seat for seat in seats if seat.seat not in agents],
        differences[:MOST_TOLD],
    )
    cache_value(_key(match), asdict(proof), CACHE_SECONDS)


def _open_agents(match: Match) -> Iterator[tuple[int, Agent]]:
    """House bots and modules, with the match's number and chance as they were told them when they played."""
    source = record_source(match)
    ruleset = replay_match(match).ruleset
    held = list(source.seats.select_related("player").order_by("seat"))
    names = tuple(one.player.name for one in held)
    known = {entry.name for entry in BRAINS}
    for one in held:
        agent: AgentRef = one.ref
        chance = derive_bot_seed(bytes(source.seed), source.pk, one.seat)
        if agent.is_house and agent.id in known:
            yield one.seat, make_brain(agent.id, chance)
        elif agent.is_version and (folder := fetch_code(agent.number)).joinpath("main.wasm").exists():
            yield one.seat, open_uploaded(SeatOrder(agent, one.seat, ruleset, chance, source.pk, names), folder)


def _key(match: Match) -> str:
    return f"proof:1:{match.commitment}:{match.pk}"
