"""Migrations: what would lock a large table for long, and which changes of the models need none."""

import re

from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.state import ProjectState
from pgtrigger.migrations import MigrationAutodetectorMixin

CREATED = re.compile(r'CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"')
TABLE = re.compile(r'\b(?:ON|TABLE(?: IF EXISTS)?(?: ONLY)?|REINDEX TABLE|CLUSTER|VACUUM FULL|UPDATE) "?(\w+)"?', re.I)

RULES: dict[str, str] = {
    r"CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)": "builds an index while nobody can write: use AddIndexConcurrently",
    r"DROP INDEX (?!CONCURRENTLY)": "waits for everybody before it drops an index: use RemoveIndexConcurrently",
    r"ALTER COLUMN \S+ TYPE": "writes the table anew: add a column, copy in batches, then drop the old one",
    r"ALTER COLUMN \S+ SET NOT NULL": "reads the whole table under a lock: add a NOT VALID check first",
    r"ADD COLUMN (?:(?!DEFAULT).)*\bNOT NULL(?!.*DEFAULT)": "adds a column that old rows cannot have: give a default",
    r"DEFAULT \(?(now|clock_timestamp|random|gen_random_uuid|uuid_generate_v4|nextval)\(": "writes the table anew",
    r"ADD COLUMN .*GENERATED .*(STORED|IDENTITY)": "writes the table anew",
    r"ADD CONSTRAINT \S+ (UNIQUE|EXCLUDE|PRIMARY)": "builds an index under a lock: build it first, then use it",
    r"ADD CONSTRAINT \S+ (CHECK|FOREIGN)(?!.*NOT VALID)": "checks every row under a lock: add it NOT VALID",
    r"RENAME (COLUMN|TO)": "breaks the version that still runs: add, copy, and drop in the release after",
    r"^(LOCK|CLUSTER|VACUUM FULL|REINDEX (?!.*CONCURRENTLY))": "locks the table",
}


def find_locks(sql: str) -> list[str]:
    """A sentence for each statement that locks; tables that the same migration creates are empty and do not count."""
    created = set(CREATED.findall(sql))
    found = []
    for statement in _split(sql):
        table = TABLE.search(statement)
        if table and table.group(1) in created:
            continue
        found += [f"{_shorten(statement)}: {why}" for rule, why in RULES.items() if re.search(rule, statement, re.I)]
    return found


def _split(sql: str) -> list[str]:
    """Statements, without comments; the bodies of functions hold no statements on tables of ours."""
    lines = [line for line in sql.splitlines() if not line.lstrip().startswith("--")]
    text = re.sub(r"\$(\w*)\$.*?\$\1\$", "", "\n".join(lines), flags=re.S)
    return [" ".join(statement.split()) for statement in text.split(";") if statement.strip()]


def _shorten(statement: str) -> str:
    return statement if len(statement) <= 90 else f"{statement[:90]}…"


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
