"""Play one bot against tables of another on shared deals and tell the share it wins, with intervals and CPU time.

`python -m bots.training.compare champion search-3 --rulesets en3 de4-cumulative --deals 20 --log var/compare.jsonl`
plays every deal with the first bot on each side in turn. A bot is a house bot's name; `search:240` or `champion:800`
with so many futures; `learnt@FOLDER` or `champion:800@FOLDER` with weights of a training; `seeing:800`, a champion that
sees all cards, to bound what can be won. What is in the log is not played again, so a run may be stopped at any time.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from bots.brains import make_brain
from bots.brains.belief import Belief
from bots.brains.champion import FUTURES, ChampionBrain, grow_tree
from bots.brains.learnt import LearntBrain, LearntPolicy
from bots.brains.net import Net, read_weights
from bots.brains.search import SearchBrain, worthwhile_actions
from games.play.agents import Agent
from games.play.table import play_match
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import View

Maker = Callable[[int, Match], Agent]


@dataclass(frozen=True, slots=True)
class Row:
    """One match: the first bot's share of the first place, and both bots' decisions and seconds of CPU time."""

    one: str
    other: str
    ruleset: str
    deal: int
    side: int
    share: float
    decisions: tuple[int, int]
    cpu: tuple[float, float]


class TimedAgent:
    """Counts the decisions of an agent that left a choice, and the CPU time they took."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.decisions = 0
        self.cpu = 0.0

    def choose(self, view: View) -> int:
        begun = time.process_time()
        action = self.agent.choose(view)
        self.cpu += time.process_time() - begun
        self.decisions += len(worthwhile_actions(view)) > 1
        return action


class SeeingBrain:
    """A champion that is told all hands of its match: no player, but a measure for them."""

    def __init__(self, seed: int, playouts: int, match: Match) -> None:
        self.brain = ChampionBrain(seed, playouts)
        self.match = match

    def choose(self, view: View) -> int:
        actions = worthwhile_actions(view)
        if len(actions) == 1:
            return actions[0]
        round_ = self.match.round
        hands = [0] * 4
        for seat in range(view.players):
            is_secret = view.players == 3 and round_.bids_laid < 3 and round_.bids[seat] >= 0
            hands[seat] = round_.hands[seat] | (1 << round_.bids[seat] if is_secret else 0)
        return grow_tree(self.brain, view, actions, hands).best_action()


def make_maker(name: str) -> Maker:
    """How to make the bot of this name for a seat of a match; KeyError where there is none."""
    kind, _, folder = name.partition("@")
    kind, _, number = kind.partition(":")
    futures = int(number) if number else FUTURES
    if folder:
        return _make_trained(Path(folder), futures if kind == "champion" else 0)
    if kind == "seeing":
        return lambda seed, match: SeeingBrain(seed, futures, match)
    if not number:
        make_brain(name, 1)
        return lambda seed, match: make_brain(name, seed)
    brains: dict[str, Callable[[int, int], Agent]] = {"search": SearchBrain, "champion": ChampionBrain}
    brain = brains[kind]
    return lambda seed, match: brain(seed, futures)


def _make_trained(folder: Path, futures: int) -> Maker:
    """`learnt` with the weights of this folder or, with a number of futures, `champion`."""
    kept: dict[int, tuple[Net | None, LearntPolicy, Belief | None]] = {}

    def make(seed: int, match: Match) -> Agent:
        players = match.players
        if players not in kept:
            whole = Net(read_weights(folder / f"champion{players}.npz")) if futures else None
            guesses = folder / f"belief{players}.npz"
            belief = Belief(Net(read_weights(guesses))) if guesses.exists() else None
            kept[players] = whole, LearntPolicy(Net(read_weights(folder / f"learnt{players}.npz"))), belief
        net, policy, belief = kept[players]
        if net is None:
            learnt = LearntBrain(seed)
            learnt.policies[players] = policy
            return learnt
        champion = ChampionBrain(seed, futures)
        champion.nets[players] = net, policy, belief
        return champion

    return make


