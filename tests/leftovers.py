"""Takes away what a module of tests committed: every table that grows from people, matches and tournaments."""

from django.apps import apps
from django.db import connection

ROOTS = ("auth_user", "games_player", "games_match", "tournaments_tournament", "tournaments_ratingpool")


def list_unbound() -> list[str]:
    """Tables that hold a row to its parent by a trigger, where emptying the parent does not empty them too."""
    return [
        model._meta.db_table
        for model in apps.get_models()
        if any(field.is_relation and not getattr(field, "db_constraint", True) for field in model._meta.local_fields)
    ]


def empty_tables() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join((*ROOTS, *list_unbound()))} CASCADE")
