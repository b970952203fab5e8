"""The organiser's desk: making and running an event in the browser, for its organiser alone."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Match, MatchState, Player, PlayerKind, RunnerNeed
from games.services.play import play_ready_matches
from tests.pages.events import HOSTILE, count_queries, make_players, make_tournament, play_to_the_end, read_page
from tournaments.models import (
    Conflict,
    EntrantState,
    FixtureSeat,
    League,
    Matchday,
    Rerun,
    RerunState,
    Tournament,
    TournamentState,
)
from tournaments.pages.desk.trail import EVENT_WORDS
from tournaments.services.presets import PRESETS

pytestmark = pytest.mark.django_db

DESK = "/desk/tournaments/test-cup/"
PARTS = ("", "now/", "edit/", "entries/", "draw/", "matches/", "trail/")
DEEDS = (
    "steps/cancel/",
    "entries/add/",
    "entries/house/",
    "entries/seeds/",
    "entries/apart/",
    "reruns/",
)


def sign_in(client: Client, tournament: Tournament) -> User:
    client.force_login(tournament.organiser)
    return tournament.organiser


def read_fields(page: str) -> dict[str, str | list[str]]:
    """What a browser would send of the page's first form that has a name in it, untouched."""
    form = page[page.index('<form id="event-form"') :]
    form = form[: form.index("</form>")]
    sent: dict[str, str | list[str]] = {}
    for tag in re.findall(r"<input [^>]*>", form):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if not name or ('type="checkbox"' in tag and "checked" not in tag) or name[1] == "csrfmiddlewaretoken":
            continue
        sent[name[1]] = value[1] if value else ("on" if "checkbox" in tag else "")
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        sent[name] = chosen[1] if chosen else re.findall(r'<option value="([^"]*)"', options)[0]
    return sent


def make_stuck(tournament: Tournament) -> int:
    """A match of a running tournament that wants a decision."""
    match = Match.objects.filter(fixture_match__stage__tournament=tournament, state=MatchState.READY).earliest("id")
    Match.objects.filter(pk=match.pk).update(state=MatchState.QUARANTINED, trouble="the worker died <b>thrice</b>")
    return match.pk


@pytest.fixture
def organiser(client: Client) -> User:
    user = User.objects.create_user("agnes")
    user.groups.add(Group.objects.get_or_create(name="organiser")[0])
    client.force_login(user)
    return user


class TestRights:
    def test_a_visitor_signs_in_first(self, client: Client) -> None:
        make_tournament("open")
        for part in PARTS:
            answer = client.get(DESK + part)
            assert (part, answer.status_code) == (part, 302)
            assert answer["Location"].startswith("/accounts/login/")

    def test_nobody_sees_the_desk_of_another(self, client: Client) -> None:
        make_tournament("open")
        client.force_login(User.objects.create_user("somebody-else"))
        assert [client.get(DESK + part).status_code for part in PARTS] == [403] * len(PARTS)

    def test_nobody_acts_at_the_desk_of_another(self, client: Client) -> None:
        tournament = make_tournament("open")
        events = tournament.events.count()
        client.force_login(User.objects.create_user("somebody-else"))
        sent = {"reason": "mine now", "brain": "greedy", "count": "3"}
        assert [client.post(DESK + deed, sent).status_code for deed in DEEDS] == [403] * len(DEEDS)
        tournament.refresh_from_db()
        assert (tournament.state, tournament.events.count()) == (TournamentState.OPEN, events)

    def test_a_draft_of_another_is_not_there_at_all(self, client: Client) -> None:
        make_tournament("draft")
        client.force_login(User.objects.create_user("somebody-else"))
        assert client.get(DESK).status_code == 404

    def test_staff_may_run_every_event(self, client: Client) -> None:
        make_tournament("open")
        client.force_login(User.objects.create_user("warden", is_staff=True))
        for part in PARTS:
            read_page(client, DESK + part)

    def test_things_of_another_event_are_not_reached_through_ones_own(self, client: Client) -> None:
        other = make_tournament("playing")
        own = make_tournament("playing", name="Own Cup", players=make_others())
        Tournament.objects.filter(pk=other.pk).update(organiser=User.objects.create_user("another"))
        sign_in(client, own)
        stuck = make_stuck(other)
        entrant, day = other.entrants.first(), Matchday.objects.filter(stage__tournament=other).first()
        assert entrant is not None and day is not None
        for address in (
            f"/desk/tournaments/own-cup/matches/{stuck}/void/",
            f"/desk/tournaments/own-cup/entries/{entrant.pk}/withdraw/",
            f"/desk/tournaments/own-cup/draw/{day.pk}/swap/",
            "/desk/tournaments/own-cup/reruns/1/apply/",
        ):
            assert client.post(address, {"reason": "because"}).status_code == 404
        chosen = list(Match.objects.filter(fixture_match__stage__tournament=other).values_list("id", flat=True))
        client.post("/desk/tournaments/own-cup/reruns/", {"match": chosen, "reason": "because"})
        assert not Rerun.objects.exists()

    def test_deeds_are_not_done_by_following_a_link(self, client: Client) -> None:
        sign_in(client, make_tournament("open"))
        for deed in DEEDS:
            assert client.get(DESK + deed).status_code == 405


