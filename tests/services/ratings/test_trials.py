"""Trials of two versions: played in units on shared deals, decided by themselves, counted in order, within quotas."""

from collections.abc import Callable, Sequence

import pytest
from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchKind, MatchState, Player, PlayerKind, RunnerNeed
from games.services.play import play_ready_matches
from games.signals import matches_troubled
from tests.services.ratings.conftest import make_players, settle_ready
from tournaments.models import RatingChange, Trial, TrialState, TrialUnit
from tournaments.pictures.curves import Axes, draw_trial
from tournaments.rules.sequential import TrialVerdict
from tournaments.selectors.trials import list_trials, read_trial, sequential_test_of, walk_units
from tournaments.services.trials import PLAYING_AT_ONCE, UNITS_AHEAD, start_trial, stop_trial

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_user("trying", is_staff=True)


@pytest.fixture
def bot(db: None) -> Player:
    return Player.objects.create(kind=PlayerKind.HOUSE, name="House", slug="house-greedy")


def begin(author: User, player: Player, **wanted: object) -> Trial:
    agents = {"new_agent": "house:greedy", "old_agent": "house:random"}
    return start_trial(author=author, player=player, **{**agents, "effect": 0.5, **wanted})  # type: ignore[arg-type]


def matches_of(trial: Trial, number: int) -> list[int]:
    return sorted(TrialUnit.objects.get(trial=trial, number=number).matches.values_list("id", flat=True))


def settle_unit(trial: Trial, number: int, places: Sequence[Sequence[int]]) -> None:
    """Settle one unit with these places by match, leaving all others to be played."""
    wanted = dict(zip(matches_of(trial, number), ((match, ()) for match in places), strict=True))
    others = Match.objects.filter(kind=MatchKind.TRIAL, state=MatchState.READY).exclude(pk__in=wanted)
    held = list(others.values_list("id", flat=True))
    Match.objects.filter(pk__in=held).update(state=MatchState.HELD)
    settle_ready(wanted)
    Match.objects.filter(pk__in=held, state=MatchState.HELD).update(state=MatchState.READY)


CANDIDATE_WINS = ((1, 2, 2), (2, 1, 2), (2, 2, 1), (3, 1, 1), (1, 3, 1), (1, 1, 3))
"""Places by seat in the six matches of a unit: the candidate sits alone, then as two of three."""


def test_a_trial_is_played_by_workers_until_its_answer_is_clear(staff: User, bot: Player) -> None:
    trial = begin(staff, bot)
    assert Match.objects.filter(kind=MatchKind.TRIAL, is_rated=False).count() == 6 * UNITS_AHEAD
    for _ in range(20):
        play_ready_matches(needs=RunnerNeed.HOUSE)
        trial.refresh_from_db()
        if trial.state != TrialState.PLAYING:
            break
    assert trial.state == TrialState.BETTER
    progress = read_trial(trial)
    assert progress.path.verdict is TrialVerdict.ACCEPTED
    assert trial.llr == progress.path.ratios[-1] >= progress.upper
    assert trial.estimate is not None and trial.estimate_low is not None and trial.estimate_high is not None
    assert 0 < trial.estimate_low < trial.estimate < trial.estimate_high
    assert not Match.objects.filter(kind=MatchKind.TRIAL, state=MatchState.READY).exists()
    assert not RatingChange.objects.exists()
    assert list(list_trials(staff)) == [trial]
    drawn = draw_trial(progress.path.ratios, progress.lower, progress.upper, Axes("T", "units", "llr"), "yes", "no")
    assert "curve" in drawn


def test_all_matches_of_a_unit_are_on_one_deal_and_units_are_not(staff: User, bot: Player) -> None:
    trial = begin(staff, bot)
    deals = [set(Match.objects.filter(pk__in=matches_of(trial, n)).values_list("deals", flat=True)) for n in (1, 2)]
    assert [len(one) for one in deals] == [1, 1]
    assert deals[0] != deals[1]


