"""The rules that hold under a ruleset, in our own words; rulings of ours carry their number (docs/RULES.md)."""

from dataclasses import dataclass

from games.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `ruling` is empty where a printed book gives it."""

    topic: str
    text: str
    ruling: str = ""


RULINGS = {
    "R-1": "A player changes at most one bid before each trick.",
    "R-2": "Where the leader has no card to lead, the round is over and no bid can be changed any more.",
    "R-3": "The English book is silent on tied rounds: exact bid, then highest gold card, as in the French and German.",
    "R-4": "Where the printed steps leave a round tied, each side still tied gets a nugget.",
    "R-5": "Places go by nuggets, last bid, points, exact bids; then they are shared.",
    "R-6": "Golden rounds: up to three more rounds, then lots from the seed.",
}


def rules_in_force(ruleset: Ruleset) -> list[Rule]:
    """Every rule, in the order in which a round is played."""
    return [*_dealing(ruleset), *_bidding(ruleset), *_tricks(), *_scoring(ruleset), *_ending(ruleset)]


def _dealing(ruleset: Ruleset) -> list[Rule]:
    topic = "Dealing"
    if ruleset.players == 4:
        table = "Four players in two sides: seats 0 and 2 against seats 1 and 3."
        cards = "All 50 base metals are dealt, 12 to each seat; the 2 left over lie face up before anybody bids."
    else:
        table = "Three players, each for themselves."
        cards = "Copper, every ten and Gold 8 stay in the box; the other 36 base metals are dealt, 12 to each seat."
    zero = "Everybody starts a round with one Gold 0." if ruleset.zero_gold else "Nobody starts with a Gold 0."
    return [
        Rule(topic, table),
        Rule(topic, cards),
        Rule(topic, f"{zero} The rest of the gold is the supply, open to all; a Gold 0 never comes out of it."),
        Rule(topic, "Chance names the first player of round 1; each later round starts one seat further clockwise."),
    ]


def _bidding(ruleset: Ruleset) -> list[Rule]:
    topic = "Bids"
    if ruleset.players == 4:
        how = "In turn from the first player each lays one base metal, face up; a side's bid is its higher card."
        whose = "their own bid card or their partner's"
    else:
        how = "All lay one base metal at once, face down, and turn them over together."
        whose = "their own bid card"
    change = f"Before each trick, from the leader on, a player may spend one gold to swap {whose} with a card in hand."
    return [
        Rule(topic, how),
        Rule(topic, f"{change} The old bid card goes into the hand of the player who pays, the gold to the supply."),
        Rule(topic, RULINGS["R-1"], "R-1"),
        Rule(topic, RULINGS["R-2"], "R-2"),
    ]


def _tricks() -> list[Rule]:
    topic = "Tricks"
    return [
        Rule(topic, "The leader plays any base metal. Gold is never led."),
        Rule(topic, "The others play a base metal of a suit not yet in the trick, or any gold they have."),
        Rule(topic, "Whoever can play a base metal must play a card."),
        Rule(topic, "The lowest base metal takes a gold of its rank from the supply, if there is one, and leads next."),
        Rule(topic, "The highest gold wins the trick; without gold, the highest base metal."),
        Rule(topic, "Gold that was played goes back to the supply after that, so this trick could not collect it."),
        Rule(topic, "Of equals, low or high, the card played later counts."),
        Rule(
            "End of a round",
            "At once, when the leader has no card, when a follower has nothing to play, or has only gold and keeps it. "
            "That player's hand is shown; the unfinished trick counts for nothing, and gold in it is lost.",
        ),
    ]


def _scoring(ruleset: Ruleset) -> list[Rule]:
    topic = "Scoring a round"
    is_silent = ruleset.edition == "en"
    steps = "an exact bid goes first" + (", then the highest gold card" if ruleset.compares_highest_gold else "")
    printed_split = ruleset.players == 3 and ruleset.edition in ("de", "ru")
    return [
        Rule(topic, "Fewer tricks than bid: nothing. More: the bid. Exactly as many: twice the bid."),
        Rule(topic, "Each gold left over: rank 0 nothing, 1 to 3 one point, 4 to 6 two, 7 and 8 three."),
        Rule(topic, "The most points win the round and a nugget."),
        Rule(topic, f"In a tied round {steps}.", "R-3" if is_silent else ""),
        Rule(topic, "Sides still tied get a nugget each.", "" if printed_split else "R-4"),
    ]


def _ending(ruleset: Ruleset) -> list[Rule]:
    topic = "End of a match"
    if ruleset.is_cumulative:
        rules = [
            Rule(topic, "Always three rounds; the most points over all of them win. Nuggets are only noted."),
            Rule(topic, "Equal points: higher bid of the last round, then exact bids, then a shared place.", "R-5"),
        ]
    else:
        rules = [Rule(topic, _nugget_end(ruleset)), *_last_bid(ruleset), Rule(topic, RULINGS["R-5"], "R-5")]
    if ruleset.decider == "golden_round":
        more = "While the first place is shared, another round is played and counts like the others, up to three more."
        return [*rules, Rule(topic, f"{more} If it is still shared then, lots from the match seed decide.", "R-6")]
    return [*rules, Rule(topic, "A shared first place is a draw.", "R-5")]


def _nugget_end(ruleset: Ruleset) -> str:
    if not ruleset.ends_at_two_nuggets:
        return "Over after three rounds, or earlier when one side alone has the most nuggets and at least two."
    fourth = "; with one nugget each after three rounds a fourth is played" if ruleset.players == 3 else ""
    return f"Over as soon as a side has two nuggets{fourth}."


def _last_bid(ruleset: Ruleset) -> list[Rule]:
    """The first step of ruling R-5, where a book has it in print."""
    if ruleset.ends_at_two_nuggets:
        return []
    return [Rule("End of a match", "Of sides with the same number of nuggets, the higher bid of the last round wins.")]
