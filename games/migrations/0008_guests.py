"""Lets people without an account be players, of whom two may have one name."""

import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

NEW = 'DROP INDEX CONCURRENTLY IF EXISTS "player_name_once"'
OLD = 'DROP INDEX CONCURRENTLY IF EXISTS "player_name_unique"'
BUILD = (
    NEW,
    'CREATE UNIQUE INDEX CONCURRENTLY "player_name_once" ON "games_player" ((LOWER("name"))) '
    "WHERE NOT (\"kind\" = 'guest')",
    OLD,
)
BUILD_BACK = (
    OLD,
    'CREATE UNIQUE INDEX CONCURRENTLY "player_name_unique" ON "games_player" ((LOWER("name")))',
    NEW,
)


class Migration(migrations.Migration):
    """People register meanwhile: the new index is built beside them, and only then is the old one dropped."""

    atomic = False

    dependencies = [
        ("games", "0007_company"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="player",
            name="kind",
            field=models.CharField(
                choices=[
                    ("person", "Person"),
                    ("bot", "Bot"),
                    ("house", "House bot"),
                    ("team", "Team"),
                    ("guest", "Guest"),
                ],
                max_length=8,
            ),
        ),
        migrations.RunSQL(
            BUILD,
            BUILD_BACK,
            state_operations=[
                migrations.RemoveConstraint(model_name="player", name="player_name_unique"),
                migrations.AddConstraint(
                    model_name="player",
                    constraint=models.UniqueConstraint(
                        django.db.models.functions.text.Lower("name"),
                        condition=models.Q(("kind", "guest"), _negated=True),
                        name="player_name_once",
                    ),
                ),
            ],
        ),
    ]