def test_a_unit_scores_the_candidate_less_the_baseline(staff: User, bot: Player) -> None:
    trial = begin(staff, bot)
    settle_unit(trial, 1, CANDIDATE_WINS)
    alone, shared = 2.0, 1.5
    expected = (3 * alone + 6 * shared) / 9 - (6 * 0.5 + 3 * 0) / 9
    assert TrialUnit.objects.get(trial=trial, number=1).score == pytest.approx(expected)
    assert TrialUnit.objects.filter(trial=trial).count() == UNITS_AHEAD + 1


def test_units_count_in_the_order_they_were_drawn(staff: User, bot: Player) -> None:
    trial = begin(staff, bot)
    settle_unit(trial, 2, CANDIDATE_WINS)
    trial.refresh_from_db()
    assert read_trial(trial).path.scores.units == 0
    assert trial.estimate is None
    settle_unit(trial, 1, CANDIDATE_WINS)
    assert read_trial(trial).path.scores.units == 2


def test_four_players_swap_sides(staff: User, bot: Player) -> None:
    trial = begin(staff, bot, ruleset="en4")
    settle_unit(trial, 1, ((1, 2), (1, 2)))
    settle_unit(trial, 2, ((1, 2), (2, 1)))
    scores = TrialUnit.objects.filter(trial=trial).order_by("number").values_list("score", flat=True)
    assert list(scores[:2]) == [0.0, 1.0]


def test_nothing_is_decided_before_the_first_look_nor_after_the_last() -> None:
    test = sequential_test_of(Trial(effect=0.2, most_units=40))
    assert walk_units(test, [1.0] * 15).verdict is TrialVerdict.CONTINUES
    assert walk_units(test, [1.0, 0.9] * 20).scores.units == 16
    wavering = [3.0, -2.8] * 30
    assert walk_units(test, wavering).verdict is TrialVerdict.UNDECIDED
    assert walk_units(test, wavering).scores.units == 40


def test_an_author_may_stop_it(staff: User, bot: Player) -> None:
    trial = begin(staff, bot)
    stop_trial(trial_id=trial.id, author=staff)
    assert stop_trial(trial_id=trial.id, author=staff).state == TrialState.STOPPED
    assert set(Match.objects.filter(kind=MatchKind.TRIAL).values_list("state", flat=True)) == {MatchState.VOID}
    with pytest.raises(LeagueError, match="no trial"):
        stop_trial(trial_id=trial.id, author=User.objects.create_user("other"))


def test_a_match_that_cannot_be_played_stops_it(staff: User, bot: Player) -> None:
    trial = begin(staff, bot)
    matches_troubled.send(sender=None, match_ids=matches_of(trial, 3)[:1])
    trial.refresh_from_db()
    assert (trial.state, trial.trouble) == (TrialState.STOPPED, "A match of it could not be played.")


def fill_quota(author: User) -> None:
    for player in make_players(PLAYING_AT_ONCE):
        begin(author, player)


def begin_same(author: User) -> None:
    begin(author, Player.objects.get(name="House"))


def lose_rights(author: User) -> None:
    author.is_staff = False


def nothing(author: User) -> None:
    """Leave all as it is."""


@pytest.mark.parametrize(
    ("prepare", "wanted", "code"),
    [
        pytest.param(fill_quota, {}, "quota_exceeded", id="too many at once"),
        pytest.param(begin_same, {}, "trial_running", id="one of this bot is running"),
        pytest.param(lose_rights, {}, "not_yours", id="not the author"),
        pytest.param(nothing, {"old_agent": "house:greedy"}, "same_version", id="against itself"),
        pytest.param(nothing, {"old_agent": "version:1"}, "unknown_version", id="a version of somebody else"),
        pytest.param(nothing, {"ruleset": "en9"}, "bad_ruleset", id="no such ruleset"),
        pytest.param(nothing, {"effect": 0.001}, "bad_effect", id="an effect too small"),
        pytest.param(nothing, {"most_units": 10**6}, "bad_limit", id="too many units"),
    ],
)
def test_what_cannot_be_tried_is_refused(
    staff: User, bot: Player, prepare: Callable[[User], None], wanted: dict[str, object], code: str
) -> None:
    prepare(staff)
    with pytest.raises(LeagueError) as refused:
        begin(staff, bot, **wanted)
    assert refused.value.code == code
