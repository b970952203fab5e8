"""Migrations that change what Django knows of the models, and nothing in the database."""

from django.db.migrations import SeparateDatabaseAndState
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class StateOnly(SeparateDatabaseAndState):
    """Takes the operations without running a statement.

    Django builds the models anew after each operation on a foreign key or on what one points to. For names that took
    seven seconds of every first start, so what was built is dropped first and built once, when it is next needed.
    """

    def __init__(self, state_operations: list[Operation]) -> None:
        super().__init__(state_operations=state_operations)

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)
        super().state_forwards(app_label, state)