def play_side(one: str, other: str, ruleset: Ruleset, deal: int, side: int, seed: bytes) -> Row:
    """One match with the first bot on this side."""
    own = derive_seed(seed, f"match {deal}")
    match = Match(ruleset, own)
    makers = make_maker(one), make_maker(other)
    agents = []
    for seat in range(ruleset.players):
        chance = int.from_bytes(derive_seed(own, f"agent {seat}")[:8], "big")
        agents.append(TimedAgent(makers[seat % ruleset.sides != side](chance, match)))
    play_match(match, agents)
    assert match.result is not None
    first = match.result.places[0]
    parts = [[agent for seat, agent in enumerate(agents) if (seat % ruleset.sides != side) == part] for part in (0, 1)]
    decisions = [sum(agent.decisions for agent in part) for part in parts]
    cpu = [round(sum(agent.cpu for agent in part), 6) for part in parts]
    share = 1 / len(first) if side in first else 0.0
    return Row(one, other, ruleset.code, deal, side, share, (decisions[0], decisions[1]), (cpu[0], cpu[1]))


def read_log(path: Path | None) -> list[Row]:
    if path is None or not path.exists():
        return []
    return [Row(**json.loads(line)) for line in path.read_text().splitlines()]


def play_deals(
    one: str, other: str, rulesets: list[Ruleset], deals: Iterable[int], seed: bytes, log: Path | None = None
) -> Iterator[Row]:
    """Every deal at every ruleset in turn, those in the log first; each match is logged as it ends."""
    known = {(row.ruleset, row.deal, row.side): row for row in read_log(log) if (row.one, row.other) == (one, other)}
    for deal in deals:
        for ruleset in rulesets:
            for side in range(ruleset.sides):
                row = known.get((ruleset.code, deal, side))
                if row is None:
                    row = play_side(one, other, ruleset, deal, side, seed)
                    if log is not None:
                        with log.open("a") as file:
                            file.write(json.dumps(asdict(row)) + "\n")
                yield row


def find_interval(rows: list[Row]) -> tuple[float, float, int]:
    """The mean share, half the width of its 95 % interval over deals (Student's t), and how many deals there are."""
    deals: dict[tuple[str, int], list[float]] = defaultdict(list)
    for row in rows:
        deals[row.ruleset, row.deal].append(row.share)
    shares = np.array([np.mean(found) for found in deals.values()])
    count = len(shares)
    error = float(shares.std(ddof=1)) / count**0.5 if count > 1 else float("nan")
    return float(shares.mean()), float(student.ppf(0.975, max(1, count - 1))) * error, count


def tell_rows(name: str, rows: list[Row]) -> str:
    mean, spread, deals = find_interval(rows)
    low, high = max(0.0, mean - spread), min(1.0, mean + spread)
    even = 100 / Ruleset.from_code(rows[0].ruleset).sides
    cpu = [sum(row.cpu[part] for row in rows) / max(1, sum(row.decisions[part] for row in rows)) for part in (0, 1)]
    return (f"{name}: {100 * mean:.1f} ({100 * low:.1f} to {100 * high:.1f}) % in {deals} deals, even {even:.1f}; "
            f"{1e3 * cpu[0]:.3f} and {1e3 * cpu[1]:.3f} ms a decision")  # fmt: skip


def group_rows(rows: list[Row]) -> dict[str, list[Row]]:
    """By players, then by edition and scoring, then with and without zeros."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        ruleset = Ruleset.from_code(row.ruleset)
        zeros = "zeros" if ruleset.zero_gold else "no zeros"
        groups[f"{ruleset.players} players"].append(row)
        groups[f"{ruleset.players} players, {ruleset.edition}, {ruleset.scoring}"].append(row)
        groups[f"{ruleset.players} players, {zeros}"].append(row)
    return dict(sorted(groups.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--rulesets", nargs="+", default=["en3", "en4"], help="codes, or `all`")
    parser.add_argument("--deals", type=int, default=100, help="of each ruleset")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="matches as lines of JSON; a run goes on where its log ends")
    parser.add_argument("--told", action="store_true", help="only tell what the log holds")
    arguments = parser.parse_args()
    every = arguments.rulesets == ["all"]
    rulesets = list(all_rulesets()) if every else [Ruleset.from_code(code) for code in arguments.rulesets]
    seed = arguments.seed.to_bytes(32, "big")
    if arguments.told:
        rows = [row for row in read_log(arguments.log) if (row.one, row.other) == (arguments.one, arguments.other)]
    else:
        rows = list(play_deals(arguments.one, arguments.other, rulesets, range(arguments.deals), seed, arguments.log))
    for name, found in group_rows(rows).items():
        print(tell_rows(f"{arguments.one} against {arguments.other}, {name}", found))


if __name__ == "__main__":
    main()
