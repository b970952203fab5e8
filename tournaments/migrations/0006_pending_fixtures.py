"""An index of the fixtures that are still to be played, built while the site goes on; and how tables are released."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0005_lean_rating_changes")]
    operations = [
        AddIndexConcurrently(
            model_name="fixture",
            index=models.Index(fields=["matchday"], condition=models.Q(state="pending"), name="fixture_pending"),
        ),
        migrations.AlterField(
            model_name="stage",
            name="release",
            field=models.CharField(
                choices=[
                    ("all", "All matchdays as soon as they are drawn"),
                    ("matchday", "A table when those who sit there have ended the one before"),
                    ("by_hand", "When the organiser says so"),
                ],
                default="all",
                max_length=8,
            ),
        ),
    ]
