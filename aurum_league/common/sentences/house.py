"""What the site itself wrote into its database or its pure code: house bots, the demo."""

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("Counts cards and points and steers to its exact bid."),
    _("House bots play each other, so that a new site has something to show."),
    _("Plays %(number)s futures before each decision."),
    _("Plays any legal action."),
    _("Wins or loses each trick as its bid wants it now."),
)
