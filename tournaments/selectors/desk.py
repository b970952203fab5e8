"""What the organiser's desk reads: own events, their trail, matches to decide, reruns, and who could enter."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from games.models import Match, MatchResult, MatchSeat, MatchState, Player, PlayerKind
from tournaments.models import (
    Conflict,
    Entrant,
    EntrantState,
    Fixture,
    FixtureMatch,
    Helper,
    League,
    Matchday,
    MatchdayState,
    Rerun,
    RerunMatch,
    RerunState,
    ScoreSheet,
    SheetState,
    Stage,
    Tournament,
    TournamentEvent,
)
from tournaments.rules.pairing import TableKind
from tournaments.selectors.leagues import GONE, LONGEST_QUERY
from tournaments.selectors.standings import compute_stage_standings, read_stage_results

MOST_FOUND = 30


def list_own_leagues(user: User) -> list[League]:
    leagues = League.objects.filter(organiser=user).annotate(tournament_count=Count("tournaments"))
    return list(leagues.order_by("name"))


def list_own_tournaments(user: User) -> QuerySet[Tournament]:
    """Newest first, with those who take part counted."""
    taking_part = Count("entrants", filter=~Q(entrants__state__in=GONE))
    helped = Q(helpers__user=user) | Q(league__helpers__user=user)
    ids = Tournament.objects.filter(Q(organiser=user) | helped).values("pk")
    own = Tournament.objects.filter(pk__in=ids).select_related("league").defer("seed", "secret")
    return own.annotate(entrant_count=taking_part).order_by("-id")


def count_quarantined(tournaments: Sequence[Tournament]) -> dict[int, int]:
    """Matches that wait for a decision, by tournament; those without any are missing."""
    waiting = FixtureMatch.objects.filter(stage__tournament__in=tournaments, match__state=MatchState.QUARANTINED)
    return dict(waiting.values_list("stage__tournament_id").annotate(count=Count("id")))


def list_desk_matches(tournament: Tournament, states: Sequence[str] = ()) -> QuerySet[FixtureMatch]:
    """Matches with their tables and seats; seeds and logs are never loaded with them."""
    seats = Prefetch("match__seats", MatchSeat.objects.select_related("player").order_by("seat"))
    links = FixtureMatch.objects.filter(stage__tournament=tournament)
    if states:
        links = links.filter(match__state__in=states)
    return (
        links.select_related("match__result", "stage__tournament", "fixture__matchday")
        .defer(
            "match__seed", "match__log", "match__result__log", "stage__tournament__seed", "stage__tournament__secret"
        )
        .prefetch_related(seats)
        .order_by("match_id")
    )


def count_match_states(tournament: Tournament) -> dict[str, int]:
    matches = Match.objects.filter(fixture_match__stage__tournament=tournament)
    return dict(matches.order_by().values_list("state").annotate(count=Count("id")))


def list_reruns(tournament: Tournament) -> list[Rerun]:
    reruns = Rerun.objects.filter(tournament=tournament, is_fresh=False).select_related("created_by")
    return list(reruns.annotate(match_count=Count("matches")).order_by("-id"))


def find_rerun(tournament: Tournament, rerun_id: int) -> Rerun | None:
    reruns = Rerun.objects.filter(tournament=tournament, pk=rerun_id, is_fresh=False)
    return reruns.select_related("tournament").first()


def find_fresh_match(match_id: int) -> RerunMatch | None:
    """The new match on fresh deals that is being played for this one, if there is any."""
    playing = RerunMatch.objects.filter(match=match_id, rerun__is_fresh=True, rerun__state=RerunState.PLAYING)
    return playing.select_related("rerun", "again").defer("again__seed", "again__log").first()


def find_fresh_pair(match_id: int) -> RerunMatch | None:
    """The pair of a match on fresh deals that this one belongs to, as the old one while it is played, or as the new."""
    is_old = Q(match=match_id, rerun__state=RerunState.PLAYING)
    return RerunMatch.objects.filter(is_old | Q(again=match_id), rerun__is_fresh=True).select_related("rerun").first()


def list_conflicts(tournament: Tournament) -> list[Conflict]:
    pairs = Conflict.objects.filter(tournament=tournament).select_related("first__player", "second__player")
    return list(pairs.order_by("id"))


def find_free_players(tournament: Tournament, words: str) -> list[Player]:
    """Players of that name who are not in the tournament; nobody where nothing was asked."""
    # Postgres stores no NUL, and refuses to look for one.
    asked = words.replace("\x00", "").strip()[:LONGEST_QUERY]
    if not asked:
        return []
    listed = Player.objects.filter(is_active=True, name__icontains=asked).exclude(kind=PlayerKind.GUEST)
    free = listed.select_related("owner")
    taken = tournament.entrants.exclude(state__in=GONE).values("player_id")
    return list(free.exclude(pk__in=taken).order_by("name")[:MOST_FOUND])


def list_on_matchday(matchday_id: int) -> list[tuple[int, str]]:
    """Ids and names of those who sit at a table or rest on a matchday, by name."""
    sits = Q(fixture_seats__fixture__matchday_id=matchday_id) | Q(byes__matchday_id=matchday_id)
    found = Entrant.objects.filter(sits).order_by("player__name").values_list("id", "player__name")
    return list(found.distinct())


def list_in_field(tournament: Tournament) -> list[tuple[int, str]]:
    """Ids and names of those who take part, by name."""
    listed = Entrant.objects.filter(tournament=tournament).exclude(state__in=GONE)
    return list(listed.order_by("player__name", "id").values_list("id", "player__name"))


def list_unplayed_days(stage: Stage) -> list[tuple[int, str]]:
    """Numbers and states of the matchdays that are drawn and not played to their end."""
    days = Matchday.objects.filter(stage=stage).exclude(state=MatchdayState.FINISHED)
    return list(days.order_by("number").values_list("number", "state"))


def find_matchday(tournament: Tournament, matchday_id: int) -> Matchday | None:
    days = Matchday.objects.select_related("stage__tournament").defer("stage__tournament__seed")
    return days.filter(stage__tournament=tournament, pk=matchday_id).first()


def name_entrants(entrant_ids: Sequence[int]) -> dict[int, str]:
    return dict(Entrant.objects.filter(id__in=entrant_ids).values_list("id", "player__name"))


def count_entrant_states(tournament: Tournament) -> list[tuple[str, int]]:
    """How many entrants are in each state, with the state in words; states without any are missing."""
    counted = tournament.entrants.order_by("state").values_list("state").annotate(count=Count("id"))
    return [(str(EntrantState(state).label), count) for state, count in counted]


def with_match_counts(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Each with `match_count` and `open_count`: matches released so far, and those of them still to be played."""
    links = FixtureMatch.objects.filter(stage__tournament=OuterRef("pk")).order_by().values("stage__tournament")
    fixtures = Fixture.objects.filter(matchday__stage__tournament=OuterRef("pk")).order_by()
    left = fixtures.values("matchday__stage__tournament").annotate(left=Sum("open_matches")).values("left")
    return tournaments.annotate(
        match_count=Coalesce(Subquery(links.annotate(count=Count("id")).values("count")), 0),
        open_count=Coalesce(Subquery(left), 0),
    )


