"""The form of a league, and of a tournament beside its stages: name, rules, and who may enter."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal, shown_field
from games.pages.words import EDITION_NAMES
from games.rules.ruleset import Ruleset
from tournaments.api.leagues import LeagueFormSerializer
from tournaments.api.tournaments import TextsFormSerializer
from tournaments.models import EntryKind, League
from tournaments.pages.words import DASH
from tournaments.rules.pairing import TableKind
from tournaments.rules.spec import LARGEST_FIELD, REAL_CARDS, read_links
from tournaments.selectors.rights import MOST_ENTRANTS
from tournaments.services.release import DEFAULT_CLOCK

MINUTE = 60
DAY = 86_400


def read_clock(sent: Mapping[str, Any]) -> dict[str, float] | None:
    """The clock of a spec; None where the form leaves everything to the house."""
    if sent.get("real_cards"):
        return dict(REAL_CARDS)
    if sent.get("days"):
        return {"each": sent["days"] * DAY}
    minutes, increment, meeting = (sent.get(name) for name in ("minutes", "increment", "days_to_meet"))
    if not (minutes or increment or meeting):
        return None
    clock = {
        "bank": minutes * MINUTE if minutes else DEFAULT_CLOCK["bank"],
        "window": meeting * DAY if meeting else DEFAULT_CLOCK["window"],
    }
    return clock | ({"increment": increment} if increment else {})


def clock_initial(clock: Mapping[str, float]) -> dict[str, int | bool | None]:
    """What a clock looks like in the form."""

    def count(name: str, seconds: int) -> int | None:
        return round(clock[name] / seconds) or None if name in clock else None

    return {
        "real_cards": clock == REAL_CARDS,
        "minutes": count("bank", MINUTE),
        "increment": count("increment", 1),
        "days_to_meet": count("window", DAY),
        "days": count("each", DAY),
    }


MOST_STAGES = 3
LONGEST_LINKS = 4000
TABLES = [
    (TableKind.SOLO3.value, _("Three players, each for themselves")),
    (TableKind.SOLO4.value, _("Four players, partners change from table to table")),
    (TableKind.TEAMS4.value, _("Four players, fixed sides of two")),
]
VARIANTS = [
    ("nozero", _("Without gold zeros")),
    ("cumulative", _("Scores of three rounds are added up, instead of nuggets")),
    ("golden", _("A golden round parts those who are level")),
]


class LinksField(forms.CharField):
    """Lines of a title and an address."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, list):
            return value
        lines = filter(None, (line.strip() for line in str(super().to_python(value)).splitlines()))
        pairs = [line.rpartition(" ")[::2] for line in lines]
        try:
            return [list(pair) for pair in read_links(pairs)]
        except LeagueError as error:
            raise ValidationError(say_refusal(error)) from None

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(" ".join(pair) for pair in value) if isinstance(value, list | tuple) else value


class LeagueForm(forms.Form):
    name = shown_field(
        LeagueFormSerializer, "name", label=_("Name"), help_text=_("Lasting: seasons are numbered below it.")
    )
    description = shown_field(
        LeagueFormSerializer,
        "description",
        label=_("Description"),
        widget=forms.Textarea,
        help_text=_("For everybody to read. **Bold**, *italics*, lists and [links](https://…) are understood."),
    )
    is_unlisted = shown_field(
        LeagueFormSerializer,
        "is_unlisted",
        label=_("Unlisted"),
        help_text=_("In no list or search: only who has the link finds it."),
    )


KEYS_OF_FIELDS = {
    **dict.fromkeys(("edition", "variants"), "ruleset"),
    **dict.fromkeys(("real_cards", "minutes", "increment", "days_to_meet", "days"), "clock"),
}
"""Which key of a spec a field belongs to, where it has another name."""


def lock_field(field: forms.Field, reason: str) -> None:
    """Show a field as it stands, with why it stands; what is sent for it is not read."""
    if reason:
        field.disabled, field.required = True, False
        field.help_text = _(reason)


