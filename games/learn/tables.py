"""Thousands of tables at once, stepped into arrays that are made once and written again and again."""

import _thread
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from weakref import finalize

import numpy as np

from games.learn.engine import Arrays, Engine
from games.learn.places import BYTES, CHANCE, WORDS
from games.learn.spaces import ACTIONS, PLANES, rules_bits
from games.rules.cards import cards_in
from games.rules.ruleset import Ruleset

REWARDS = ("match", "points")


class Tables:
    """`n` tables of one ruleset, each playing match after match, by its own chance and the seats' actions.

    After `step`, for the seat that is to act at each table: `planes` (n by 28 numbers of 64 bits, see spaces.py),
    `mask` (n by 64, one byte an action), `seat`; and for what the step brought: `rewards` (n by players), `ended` (0, 1
    for a round, 2 for a match; the next is dealt already). With `spread`, `bits` holds the planes as n by 1792 bytes.
    All are views of the same memory every time: copy what is to be kept. The same seed plays the same on any number of
    threads.
    """

    def __init__(
        self, n: int, ruleset: str | Ruleset = "en3", *, seed: int = 1, rewards: str = "match", spread: bool = False,
        threads: int = 1,
    ) -> None:  # fmt: skip
        if n < 1 or threads < 1 or rewards not in REWARDS:
            raise ValueError(f"Tables wants at least one table and one thread, and rewards one of {REWARDS}.")
        self.ruleset = Ruleset.from_code(ruleset) if isinstance(ruleset, str) else ruleset
        self.n = n
        players = self.ruleset.players
        bits = n * PLANES * 64 if spread else 64
        self._memory: dict[str, np.ndarray] = {
            "words": np.zeros(n * WORDS, np.uint64), "bytes": np.zeros(n * BYTES, np.int8),
            "actions": np.zeros(n, np.int8), "legal": np.zeros(n, np.uint64), "masks": np.zeros(n * 8, np.uint64),
            "planes": np.zeros(n * PLANES, np.uint64), "bits": np.zeros(bits // 8, np.uint64),
            "seats": np.zeros(n, np.int8), "rewards": np.zeros(n * players, np.float32),
            "points": np.zeros(n * players, np.float32), "ended": np.zeros(n, np.int8),
        }  # fmt: skip
        self.legal = self._memory["legal"]
        self.planes = self._memory["planes"].reshape(n, PLANES)
        self.mask = self._memory["masks"].astype("<u8", copy=False).view(np.uint8).reshape(n, ACTIONS)
        self.bits = self._memory["bits"].astype("<u8", copy=False).view(np.uint8).reshape(n if spread else 1, -1)
        self.seat = self._memory["seats"]
        self.ended = self._memory["ended"]
        self.points = self._memory["points"].reshape(n, players)
        self.wins = self._memory["rewards"].reshape(n, players)
        self.rewards = self.wins
        self._pays_points = rewards == "points"
        if self._pays_points:
            self.rewards = np.zeros((n, players), np.float32)
        self._arrays = Arrays(self._memory, spread)
        rules = rules_bits(
            self.ruleset.edition, players, self.ruleset.zero_gold, self.ruleset.is_cumulative, self.ruleset.decider
        )
        self._engines = [Engine(self.ruleset, rules) for _ in range(threads)]
        bounds = np.linspace(0, n, threads + 1).astype(int).tolist()
        self._parts = [(engine, *ends) for engine, ends in zip(self._engines, pairwise(bounds), strict=True)]
        self._helpers = [TableThread() for _ in range(threads - 1)]
        for helper in self._helpers:
            finalize(self, helper.stop)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Deal a new match at every table."""
        drawn = np.random.default_rng(seed).integers(1, 2**64, self.n, dtype=np.uint64)
        self._memory["words"].reshape(self.n, WORDS)[:, CHANCE] = drawn
        self._memory["ended"][:] = 0
        self._memory["rewards"][:] = 0
        self._each(lambda engine, first, last: engine.open(self._arrays, first, last))

    def step(self, actions: np.ndarray) -> None:
        """Do one action at every table; ValueError, and nothing done, where one of them is not legal."""
        self._memory["actions"][:] = actions
        wrong = self._engines[0].find_illegal(self._arrays, 0, self.n)
        if wrong >= 0:
            legal = list(cards_in(int(self.legal[wrong])))
            raise ValueError(f"Action {int(actions[wrong])} is not legal at table {wrong}; legal are {legal}.")
        self._move()

    def step_random(self) -> None:
        """Do any legal action at every table, from the tables' own chance: keeping the bids weighs as all changes."""
        self._move(is_random=True)

    @property
    def drawn(self) -> np.ndarray:
        """The actions of the last step."""
        return self._memory["actions"]

    def observe(self, table: int, seat: int) -> np.ndarray:
        """The planes of another seat at one table, without a change of what `planes` holds."""
        kept = self.planes[table].copy()
        self._engines[0].observe(self._arrays, table, seat)
        seen, self.planes[table] = self.planes[table].copy(), kept
        return seen

    def _move(self, is_random: bool = False) -> None:
        arrays = self._arrays

        def move(engine: Engine, first: int, last: int) -> None:
            if is_random:
                engine.draw(arrays, first, last)
            engine.step(arrays, first, last)

        self._each(move)
        if self._pays_points:
            np.multiply(self.points, (self.ended > 0)[:, None], out=self.rewards)

    def _each(self, work: Callable[[Engine, int, int], object]) -> None:
        """Share the tables among the threads; the caller's own does the first part."""
        for helper, part in zip(self._helpers, self._parts[1:], strict=True):
            helper.begin(work, part)
        work(*self._parts[0])
        for helper in self._helpers:
            helper.wait()


class TableThread:
    """A thread that does one piece of work after another. Two locks hand it over: a pool's queue costs as much as
    hundreds of tables' steps."""

    def __init__(self) -> None:
        self.work: Callable[[], object] | None = None
        self.error: BaseException | None = None
        self.asked, self.done = _thread.allocate_lock(), _thread.allocate_lock()
        self.asked.acquire()
        self.done.acquire()
        _thread.start_new_thread(self.run, ())

    def run(self) -> None:
        while self.asked.acquire() and self.work is not None:
            try:
                self.work()
            except BaseException as error:
                self.error = error
            self.work = None
            self.done.release()

    def begin(self, work: Callable[[Engine, int, int], object], part: tuple[Engine, int, int]) -> None:
        self.work = partial(work, *part)
        self.asked.release()

    def wait(self) -> None:
        self.done.acquire()
        if self.error is not None:
            error, self.error = self.error, None
            raise error

    def stop(self) -> None:
        """With no work to do it ends."""
        self.asked.release()
