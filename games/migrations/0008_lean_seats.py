import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

INDEXES = {
    "games_matchseat_match_id_e19178ef": "match_id",
    "games_matchseat_player_id_1795e6d3": "player_id",
    "games_matchseat_owner_id_0a701086": "owner_id",
}


class Migration(migrations.Migration):
    """Seats are written three or four a match: no index that another one begins with, and none of seats without owner."""

    atomic = False
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0007_people_meet"),
    ]

    operations = [
        AddIndexConcurrently(
            "matchseat", models.Index(fields=["owner"], name="seat_by_owner", condition=models.Q(owner__isnull=False))
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
                    f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON games_matchseat ({column})",
                )
                for name, column in INDEXES.items()
            ],
            state_operations=[
                migrations.AlterField(
                    "matchseat",
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="games.match",
                    ),
                ),
                migrations.AlterField(
                    "matchseat",
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="games.player",
                    ),
                ),
                migrations.AlterField(
                    "matchseat",
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