class EventForm(forms.Form):
    name = shown_field(TextsFormSerializer, "name", label=_("Name"))
    description = shown_field(
        TextsFormSerializer,
        "description",
        label=_("Description"),
        widget=forms.Textarea({"rows": 3}),
        help_text=_("For everybody to read. **Bold**, *italics*, lists and [links](https://…) are understood."),
    )
    contact = shown_field(
        TextsFormSerializer,
        "contact",
        label=_("Contact"),
        help_text=_("How players reach you: an e-mail address, a telephone number. Everybody can read it."),
    )
    links = LinksField(
        label=_("Links"),
        max_length=LONGEST_LINKS,
        required=False,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("One a line: a title, a space, and an address that begins with https://."),
    )
    league = forms.ChoiceField(
        label=_("League"), required=False, help_text=_("In a league of yours it becomes the next season.")
    )
    table_kind = forms.ChoiceField(
        label=_("Table"), choices=TABLES, help_text=_("Who sits at one table. At fixed sides people enter in twos.")
    )
    edition = forms.ChoiceField(
        label=_("Edition"),
        choices=list(EDITION_NAMES.items()),
        help_text=_("The rulebooks differ in small things; the page of the rules has them side by side."),
    )
    variants = forms.MultipleChoiceField(
        label=_("Variants"), choices=VARIANTS, required=False, widget=forms.CheckboxSelectMultiple
    )
    entry_kind = forms.ChoiceField(
        label=_("Who may enter"),
        choices=EntryKind.choices,
        help_text=_("Ratings of bots, of people, and of both together are kept apart."),
    )
    is_rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        help_text=_("Results change ratings. Bots must be qualified, and one owner never meets itself at a table."),
    )
    capacity = forms.IntegerField(
        label=_("Most entrants"),
        min_value=2,
        max_value=LARGEST_FIELD,
        required=False,
        help_text=_("Who comes later waits, and moves up when somebody leaves. Empty: no limit."),
    )
    needs_check_in = forms.BooleanField(
        label=_("Check-in"), required=False, help_text=_("Only those who say that they are there are drawn.")
    )
    real_cards = forms.BooleanField(
        label=_("Played with real cards"),
        required=False,
        help_text=_("At real tables: nothing is dealt here, and players report by score sheet. People only, unrated."),
    )
    minutes = forms.IntegerField(
        label=_("Minutes of thought"),
        min_value=1,
        max_value=100_000,
        required=False,
        help_text=_("For a person or a connected bot, in one match. Empty: 30."),
    )
    increment = forms.IntegerField(
        label=_("Seconds more for each decision"), min_value=1, max_value=3600, required=False
    )
    days_to_meet = forms.IntegerField(
        label=_("Days to meet"),
        min_value=1,
        max_value=60,
        required=False,
        help_text=_("The people of a match sit down together within so many days; who does not forfeits. Empty: 3."),
    )
    days = forms.IntegerField(
        label=_("Days for each decision"),
        min_value=1,
        max_value=30,
        required=False,
        help_text=_("Instead of minutes: nobody has to meet, and everybody is told by e-mail when it is their turn."),
    )
    stages = forms.TypedChoiceField(
        label=_("Stages"),
        coerce=int,
        choices=[(number, number) for number in range(1, MOST_STAGES + 1)],
        help_text=_("One after the other, such as groups and then a knockout of the best."),
    )

    def __init__(
        self,
        *args: Any,
        leagues: list[League],
        is_organiser: bool,
        locks: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        """`locks` says of each key of the spec that cannot be changed now why not."""
        super().__init__(*args, **kwargs)
        choices = [("", DASH), *((one.slug, one.name) for one in leagues)]
        self.fields["league"].choices = choices  # type: ignore[attr-defined]
        if not leagues:
            del self.fields["league"]
        if not is_organiser:
            del self.fields["is_rated"]
            self.fields["capacity"] = forms.IntegerField(
                label=_("Most entrants"), min_value=2, max_value=MOST_ENTRANTS, initial=MOST_ENTRANTS
            )
        for name, field in self.fields.items():
            lock_field(field, (locks or {}).get(KEYS_OF_FIELDS.get(name, name), ""))

    ALWAYS = ("name", "description", "league", "entry_kind", "real_cards", "capacity", "needs_check_in")
    """What every organiser decides; all else keeps what the preset has."""

    def list_always(self) -> list[forms.BoundField]:
        return [self[name] for name in self.ALWAYS if name in self.fields]

    def list_more(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.ALWAYS]

    def has_more_errors(self) -> bool:
        return any(field.errors for field in self.list_more())

    def read_event(self) -> dict[str, Any]:
        """The tournament as a spec holds it, without its stages."""
        sent = self.cleaned_data
        kind = TableKind(sent["table_kind"])
        ruleset = Ruleset(
            kind.seats,
            sent["edition"],
            zero_gold="nozero" not in sent["variants"],
            scoring="cumulative" if "cumulative" in sent["variants"] else "nuggets",
            decider="golden_round" if "golden" in sent["variants"] else "shared",
        )
        kept = ("name", "description", "contact", "links", "table_kind", "entry_kind", "capacity", "needs_check_in")
        return {name: sent[name] for name in kept} | {
            "ruleset": ruleset.code,
            "is_rated": sent.get("is_rated", False) and not sent.get("real_cards"),
            "clock": read_clock(sent),
            **({"entry_kind": EntryKind.PEOPLE.value} if sent.get("real_cards") else {}),
        }


def event_initial(spec: Mapping[str, Any]) -> dict[str, Any]:
    """What a spec looks like in the form."""
    ruleset = Ruleset.from_code(spec.get("ruleset", "en3"))
    variants = {
        "nozero": not ruleset.zero_gold,
        "cumulative": ruleset.is_cumulative,
        "golden": ruleset.decider == "golden_round",
    }
    return {"is_rated": True, **spec} | {
        "edition": ruleset.edition,
        "variants": [name for name, is_on in variants.items() if is_on],
        "stages": len(spec["stages"]),
        **clock_initial(spec.get("clock") or {}),
    }
