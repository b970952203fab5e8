"""The form of one stage: its format with the options it has, how it is scored, and how many go on from it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Release
from tournaments.pages.words import DASH, METRICS, explain_metrics, name_format
from tournaments.rules.formats import FORMATS, list_option_fields
from tournaments.rules.formats.format import Option
from tournaments.rules.spec import LARGEST_FIELD, LONGEST_NAME, MOST_MATCHES, usual_chain
from tournaments.rules.standings import LATE_CHAIN, Metric

LONGEST_LIST = 200


class NumbersField(forms.CharField):
    """Numbers with commas between them."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        try:
            return [float(part) if "." in part else int(part) for part in str(text).split(",") if part.strip()]
        except ValueError:
            raise ValidationError(gettext("Write numbers with commas between them.")) from None

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(f"{one:g}" for one in value) if isinstance(value, list | tuple) else value


class ChainWidget(forms.MultiWidget):
    def decompress(self, value: Any) -> list[str]:
        return list(value or ())


class ChainField(forms.MultiValueField):
    """Metrics in an order; empty places at any spot are passed over."""

    def __init__(self, **kwargs: Any) -> None:
        choices = [("", DASH), *((metric.value, METRICS[metric.value]) for metric in Metric)]
        parts = [forms.ChoiceField(choices=choices, required=False) for _part in LATE_CHAIN]
        selects = [
            forms.Select({"aria-label": _("Number %(number)s") % {"number": number}}, choices)
            for number, _part in enumerate(parts, start=1)
        ]
        super().__init__(parts, widget=ChainWidget(selects), require_all_fields=False, **kwargs)

    def compress(self, values: list[str]) -> list[str]:
        return list(dict.fromkeys(filter(None, values)))


def make_option_field(option: Option) -> forms.Field:
    """The form field of an option, from what its format says of it."""
    texts: dict[str, Any] = {"label": _(option.label), "help_text": _(option.help), "required": False}
    if option.shape == "check":
        return forms.BooleanField(**texts)
    if option.shape == "sizes":
        return NumbersField(max_length=LONGEST_LIST, **texts)
    return forms.IntegerField(min_value=option.least, max_value=option.most, **texts)


def list_formats() -> list[tuple[str, str]]:
    return [(code, name_format(code)) for code in FORMATS]


class StageForm(forms.Form):
    """What it shows depends on the format; `cut` is there only where another stage follows."""

    format = forms.ChoiceField(label=_("Format"), choices=list_formats)
    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, required=False, help_text=_("Empty: the name of the format.")
    )
    block_deals = forms.IntegerField(
        label=_("Deals of a block"),
        min_value=0,
        max_value=MOST_MATCHES,
        initial=0,
        help_text=_("Above 0, a table plays so many deals, each from every seat: luck evens out. For bots only."),
    )
    matches_each = forms.IntegerField(
        label=_("Matches of a table"),
        min_value=1,
        max_value=MOST_MATCHES,
        initial=1,
        help_text=_("Where a table is no block."),
    )
    release = forms.ChoiceField(
        label=_("Release"),
        choices=[("", _("As usual: all at once for bots, matchday by matchday for people")), *Release.choices],
        required=False,
        help_text=_("When the matches of a matchday may be played."),
    )
    points = NumbersField(
        label=_("Points by place"),
        max_length=LONGEST_LIST,
        required=False,
        help_text=_("Best place first. Empty: 2, 1, 0 at tables of three, 1, 0 between two sides."),
    )
    tiebreaks = ChainField(
        label=_("What orders the standings"),
        required=False,
        help_text=_("The first that differs decides. Who is equal in all of them shares the place."),
    )

    def __init__(self, *args: Any, chosen: str, is_last: bool, is_locked: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        made = FORMATS[chosen]
        self.format_help = _(made.help)
        self.option_names = tuple(option.name for option in made.options)
        usual = {field.name: field.default for field in list_option_fields(made)}
        for option in made.options:
            self.fields[option.name] = make_option_field(option)
            if type(usual[option.name]) is int:
                self.fields[option.name].widget.attrs["placeholder"] = usual[option.name]
        self.fields["tiebreaks"].initial = list(usual_chain(chosen))
        if made.has_divisions:
            self.fields["groups"] = forms.IntegerField(
                label=_("Groups"),
                min_value=0,
                max_value=MOST_MATCHES,
                required=False,
                help_text=_("Deal the seeds to and fro into so many groups of about equal strength."),
            )
        if not is_last:
            self.fields["cut"] = forms.IntegerField(
                label=_("How many go on"),
                min_value=1,
                max_value=LARGEST_FIELD,
                help_text=_("To the next stage; from groups the same number of each."),
            )
        for field in self.fields.values() if is_locked else ():
            field.disabled, field.required = True, False

    @property
    def has_hidden_errors(self) -> bool:
        """Whether a mistake is in the part that is folded away."""
        return bool({"points", "tiebreaks", "release", "matches_each"} & set(self.errors))

    def list_plain_fields(self) -> list[forms.BoundField]:
        names = ("name", *self.option_names, "groups", "block_deals", "cut")
        return [self[name] for name in names if name in self.fields]

    def list_folded_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("matches_each", "release", "points", "tiebreaks")]

    def list_metrics(self) -> list[tuple[str, str]]:
        """What each metric that can be chosen means."""
        return explain_metrics(Metric)

    def read_stage(self) -> dict[str, Any]:
        """The stage as a spec holds it; what was left empty is left to the format."""
        sent = self.cleaned_data
        options = {name: sent[name] for name in self.option_names if sent[name] not in (None, "", [])}
        kept = ("format", "name", "block_deals", "matches_each", "release", "groups", "cut", "points", "tiebreaks")
        return {"options": options} | {name: sent[name] for name in kept if sent.get(name) not in (None, "", [])}


def stage_initial(stage: Mapping[str, Any]) -> dict[str, Any]:
    """What a stage of a spec looks like in the form."""
    return {**stage, **stage.get("options", {})}