def make_others() -> list[Player]:
    return [
        Player.objects.create(kind=PlayerKind.HOUSE, name=f"Other {number}", slug=f"house-greedy_{number + 40}")
        for number in range(6)
    ]


class TestMaking:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_every_preset_becomes_a_draft_that_says_the_same(
        self, client: Client, organiser: User, preset: str
    ) -> None:
        address = f"/desk/tournaments/new/?preset={preset}"
        sent = read_fields(read_page(client, address))
        answer = client.post(address, {**sent, "name": "Autumn Cup"})
        assert answer["Location"] == "/desk/tournaments/autumn-cup/"
        made, spec = Tournament.objects.get(), PRESETS[preset].spec
        assert made.ruleset == spec.get("ruleset", "en3")
        assert (made.is_rated, made.needs_check_in) == (True, spec.get("needs_check_in", False))
        for stage, wanted in zip(made.stages.order_by("number"), spec["stages"], strict=True):
            assert (stage.format, stage.groups, stage.cut) == (
                wanted["format"],
                wanted.get("groups", 0),
                wanted.get("cut"),
            )
            assert wanted.get("options", {}).items() <= stage.options.items()
            assert stage.block_deals == wanted.get("block_deals", 0)

    def test_a_draft_is_edited_by_the_same_form(self, client: Client) -> None:
        tournament = make_tournament("draft", is_rated=False, capacity=12)
        sign_in(client, tournament)
        sent = read_fields(read_page(client, f"{DESK}edit/"))
        assert sent["stage-1-matchdays"] == "2"
        client.post(f"{DESK}edit/", {**sent, "name": "Winter Cup", "stage-1-format": "swiss"})
        tournament.refresh_from_db()
        assert (tournament.name, tournament.stages.get().format) == ("Winter Cup", "swiss")

    def test_a_choice_shows_its_options_and_keeps_what_was_typed(self, client: Client, organiser: User) -> None:
        address = "/desk/tournaments/new/?preset=bot_league"
        sent = {"redraw": "1", "name": "Half typed", "stages": "2", "stage-1-format": "knockout"}
        page = client.post(address, sent).content.decode()
        assert 'value="Half typed"' in page
        assert 'name="stage-1-is_double"' in page
        assert 'name="stage-1-meetings"' not in page
        assert 'name="stage-1-cut"' in page and 'name="stage-2-format"' in page
        assert "errorlist" not in page
        assert not Tournament.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            pytest.param({"name": ""}, "This field is required", id="no name"),
            pytest.param({"stage-1-points": "two, one"}, "Write numbers with commas", id="points in words"),
            pytest.param({"stage-1-points": "1, 0"}, "need 3 points by place", id="points for two at a table of three"),
            pytest.param({"stage-1-block_deals": "-1"}, "greater than or equal to 0", id="fewer than no deals"),
            pytest.param({"stage-1-format": "chess"}, "Select a valid choice", id="no such format"),
            pytest.param({"stage-1-format": "league_season"}, "divisions", id="neither groups nor divisions"),
            pytest.param({"stages": "2", "stage-2-format": "swiss"}, "This field is required", id="no cut"),
        ],
    )
    def test_a_mistake_is_said_in_place(
        self, client: Client, organiser: User, changes: dict[str, str], sentence: str
    ) -> None:
        address = "/desk/tournaments/new/?preset=bot_league"
        sent = read_fields(read_page(client, address)) | {"name": "Autumn Cup"} | changes
        answer = client.post(address, sent)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
        assert not Tournament.objects.exists()

    def test_a_league_gets_its_season(self, client: Client, organiser: User) -> None:
        client.post("/desk/leagues/new/", {"name": "City League", "description": "<b>bold</b>"})
        assert League.objects.get().organiser == organiser
        address = "/desk/tournaments/new/?preset=bot_league"
        sent = read_fields(read_page(client, address))
        client.post(address, {**sent, "name": "First Season", "league": "city-league"})
        assert Tournament.objects.get().season == 1

    def test_a_newcomer_runs_a_small_unrated_event(self, client: Client) -> None:
        newcomer = User.objects.create_user("newcomer")
        client.force_login(newcomer)
        assert "Everybody may run unrated tournaments" in read_page(client, "/desk/")
        address = "/desk/tournaments/new/?preset=bot_league"
        sent = read_fields(read_page(client, address))
        assert "is_rated" not in sent
        client.post(address, {**sent, "name": "My Cup"})
        made = Tournament.objects.get()
        assert (made.organiser, made.is_rated, made.capacity) == (newcomer, False, 24)

    @pytest.mark.parametrize(
        ("preset", "changes"),
        [
            pytest.param("bot_league", {"capacity": "25"}, id="too many entrants"),
            pytest.param("bot_league", {"capacity": ""}, id="no limit"),
            pytest.param("bot_league", {"stage-1-laps": "5"}, id="too many laps"),
            pytest.param("bot_league", {"stage-1-block_deals": "13"}, id="too long blocks"),
            pytest.param("ladder", {}, id="without end"),
        ],
    )
    def test_a_newcomer_runs_nothing_large(self, client: Client, preset: str, changes: dict[str, str]) -> None:
        client.force_login(User.objects.create_user("newcomer"))
        address = f"/desk/tournaments/new/?preset={preset}"
        sent = read_fields(read_page(client, address)) | {"name": "My Cup"} | changes
        assert client.post(address, sent).status_code == 422
        assert not Tournament.objects.exists()

    def test_a_newcomer_cannot_rate_by_adding_a_field(self, client: Client) -> None:
        client.force_login(User.objects.create_user("newcomer"))
        address = "/desk/tournaments/new/?preset=bot_league"
        client.post(address, {**read_fields(read_page(client, address)), "name": "My Cup", "is_rated": "on"})
        assert not Tournament.objects.get().is_rated

    def test_a_newcomer_runs_few_at_a_time_and_no_league(self, client: Client) -> None:
        client.force_login(User.objects.create_user("newcomer"))
        address = "/desk/tournaments/new/?preset=bot_league"
        sent = read_fields(read_page(client, address)) | {"name": "My Cup"}
        statuses = [client.post(address, sent).status_code for _ in range(4)]
        assert statuses == [302, 302, 302, 422]
        assert client.post("/desk/leagues/new/", {"name": "Mine"}).status_code == 422
        assert not League.objects.exists()