COMPARED = ("places", "nuggets", "totals", "forfeits")


@dataclass(frozen=True, slots=True)
class ChangedResult:
    match_id: int
    before: dict[str, list[int]]
    after: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    stage_id: int
    entrant_id: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class RerunPreview:
    """`waiting` matches are still to be played; only without any can the rerun be applied."""

    waiting: int
    results: tuple[ChangedResult, ...]
    places: tuple[ChangedPlace, ...]


def preview_rerun(rerun: Rerun) -> RerunPreview:
    """Compare what is stored with what the rerun gave so far; matches still waiting count as unchanged."""
    pairs = dict(rerun.matches.filter(again__state=MatchState.FINISHED).values_list("match_id", "again_id"))
    stored = MatchResult.objects.in_bulk([*pairs, *pairs.values()])
    results = []
    for match_id, again_id in pairs.items():
        before, after = ({name: getattr(stored[one], name) for name in COMPARED} for one in (match_id, again_id))
        if before != after:
            results.append(ChangedResult(match_id, _show_result(stored[match_id]), _show_result(stored[again_id])))
    changed = {result.match_id: pairs[result.match_id] for result in results}
    return RerunPreview(rerun.matches.count() - len(pairs), tuple(results), _find_changed_places(rerun, changed))


def _show_result(result: MatchResult) -> dict[str, list[int]]:
    return {name: getattr(result, name) for name in COMPARED} | {"places": result.counted_places}


def _find_changed_places(rerun: Rerun, changed: dict[int, int]) -> tuple[ChangedPlace, ...]:
    stage_ids = FixtureMatch.objects.filter(match_id__in=changed).values_list("stage_id", flat=True).distinct()
    kind = TableKind(rerun.tournament.table_kind)
    places = []
    for stage in Stage.objects.filter(id__in=stage_ids).order_by("number"):
        results = read_stage_results(stage, kind, changed)
        before, after = (
            {row["entrant"]: row["place"] for row in rows}
            for rows in (
                compute_stage_standings(rerun.tournament, stage),
                compute_stage_standings(rerun.tournament, stage, results),
            )
        )
        places += [ChangedPlace(stage.id, one, before[one], after[one]) for one in before if before[one] != after[one]]
    return tuple(places)


