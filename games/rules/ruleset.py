"""The Ruleset: one frozen value that names every rule that can vary."""

from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from typing import Any

from aurum_league.common.errors import N_, Sentence

PLAYERS = (3, 4)
EDITIONS = ("en", "fr", "de", "ru")
SCORINGS = ("nuggets", "cumulative")
DECIDERS = ("shared", "golden_round")


class RulesetError(ValueError):
    """A ruleset that does not exist; the sentence says which part and what there is instead."""

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.sentence = Sentence(sentence, **values)
        super().__init__(self.sentence)


@dataclass(frozen=True, slots=True)
class Ruleset:
    players: int = 3
    edition: str = "en"
    zero_gold: bool = True
    scoring: str = "nuggets"
    decider: str = "shared"

    def __post_init__(self) -> None:
        _require("players", self.players, PLAYERS)
        _require("edition", self.edition, EDITIONS)
        _require("zero_gold", self.zero_gold, (True, False))
        _require("scoring", self.scoring, SCORINGS)
        _require("decider", self.decider, DECIDERS)

    @property
    def sides(self) -> int:
        return 3 if self.players == 3 else 2

    @property
    def is_cumulative(self) -> bool:
        return self.scoring == "cumulative"

    @property
    def ends_at_two_nuggets(self) -> bool:
        """German and Russian books: over as soon as anybody has two nuggets, however many rounds that takes."""
        return self.edition in ("de", "ru")

    @property
    def compares_highest_gold(self) -> bool:
        """Whether the highest gold card is a printed step for tied rounds (the Russian book drops it for three)."""
        return not (self.edition == "ru" and self.players == 3)

    @property
    def code(self) -> str:
        """The short name used in addresses and files: `en3`, `de4-nozero-cumulative-golden`."""
        parts = [f"{self.edition}{self.players}"]
        parts += [] if self.zero_gold else ["nozero"]
        parts += ["cumulative"] if self.is_cumulative else []
        parts += ["golden"] if self.decider == "golden_round" else []
        return "-".join(parts)

    @staticmethod
    def from_code(code: str) -> "Ruleset":
        try:
            return _rulesets_by_code()[code]
        except KeyError:
            examples = "en3, de4-nozero, ru3-cumulative-golden"
            raise RulesetError(
                N_("There is no ruleset %(code)s. Examples: %(examples)s."), code=repr(code), examples=examples
            ) from None

    def to_dict(self) -> dict[str, Any]:
        return {
            "edition": self.edition,
            "players": self.players,
            "zero_gold": self.zero_gold,
            "scoring": self.scoring,
            "decider": self.decider,
        }

    @staticmethod
    def from_dict(data: Any) -> "Ruleset":
        names = {field.name for field in fields(Ruleset)}
        if not isinstance(data, dict) or not names <= data.keys():
            raise RulesetError(N_("A ruleset names %(names)s."), names=sorted(names))
        return Ruleset(**{name: data[name] for name in names})


def _require(name: str, value: object, choices: tuple[Any, ...]) -> None:
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise RulesetError(
            N_("%(name)s is %(value)s, but must be one of %(names)s."),
            name=name,
            value=repr(value),
            names=[repr(choice) for choice in choices],
        )


@cache
def _rulesets_by_code() -> dict[str, Ruleset]:
    return {ruleset.code: ruleset for ruleset in all_rulesets()}


@cache
def all_rulesets() -> tuple[Ruleset, ...]:
    """All 64 of them, in a fixed order."""
    return tuple(Ruleset(*choice) for choice in product(PLAYERS, EDITIONS, (True, False), SCORINGS, DECIDERS))