class TestRunning:
    def test_from_an_open_event_to_its_end(self, client: Client) -> None:
        tournament = make_tournament("draft", is_rated=False)
        sign_in(client, tournament)
        client.post(f"{DESK}steps/open/")
        client.post(f"{DESK}entries/house/", {"brain": "greedy", "count": "3"})
        client.post(f"{DESK}entries/house/", {"brain": "random", "count": "3"})
        assert tournament.entrants.count() == 6
        page = client.post(f"{DESK}steps/draw/", follow=True).content.decode()
        assert "preview that only you see" in page
        assert "As even as can be" in page
        assert "lap 1" in page
        client.post(f"{DESK}steps/start/")
        play_to_the_end(tournament)
        assert tournament.state == TournamentState.FINISHED
        assert "Finished" in read_page(client, DESK)

    @pytest.mark.parametrize(
        ("state", "step"),
        [
            pytest.param("draft", "draw", id="draw a draft"),
            pytest.param("open", "start", id="start what is not drawn"),
            pytest.param("open", "resume", id="resume what is not paused"),
            pytest.param("drawn", "pause", id="pause what does not play"),
            pytest.param("finished", "cancel", id="cancel what is over"),
        ],
    )
    def test_a_step_at_the_wrong_time_is_refused_with_a_sentence(self, client: Client, state: str, step: str) -> None:
        tournament = make_tournament(state)
        sign_in(client, tournament)
        assert f"steps/{step}/" not in read_page(client, DESK)
        page = client.post(f"{DESK}steps/{step}/", {"reason": "now"}, follow=True).content.decode()
        assert "does not allow this" in page
        tournament.refresh_from_db()
        assert tournament.state == state

    def test_an_unknown_step_is_not_found(self, client: Client) -> None:
        sign_in(client, make_tournament("open"))
        assert client.post(f"{DESK}steps/advance/").status_code == 404

    def test_pause_and_cancel_keep_their_reasons(self, client: Client) -> None:
        tournament = make_tournament("playing")
        sign_in(client, tournament)
        client.post(f"{DESK}steps/pause/", {"reason": "fire alarm"})
        client.post(f"{DESK}steps/resume/")
        client.post(f"{DESK}steps/cancel/", {"reason": "the house burnt <b>down</b>"})
        page = read_page(client, f"{DESK}trail/")
        assert "fire alarm" in page
        assert "&lt;b&gt;down" in page
        tournament.refresh_from_db()
        assert tournament.state == TournamentState.CANCELLED

    def test_swapped_places_are_marked_and_in_the_trail(self, client: Client) -> None:
        tournament = make_tournament("drawn")
        sign_in(client, tournament)
        day = Matchday.objects.filter(stage__tournament=tournament).earliest("number")
        seats = FixtureSeat.objects.filter(fixture__matchday=day)
        first, second = (seats.get(fixture__table=table, position=0).entrant_id for table in (1, 2))
        sent = {"first": first, "second": second, "reason": "they travel together"}
        page = client.post(f"{DESK}draw/{day.pk}/swap/", sent, follow=True).content.decode()
        assert "changed by the organiser" in page
        assert seats.get(fixture__table=1, position=0).entrant_id == second
        assert "they travel together" in read_page(client, f"{DESK}trail/")

    def test_released_tables_cannot_be_swapped(self, client: Client) -> None:
        tournament = make_tournament("playing")
        sign_in(client, tournament)
        day = Matchday.objects.filter(stage__tournament=tournament).earliest("number")
        first, second = tournament.entrants.values_list("id", flat=True)[:2]
        page = client.post(f"{DESK}draw/{day.pk}/swap/", {"first": first, "second": second}, follow=True)
        assert "its tables stand" in page.content.decode()


