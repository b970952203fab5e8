"""Our rulings: what each decides, why, and how often it matters; which rules rest on them stands in rulebook.py."""

from dataclasses import dataclass

from games.rules.rulebook import gettext_noop

_ = gettext_noop


@dataclass(frozen=True, slots=True)
class Share:
    """How often a ruling matters, in per cent of `of`, for three and for four players where it is ours.

    `aurum bench rulings` counts it by its `sign`, in `books` alone; None where it is not for so many players.
    """

    sign: str
    of: str
    text: str
    three: float | None
    four: float | None
    books: str = "en fr de ru"


@dataclass(frozen=True, slots=True)
class Ruling:
    text: str
    reason: str
    shares: tuple[Share, ...] = ()


RULINGS: dict[str, Ruling] = {
    "R-1": Ruling(
        _("At most one bid change a player before each trick"),
        _("The French and the Russian book print one; the other two do not say how often. We read all four alike."),
        (
            Share(
                "change again", "rounds",
                _("rounds in which a player who changed a bid could have changed again"), 33.4, 68.4,
            ),
        ),
    ),
    "R-2": Ruling(
        _("No bid change once the leader cannot lead"),
        _(
            "In the German book the round ends at once. The others do not say; but a change comes before a trick, and"
            " there is none any more."
        ),
        (
            Share(
                "change without a lead", "rounds",
                _("rounds at whose end somebody could still have paid for a change"), 25.9, 9.2,
            ),
        ),
    ),
    "R-3": Ruling(
        _("How a tied round is decided in the English edition"),
        _("The English book does not say. We take the steps that the French and the German book share."),
        (Share("tied", "rounds", _("rounds tied on points"), 10.1, 5.2),),
    ),
    "R-4": Ruling(
        _("A nugget for each side that the steps leave tied"),
        _("The German and the Russian book print it for three players. No other way treats those who are tied alike."),
        (
            Share(
                "tied after all steps", "rounds",
                _("rounds still tied after exact bid and highest gold card"), 0.2, 0.2,
            ),
        ),
    ),
    "R-5": Ruling(
        _("Places beyond the number of nuggets"),
        _(
            "The English and the French book print the last bid, and for three players alone. A league needs every"
            " place, so the order goes on; it also serves where two sides reach two nuggets at once."
        ),
        (
            Share(
                "places beyond nuggets", "matches",
                _("matches in which two sides have the same number of nuggets"), 63.6, 0.2,
            ),
            Share(
                "first place beyond nuggets", "matches",
                _("matches whose first place the nuggets leave open"), 15.2, 0.2,
            ),
            Share(
                "first place beyond the last bid", "matches",
                _("matches whose first place the last bid leaves open too"), 2.4, 0.1,
            ),
        ),
    ),
    "R-6": Ruling(
        _("Golden rounds and lots in elimination"),
        _("No book needs them. In elimination somebody must go on, and anybody can check the lots."),
        (Share("first place shared", "matches", _("matches in which a golden round would be played"), 0.1, 0.0),),
    ),
    "R-7": Ruling(
        _("Partners tell nothing but by their play"),
        _(
            "The Russian book forbids direct agreements while bidding; the others say nothing. In a league the same"
            " must hold for everybody, all match long. House bots cannot talk: there is nothing to count."
        ),
    ),
    "R-8": Ruling(
        _("The leader decides first on a bid change"),
        _("The other three books print an order; the English one gives none."),
        (
            Share(
                "two change", "rounds",
                _("rounds in which two players change a bid before the same trick"), 4.6, 24.3,
            ),
        ),
    ),
    "R-9": Ruling(
        _("A Gold 0 for everybody in every round"),
        _(
            "The English book, and the Russian one for three players, hand out no Gold 0 where they begin a new round;"
            " nor do they say that it is gone. The others hand it out again."
        ),
        (
            Share(
                "zero in a later round", "later rounds",
                _("later rounds in which a Gold 0 is played or spent"), 99.6, 100.0,
            ),
        ),
    ),
    "R-10": Ruling(
        _("No card to lead ends the round"),
        _(
            "The German book names the player with the alchemist's stone, who also begins the trick: we read the"
            " leader, not the first player of the round. In the other books it follows, because gold cannot be led."
        ),
        (
            Share("no lead", "rounds", _("rounds that end because the leader has no card"), 42.0, 14.3),
            Share(
                "stone", "rounds",
                _("German rounds that would have ended before if the stone stayed with the first player"), 5.2, 2.1,
                "de",
            ),
        ),
    ),
    "R-11": Ruling(
        _("An empty hand may follow with gold"),
        _(
            "The main rules of all books let gold be played from the collection; the glossaries of the English, French"
            " and Russian book speak of a card from the hand. The main rules go first."
        ),
        (Share("empty hand", "rounds", _("rounds in which gold is played with an empty hand"), 13.2, 9.8),),
    ),
    "R-12": Ruling(
        _("The last bid counts as it lies at the end"),
        _("Who bid the highest can also mean the bid first laid. We take the bid that is scored."),
        (
            Share(
                "first bids have another winner", "matches",
                _("matches in which the bids first laid would give another winner"), 10.2, 0.0,
            ),
            Share(
                "first bids rank otherwise", "matches",
                _("matches in which the bids first laid would give other places"), 13.4, 0.0,
            ),
        ),
    ),
    "R-13": Ruling(
        _("Whose nugget and whose gold the Russian edition means"),
        _(
            "Where the Russian book speaks of each player, we read each who is still tied; where it speaks of the"
            " highest gold obtained, we read gold still held. The German book prints both so."
        ),
        (
            Share(
                "two of three tied after exact bids", "rounds",
                _("rounds with two of three still tied after exact bids"), 9.5, None,
            ),
            Share(
                "gold obtained and held differ", "rounds",
                _("tied rounds in which gold obtained and gold held decide differently"), None, 1.4,
            ),
        ),
    ),
}  # fmt: skip
