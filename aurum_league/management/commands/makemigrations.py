"""Django's makemigrations, which makes none for names and help texts."""

from django.core.management.commands import makemigrations
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.state import ProjectState
from pgtrigger.migrations import MigrationAutodetectorMixin


class NamelessAutodetector(MigrationAutodetectorMixin, MigrationAutodetector):
    """Sees no names and help texts: they are words of a language, and nothing of them is in the database."""

    def __init__(
        self, from_state: ProjectState, to_state: ProjectState, questioner: MigrationQuestioner | None = None
    ) -> None:
        for model in (*from_state.models.values(), *to_state.models.values()):
            for name in ("verbose_name", "verbose_name_plural"):
                model.options.pop(name, None)
            for field in model.fields.values():
                # What the constructor was given; `deconstruct` tells nothing that was not.
                field._verbose_name, field.help_text = None, ""
        super().__init__(from_state, to_state, questioner)


class Command(makemigrations.Command):
    autodetector = NamelessAutodetector