class TestEntries:
    def test_players_are_found_and_entered(self, client: Client) -> None:
        players = make_players(6, HOSTILE)
        tournament = make_tournament("open", players=players[:3])
        sign_in(client, tournament)
        page = read_page(client, f"{DESK}entries/?find=BOT")
        assert re.findall(r'name="player" value="([^"]+)"', page) == [player.slug for player in players[3:]]
        assert "<b>Bot" not in page
        client.post(f"{DESK}entries/add/", {"player": [players[3].slug, players[4].slug, "nobody", "\x00"]})
        assert tournament.entrants.count() == 5

    @pytest.mark.parametrize("words", ["", "\x00", "%", "x" * 5000, "'; --"])
    def test_strange_words_find_nobody(self, client: Client, words: str) -> None:
        sign_in(client, make_tournament("open"))
        assert 'name="player"' not in client.get(f"{DESK}entries/", {"find": words}).content.decode()

    def test_seeds_are_taken_in_their_order(self, client: Client) -> None:
        tournament = make_tournament("open")
        sign_in(client, tournament)
        ids = list(tournament.entrants.order_by("id").values_list("id", flat=True))
        sent = {f"seed-{ids[0]}": "7", f"seed-{ids[1]}": "2", f"seed-{ids[2]}": "minus one", f"seed-{ids[3]}": ""}
        client.post(f"{DESK}entries/seeds/", sent)
        seeds = dict(tournament.entrants.values_list("id", "seed_number"))
        assert [seeds[one] for one in ids] == [2, 1, None, None, None, None]

    def test_a_pair_is_kept_apart_once(self, client: Client) -> None:
        tournament = make_tournament("open")
        sign_in(client, tournament)
        first, second = tournament.entrants.values_list("id", flat=True)[:2]
        for pair in ((first, second), (second, first), (first, first), (first, 10**12), ("x", "y")):
            client.post(f"{DESK}entries/apart/", {"first": pair[0], "second": pair[1], "reason": "siblings"})
        assert Conflict.objects.count() == 1
        assert "siblings" in read_page(client, f"{DESK}entries/")

    @pytest.mark.parametrize(
        ("deed", "sent", "state"),
        [
            pytest.param("check-in", {}, EntrantState.CHECKED_IN, id="check in"),
            pytest.param("withdraw", {}, EntrantState.WITHDRAWN, id="withdraw"),
            pytest.param("disqualify", {"reason": "two accounts"}, EntrantState.DISQUALIFIED, id="disqualify"),
            pytest.param("disqualify", {}, EntrantState.ENTERED, id="disqualify without a reason"),
            pytest.param("replace", {"player": "nobody"}, EntrantState.ENTERED, id="replace by nobody"),
        ],
    )
    def test_what_can_happen_to_an_entrant(
        self, client: Client, deed: str, sent: dict[str, str], state: EntrantState
    ) -> None:
        tournament = make_tournament("open")
        sign_in(client, tournament)
        entrant = tournament.entrants.earliest("id")
        read_page(client, f"{DESK}entries/{entrant.pk}/")
        client.post(f"{DESK}entries/{entrant.pk}/{deed}/", sent)
        entrant.refresh_from_db()
        assert entrant.state == state

    def test_another_takes_over(self, client: Client) -> None:
        players = make_players(7)
        tournament = make_tournament("playing", players=players[:6])
        sign_in(client, tournament)
        entrant = tournament.entrants.earliest("id")
        client.post(f"{DESK}entries/{entrant.pk}/replace/", {"player": players[6].slug, "reason": "moved away"})
        entrant.refresh_from_db()
        assert entrant.player == players[6]

    def test_who_comes_late_is_entered_late(self, client: Client) -> None:
        players = make_players(7)
        tournament = make_tournament(
            "playing", players=players[:6], stages=[{"format": "swiss", "options": {"matchdays": 3}}]
        )
        sign_in(client, tournament)
        assert "not released" in read_page(client, f"{DESK}entries/")
        client.post(f"{DESK}entries/add/", {"player": players[6].slug})
        assert tournament.entrants.get(player=players[6]).entered_on > 1


