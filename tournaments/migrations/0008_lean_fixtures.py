import django.db.models.deletion
from django.db import migrations, models

INDEXES = {
    "tournaments_fixture_matchday_id_6f4f1674": "tournaments_fixture (matchday_id)",
    "tournaments_fixturematch_fixture_id_9251ce45": "tournaments_fixturematch (fixture_id)",
    "tournaments_fixturematch_stage_id_d1983b2b": "tournaments_fixturematch (stage_id)",
    "tournaments_fixtureseat_fixture_id_7463bdfe": "tournaments_fixtureseat (fixture_id)",
}


def without_index(model: str, field: str, to: str, related_name: str) -> migrations.AlterField:
    key = models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name=related_name, to=to
    )
    return migrations.AlterField(model, field, key)


class Migration(migrations.Migration):
    """No index that another one begins with: fixtures and their matches are written by the thousand."""

    atomic = False
    dependencies = [("tournaments", "0007_plural_names")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
                    f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON {columns}",
                )
                for name, columns in INDEXES.items()
            ],
            state_operations=[
                without_index("fixture", "matchday", "tournaments.matchday", "fixtures"),
                without_index("fixturematch", "fixture", "tournaments.fixture", "fixture_matches"),
                without_index("fixturematch", "stage", "tournaments.stage", "+"),
                without_index("fixtureseat", "fixture", "tournaments.fixture", "seats"),
            ],
        ),
    ]
