"""The words that the table's script needs, in the reader's language; `{…}` is filled in by the script."""

from django.utils.translation import gettext

from games.rules.cards import METAL_NAMES


def table_words() -> dict[str, object]:
    return {
        "metals": {letter: gettext(name) for letter, name in METAL_NAMES.items()},
        "kinds": {"person": gettext("Person"), "bot": gettext("Bot"), "house": gettext("House")},
        **_seat_words(),
        **_turn_words(),
        **_question_words(),
        **_end_words(),
    }


def _seat_words() -> dict[str, str]:
    return {
        "you": gettext("You"),
        "to_act": gettext("To act"),
        "forfeited": gettext("Forfeit: the house plays on"),
        "partner": gettext("Partner"),
        "tricks_bid": gettext("tricks / bid"),
        "face_down": gettext("Bid, face down"),
        "no_bid": gettext("No bid yet"),
        "bid": gettext("Bid: {card}"),
        "cards_nuggets": gettext("cards: {cards} · nuggets: {nuggets}"),
        "gold_of": gettext("Gold of {name}"),
        "supply": gettext("Gold supply"),
        "set_aside": gettext("Set aside, face up"),
        "trick": gettext("Trick"),
        "hand": gettext("Your hand"),
        "wins": gettext("Wins"),
        "lowest": gettext("Lowest"),
        "time_left": gettext("{time} left"),
    }


def _turn_words() -> dict[str, str]:
    return {
        "dealing": gettext("The cards are being dealt…"),
        "held": gettext("The tournament is paused. Your match waits, and no time runs."),
        "meeting": gettext("Waiting for {names}. The cards are dealt as soon as everybody is at the table."),
        "meet_until": gettext("Who has not come before {time} forfeits, and the house plays for them."),
        "is_here": gettext("At the table"),
        "is_away": gettext("Not here yet"),
        "thinking": gettext("{names}: deciding…"),
        "your_bid": gettext("Your turn: lay a metal as your bid."),
        "your_change": gettext("Your turn: keep the bids, or spend gold to change one?"),
        "your_lead": gettext("Your turn: lead a metal."),
        "your_play": gettext("Your turn: play a metal that is not in the trick, or gold."),
        "your_stop": gettext("Your turn: no metal fits. Play gold, or end the round."),
        "play_card": gettext("Play {card}"),
        "bid_card": gettext("Bid {card}"),
        "lost": gettext("The connection is lost. Trying again…"),
        "failed": gettext("The server did not answer. Nothing was played; try again."),
    }


def _question_words() -> dict[str, str]:
    return {
        "spend_gold": gettext("Play {card}?"),
        "spend_gold_cost": gettext(
            "It goes back to the supply after the trick. Kept, it would be worth {points} at the end of the round."
        ),
        "stop": gettext("End the round now?"),
        "stop_cost": gettext(
            "The trick on the table counts for nobody and you keep your gold. You have {tricks} of {bid} tricks."
        ),
        "resign": gettext("Give up this match?"),
        "resign_cost": gettext("The house plays on for you, and you come last. The others keep their match."),
        "swap_effect": gettext(
            "You spend {gold} (worth {points}) and lay {card}; {old} comes into your hand. The bid to reach is then"
            " {bid} instead of {before}, with {tricks} won so far."
        ),
        "swap_own": gettext("Your bid, {card}"),
        "swap_partner": gettext("Bid of {name}, {card}"),
        "points": gettext("points: {count}"),
    }


def _end_words() -> dict[str, str]:
    return {
        "round": gettext("Round {number}"),
        "nugget": gettext("Nugget"),
        "place": gettext("Place {place}"),
        "won": gettext("You win the match!"),
        "shared": gettext("You share the first place."),
        "ended": gettext("The match is over. Your place: {place}."),
        "withdrawn": gettext("This match does not count: it was called off."),
        "troubled": gettext("This match could not be played on. An organiser has to look at it."),
    }
