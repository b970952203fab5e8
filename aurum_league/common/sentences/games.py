"""What accounts, tables and matches refuse, in the words of their services; the play page has words of its own."""

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("%(name)s is %(value)s, but must be one of %(names)s."),
    _("A ruleset names %(names)s."),
    _("A token needs a name of at most 60 characters and at least one scope."),
    _("Ask for another user name."),
    _("Choose a ruleset."),
    _("Choose another."),
    _("Come back when they have."),
    _("Give a place for each side: 1 is best, and those who share a place leave the next ones out."),
    _("Give it a version that is qualified."),
    _("Legal now: %(names)s."),
    _("Match %(number)s is %(state)s."),
    _("Nothing can play for %(name)s now."),
    _("Revoke one first."),
    _("There are: %(names)s."),
    _("There is no house bot %(name)s."),
    _("There is no ruleset %(code)s. Examples: %(examples)s."),
    _("There is no such clock."),
    _("There is no such seat at this table."),
    _("These places do not describe a table of %(number)s sides."),
    _("This match is sealed until every match on the same deals has ended."),
    _("Too many players are called %(name)s."),
    _("Try again later."),
    _("You have %(number)s tokens."),
)
