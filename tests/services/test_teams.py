"""Teams of two: who may make one of whom, invitations, and that nobody takes part twice."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core import signing

from aurum_league.common.errors import LeagueError
from games.models import Player, PlayerKind
from games.services.players import ensure_person
from tests.people import verify_address
from tournaments.models import EntrantState, Team, Tournament
from tournaments.services.entries import enter_player
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.self_entry import (
    MOST_TEAMS,
    SALT,
    create_team,
    enter_new_team,
    enter_oneself,
    invite_partner,
    join_team,
    leave_by_oneself,
    read_invitation,
)

pytestmark = pytest.mark.django_db
SPEC = {
    "name": "Pairs",
    "ruleset": "en4",
    "table_kind": "teams4",
    "entry_kind": "people",
    "stages": [{"format": "round_robin"}],
}


@pytest.fixture
def agnes() -> User:
    return verify_address(User.objects.create_user("agnes"))


@pytest.fixture
def bruno() -> User:
    return verify_address(User.objects.create_user("bruno"))


@pytest.fixture
def organiser() -> User:
    user = User.objects.create_user("organiser")
    user.groups.add(Group.objects.get(name="organiser"))
    return user


@pytest.fixture
def pairs(organiser: User) -> Tournament:
    return open_tournament(tournament_id=create_tournament(spec=SPEC, organiser=organiser).id)


def make_bot(owner: User, name: str) -> Player:
    return Player.objects.create(kind=PlayerKind.BOT, name=name, slug=name.lower(), owner=owner)


def join(inviter: User, partner: User, name: str = "Base Metals") -> Team:
    return join_team(invitation=invite_partner(name=name, user=inviter), user=partner)


def refusal(error: pytest.ExceptionInfo[LeagueError]) -> str:
    return error.value.code


def test_two_people_become_a_team_once_the_second_says_yes(agnes: User, bruno: User) -> None:
    invitation = invite_partner(name="Base  Metals", user=agnes)
    assert not Team.objects.exists()
    assert read_invitation(invitation).name == "Base Metals"
    team = join_team(invitation=invitation, user=bruno)
    assert (team.player.name, team.player.slug, team.player.kind) == ("Base Metals", "team-base-metals", "team")
    assert (team.first.owner, team.second.owner, team.player.owner) == (agnes, bruno, agnes)


def test_an_invitation_makes_one_team(agnes: User, bruno: User) -> None:
    invitation = invite_partner(name="Base Metals", user=agnes)
    join_team(invitation=invitation, user=bruno)
    with pytest.raises(LeagueError) as error:
        join_team(invitation=invitation, user=User.objects.create_user("late"))
    assert refusal(error) == "name_taken"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("no-such-thing", id="no invitation"),
        pytest.param(signing.dumps({"name": "Metals", "inviter": 1}, salt="another"), id="signed for something else"),
        pytest.param(signing.dumps({"name": "Metals", "inviter": 0}, salt=SALT), id="from nobody"),
    ],
)
def test_only_our_own_invitations_are_taken(bruno: User, text: str) -> None:
    with pytest.raises(LeagueError) as error:
        join_team(invitation=text, user=bruno)
    assert refusal(error) == "bad_invitation"


def test_an_invitation_grows_too_old(agnes: User, monkeypatch: pytest.MonkeyPatch) -> None:
    invitation = invite_partner(name="Base Metals", user=agnes)
    monkeypatch.setattr("tournaments.services.self_entry.INVITATION_SECONDS", -1)
    with pytest.raises(LeagueError) as error:
        read_invitation(invitation)
    assert refusal(error) == "bad_invitation"


def test_who_may_make_a_team_of_whom(agnes: User, bruno: User, organiser: User) -> None:
    own = (make_bot(agnes, "Alpha"), make_bot(agnes, "Beta"))
    assert create_team(name="Greek", members=own, creator=agnes).second == own[1]
    others = (own[0], make_bot(bruno, "Gamma"))
    with pytest.raises(LeagueError) as error:
        create_team(name="Letters", members=others, creator=agnes)
    assert refusal(error) == "not_yours"
    assert create_team(name="Letters", members=others, creator=organiser).created_by == organiser


def test_what_is_no_team(agnes: User, organiser: User) -> None:
    alone = make_bot(agnes, "Alpha")
    team = create_team(name="Greek", members=(alone, make_bot(agnes, "Beta")), creator=agnes).player
    house = Player.objects.create(kind=PlayerKind.HOUSE, name="House", slug="house-x")
    for partner in (alone, team, house):
        with pytest.raises(LeagueError) as error:
            create_team(name="Odd", members=(alone, partner), creator=organiser)
        assert refusal(error) == "bad_team"


def test_nobody_makes_teams_without_end(agnes: User) -> None:
    members = (make_bot(agnes, "Alpha"), make_bot(agnes, "Beta"))
    for number in range(MOST_TEAMS):
        create_team(name=f"Greek {number}", members=members, creator=agnes)
    with pytest.raises(LeagueError) as error:
        create_team(name="Greek again", members=members, creator=agnes)
    assert refusal(error) == "too_many_teams"


@pytest.mark.parametrize("who", ["agnes", "bruno"])
def test_either_partner_enters_and_leaves(pairs: Tournament, agnes: User, bruno: User, who: str) -> None:
    team = join(agnes, bruno)
    user = {"agnes": agnes, "bruno": bruno}[who]
    entrant = enter_oneself(tournament=pairs, user=user, team=team.player.slug)
    assert (entrant.player, entrant.state) == (team.player, EntrantState.ENTERED)
    leave_by_oneself(tournament=pairs, user=agnes)
    entrant.refresh_from_db()
    assert entrant.state == EntrantState.WITHDRAWN


def test_a_strangers_team_is_not_entered(pairs: Tournament, agnes: User, bruno: User) -> None:
    team = join(agnes, bruno)
    with pytest.raises(LeagueError) as error:
        enter_oneself(tournament=pairs, user=User.objects.create_user("stranger"), team=team.player.slug)
    assert refusal(error) == "not_yours"


def test_nobody_takes_part_in_two_teams(pairs: Tournament, agnes: User, bruno: User, organiser: User) -> None:
    enter_oneself(tournament=pairs, user=agnes, team=join(agnes, bruno).player.slug)
    third = ensure_person(User.objects.create_user("third"))
    given: dict[str, Any] = {"tournament_id": pairs.id, "members": (ensure_person(bruno), third), "actor": organiser}
    with pytest.raises(LeagueError) as error:
        enter_new_team(name="Other", **given)
    assert refusal(error) == "already_entered"
    assert not Team.objects.filter(player__name="Other").exists()
    leave_by_oneself(tournament=pairs, user=agnes)
    enter_new_team(name="Other", **given)


def test_a_team_that_left_comes_back_only_while_its_players_are_free(
    pairs: Tournament, agnes: User, bruno: User
) -> None:
    team = join(agnes, bruno)
    enter_oneself(tournament=pairs, user=agnes, team=team.player.slug)
    leave_by_oneself(tournament=pairs, user=agnes)
    other = join(agnes, User.objects.create_user("third"), "Other")
    enter_player(tournament_id=pairs.id, player=other.player)
    with pytest.raises(LeagueError) as error:
        enter_player(tournament_id=pairs.id, player=team.player)
    assert refusal(error) == "already_entered"
