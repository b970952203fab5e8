"""The seal on a tournament's own seed: it opens when nothing can be dealt from it any more."""

from tournaments.models import Tournament, TournamentState


def revealed_seed(tournament: Tournament) -> str | None:
    """The seed in hex once the tournament has finished; anybody can then check draws, lots and the seeds of matches."""
    return bytes(tournament.seed).hex() if tournament.state == TournamentState.FINISHED else None
