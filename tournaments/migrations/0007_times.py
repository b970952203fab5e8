"""Adds when a tournament and its matchdays happen, and whether it runs by itself."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_texts_and_check_in"),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="every_minutes",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="stage",
            name="first_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="moved",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="tournament",
            name="check_in_opens_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="draws_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="entries_close_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="entries_open_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="runs_itself",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="tournament",
            name="starts_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="time_zone",
            field=models.CharField(db_default="UTC", default="UTC", max_length=40),
        ),
        migrations.AlterField(
            model_name="stage",
            name="release",
            field=models.CharField(
                choices=[
                    ("all", "All matchdays as soon as they are drawn"),
                    ("matchday", "A table when those who sit there have ended the one before"),
                    ("by_hand", "When the organiser says so"),
                    ("timed", "Each matchday at its time"),
                ],
                default="all",
                max_length=8,
            ),
        ),
    ]
