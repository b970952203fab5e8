"""Mixing seeds: vectors that three implementations agree on, and parts of which none can be spoilt unnoticed."""

import hashlib
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.play.agents import derive_bot_seed
from games.rules.adjudicate import adjudicate
from games.rules.cards import names_in
from games.rules.deal import commitment, deal_round, derive_seed, draw_first_seat, draw_lots
from games.rules.errors import RecordFault
from games.rules.match import Match
from games.rules.mixing import (
    CHAIN,
    FIRST_ROUND_AT,
    Beacon,
    check_parts,
    digest_mix,
    find_round,
    mix_seed,
    read_beacon,
    round_time,
    tell_parts,
)
from games.rules.playout import Chance
from games.rules.record import make_record
from games.rules.ruleset import Ruleset
from games.rules.view import View
from tests.rules.league import PUBLIC_KEY, WHERE, sign_round, tell_round
from tests.rules.second_dealer import follow
from tournaments.rules.pairing import draw_lot
from tournaments.services.quick_pairing import draw_seats

ROOT = Path(__file__).parents[2]
VECTORS: list[dict[str, Any]] = json.loads((ROOT / "docs/chance_vectors.json").read_text())
ONE, OTHER = "1f" * 32, "2e" * 32
NUMBER = 31_900_000
ROUND = tell_round(NUMBER)
RANDOM = ROUND["randomness"]
BEACON = Beacon(CHAIN, NUMBER, RANDOM, ROUND["signature"])
REAL = {
    "round": 1000,
    "randomness": "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
    "signature": "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
    "e342b73a8dd2bacbe47e4b6b63ed5e39",
}
"""As drand's league gave it."""


@pytest.fixture
def own_league(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WHERE, PUBLIC_KEY)


def beacon_of(vector: dict[str, Any]) -> Beacon | None:
    return Beacon(**vector["beacon"]) if vector["beacon"] else None


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["label"])
def test_vector(vector: dict[str, Any]) -> None:
    secret, given_parts = bytes.fromhex(vector["secret"]), dict(vector["contributions"])
    seed = mix_seed(secret, given_parts, beacon_of(vector))
    own, players = derive_seed(seed, vector["label"]), vector["players"]
    dealt = deal_round(own, players, 1)
    told = {
        "commitment": commitment(secret),
        "mix": digest_mix(given_parts, beacon_of(vector)),
        "seed": seed.hex(),
        "match_seed": own.hex(),
        "match_commitment": commitment(own),
        "first_seat": draw_first_seat(own, players),
        "hands": [" ".join(names_in(hand)) for hand in dealt.hands],
        "set_aside": " ".join(names_in(dealt.set_aside)),
        "lots": draw_lots(own, range(3 if players == 3 else 2)),
        "bot_chances": [str(derive_bot_seed(own, vector["match"], seat)) for seat in range(players)],
        "entrant_lots": [[what, entrant, draw_lot(seed, what, entrant)] for what, entrant, _ in vector["entrant_lots"]],
        "draw_seed": derive_seed(seed, "draw 1 2").hex(),
        "seats": draw_seats(secret, players),
    }
    assert vector | told == vector
    assert not vector.keys() - told.keys() - {"secret", "contributions", "beacon", "label", "players", "match"}


