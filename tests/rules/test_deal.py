"""Dealing: vectors that others can deal again, the same in JavaScript, and every card equally likely everywhere."""

import hmac
import json
import shutil
import subprocess
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import chisquare

from games.rules.cards import cards_in, deck, names_in
from games.rules.deal import (
    DEALING,
    SeedDeals,
    check_seed,
    commitment,
    deal_round,
    derive_seed,
    draw_below,
    draw_first_seat,
    draw_lots,
    keyed_bytes,
)
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from tests.rules.positions import make_seed

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "deal_vectors.json").read_text())
DEALER = Path(__file__).parents[2] / "aurum_league/static/js/deal.js"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:8])
def test_vector(vector: dict[str, Any]) -> None:
    seed, players = bytes.fromhex(vector["seed"]), vector["players"]
    dealt = deal_round(seed, players, vector["round"])
    assert [" ".join(names_in(hand)) for hand in dealt.hands] == vector["hands"]
    assert " ".join(names_in(dealt.set_aside)) == vector["set_aside"]
    assert commitment(seed) == vector["commitment"]
    assert draw_first_seat(seed, players) == vector["first_seat"]
    assert draw_lots(seed, sorted(vector["lots"], reverse=True)) == vector["lots"]


SCRIPT = """
import { readFileSync } from "node:fs";
import { commitment, dealRound, drawFirstSeat, drawLots } from "./deal.mjs";
const dealt = [];
for (const vector of JSON.parse(readFileSync(0))) {
  const { hands, set_aside } = await dealRound(vector.seed, vector.players, vector.round);
  dealt.push({
    ...vector, hands: hands.map((hand) => hand.join(" ")), set_aside: set_aside.join(" "),
    commitment: await commitment(vector.seed), first_seat: await drawFirstSeat(vector.seed, vector.players),
    lots: await drawLots(vector.seed, vector.lots),
  });
}
console.log(JSON.stringify(dealt));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: JavaScript deals are not checked here")
def test_javascript_deals_the_same_vectors(tmp_path: Path) -> None:
    shutil.copy(DEALER, tmp_path / "deal.mjs")
    (tmp_path / "check.mjs").write_text(SCRIPT)
    known_only = [{key: vector[key] for key in ("seed", "players", "round", "lots")} for vector in VECTORS]
    done = subprocess.run(
        ["node", "check.mjs"], cwd=tmp_path, input=json.dumps(known_only), capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == VECTORS


def test_a_million_cards_fall_everywhere_alike() -> None:
    """20,000 deals of 50 cards: each card as often in each of the five piles as its size says."""
    found: Counter[tuple[int, int]] = Counter()
    for number in range(20_000):
        dealt = deal_round(make_seed("chi-square"), 4, number)
        for pile, cards in enumerate((*dealt.hands, dealt.set_aside)):
            found.update((card, pile) for card in cards_in(cards))
    assert found.total() == 1_000_000
    sizes = (12, 12, 12, 12, 2)
    for pile, size in enumerate(sizes):
        counts = [found[card, pile] for card in deck(4)]
        assert 0.0005 < chisquare(counts, [20_000 * size / 50] * 50).pvalue < 0.9995, pile


def test_numbers_that_would_favour_some_cards_are_thrown_away() -> None:
    assert draw_below(iter([255, 250, 249]), 50) == 49
    assert draw_below(iter([255]), 256) == 255
    assert draw_below(iter([252, 7]), 36) == 7


def test_the_stream_never_comes_round_again() -> None:
    """A deal may take more than the first blocks, if many bytes are passed over."""
    seed = make_seed("stream")
    blocks = [hmac.digest(seed, f"{DEALING}|round 1|{block}".encode(), "sha256") for block in range(5)]
    assert bytes(islice(keyed_bytes(seed, "round 1"), 160)) == b"".join(blocks)


def test_rounds_lots_and_seeds_of_one_seed_are_apart() -> None:
    seed = make_seed("apart")
    assert deal_round(seed, 3, 1) != deal_round(seed, 3, 2)
    assert len({derive_seed(seed, label) for label in ("a", "b", "match 1")} | {seed}) == 4


def test_a_match_deals_from_its_seed() -> None:
    seed = make_seed("match")
    match = Match(Ruleset(4), seed)
    assert match.dealt == SeedDeals(seed, 4).deal(1) == deal_round(seed, 4, 1)
    assert match.first_seat == draw_first_seat(seed, 4)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match=rf"A seed has 32 bytes \(64 hex digits\), not {len(seed)}\."):
        check_seed(seed)


def test_a_match_needs_a_seed_or_deals() -> None:
    with pytest.raises(ValueError, match="needs a seed, or its deals"):
        Match(Ruleset(3), None)