class TestMatches:
    def test_a_stuck_match_is_shown_first_with_what_to_do(self, client: Client) -> None:
        tournament = make_tournament("playing")
        sign_in(client, tournament)
        stuck = make_stuck(tournament)
        assert "1 match wants a decision" in read_page(client, "/desk/")
        assert "waits for your decision" in read_page(client, DESK)
        listed = read_page(client, f"{DESK}matches/")
        assert re.findall(rf'{DESK}matches/(\d+)/"', listed) == [str(stuck)]
        page = read_page(client, f"{DESK}matches/{stuck}/")
        assert "the worker died &lt;b&gt;thrice" in page
        assert [one for one in ("again", "forfeit", "result", "void") if f"{stuck}/{one}/" in page] == [
            "again",
            "forfeit",
            "result",
            "void",
        ]

    @pytest.mark.parametrize(
        ("decision", "sent", "state"),
        [
            pytest.param("again", {}, MatchState.READY, id="again"),
            pytest.param("void", {"reason": "broken"}, MatchState.VOID, id="void"),
            pytest.param("void", {"reason": " "}, MatchState.QUARANTINED, id="void without a reason"),
            pytest.param("forfeit", {"reason": "crashed", "seats": ["1"]}, MatchState.FINISHED, id="forfeit"),
            pytest.param("forfeit", {"reason": "crashed"}, MatchState.QUARANTINED, id="nobody forfeits"),
            pytest.param("forfeit", {"reason": "x", "seats": ["7"]}, MatchState.QUARANTINED, id="no such seat"),
            pytest.param("result", {"reason": "paper", "places": "2, 1, 3"}, MatchState.FINISHED, id="result"),
            pytest.param("result", {"reason": "paper", "places": "1, 1, 2"}, MatchState.QUARANTINED, id="no result"),
            pytest.param("result", {"reason": "x", "places": "1, 2.5, 3"}, MatchState.QUARANTINED, id="half places"),
            pytest.param(
                "result", {"reason": "x", "places": f"1, 2, {10**30}"}, MatchState.QUARANTINED, id="huge places"
            ),
        ],
    )
    def test_decisions(self, client: Client, decision: str, sent: dict[str, str], state: MatchState) -> None:
        tournament = make_tournament("playing")
        sign_in(client, tournament)
        stuck = make_stuck(tournament)
        client.post(f"{DESK}matches/{stuck}/{decision}/", sent)
        assert Match.objects.get(pk=stuck).state == state

    def test_a_result_changed_by_hand_is_in_the_trail(self, client: Client) -> None:
        tournament = make_tournament("finished")
        sign_in(client, tournament)
        match = Match.objects.filter(fixture_match__stage__tournament=tournament).earliest("id")
        client.post(f"{DESK}matches/{match.pk}/result/", {"places": "3, 2, 1", "reason": "scorer's mistake"})
        match.result.refresh_from_db()
        assert (match.result.places, match.result.is_by_hand) == ([3, 2, 1], True)
        trail = read_page(client, f"{DESK}trail/")
        assert "scorer&#x27;s mistake" in trail
        assert "places after 3, 2, 1" in trail

    def test_a_rerun_is_looked_at_before_it_is_applied(self, client: Client) -> None:
        tournament = make_tournament("finished")
        sign_in(client, tournament)
        match = Match.objects.filter(fixture_match__stage__tournament=tournament).earliest("id")
        client.post(f"{DESK}matches/{match.pk}/result/", {"places": "1, 1, 1", "reason": "a wrong hand"})
        page = client.post(f"{DESK}reruns/", {"match": [match.pk, "x"], "reason": "look again"}, follow=True)
        assert "1 match is still to be played" in page.content.decode()
        rerun = Rerun.objects.get()
        client.post(f"{DESK}reruns/{rerun.pk}/apply/")
        rerun.refresh_from_db()
        assert rerun.state == RerunState.PLAYING
        play_ready_matches(needs=RunnerNeed.HOUSE)
        assert "<td>1, 1, 1</td>" in read_page(client, f"{DESK}reruns/{rerun.pk}/")
        client.post(f"{DESK}reruns/{rerun.pk}/apply/")
        rerun.refresh_from_db()
        match.result.refresh_from_db()
        assert rerun.state == RerunState.APPLIED
        assert match.result.is_by_hand is False
        assert match.result.rounds > 0

    def test_no_desk_page_loads_seeds_or_logs(self, client: Client) -> None:
        tournament = make_tournament("playing")
        sign_in(client, tournament)
        stuck = make_stuck(tournament)
        with CaptureQueriesContext(connection) as seen:
            for part in (*PARTS, f"matches/{stuck}/"):
                read_page(client, DESK + part)
        hidden = ("match", "seed"), ("match", "log"), ("matchresult", "log"), ("tournament", "seed")
        columns = [f'{table}"."{column}"' for table, column in hidden]
        assert [query["sql"] for query in seen if any(column in query["sql"] for column in columns)] == []


def test_every_kind_of_event_has_words() -> None:
    services = Path(__file__).parents[2] / "tournaments" / "services"
    text = "".join(path.read_text() for path in services.glob("*.py"))
    kinds = set(re.findall(r'record_event\(\s*[\w.]+,\s*"(\w+)"', text)) | set(
        re.findall(r'_record\(\w+, \w+, "(\w+)"', text)
    )
    assert len(kinds) > 20
    assert kinds | {"withdrawn", "disqualified"} <= set(EVENT_WORDS)


def test_pages_take_few_queries_however_many_entrants(client: Client) -> None:
    sign_in(client, make_tournament("playing", players=make_players(12)))
    most = {"": 16, "entries/": 12, "draw/": 20, "matches/": 14, "trail/": 9}
    assert [part for part, limit in most.items() if count_queries(client, DESK + part) > limit] == []
    assert count_queries(client, "/desk/") <= 8

