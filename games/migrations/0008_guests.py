"""Lets people without an account be players, of whom two may have one name."""

import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_company"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="player",
            name="player_name_unique",
        ),
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
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("name"),
                condition=models.Q(("kind", "guest"), _negated=True),
                name="player_name_unique",
            ),
        ),
    ]
