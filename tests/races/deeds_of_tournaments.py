"""What organisers, entrants and sweeps do."""

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games.models import MatchKind, MatchSeat, MatchState, ResultKind
from games.services.by_hand import HandResult, ResultDecision, settle_by_hand
from tests.races.services import Job, call
from tests.races.world import World
from tournaments.models import (
    Entrant,
    Fixture,
    FixtureMatch,
    League,
    Matchday,
    RatingPool,
    Rerun,
    Stage,
    Tournament,
    Trial,
)
from tournaments.selectors.desk import find_fresh_match
from tournaments.selectors.timetable import Timetable
from tournaments.services.advance import advance_tournament, finish_tournament, report_trouble, sweep_tournaments
from tournaments.services.announcements import announce, drop_announcement, tell_due_announcements
from tournaments.services.arrange import (
    merge_tournaments,
    move_matchday,
    pin_table,
    rest_entrant,
    split_tournament,
    swap_matchdays,
)
from tournaments.services.chance import collect_beacon, drop_beacon, name_beacon
from tournaments.services.decisions import (
    apply_rerun,
    drop_rerun,
    enter_result,
    forfeit_match,
    play_again,
    rerun_matches,
    void_match,
)
from tournaments.services.draw import draw_tournament, reopen_tournament, swap_entrants
from tournaments.services.entries import (
    disqualify_entrant,
    enter_late,
    enter_now,
    enter_player,
    enter_players,
    replace_entrant,
    withdraw_entrant,
    withdraw_players,
)
from tournaments.services.entry_rules import invite_players, keep_answers, set_entry_rules
from tournaments.services.field import (
    allow_meeting,
    check_in_by_oneself,
    check_in_entrant,
    check_in_many,
    close_check_in,
    ensure_filling_player,
    ensure_house_organiser,
    keep_apart,
    seed_entrants,
    set_check_in_end,
)
from tournaments.services.fresh import count_fresh_results, drop_fresh, play_fresh
from tournaments.services.guests import enter_list, rename_guest, undo_list
from tournaments.services.leagues import (
    create_league,
    create_next_season,
    create_tournament,
    edit_league,
    edit_texts,
    edit_tournament,
    set_unlisted,
)
from tournaments.services.lifecycle import (
    cancel_tournament,
    note_signing_key,
    open_tournament,
    pause_tournament,
    publish_heads,
    resume_tournament,
)
from tournaments.services.play_off import create_play_off
from tournaments.services.ratings import fit_due_pools, fit_ratings
from tournaments.services.rebuild import note_corrected_results, rebuild_corrected_pools, rebuild_pool, refresh_ratings
from tournaments.services.release import release_by_hand, start_tournament
from tournaments.services.results import refresh_standings
from tournaments.services.roles import hand_over, invite_helper, join_as_helper, remove_helper
from tournaments.services.self_entry import (
    enter_oneself,
    leave_by_oneself,
)
from tournaments.services.steps import STEPS, take_organisers_step
from tournaments.services.timetable import keep_time, postpone_table, set_rhythm, set_timetable
from tournaments.services.trials import start_trial, stop_trial, stop_trials_of, stop_troubled_trials

SPEC = {"name": "Race", "stages": [{"format": "swiss", "options": {"matchdays": 2}}]}
BY_HAND = HandResult((2, 1, 3))


def step(service: Callable[..., object], *states: str, **given: object) -> Callable[[World], Job]:
    return lambda world: call(service, tournament_id=world.pick_tournament(*states), **given)


def on_match(service: Callable[..., object], state: MatchState, **given: object) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        match = world.pick_match(kind=MatchKind.TOURNAMENT, state=state, fixture_match__isnull=False)
        return call(service, match_id=match.pk, **given)

    return choose


def on_entrant(service: Callable[..., object], **given: object) -> Callable[[World], Job]:
    return lambda world: call(service, entrant_id=world.pick_entrant(), **given)


def on_pool(service: Callable[..., object]) -> Callable[[World], Job]:
    return lambda world: call(service, pool_id=world.pick(RatingPool.objects.all()).pk)


def replace_one(world: World) -> Job:
    return call(replace_entrant, entrant_id=world.pick_entrant(), player=world.rng.choice(world.players))


def enter(service: Callable[..., object], *states: str) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        return call(service, tournament_id=world.pick_tournament(*states), player=world.rng.choice(world.players))

    return choose


