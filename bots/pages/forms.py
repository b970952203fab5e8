"""Forms that authors fill in; what they mean is for the services to judge."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, BotMode
from bots.runners.archive import LARGEST_UPLOAD
from bots.selectors.bots import list_opponents
from bots.services.names import LONGEST
from bots.services.scrimmages import MOST_AT_ONCE
from games.models import Player
from games.pages.ruleset_names import EDITION_NAMES
from games.rules.ruleset import Ruleset

LONGEST_TEXT = 300


class RegisterForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=LONGEST, help_text=_("Unique, and for good."))
    mode = forms.ChoiceField(
        label=_("How it plays"),
        choices=BotMode.choices,
        widget=forms.RadioSelect,
        initial=BotMode.UPLOADED,
        help_text=_("Uploaded bots run in our sandbox. Connected bots run at yours and listen to a stream."),
    )
    description = forms.CharField(label=_("Description"), max_length=LONGEST_TEXT, required=False)


class SettingsForm(forms.Form):
    description = forms.CharField(label=_("Description"), max_length=LONGEST_TEXT, required=False)
    allows_scrimmages = forms.BooleanField(label=_("Others may ask for scrimmages against it"), required=False)

    @classmethod
    def of(cls, bot: Bot) -> "SettingsForm":
        return cls(initial={"description": bot.description, "allows_scrimmages": bot.allows_scrimmages})


class UploadForm(forms.Form):
    upload = forms.FileField(
        label=_("File"), help_text=_("One .py file, or a .zip with main.py."), allow_empty_file=True, max_length=200
    )
    note = forms.CharField(label=_("Note"), max_length=200, required=False, help_text=_("What changed; only for you."))

    def clean_upload(self) -> bytes:
        """No more is read than the service takes, so that it can say what is too large."""
        content: bytes = self.cleaned_data["upload"].read(LARGEST_UPLOAD + 1)
        return content


class ScrimmageForm(forms.Form):
    players = forms.TypedChoiceField(
        label=_("Table"),
        coerce=int,
        choices=[(3, _("Three players")), (4, _("Four players, the bot with itself"))],
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=tuple(EDITION_NAMES.items()))
    first = forms.ModelChoiceField(Player.objects.none(), label=_("First opponent"), empty_label=None)
    second = forms.ModelChoiceField(Player.objects.none(), label=_("Second opponent"), empty_label=None)
    # Not `matches`: a field of that name hides the form's own method of that name, which htmx calls.
    count = forms.IntegerField(label=_("Matches"), min_value=1, max_value=MOST_AT_ONCE, initial=12)

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            self.fields[name].queryset = list_opponents(owner)  # type: ignore[attr-defined]

    def read_ruleset(self) -> Ruleset:
        return Ruleset(self.cleaned_data["players"], self.cleaned_data["edition"])
