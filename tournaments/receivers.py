"""What the tournaments app does when a match has been settled or set aside."""

from collections.abc import Sequence

from django.dispatch import receiver

from games.signals import SettledMatch, matches_settled, matches_troubled, players_left
from tournaments.services.advance import report_trouble
from tournaments.services.decisions import results_corrected
from tournaments.services.entries import withdraw_players
from tournaments.services.fresh import notice_fresh_ends
from tournaments.services.ratings import find_rated_tables, record_ratings
from tournaments.services.rebuild import note_corrected_results
from tournaments.services.results import count_settled_matches
from tournaments.services.trials import advance_trials, stop_trials_of, stop_troubled_trials


@receiver(matches_settled)
def count_matches(matches: Sequence[SettledMatch], **details: object) -> None:
    """Inside the settling transaction: a match counts in full or not at all.

    Fixtures, stages and pools are what all workers lock, in this order, and nothing is read or computed between that
    could be before.
    """
    advance_trials(matches=matches)
    notice_fresh_ends(matches=matches)
    tables = find_rated_tables(matches)
    count_settled_matches(matches=matches)
    record_ratings(tables=tables)


@receiver(matches_troubled)
def tell_organiser(match_ids: Sequence[int], **details: object) -> None:
    report_trouble(match_ids=match_ids)
    stop_troubled_trials(match_ids=match_ids)


@receiver(results_corrected)
def rate_again(match_ids: Sequence[int], **details: object) -> None:
    """Inside the correcting transaction: ratings follow once it has committed."""
    note_corrected_results(match_ids=match_ids)


@receiver(players_left)
def let_go(players: Sequence[int], **details: object) -> None:
    withdraw_players(players=players)
    stop_trials_of(players=players)
