"""Adds what an organiser can be reached by, links, and entrants who were missing at the check-in."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_rating_intervals"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="contact",
            field=models.CharField(blank=True, db_default="", max_length=200),
        ),
        migrations.AddField(
            model_name="tournament",
            name="links",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name="entrant",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "On the waiting list"),
                    ("entered", "Entered"),
                    ("checked_in", "Checked in"),
                    ("absent", "Missing at check-in"),
                    ("withdrawn", "Withdrawn"),
                    ("disqualified", "Disqualified"),
                    ("replaced", "Replaced"),
                ],
                default="entered",
                max_length=12,
            ),
        ),
    ]
