"""Words that services put into their sentences as values: states, and steps that were refused."""

from django.utils.translation import gettext_noop as _

STATES = {
    "active": _("Active"),
    "applied": _("Applied"),
    "cancelled": _("Cancelled"),
    "checking": _("Being checked"),
    "draft": _("Draft"),
    "drawn": _("Drawn"),
    "dropped": _("Dropped"),
    "finished": _("Finished"),
    "held": _("Held back while its tournament is paused"),
    "new": _("Not qualified yet"),
    "open": _("Open for entries"),
    "paused": _("Paused"),
    "playing": _("Playing"),
    "qualified": _("Qualified"),
    "quarantined": _("Needs a decision"),
    "ready": _("Ready"),
    "rejected": _("Failed the check"),
    "retired": _("Retired"),
    "void": _("Void"),
    "waiting": _("Waiting"),
}
STEPS = {
    "activate": _("activate"),
    "advance": _("move on"),
    "cancel": _("cancel"),
    "check in": _("check in"),
    "correct": _("correct a result"),
    "decide": _("decide a match"),
    "draw": _("draw"),
    "edit": _("edit"),
    "edit draw": _("change the draw"),
    "enter": _("enter players"),
    "enter late": _("enter players late"),
    "finish": _("finish"),
    "keep apart": _("keep entrants apart"),
    "leave": _("leave"),
    "open": _("open the entries"),
    "pause": _("pause"),
    "release": _("release a matchday"),
    "reopen": _("open the entries again"),
    "replace": _("replace an entrant"),
    "resume": _("resume"),
    "retire": _("retire"),
    "seed": _("seed"),
    "start": _("start"),
}
WORDS = {"state": STATES, "possible": STATES, "step": STEPS}
"""By the name that the value has in its sentence."""