def test_the_beacons_of_the_vectors_are_real() -> None:
    assert {read_beacon(vector["beacon"], 1000) for vector in VECTORS if vector["beacon"]} == {
        Beacon(CHAIN, **REAL)  # type: ignore[arg-type]
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["label"])
def test_a_second_implementation_from_the_page_alone_agrees(vector: dict[str, Any]) -> None:
    made = follow(vector)
    hands = [set(hand.split()) for hand in vector["hands"]]
    assert made == {name: vector[name] for name in made} | {
        "hands": hands,
        "set_aside": set(vector["set_aside"].split()),
    }


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_browsers_dealer_agrees() -> None:
    script = """
      const { commitment, mixSeed, deriveSeed, dealRound, drawFirstSeat, ...other } = await import(DEALER);
      const { drawLot, drawLots, drawSeats, deriveBotChance } = other;
      const told = [];
      for (const vector of VECTORS) {
        const seed = await mixSeed(vector.secret, [...vector.contributions].reverse(), vector.beacon);
        const own = await deriveSeed(seed, vector.label);
        const { hands, set_aside } = await dealRound(own, vector.players, 1);
        const chances = [];
        for (let seat = 0; seat < vector.players; seat++) chances.push(await deriveBotChance(own, vector.match, seat));
        told.push({ ...vector, commitment: await commitment(vector.secret), seed, match_seed: own,
          match_commitment: await commitment(own), first_seat: await drawFirstSeat(own, vector.players),
          hands: hands.map((hand) => hand.join(" ")), set_aside: set_aside.join(" "), bot_chances: chances,
          lots: await drawLots(own, vector.lots), draw_seed: await deriveSeed(seed, "draw 1 2"),
          seats: await drawSeats(vector.secret, vector.players), entrant_lots: await Promise.all(
            vector.entrant_lots.map(async ([what, entrant]) => [what, entrant, await drawLot(seed, what, entrant)])) });
      }
      console.log(JSON.stringify(told));
    """
    dealer = (ROOT / "aurum_league/static/js/deal.js").as_uri().replace("file://", "")
    known = f"const DEALER = {json.dumps(dealer)}, VECTORS = {json.dumps(VECTORS)};"
    command = ["node", "--input-type=module", "--no-warnings", "-e", known + script]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == VECTORS


def test_the_page_shows_the_first_vector() -> None:
    page = (ROOT / "docs/RULES.md").read_text()
    shown = page.partition("<!-- vector: begin -->\n```json\n")[2].partition("\n```\n")[0]
    assert json.loads(shown) == VECTORS[0]


contributions = st.dictionaries(st.integers(0, 2**31), st.binary(min_size=32, max_size=32).map(bytes.hex), max_size=8)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(min_size=32, max_size=32), contributions, contributions)
def test_any_other_list_gives_another_seed(secret: bytes, one: dict[int, str], other: dict[int, str]) -> None:
    backwards = dict(reversed(one.items()))
    assert mix_seed(secret, one) == mix_seed(secret, backwards)
    assert (mix_seed(secret, one) == mix_seed(secret, other)) == (one == other)
    assert mix_seed(secret, one) != mix_seed(secret, one, BEACON)


PARTS = tell_parts(commitment(bytes(32)), bytes(32), {3: ONE, 20: OTHER}, BEACON)
SEED = mix_seed(bytes(32), {3: ONE, 20: OTHER}, BEACON).hex()


BESIDE = f"80{'00' * 46}04"
"""On the curve and in no group of signatures: added to one it would give another random value for the same round."""


def forge_round(signature: str) -> dict[str, Any]:
    """All but the signature itself in order."""
    return ROUND | {"signature": signature, "randomness": hashlib.sha256(bytes.fromhex(signature)).hexdigest()}


def spoil(*path: Any, to: Any) -> dict[str, Any]:
    parts: Any = json.loads(json.dumps(PARTS))
    place = parts
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return dict(parts)


@pytest.mark.usefixtures("own_league")
def test_parts_that_hold() -> None:
    assert not list(check_parts(PARTS, SEED))
    assert not list(check_parts(spoil("secret", to=None), None))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(None, id="nothing"),
        pytest.param(spoil("mixing", to="aurum/mix/v2"), id="another way to mix"),
        pytest.param(spoil("commitment", to=OTHER), id="commitment"),
        pytest.param(spoil("secret", to=ONE), id="another secret"),
        pytest.param(spoil("secret", to="00"), id="a short secret"),
        pytest.param(spoil("secret", to=None), id="a secret that is kept"),
        pytest.param(spoil("contributions", 0, 1, to=OTHER), id="contribution exchanged"),
        pytest.param(spoil("contributions", 0, 0, to=4), id="contribution of another"),
        pytest.param(spoil("contributions", 1, 0, to=3), id="one number twice"),
        pytest.param(spoil("contributions", 1, 0, to=2), id="out of order"),
        pytest.param(spoil("contributions", 1, to=[20]), id="a number alone"),
        pytest.param(spoil("contributions", 0, 1, to="AB" * 32), id="capital letters"),
        pytest.param(spoil("contributions", to=[[3, ONE]]), id="contribution dropped"),
        pytest.param(spoil("contributions", to="none"), id="no list"),
        pytest.param(spoil("beacon", to=None), id="beacon dropped"),
        pytest.param(spoil("beacon", to=7), id="no beacon"),
        pytest.param(spoil("beacon", "round", to=31_900_001), id="another round"),
        pytest.param(spoil("beacon", "randomness", to=ONE), id="another random value"),
        pytest.param(spoil("beacon", "signature", to=sign_round(7)), id="another signature"),
        pytest.param(spoil("beacon", to=forge_round(sign_round(7)) | {"chain": CHAIN}), id="a round of another number"),
        pytest.param(spoil("beacon", "chain", to=ONE), id="another chain"),
    ],
)
@pytest.mark.usefixtures("own_league")
def test_spoilt_parts_are_named(parts: Any) -> None:
    assert len(list(check_parts(parts, SEED))) == 1


