"""Every rule, worded once: where it holds, where the printed books have it, and where it is a ruling of ours.

`aurum rules`, the pages about the rules and docs/RULES.md are drawn from this table. Why a ruling is as it is stands in
rulings.py, the headings of the books in books.py.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from games.rules.books import ALL, FOUR, NOWHERE, THREE, Cells, Passage, find_passage, name_cells
from games.rules.ruleset import Ruleset


def gettext_noop(text: str) -> str:
    """Marks a text for the catalogues of the pages; the rules themselves know no language but English."""
    return text


_ = gettext_noop

DEALING = _("Dealing")
BIDS = _("Bids")
TRICKS = _("Tricks")
END_OF_ROUND = _("End of a round")
SCORING = _("Scoring a round")
END_OF_MATCH = _("End of a match")

_VARIANTS: dict[str, Callable[[Ruleset], bool]] = {
    "": lambda ruleset: True,
    "zeros": lambda ruleset: ruleset.zero_gold,
    "nozero": lambda ruleset: not ruleset.zero_gold,
    "nuggets": lambda ruleset: not ruleset.is_cumulative,
    "cumulative": lambda ruleset: ruleset.is_cumulative,
    "shared": lambda ruleset: ruleset.decider == "shared",
    "golden": lambda ruleset: ruleset.decider == "golden_round",
}
"""The parts of a ruleset, beside edition and players, that a rule can depend on."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a rule is in one book: printed, resting on rulings of ours, or otherwise than printed."""

    is_printed: bool
    rulings: tuple[str, ...]
    departs: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `holds` where it is played, `printed` where the book has it at `place`; `ours` says by its number in
    which books it, or our reading of what they print, is a ruling. `departs` is where a book prints something that we
    do otherwise."""

    name: str
    topic: str
    text: str
    place: str = ""
    holds: Cells = ALL
    printed: Cells = ALL
    ours: dict[str, Cells] = field(default_factory=dict)
    variant: str = ""
    departs: Cells = NOWHERE

    def is_in_force(self, ruleset: Ruleset) -> bool:
        return cell_of(ruleset) in self.holds and _VARIANTS[self.variant](ruleset)

    def mark_in(self, cell: str) -> Mark | None:
        """What it is in this book; None where it does not hold."""
        if cell not in self.holds:
            return None
        rulings = tuple(number for number, cells in self.ours.items() if cell in cells)
        return Mark(cell in self.printed, rulings, cell in self.departs)

    @property
    def differs(self) -> bool:
        """Whether it is not the same in all editions, for as many players."""
        return any(len({self.mark_in(cell) for cell in cells}) > 1 for cells in (THREE, FOUR))

    def passage_in(self, cell: str) -> Passage | None:
        """Where this book prints it; None where it does not."""
        return find_passage(self.place, cell) if cell in self.holds & self.printed else None


_DEALING = (
    Rule(
        "two sides", DEALING, _("Four players in two sides of two; partners sit opposite each other."),
        "overview", FOUR,
    ),
    Rule("each alone", DEALING, _("Three players, each against the others."), "overview", THREE),
    Rule(
        "cards for four", DEALING,
        _("All 50 base metals are dealt, 12 to each player; the 2 left over lie face up before anybody bids."),
        "setup", FOUR,
    ),
    Rule(
        "cards for three", DEALING,
        _("Copper, every ten and Gold 8 stay in the box; the other 36 base metals are dealt, 12 to each player."),
        "setup", THREE,
    ),
    Rule("zero", DEALING, _("Everybody starts with one Gold 0, face up."), "setup", variant="zeros"),
    Rule(
        "zero again", DEALING, _("Later rounds too start with one Gold 0 for everybody."),
        ours={"R-9": name_cells("en ru3")}, place="next round", printed=name_cells("fr de ru4"), variant="zeros",
    ),
    Rule(
        "no zeros", DEALING,
        _("The Gold 0 cards are out of the game: nobody starts with one, and none lies in the supply."),
        "variants", variant="nozero",
    ),
    Rule("supply", DEALING, _("The gold that nobody holds is the supply, face up for all."), "setup"),
    Rule(
        "zero stays", DEALING,
        _("A Gold 0 that goes back to the supply never comes out again: no base metal has rank 0."),
        "taking", variant="zeros",
    ),
    Rule("first player", DEALING, _("Chance names the first player of the first round."), "setup"),
    Rule(
        "most gold", DEALING,
        _("The book first asks who carries the most gold on them. Nobody can see that here: chance stands in for it."),
        "setup", name_cells("de"), departs=name_cells("de"),
    ),
    Rule(
        "next round", DEALING,
        _("Every later round is dealt anew from all cards and starts one seat further clockwise."), "next round",
    ),
    Rule(
        "three nuggets", DEALING, _("The box holds three nuggets. Here there are as many as are won."),
        "components", name_cells("en"),
    ),
    Rule(
        "four nuggets", DEALING, _("The box holds four nuggets. Here there are as many as are won."),
        "components", name_cells("fr de ru"),
    ),
)  # fmt: skip

_BIDS = (
    Rule(
        "bid in turn", BIDS,
        _(
            "In turn from the first player, each lays one base metal from the hand face up: its rank is how many tricks"
            " they expect. The higher card of two partners is the bid of their side."
        ),
        "bid", FOUR,
    ),
    Rule(
        "bid at once", BIDS,
        _(
            "All at once, each lays one base metal from the hand face down: its rank is how many tricks they expect."
            " Then all are turned over together."
        ),
        "bid", THREE,
    ),
    Rule(
        "no agreement", BIDS, _("While bidding, partners may not agree with each other directly."),
        "bid", name_cells("ru4"),
    ),
    Rule(
        "no talk", BIDS, _("Partners tell each other nothing but by their play."),
        holds=FOUR, printed=NOWHERE, ours={"R-7": FOUR},
    ),
    Rule(
        "change for four", BIDS,
        _(
            "Before each trick a player may spend one gold of any rank to swap their own bid card, or their partner's,"
            " with a card from their hand."
        ),
        "change", FOUR,
    ),
    Rule(
        "change for three", BIDS,
        _(
            "Before each trick a player may spend one gold of any rank to swap their bid card with a card from their"
            " hand."
        ),
        "change", THREE,
    ),
    Rule(
        "old bid", BIDS,
        _(
            "The old bid card goes into the hand of the player who pays; the gold goes to the supply at once and can be"
            " collected in the very trick that follows."
        ),
        "change",
    ),
    Rule(
        "change in turn", BIDS, _("The leader decides on a change first, then the others clockwise."),
        ours={"R-8": name_cells("en")}, place="change order", printed=name_cells("fr de ru"),
    ),
    Rule(
        "change once", BIDS, _("A player changes at most one bid before each trick."),
        ours={"R-1": name_cells("en de")}, place="change", printed=name_cells("fr ru"),
    ),
    Rule(
        "change no more", BIDS,
        _("Where the leader has no card to lead, the round is over and no bid can be changed any more."),
        ours={"R-2": name_cells("en fr ru")}, place="end of round", printed=name_cells("de"),
    ),
)  # fmt: skip

_TRICKS = (
    Rule(
        "lead", TRICKS, _("The first player leads the first trick, with any base metal. Gold is never led."), "playing",
    ),
    Rule(
        "follow", TRICKS,
        _(
            "Then clockwise everybody plays one card: a base metal of a suit that is not yet in the trick, or any gold"
            " from their collection, even if a base metal would fit and even upon gold."
        ),
        "playing",
    ),
    Rule("must play", TRICKS, _("Whoever can play a base metal must play a card."), "end of round"),
    Rule(
        "empty hand", TRICKS, _("A player with an empty hand may still follow with gold."), "playing",
        ours={"R-11": name_cells("en fr ru")},
    ),
    Rule(
        "lowest", TRICKS,
        _(
            "When the trick is complete, whoever played the lowest base metal first takes a gold of its rank from the"
            " supply, if there is one, and leads next."
        ),
        "taking",
    ),
    Rule("highest", TRICKS, _("The highest gold wins the trick; without gold, the highest base metal."), "taking"),
    Rule(
        "gold back", TRICKS,
        _("Gold that was played goes back to the supply after that, so this trick could not collect it."), "taking",
    ),
    Rule("later card", TRICKS, _("Of equals, lowest or highest, the card played later counts."), "taking"),
    Rule("trick of the side", TRICKS, _("A trick counts for the side of whoever won it."), "taking", FOUR),
    Rule(
        "face down", TRICKS,
        _("The book has the winner lay a trick in a pile face down. Here every trick can be read again."),
        "taking", name_cells("de"), departs=name_cells("de"),
    ),
    Rule(
        "no card fits", END_OF_ROUND,
        _(
            "The round ends at once when a player who must follow has no base metal they may play, and has no gold or"
            " keeps it."
        ),
        "end of round",
    ),
    Rule(
        "no lead", END_OF_ROUND, _("It ends as well when the leader has no card left in hand."),
        ours={"R-10": ALL}, place="end of round", printed=name_cells("de"),
    ),
    Rule(
        "unfinished trick", END_OF_ROUND,
        _(
            "Whoever ended the round shows their hand. The unfinished trick is nobody's and brings no gold, and gold"
            " played in it is lost."
        ),
        "end of round",
    ),
)  # fmt: skip

_SCORING = (
    Rule(
        "bid points", SCORING,
        _("Fewer tricks than bid: nothing. More: the bid. Exactly as many: twice the bid."), "scoring",
    ),
    Rule(
        "gold for four", SCORING,
        _("Each gold kept counts: ranks 1 to 3 one point, 4 to 6 two, 7 and 8 three."), "scoring", FOUR,
    ),
    Rule(
        "gold for three", SCORING,
        _("Each gold kept counts: ranks 1 to 3 one point, 4 to 6 two, 7 three."), "scoring", THREE,
    ),
    Rule("worth of zero", SCORING, _("A Gold 0 counts nothing."), "scoring", variant="zeros"),
    Rule("partners add up", SCORING, _("Partners add up their tricks and their points."), "scoring", FOUR),
    Rule("nugget", SCORING, _("The most points win the round and a nugget."), "scoring"),
    Rule(
        "exact bid", SCORING, _("In a tied round an exact bid goes first."),
        ours={"R-3": name_cells("en")}, place="scoring", printed=name_cells("fr de ru"),
    ),
    Rule(
        "highest gold", SCORING,
        _("If it is still tied, whoever still holds the highest gold card goes first; no gold at all is lowest."),
        ours={"R-3": name_cells("en"), "R-13": name_cells("ru4")},
        place="scoring", holds=ALL - name_cells("ru3"), printed=name_cells("fr de ru4"),
    ),
    Rule(
        "nugget each", SCORING, _("Those who are still tied get a nugget each, and nobody else does."),
        ours={"R-4": ALL - name_cells("de3 ru3"), "R-13": name_cells("ru3")},
        place="scoring", printed=name_cells("de3 ru3"),
    ),
)  # fmt: skip

_THREE_ROUNDS = name_cells("en fr")
_TWO_NUGGETS = name_cells("de ru")
_ENDING = (
    Rule(
        "three rounds", END_OF_MATCH,
        _(
            "The match is over after three rounds, or earlier when one side alone has the most nuggets and at least"
            " two."
        ),
        "end of game", _THREE_ROUNDS, variant="nuggets",
    ),
    Rule(
        "two nuggets", END_OF_MATCH, _("The match is over as soon as a side has two nuggets."),
        "end of game", _TWO_NUGGETS, variant="nuggets",
    ),
    Rule(
        "fourth round", END_OF_MATCH, _("With one nugget each after three rounds, a fourth is played."),
        "end of game", name_cells("de3 ru3"), variant="nuggets",
    ),
    Rule(
        "both at two", END_OF_MATCH,
        _("If two sides have two nuggets after two rounds, the third is played all the same."),
        ours={"R-5": _THREE_ROUNDS}, printed=NOWHERE, holds=_THREE_ROUNDS, variant="nuggets",
    ),
    Rule(
        "both reach two", END_OF_MATCH,
        _("If two sides reach two nuggets at once, the match is over and the order that follows decides."),
        ours={"R-5": _TWO_NUGGETS}, printed=NOWHERE, holds=_TWO_NUGGETS, variant="nuggets",
    ),
    Rule(
        "last bid", END_OF_MATCH,
        _("Of sides with the same number of nuggets, the higher bid of the last round goes first."),
        ours={"R-5": ALL - name_cells("en3 fr3")}, place="end of game",
        printed=name_cells("en3 fr3"), variant="nuggets",
    ),
    Rule(
        "further order", END_OF_MATCH,
        _("After that the points of all rounds count, then the number of exact bids; then the place is shared."),
        ours={"R-5": ALL}, printed=NOWHERE, variant="nuggets",
    ),
    Rule(
        "most points", END_OF_MATCH,
        _("Always exactly three rounds; the most points over all of them win. Nuggets are only noted."),
        "variants", variant="cumulative",
    ),
    Rule(
        "equal points", END_OF_MATCH,
        _(
            "Of sides with equal points, the higher bid of the last round goes first, then the number of exact bids;"
            " then the place is shared."
        ),
        ours={"R-5": ALL}, printed=NOWHERE, variant="cumulative",
    ),
    Rule(
        "bid at the end", END_OF_MATCH, _("The bid of the last round counts as it lies at the end of that round."),
        ours={"R-12": _THREE_ROUNDS, "R-5": _TWO_NUGGETS}, printed=NOWHERE,
    ),
    Rule(
        "draw", END_OF_MATCH, _("A shared first place is a draw."),
        ours={"R-5": ALL}, printed=NOWHERE, variant="shared",
    ),
    Rule(
        "golden rounds", END_OF_MATCH,
        _(
            "While the first place is shared, another round is played and counts like the others, up to three more. If"
            " it is still shared then, lots from the match seed decide."
        ),
        ours={"R-6": ALL}, printed=NOWHERE, variant="golden",
    ),
)  # fmt: skip

RULES: tuple[Rule, ...] = _DEALING + _BIDS + _TRICKS + _SCORING + _ENDING
TOPICS = tuple(dict.fromkeys(rule.topic for rule in RULES))


def cell_of(ruleset: Ruleset) -> str:
    return f"{ruleset.edition}{ruleset.players}"


def rules_in_force(ruleset: Ruleset) -> list[Rule]:
    """Every rule that holds, in the order in which a match is played."""
    return [rule for rule in RULES if rule.is_in_force(ruleset)]


def cells_of_ruling(number: str) -> Cells:
    """The books in which a ruling is ours."""
    return frozenset(cell for rule in RULES for cell in rule.ours.get(number, NOWHERE))
