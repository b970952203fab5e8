"""Adds helpers with their roles, and events that stand in no list."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_times"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="league",
            name="is_unlisted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="tournament",
            name="is_unlisted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name="Helper",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                (
                    "role",
                    models.CharField(
                        choices=[("all", "Everything"), ("desk", "Desk: entries and check-in"), ("results", "Results")],
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "invited_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="helpers",
                        to="tournaments.league",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="helpers",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="helps", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "user"), name="helper_once_a_tournament"),
                    models.UniqueConstraint(fields=("league", "user"), name="helper_once_a_league"),
                    models.CheckConstraint(
                        condition=models.Q(("tournament__isnull", False), ("league__isnull", False), _connector="XOR"),
                        name="helper_of_one",
                    ),
                ],
            },
        ),
    ]
