"""What is compared when rounds and matches are decided: numbers that rise with merit. Compiles with reckoning.pxd."""


def round_key(total: int, is_exact: bool, best_gold: int, compares_gold: bool) -> int:
    """A side's claim to the nugget of a round: points, then an exact bid, then, where it counts, the highest gold."""
    key = total * 32 + (16 if is_exact else 0)
    return key + best_gold + 1 if compares_gold else key


def place_key(is_cumulative: bool, nuggets: int, last_bid: int, total: int, exact: int) -> int:
    """A side's claim to a place in the match; ruling R-5 completes the printed order."""
    if is_cumulative:
        return (total * 16 + last_bid) * 16 + exact
    return ((nuggets * 16 + last_bid) * 1024 + total) * 16 + exact


def is_decided(is_cumulative: bool, ends_at_two: bool, played: int, most: int, holders: int) -> bool:
    """Whether no planned round is left: so many played, the most nuggets of a side, and how many sides have them."""
    if is_cumulative:
        return played >= 3
    if ends_at_two:
        return most >= 2
    return played >= 3 or (most >= 2 and holders == 1)