def swap(world: World) -> Job:
    matchday = world.pick(Matchday.objects.all())
    field = matchday.stage.field
    return call(swap_entrants, matchday_id=matchday.pk, first=field[0], second=world.rng.choice(field))


def seed(world: World) -> Job:
    tournament_id = world.pick_tournament("open")
    order = list(Entrant.objects.filter(tournament_id=tournament_id, state="entered").values_list("pk", flat=True))
    world.rng.shuffle(order)
    return call(seed_entrants, tournament_id=tournament_id, order=order)


def part(service: Callable[..., object]) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        tournament_id = world.pick_tournament("open", "drawn")
        pair = list(Entrant.objects.filter(tournament_id=tournament_id).values_list("pk", flat=True)[:2])
        return call(service, tournament_id=tournament_id, pair=(pair[0], pair[-1]) if pair else (1, 2))

    return choose


def rerun(world: World) -> Job:
    link = world.pick(FixtureMatch.objects.filter(match__state=MatchState.FINISHED).select_related("stage"))
    given = {"tournament_id": link.stage.tournament_id, "match_ids": [link.match_id]}
    return call(rerun_matches, reason="race", **given)


def fresh(service: Callable[..., object], *, begins: bool = True, ends: bool = False) -> Callable[[World], Job]:
    """On a finished match of which one seat is said to have been a person's; where asked its new match has ended."""

    def choose(world: World) -> Job:
        ready = FixtureMatch.objects.filter(match__state=MatchState.FINISHED, fixture__state="settled")
        link = world.pick(ready.filter(stage__tournament__state__in=("playing", "finished")))
        seat = link.match.seats.all()[0]
        MatchSeat.objects.filter(pk=seat.pk).update(agent=f"person:{seat.player_id}")
        if begins and find_fresh_match(link.match_id) is None:
            play_fresh(match_id=link.match_id, reason="race")
        pair = find_fresh_match(link.match_id)
        if ends and pair is not None and pair.again.state != MatchState.FINISHED:
            decision = ResultDecision(ResultKind.BY_HAND, "race")
            settle_by_hand(match_id=pair.again_id, result=BY_HAND, decision=decision)
        return call(service) if ends else call(service, match_id=link.match_id, reason="race")

    return choose


def correct(world: World) -> Job:
    """What a correction does within its own transaction."""
    ids = [world.pick_match(state=MatchState.FINISHED, is_rated=True).pk]
    return transaction.atomic(call(note_corrected_results, match_ids=ids))


def correct_and(service: Job) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        correct(world)()
        return service

    return choose


def try_version(world: World) -> Job:
    player = world.rng.choice(world.players[:3])
    agents = {"new_agent": "house:greedy", "old_agent": "house:random"}
    return call(start_trial, author=world.people[0], player=player, most_units=16, **agents)


def stop_one(world: World) -> Job:
    trial = world.pick(Trial.objects.all())
    return call(stop_trial, trial_id=trial.pk, author=world.people[0])


def on_matches(service: Callable[..., object], kind: MatchKind) -> Callable[[World], Job]:
    return lambda world: call(service, match_ids=[world.pick_match(kind=kind).pk])


def take_any_step(world: World) -> Job:
    return call(take_organisers_step, step=world.rng.choice(list(STEPS)), tournament_id=world.pick_tournament())


def by_oneself(service: Callable[..., object], **given: object) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        tournament = Tournament.objects.get(pk=world.pick_tournament("open"))
        return call(service, tournament=tournament, user=world.pick_person(), **given)

    return choose


