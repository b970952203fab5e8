"""The rules of Aurum, pure: values in, values out; no Django, no clock, no files.

What an author of bots needs is imported from here; the modules behind it may change.

- `Ruleset`: which rules are played. `Ruleset.from_code("de4-nozero")` finds one, or raises `RulesetError`;
  `all_rulesets()` are all 64.
- `Match`: one match, from a ruleset and a seed of 32 bytes. `awaiting()` are the seats that may act, `apply_text(seat,
  "play B7")` acts or raises `IllegalAction`, `result` is None until it is over; `places` of a `Result` are its sides,
  best first. `replay` makes it again from its log.
- `View`: what one seat may see, `View(match, seat)`. `legal_texts()` is what it may do now, `to_dict()` all it may
  know, in the shape that bots are sent.
- `Record`: a finished match as one JSON object, made by `make_record(match)`, written as a line by `dump_record` and
  read by `load_record`. `verify(record)` plays it again from its deals and actions and gives the `Match`, or raises
  `RecordFault` where it does not hold.
- `rules_in_force(ruleset)`: the rules in words, each a `Rule`.
"""

from games.rules.errors import IllegalAction, RecordFault
from games.rules.match import Match, replay
from games.rules.outcome import Result
from games.rules.record import Record, dump_record, load_record, make_record
from games.rules.record import read_record as verify
from games.rules.rulebook import Rule, rules_in_force
from games.rules.ruleset import Ruleset, RulesetError, all_rulesets
from games.rules.view import View

__all__ = [
    "IllegalAction",
    "Match",
    "Record",
    "RecordFault",
    "Result",
    "Rule",
    "Ruleset",
    "RulesetError",
    "View",
    "all_rulesets",
    "dump_record",
    "load_record",
    "make_record",
    "replay",
    "rules_in_force",
    "verify",
]
