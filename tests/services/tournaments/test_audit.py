"""The audit: a forged row of any kind is named in a sentence, and ratings adopt nothing that contradicts a record."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from datetime import timedelta
from io import StringIO
from uuid import uuid4

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from aurum_league.common.proofs import first_link, link_event, tell_event
from aurum_league.models import SiteEvent
from games.models import Match, MatchResult, MatchSeat, MatchState, ResultVersion
from games.play.table import summarise
from games.rules.deal import commitment
from games.rules.match import Match as Play
from games.rules.playout import Chance
from games.rules.ruleset import Ruleset
from games.rules.view import View
from games.services.by_hand import HandResult
from tests.services.tournaments.conftest import Make, make_bots, play_on
from tournaments.models import (
    Bye,
    Entrant,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    Matchday,
    Rating,
    RatingChange,
    RatingPool,
    Stage,
    StageStandings,
    Tournament,
    TournamentEvent,
)
from tournaments.rules.pairing import TableKind
from tournaments.selectors.standings import read_fixture_results
from tournaments.services import lifecycle
from tournaments.services.audit import audit_all, audit_days
from tournaments.services.decisions import enter_result, void_match
from tournaments.services.entries import disqualify_entrant, replace_entrant, withdraw_entrant
from tournaments.services.field import ensure_house_players
from tournaments.services.lifecycle import publish_heads
from tournaments.services.ratings import fit_due_pools
from tournaments.services.rebuild import refresh_ratings
from tournaments.services.results import refresh_standings, settle_fixtures

pytestmark = pytest.mark.django_db
ONE_TABLE = {"format": "round_robin", "options": {"meetings": 1}}


def turn_places() -> None:
    result = MatchResult.objects.order_by("pk")[0]
    MatchResult.objects.filter(pk=result.pk).update(places=[4 - place for place in result.places])


def forfeit_the_winner() -> None:
    """Of somebody who was last anyway the places would stay as they are."""
    for result in MatchResult.objects.all():
        MatchResult.objects.filter(pk=result.pk).update(forfeits=[result.places.index(1)])


def change_standings() -> None:
    stored = StageStandings.objects.get()
    stored.rows[0]["place"] = 3
    stored.save()


def call_as_the_site() -> None:
    """What whoever has got hold of the site can still do: a further version that nobody decided."""
    result = MatchResult.objects.order_by("pk")[0]
    content = {"places": [3, 2, 1], "is_by_hand": True, "kind": "by_hand", "reason": "mine", "log": "\\x"}
    columns = ("nuggets", "totals", "exact_bids", "bids", "tricks", "gold_points")
    kept = {name: getattr(result, name) for name in columns}
    kept |= {"forfeits": [], "early": [], "rounds": 0, "ends": [0, 0, 0], "first_seat": 0, "lots": False, "cpu_us": 0}
    with connection.cursor() as cursor:
        cursor.execute("SELECT games_add_result_version(%s, %s)", [result.pk, json.dumps(kept | content)])


def deal_otherwise() -> None:
    """Another seed, with its own commitment."""
    Match.objects.update(seed=bytes(32), commitment=commitment(bytes(32)))


def swap_seats() -> None:
    """Who sat where, in the rows of one match."""
    first, second = MatchSeat.objects.filter(match=Match.objects.order_by("pk")[0]).order_by("seat")[:2]
    MatchSeat.objects.filter(pk=first.pk).update(player=second.player)
    MatchSeat.objects.filter(pk=second.pk).update(player=first.player)


def swap_entrants() -> None:
    link = FixtureMatch.objects.order_by("pk")[0]
    FixtureMatch.objects.filter(pk=link.pk).update(entrants=[*link.entrants[1:], link.entrants[0]])


def play_otherwise() -> None:
    """Another legal game on the same deals, with everything that follows from it: nothing contradicts anything."""
    match = Match.objects.order_by("pk")[0]
    play, luck = Play(Ruleset.from_code(match.ruleset), bytes(match.seed)), Chance(7)
    while not play.is_over:
        seat = play.awaiting()[0]
        texts = View(play, seat).legal_texts()
        play.apply_text(seat, texts[luck.below(len(texts))])
    made = asdict(summarise(play))
    MatchResult.objects.filter(pk=match.pk).update(**made)
    adopt_results()


def forfeit_and_adopt() -> None:
    forfeit_the_winner()
    adopt_results()


def adopt_results() -> None:
    """Places of tables and standings made anew from what stands in the database now; ratings are to be, too."""
    stage = Stage.objects.get()
    settle_fixtures(stage, read_fixture_results(list(Fixture.objects.values_list("pk", flat=True)), TableKind.SOLO3))
    StageStandings.objects.all().delete()
    refresh_standings(stage_id=stage.pk, is_final=True)
    RatingPool.objects.update(rebuild_from=1)


def exchange_entrants() -> None:
    """Two entrants exchange everything that they have played, in all rows that say who played it."""
    one, other = Entrant.objects.order_by("pk")[:2]
    Entrant.objects.filter(pk=one.pk).update(player=ensure_house_players({"random": 2})[1])
    Entrant.objects.filter(pk=other.pk).update(player=one.player)
    Entrant.objects.filter(pk=one.pk).update(player=other.player)
    seats = {seat.pk: seat.player_id for seat in MatchSeat.objects.all()}
    MatchSeat.objects.update(player=ensure_house_players({"random": 2})[1])
    turned = {one.player_id: other.player_id, other.player_id: one.player_id}
    for pk, player in seats.items():
        MatchSeat.objects.filter(pk=pk).update(player=turned.get(player, player))
    adopt_results()


def reseat() -> None:
    """A table with its entrants in another order, and its matches with them."""
    seats = list(FixtureSeat.objects.order_by("position"))
    ids = [seat.entrant_id for seat in seats]
    FixtureSeat.objects.update(entrant=None)
    for seat, entrant in zip(seats, [*ids[1:], ids[0]], strict=True):
        FixtureSeat.objects.filter(pk=seat.pk).update(entrant=entrant)


def rest_nobody() -> None:
    Bye.objects.create(matchday=Matchday.objects.get(), entrant=Entrant.objects.order_by("pk")[0])


FORGERIES = [
    pytest.param(play_otherwise, "not those that were played", id="another game"),
    pytest.param(forfeit_and_adopt, "not those that were played", id="forfeits, with all that follows"),
    pytest.param(exchange_entrants, "has player_id", id="who entered, with all that follows"),
    pytest.param(reseat, "are not those that event", id="who was drawn to meet whom"),
    pytest.param(lambda: Match.objects.update(deals=uuid4()), "not dealt from", id="which matches share their deals"),
    pytest.param(lambda: Match.objects.update(ruleset="fr3"), "is of fr3, and the tournament", id="a match's ruleset"),
    pytest.param(lambda: MatchSeat.objects.update(agent="house:random"), "was played by house:random", id="brains"),
    pytest.param(lambda: Stage.objects.update(points=[9.0, 1.0, 0.0]), "has points", id="points"),
    pytest.param(lambda: Stage.objects.update(tiebreaks=["wins"]), "has tiebreaks", id="tie-breaks"),
    pytest.param(lambda: Stage.objects.update(options={"meetings": 2}), "has options", id="options"),
    pytest.param(lambda: Stage.objects.update(cut=2), "has cut", id="who goes on"),
    pytest.param(lambda: Stage.objects.update(matches_each=2), "has matches_each", id="matches each"),
    pytest.param(lambda: Stage.objects.update(field=[1, 2, 3]), "its field is", id="field"),
    pytest.param(lambda: Tournament.objects.update(ruleset="fr3"), "its ruleset is", id="ruleset"),
    pytest.param(lambda: Tournament.objects.update(is_rated=False), "its is_rated is", id="rated or not"),
    pytest.param(lambda: Entrant.objects.update(left_on=1), "has left_on 1", id="when somebody left"),
    pytest.param(rest_nobody, "who rested", id="a rest that nobody had"),
    pytest.param(swap_seats, "sits", id="who sat where"),
    pytest.param(swap_entrants, "seats", id="for whom they sat"),
    pytest.param(lambda: Fixture.objects.update(state="void", places=[]), "void", id="a table made void"),
    pytest.param(lambda: Match.objects.update(is_rated=False), "Ratings of", id="a match taken out of ratings"),
    pytest.param(lambda: Match.objects.update(share=0.5), "Ratings of", id="how much of a match counts"),
    pytest.param(lambda: Entrant.objects.update(state="withdrawn"), "the chain says", id="an entrant's state"),
    pytest.param(lambda: Rating.objects.update(mu=40.0), "Ratings of", id="a live rating"),
    pytest.param(lambda: Tournament.objects.update(state="cancelled"), "chain", id="a tournament's state"),
    pytest.param(call_as_the_site, "no event tells a version", id="a version that nobody decided"),
    pytest.param(deal_otherwise, "not dealt from the tournament's seed", id="seed and commitment"),
    pytest.param(lambda: Rating.objects.update(official=1999.0), "has official 1999.0", id="official fit"),
    pytest.param(lambda: SiteEvent.objects.update(reason="x"), "The site's chain: event", id="event of the site"),
    pytest.param(forfeit_the_winner, "has the places", id="forfeits"),
    pytest.param(turn_places, "its places are stored as", id="places"),
    pytest.param(lambda: MatchResult.objects.update(nuggets=[9, 9, 9]), "its nuggets are", id="nuggets"),
    pytest.param(lambda: MatchResult.objects.update(log=b"\x00\x00"), "its log", id="log"),
    pytest.param(lambda: MatchResult.objects.all().delete(), "has no result", id="result taken out"),
    pytest.param(lambda: Match.objects.update(commitment="1" * 64), "committed to", id="commitment"),
    pytest.param(lambda: Match.objects.update(seed=bytes(32)), "committed to", id="seed"),
    pytest.param(lambda: Tournament.objects.update(commitment="1" * 64), "committed to", id="tournament's commitment"),
    pytest.param(lambda: Fixture.objects.update(places=[1, 1, 1]), "has the places", id="fixture"),
    pytest.param(change_standings, "has place 3", id="standings"),
    pytest.param(lambda: RatingChange.objects.update(mu_after=99.0), "Ratings of", id="ratings"),
    pytest.param(lambda: TournamentEvent.objects.filter(number=2).update(reason="x"), "digest", id="event"),
    pytest.param(lambda: TournamentEvent.objects.filter(number=2).delete(), "follows where", id="event taken out"),
]


def finish(make_tournament: Make) -> Tournament:
    tournament = play_on(make_tournament(ONE_TABLE, 3))
    fit_due_pools()
    return tournament


def test_what_was_played_and_decided_holds(make_tournament: Make) -> None:
    finish(make_tournament)
    match = Match.objects.order_by("pk")[0]
    enter_result(match_id=match.pk, result=HandResult((1, 2, 3)), reason="misread")
    call_command("ratings", "rebuild", "--fix", stdout=StringIO())
    assert list(audit_all()) == []
    said = StringIO()
    call_command("audit", stdout=said)
    assert "Everything is as it was played." in said.getvalue()


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({}, id="three"),
        pytest.param({"ruleset": "en4", "table_kind": "teams4"}, id="sides"),
        pytest.param({"ruleset": "en4", "table_kind": "solo4"}, id="partners who rotate"),
    ],
)
def test_leaving_replacing_and_voiding_are_no_forgeries(make_tournament: Make, spec: dict[str, str]) -> None:
    tournament = make_tournament({"format": "round_robin", "options": {"meetings": 1}, "matches_each": 2}, 12, **spec)
    first, second, third, *_ = tournament.entrants.order_by("id")
    withdraw_entrant(entrant_id=first.pk, reason="ill")
    disqualify_entrant(entrant_id=second.pk, reason="cheated")
    replace_entrant(entrant_id=third.pk, player=make_bots(1)[0])
    play_on(tournament)
    played = Match.objects.filter(state=MatchState.FINISHED).order_by("pk")
    void_match(match_id=played[0].pk, reason="the wrong room")
    assert list(audit_all()) == []


@pytest.mark.parametrize(("forge", "sentence"), FORGERIES)
def test_a_forgery_is_named(make_tournament: Make, forge: Callable[[], object], sentence: str) -> None:
    finish(make_tournament)
    assert list(audit_all()) == []
    with pgtrigger.ignore() if forge is not call_as_the_site else nullcontext():
        forge()
    refresh_ratings()
    found = list(audit_all())
    assert any(sentence in line for line in found), found
    with pytest.raises(CommandError):
        call_command("audit", stdout=StringIO())


def test_a_day_holds_whatever_was_played_on_it(make_tournament: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Casual tables have no chain, and a ladder has no end: the site's daily event binds what was played there."""
    monkeypatch.setattr(lifecycle, "SETTLED_WITHIN", timedelta(0))
    finish(make_tournament)
    publish_heads()
    match = Match.objects.order_by("pk")[0]
    enter_result(match_id=match.pk, result=HandResult((1, 2, 3)), reason="misread")
    assert list(audit_days()) == []
    kept = ResultVersion.objects.get()
    with pgtrigger.ignore():
        ResultVersion.objects.filter(pk=kept.pk).update(content=kept.content | {"forfeits": [2]})
    (found,) = audit_days()
    assert "are not those that were played then" in found


def test_ratings_adopt_no_forged_result(make_tournament: Make) -> None:
    finish(make_tournament)
    before = list(RatingChange.objects.order_by("pk").values())
    with pgtrigger.ignore():
        turn_places()
    with pytest.raises(CommandError, match="contradict"):
        call_command("ratings", "rebuild", "--fix", stdout=StringIO())
    assert list(RatingChange.objects.order_by("pk").values()) == before


def test_a_head_that_was_kept_tells_a_whole_chain_rewritten(make_tournament: Make) -> None:
    """The owner of the database can link every event anew; whoever kept one digest can tell."""
    tournament = finish(make_tournament)
    head = tournament.events.order_by("-number")[0].digest
    call_command("audit", head=[head], stdout=StringIO())
    with pgtrigger.ignore():
        previous = first_link(tournament.pk, tournament.commitment)
        for event in tournament.events.order_by("number"):
            event.reason, event.previous = "", previous
            event.detail = {**event.detail, "told": "otherwise"}
            event.digest = previous = link_event(previous, tell_event(event))
            event.save()
    assert list(audit_all()) == []
    with pytest.raises(CommandError):
        call_command("audit", head=[head], stdout=StringIO())
