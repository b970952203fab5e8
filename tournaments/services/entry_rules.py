"""Who may enter by themselves: with a code, within a range of ratings, or by invitation; and what they are asked."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from games.models import Player
from tournaments.models import Entrant, Tournament
from tournaments.rules.lifecycle import Step
from tournaments.rules.quick_pairing import LIMIT_DAYS
from tournaments.selectors.entrants import read_entrant_ratings
from tournaments.selectors.ratings import read_best_number, show_rating
from tournaments.services.lifecycle import lock_tournament, lock_tournament_for, record_event

MOST_QUESTIONS, LONGEST_QUESTION, LONGEST_ANSWER, LONGEST_CODE = 5, 120, 200, 40
MOST_INVITED = 500


@dataclass(frozen=True, slots=True)
class EntryRules:
    """Whoever is invited needs neither code nor rating; what the desk enters is asked nothing."""

    code: str = ""
    least: int | None = None
    most: int | None = None
    is_by_invitation: bool = False
    questions: tuple[str, ...] = ()
    invited: tuple[int, ...] = ()

    def tell(self) -> dict[str, Any]:
        return {**asdict(self), "questions": list(self.questions), "invited": list(self.invited)}


def read_entry_rules(tournament: Tournament) -> EntryRules:
    stored = dict(tournament.entry_rules)
    questions, invited = (tuple(stored.pop(name, ())) for name in ("questions", "invited"))
    return EntryRules(**stored, questions=questions, invited=invited)


@transaction.atomic
def set_entry_rules(
    *,
    tournament_id: int,
    code: str = "",
    least: int | None = None,
    most: int | None = None,
    is_by_invitation: bool = False,
    questions: Sequence[str] = (),
    actor: User | None = None,
) -> EntryRules:
    """Say who may enter by themselves from now on; who is in stays in. The same twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.SET_ENTRY)
    asked = tuple(" ".join(one.split()) for one in questions if one.strip())
    if len(asked) > MOST_QUESTIONS or any(len(one) > LONGEST_QUESTION for one in asked):
        raise LeagueError(
            "bad_questions",
            N_("There are at most %(most)s questions of %(length)s letters."),
            most=MOST_QUESTIONS,
            length=LONGEST_QUESTION,
        )
    if least is not None and most is not None and least > most:
        raise LeagueError("bad_range", N_("The least rating lies above the most."))
    before = read_entry_rules(tournament)
    rules = EntryRules(code.strip()[:LONGEST_CODE], least, most, is_by_invitation, asked, before.invited)
    if rules != before:
        tournament.entry_rules = rules.tell()
        tournament.save(update_fields=("entry_rules",))
        # The code itself is no business of those who read the trail.
        record_event(tournament, "entry_rules_set", actor=actor, detail={"has_code": bool(rules.code)})
    return rules


@transaction.atomic
def invite_players(*, tournament_id: int, players: Sequence[Player], actor: User | None = None) -> list[int]:
    """Let these enter whatever the rules of entry say, and tell them; who was invited before is not told again."""
    tournament = lock_tournament_for(tournament_id, Step.SET_ENTRY)
    rules = read_entry_rules(tournament)
    new = [player for player in players if player.pk not in rules.invited and player.owner is not None]
    if len(rules.invited) + len(new) > MOST_INVITED:
        raise LeagueError("too_many_invited", N_("At most %(most)s are invited to one event."), most=MOST_INVITED)
    if new:
        tournament.entry_rules = {**rules.tell(), "invited": [*rules.invited, *(player.pk for player in new)]}
        tournament.save(update_fields=("entry_rules",))
        record_event(tournament, "invited", actor=actor, detail={"count": len(new)})
        tell(
            [player.owner for player in new if player.owner is not None],
            kind="invited",
            subject=N_("You are invited to %(tournament)s"),
            text=N_("The organiser of %(tournament)s invites you to take part: you can enter on its page."),
            url=reverse("tournament_entrants", args=[tournament.slug]),
            tournament=tournament.name,
        )
    return [player.pk for player in new]


def require_allowed(tournament: Tournament, player: Player, code: str) -> None:
    """A coded error where the rules of entry keep a player from entering by themselves."""
    rules = read_entry_rules(tournament)
    members = {player.pk} if not hasattr(player, "team") else {player.pk, player.team.first_id, player.team.second_id}
    if members & set(rules.invited):
        return
    if rules.is_by_invitation:
        raise LeagueError(
            "by_invitation", N_("This event is by invitation."), N_("Ask the organiser to invite you."), status=403
        )
    if rules.code and not constant_time_compare(rules.code.casefold(), code.strip().casefold()):
        raise LeagueError(
            "wrong_code", N_("To enter, this event asks for a code."), N_("The organiser has it."), status=403
        )
    _require_in_range(tournament, player, rules)


def _require_in_range(tournament: Tournament, player: Player, rules: EntryRules) -> None:
    if rules.least is None and rules.most is None:
        return
    rating = read_entrant_ratings(tournament, [player.pk]).get(player.pk)
    value = round(show_rating(rating).number) if rating else None
    # Nobody loses on purpose to enter among the weak.
    best = round(read_best_number(rating)) if rating else None
    is_low = rules.least is not None and (value is None or value < rules.least)
    is_high = rules.most is not None and best is not None and best > rules.most
    if is_low or is_high:
        raise LeagueError(
            "out_of_range",
            N_("This event is for ratings from %(least)s to %(most)s; yours is %(value)s, at best %(best)s in %(days)s "
               "days."),
            N_("The upper bound goes by the best. Ask the organiser to invite you."),
            status=403,
            least=say_bound(rules.least),
            most=say_bound(rules.most),
            value=say_bound(value),
            best=say_bound(best),
            days=LIMIT_DAYS,
        )  # fmt: skip


def say_bound(value: int | None) -> str:
    return "*" if value is None else str(value)


@transaction.atomic
def keep_answers(*, entrant: Entrant, answers: Sequence[str]) -> Entrant:
    """What somebody answered to the organiser's questions, for the desk alone; every question wants an answer."""
    lock_tournament(entrant.tournament_id)
    rules = read_entry_rules(Tournament.objects.get(pk=entrant.tournament_id))
    given = [" ".join(one.split())[:LONGEST_ANSWER] for one in answers]
    if len(given) != len(rules.questions) or not all(given):
        raise LeagueError(
            "answers_needed",
            N_("The organiser asks %(count)s questions before you enter."),
            N_("Answer each of them."),
            status=400,
            count=len(rules.questions),
        )
    entrant.answers = [list(pair) for pair in zip(rules.questions, given, strict=True)]
    entrant.save(update_fields=("answers",))
    return entrant
