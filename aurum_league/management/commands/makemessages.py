"""Collects the texts for translators, those of errors among them: `N_` marks what is translated where it is shown."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=N_"]  # noqa: RUF012