@pytest.mark.parametrize(
    ("told", "why"),
    [
        pytest.param([], "no JSON object", id="a list"),
        pytest.param(ROUND | {"round": 7}, "round 7, not 31900000", id="another round"),
        pytest.param(ROUND | {"round": "31900000"}, "not 31900000", id="a round as text"),
        pytest.param(ROUND | {"chain": "00" * 32}, "another chain", id="another chain"),
        pytest.param(ROUND | {"signature": None}, "no signature", id="no signature"),
        pytest.param(ROUND | {"signature": "5A" * 48}, "no signature", id="capital letters"),
        pytest.param(ROUND | {"signature": "5a" * 96}, "no signature", id="a signature twice as long"),
        pytest.param(forge_round("5a" * 48), "beacon's league", id="a signature that is no point"),
        pytest.param(forge_round(sign_round(7)), "beacon's league", id="the signature of another round"),
        pytest.param(forge_round(BESIDE), "beacon's league", id="a point beside the group"),
        pytest.param(forge_round(f"c0{'00' * 47}"), "beacon's league", id="the point at infinity"),
        pytest.param(ROUND | {"randomness": ONE}, "not the SHA-256", id="a value of one's own"),
    ],
)
@pytest.mark.usefixtures("own_league")
def test_a_forged_round_is_refused(told: Any, why: str) -> None:
    assert read_beacon(ROUND, NUMBER) == BEACON
    with pytest.raises(ValueError, match=why):
        read_beacon(told, NUMBER)


def test_only_the_league_signs_rounds() -> None:
    """A round of drand's own holds, one of anybody else's does not."""
    assert read_beacon(REAL, 1000).randomness == REAL["randomness"]
    with pytest.raises(ValueError, match="beacon's league"):
        read_beacon(ROUND, NUMBER)


def test_rounds_and_their_times() -> None:
    assert round_time(1) == FIRST_ROUND_AT
    assert read_beacon(REAL | {"chain": CHAIN}, 1000).randomness == REAL["randomness"]
    for seconds in (0.0, FIRST_ROUND_AT - 0.5, FIRST_ROUND_AT + 0.0, FIRST_ROUND_AT + 0.1, 1_795_000_000.0):
        number = find_round(seconds)
        assert round_time(number) >= seconds
        assert number == 1 or round_time(number - 1) < seconds
    assert datetime.fromtimestamp(round_time(1), UTC).year == 2023


def test_a_record_with_parts_is_judged_by_them() -> None:
    given_parts = {0: ONE}
    seed = mix_seed(bytes(32), given_parts)
    match, luck = Match(Ruleset.from_code("en3"), seed), Chance(5)
    while not match.is_over:
        seat = match.awaiting()[0]
        texts = View(match, seat).legal_texts()
        match.apply_text(seat, texts[luck.below(len(texts))])
    record = json.loads(
        json.dumps(make_record(match, with_seed=True, parts=tell_parts(commitment(bytes(32)), bytes(32), given_parts)))
    )
    assert adjudicate(record).result == match.result
    record["parts"]["contributions"] = [[0, OTHER]]
    with pytest.raises(RecordFault) as caught:
        adjudicate(record)
    assert caught.value.code == "wrong_parts"