def find_last_list(tournament: Tournament) -> TournamentEvent | None:
    """The latest entries by list that have not been undone."""
    undone = list(tournament.events.filter(kind="list_undone").values_list("detail__list", flat=True))
    return tournament.events.filter(kind="list_entered").exclude(number__in=undone).order_by("-number").first()


def list_helpers(tournament: Tournament) -> list[Helper]:
    """Who helps with a tournament, those of its league too."""
    here = Q(tournament=tournament)
    if tournament.league_id is not None:
        here |= Q(league_id=tournament.league_id)
    return list(Helper.objects.filter(here).select_related("user", "league").order_by("created_at", "pk"))


def list_events(tournament: Tournament) -> QuerySet[TournamentEvent]:
    return TournamentEvent.objects.filter(tournament=tournament).order_by("number")


def find_desk_match(tournament: Tournament, match_id: int) -> FixtureMatch | None:
    return list_desk_matches(tournament).filter(match_id=match_id).first()


def name_sides(link: FixtureMatch) -> list[str]:
    """Who makes up each side, in the order in which places are given."""
    sides: dict[int, list[str]] = {}
    for seat in link.match.seats.all():
        sides.setdefault(seat.side, []).append(seat.player.name)
    return [" + ".join(dict.fromkeys(names)) for _side, names in sorted(sides.items())]


def find_sheet_match(match_id: int, user: User) -> tuple[FixtureMatch, MatchSeat, ScoreSheet | None] | None:
    """A match at a real table where this person sits, with their seat and the report that is not dropped, if any."""
    link = FixtureMatch.objects.filter(match_id=match_id).select_related("stage__tournament").first()
    tournament = link.stage.tournament if link else None
    link = find_desk_match(tournament, match_id) if tournament and (tournament.clock or {}).get("real_cards") else None
    seat = next((one for one in link.match.seats.all() if one.owner_id == user.pk), None) if link else None
    if link is None or seat is None:
        return None
    reports = link.match.sheets.exclude(state=SheetState.DROPPED).select_related("by", "answered_by")
    return link, seat, reports.order_by("-id").first()


def filter_desk_matches(
    links: QuerySet[FixtureMatch], words: str, day: int | None, table: int | None
) -> QuerySet[FixtureMatch]:
    """Where somebody of that name sits, of that matchday, at that table; everything where nothing is asked."""
    asked = words.replace("\x00", "").strip()[:LONGEST_QUERY]
    if asked:
        links = links.filter(match__seats__player__name__icontains=asked).distinct()
    if table:
        links = links.filter(fixture__table=table)
    return links.filter(fixture__matchday__number=day) if day else links


def list_disputes(tournament: Tournament) -> list[ScoreSheet]:
    """What players reported and nobody has decided on yet: disputes first."""
    reports = ScoreSheet.objects.filter(match__fixture_match__stage__tournament=tournament)
    waiting = reports.filter(state__in=(SheetState.OPEN, SheetState.DISPUTED)).select_related("by", "answered_by")
    return list(waiting.order_by("state", "id"))


MOST_SHEETS = 200


def list_sheets(tournament: Tournament, user: User | None) -> list[ScoreSheet]:
    """The newest reports of a tournament; with a person, those of tables at which they sit."""
    reports = ScoreSheet.objects.filter(match__fixture_match__stage__tournament=tournament)
    if user is not None:
        reports = reports.filter(match__seats__owner=user).distinct()
    return list(reports.select_related("by").order_by("-id")[:MOST_SHEETS])


@dataclass(frozen=True, slots=True)
class BlankSheet:
    """A match for the paper of its table: names by side, in the order of the seats."""

    match_id: int
    table: int
    sides: dict[int, list[str]]


def list_blank_sheets(stage: Stage, matchday: int) -> list[BlankSheet]:
    """Of every match of a matchday by table; rows and not objects, since a hall has hundreds of tables."""
    seats = MatchSeat.objects.filter(
        match__fixture_match__stage=stage, match__fixture_match__fixture__matchday__number=matchday
    )
    place = "match__fixture_match__fixture__table"
    sheets: dict[int, BlankSheet] = {}
    rows = seats.order_by(place, "match__fixture_match__number", "match_id", "seat")
    for match_id, table, side, name in rows.values_list("match_id", place, "side", "player__name"):
        sheet = sheets.setdefault(match_id, BlankSheet(match_id, table, {}))
        sheet.sides.setdefault(side, []).append(name)
    return list(sheets.values())