DEEDS: dict[str, Callable[[World], Job]] = {
    "tournaments.announcements.announce": step(announce, "open", texts={"en": {"title": "a", "text": "b"}}),
    "tournaments.announcements.drop_announcement": step(drop_announcement, "open", announcement_id=1),
    "tournaments.announcements.tell_due_announcements": lambda world: tell_due_announcements,
    "tournaments.timetable.postpone_table": lambda world: call(
        postpone_table,
        fixture_id=world.pick(Fixture.objects.all()).pk,
        until=timezone.now() + timedelta(hours=1),
    ),
    "tournaments.advance.advance_tournament": step(advance_tournament, "playing"),
    "tournaments.advance.finish_tournament": step(finish_tournament, "playing", reason="race"),
    "tournaments.advance.sweep_tournaments": lambda world: sweep_tournaments,
    "tournaments.decisions.enter_result": on_match(enter_result, MatchState.FINISHED, result=BY_HAND, reason="race"),
    "tournaments.decisions.forfeit_match": on_match(forfeit_match, MatchState.QUARANTINED, seats=[1], reason="race"),
    "tournaments.decisions.play_again": on_match(play_again, MatchState.QUARANTINED),
    "tournaments.decisions.void_match": on_match(void_match, MatchState.READY, reason="race"),
    "tournaments.entries.disqualify_entrant": on_entrant(disqualify_entrant, reason="race"),
    "tournaments.entries.replace_entrant": replace_one,
    "tournaments.entries.withdraw_entrant": on_entrant(withdraw_entrant),
    "tournaments.entries.withdraw_players": lambda world: call(withdraw_players, players=[world.players[0].pk]),
    "tournaments.chance.name_beacon": lambda world: call(
        name_beacon, tournament_id=world.pick_tournament("open"), at=timezone.now() + timedelta(hours=1)
    ),
    "tournaments.chance.drop_beacon": step(drop_beacon, "open", reason="race"),
    "tournaments.chance.collect_beacon": step(collect_beacon, "open"),
    "tournaments.draw.draw_tournament": step(draw_tournament, "open"),
    "tournaments.draw.reopen_tournament": step(reopen_tournament, "drawn"),
    "tournaments.draw.swap_entrants": swap,
    "tournaments.arrange.pin_table": lambda world: call(pin_table, fixture_id=world.pick(Fixture.objects.all()).pk),
    "tournaments.arrange.swap_matchdays": lambda world: call(
        swap_matchdays, stage_id=world.pick(Stage.objects.all()).pk, first=1, second=2
    ),
    "tournaments.arrange.move_matchday": lambda world: call(
        move_matchday,
        stage_id=world.pick(Stage.objects.all()).pk,
        number=2,
        at=timezone.now() + timedelta(hours=1),
    ),
    "tournaments.arrange.rest_entrant": on_entrant(rest_entrant, matchday=2),
    "tournaments.arrange.merge_tournaments": lambda world: call(
        merge_tournaments, tournament_id=world.pick_tournament("open"), other_id=world.pick_tournament("open")
    ),
    "tournaments.arrange.split_tournament": step(split_tournament, "open", name="Race B", count=1),
    "tournaments.entry_rules.set_entry_rules": step(set_entry_rules, "open", code="race"),
    "tournaments.entry_rules.invite_players": lambda world: call(
        invite_players, tournament_id=world.pick_tournament("open"), players=world.players[:2]
    ),
    "tournaments.entry_rules.keep_answers": lambda world: call(
        keep_answers, entrant=world.pick(Entrant.objects.all()), answers=[]
    ),
    "tournaments.field.check_in_by_oneself": by_oneself(check_in_by_oneself),
    "tournaments.field.check_in_entrant": on_entrant(check_in_entrant),
    "tournaments.field.check_in_many": step(check_in_many, "open"),
    "tournaments.field.close_check_in": step(close_check_in, "open"),
    "tournaments.roles.hand_over": step(hand_over, "open", username="nobody"),
    "tournaments.roles.invite_helper": lambda world: call(
        invite_helper,
        tournament=Tournament.objects.get(pk=world.pick_tournament()),
        role="desk",
        inviter=world.pick_person(),
    ),
    "tournaments.roles.join_as_helper": lambda world: call(
        join_as_helper, invitation="none of ours", user=world.pick_person()
    ),
    "tournaments.roles.remove_helper": step(remove_helper, "open", helper_id=1),
    "tournaments.leagues.set_unlisted": step(set_unlisted, "open", is_unlisted=True),
    "tournaments.guests.enter_list": step(enter_list, "open", text="Anna\nBert"),
    "tournaments.guests.undo_list": step(undo_list, "open", number=1),
    "tournaments.guests.rename_guest": on_entrant(rename_guest, name="Raced"),
    "tournaments.timetable.keep_time": lambda world: keep_time,
    "tournaments.timetable.set_timetable": step(
        set_timetable, "open", timetable=Timetable(starts_at=timezone.now(), runs_itself=True), time_zone="UTC"
    ),
    "tournaments.timetable.set_rhythm": lambda world: call(
        set_rhythm,
        stage_id=world.pick(Stage.objects.all()).pk,
        first_at=timezone.now(),
        every_minutes=5,
        is_timed=True,
    ),
    "tournaments.field.set_check_in_end": step(set_check_in_end, "open", ends_at=timezone.now()),
    "tournaments.entries.enter_late": enter(enter_late, "playing"),
    "tournaments.entries.enter_player": enter(enter_player, "open"),
    "tournaments.entries.enter_now": lambda world: call(
        enter_now, tournament=Tournament.objects.get(pk=world.pick_tournament("open")), players=world.players[5:8]
    ),
    "tournaments.entries.enter_players": lambda world: call(
        enter_players, tournament_id=world.pick_tournament("open"), players=world.players[5:8]
    ),
    "tournaments.ratings.fit_due_pools": lambda world: fit_due_pools,
    "tournaments.ratings.fit_ratings": on_pool(fit_ratings),
    "tournaments.field.ensure_filling_player": lambda world: ensure_filling_player,
    "tournaments.field.ensure_house_organiser": lambda world: ensure_house_organiser,
    "tournaments.leagues.create_league": lambda world: call(create_league, name="Race", organiser=world.pick_person()),
    "tournaments.leagues.create_tournament": lambda world: call(
        create_tournament, spec=SPEC, organiser=world.pick_person()
    ),
    "tournaments.leagues.edit_league": lambda world: call(
        edit_league, league_id=world.pick(League.objects.all()).pk, name="Raced"
    ),
    "tournaments.leagues.edit_texts": step(edit_texts, "playing", name="Raced", description="*now*"),
    "tournaments.leagues.edit_tournament": step(edit_tournament, "draft", spec=SPEC),
    "tournaments.lifecycle.cancel_tournament": step(cancel_tournament, "playing", reason="race"),
    "tournaments.lifecycle.open_tournament": step(open_tournament, "draft"),
    "tournaments.lifecycle.pause_tournament": step(pause_tournament, "playing"),
    "tournaments.lifecycle.resume_tournament": step(resume_tournament, "paused"),
    "tournaments.leagues.create_next_season": step(create_next_season, "finished"),
    "tournaments.lifecycle.note_signing_key": lambda world: note_signing_key,
    "tournaments.lifecycle.publish_heads": lambda world: publish_heads,
    "tournaments.play_off.create_play_off": step(create_play_off, "finished"),
    "tournaments.rebuild.note_corrected_results": correct,
    "tournaments.rebuild.rebuild_corrected_pools": correct_and(rebuild_corrected_pools),
    "tournaments.rebuild.rebuild_pool": on_pool(rebuild_pool),
    "tournaments.rebuild.refresh_ratings": correct_and(refresh_ratings),
    "tournaments.release.release_by_hand": step(release_by_hand, "playing"),
    "tournaments.release.start_tournament": step(start_tournament, "drawn"),
    "tournaments.decisions.apply_rerun": lambda world: call(apply_rerun, rerun_id=world.pick(Rerun.objects.all()).pk),
    "tournaments.decisions.drop_rerun": lambda world: call(drop_rerun, rerun_id=world.pick(Rerun.objects.all()).pk),
    "tournaments.decisions.rerun_matches": rerun,
    "tournaments.fresh.count_fresh_results": fresh(count_fresh_results, ends=True),
    "tournaments.fresh.drop_fresh": fresh(drop_fresh),
    "tournaments.fresh.play_fresh": fresh(play_fresh, begins=False),
    "tournaments.field.allow_meeting": part(allow_meeting),
    "tournaments.field.keep_apart": part(keep_apart),
    "tournaments.field.seed_entrants": seed,
    "tournaments.self_entry.enter_oneself": by_oneself(enter_oneself, agrees=True),
    "tournaments.self_entry.leave_by_oneself": by_oneself(leave_by_oneself),
    "tournaments.results.refresh_standings": lambda world: call(
        refresh_standings, stage_id=world.pick(Stage.objects.all()).pk, is_final=True
    ),
    "tournaments.steps.take_organisers_step": take_any_step,
    "tournaments.trials.start_trial": try_version,
    "tournaments.trials.stop_trial": stop_one,
    "tournaments.trials.stop_trials_of": lambda world: call(stop_trials_of, players=[world.players[0].pk]),
    "tournaments.trials.stop_troubled_trials": on_matches(stop_troubled_trials, MatchKind.TRIAL),
    "tournaments.advance.report_trouble": on_matches(report_trouble, MatchKind.TOURNAMENT),
}
