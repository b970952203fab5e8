"""What an archive holds beside its tables, so that it can be checked without the site: matches, events, manifest."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from aurum_league.common.signing import read_public_key
from games.models import MatchState
from games.selectors.versions import tell_versions
from tournaments.models import FixtureMatch, Tournament
from tournaments.rules.pairing import TableKind
from tournaments.selectors.chain import read_site_head
from tournaments.selectors.results import list_sealed_matches, revealed_seed

FORMAT = "aurum-archive"
VERSION = 1


def list_archived_matches(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """A row a match of the tournament: where it was played, what counts, and every version of its result."""
    sealed = list_sealed_matches(tournament)
    links = FixtureMatch.objects.filter(stage__tournament=tournament).select_related(
        "match__result", "fixture__matchday", "stage"
    )
    for link in links.order_by("match_id").iterator(chunk_size=500):
        match = link.match
        has_result = match.state == MatchState.FINISHED
        yield {
            "match": match.pk,
            "stage": link.stage.number,
            "matchday": link.fixture.matchday.number,
            "table": link.fixture.table,
            "number": link.number,
            "state": match.state,
            "counts": link.fixture.state,
            "commitment": match.commitment,
            "label": _find_label(tournament, link),
            "entrants": link.entrants,
            "places": match.result.counted_places if has_result else None,
            "forfeits": match.result.forfeits if has_result else None,
            "has_record": has_result and not match.result.is_by_hand and match.pk not in sealed,
            "versions": tell_versions(match, is_sealed=match.pk in sealed),
        }


def _find_label(tournament: Tournament, link: FixtureMatch) -> str:
    """The text that leads from the tournament's seed to the match's."""
    label = f"match {link.stage.number} {link.fixture.matchday.number} {link.fixture.table}"
    if not link.stage.block_deals:
        return f"{label} {link.number}"
    rotations = 3 if TableKind(tournament.table_kind) is TableKind.SOLO3 else 2
    # The last of an odd number of deals is played once more around, in the other direction.
    deal = min((link.number - 1) // rotations + 1, link.stage.block_deals)
    return f"{label} deal {deal}"


def make_manifest(tournament: Tournament, digests: Mapping[str, str]) -> str:
    """What the signature covers: who signs, which files there are, and what the chain's head was."""
    last = tournament.events.order_by("-number").first()
    content = {
        "format": FORMAT,
        "version": VERSION,
        "tournament": tournament.pk,
        "name": tournament.name,
        "commitment": tournament.commitment,
        "seed": revealed_seed(tournament),
        "events": last.number if last else 0,
        "head": last.digest if last else None,
        "site_head": read_site_head(),
        "files": dict(digests),
        "public_key": read_public_key(),
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True) + "\n"


