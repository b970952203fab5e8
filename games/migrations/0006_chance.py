"""Gives tables of friends a secret that the site is bound to, and what each seat adds to it."""

from django.db import migrations, models

BUILD = (
    'DROP INDEX CONCURRENTLY IF EXISTS "lobby_commitment_once"',
    'CREATE UNIQUE INDEX CONCURRENTLY "lobby_commitment_once" ON "games_lobby" ("commitment") '
    'WHERE "commitment" IS NOT NULL',
)


class Migration(migrations.Migration):
    """People sit down meanwhile: the index is built beside them."""

    atomic = False

    dependencies = [
        ("games", "0005_result_versions_by_owner"),
    ]

    operations = [
        migrations.AddField(
            model_name="lobby",
            name="commitment",
            field=models.CharField(blank=True, editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name="lobby",
            name="secret",
            field=models.BinaryField(max_length=32, null=True),
        ),
        migrations.AddField(
            model_name="lobbyseat",
            name="contribution",
            field=models.CharField(blank=True, db_default="", editable=False, max_length=64),
        ),
        migrations.RunSQL(
            BUILD,
            BUILD[:1],
            state_operations=[
                migrations.AddConstraint(
                    model_name="lobby",
                    constraint=models.UniqueConstraint(
                        fields=("commitment",),
                        condition=models.Q(("commitment__isnull", False)),
                        name="lobby_commitment_once",
                    ),
                ),
            ],
        ),
    ]
