"""Counts the processor time of a match in microseconds: most matches take less than one of the old units."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("games", "0005_turn_notice"),)
    operations = (
        migrations.RenameField("matchresult", "cpu_ms", "cpu_us"),
        migrations.AlterField(
            "matchresult",
            "cpu_us",
            models.PositiveIntegerField(default=0, help_text="processor time of rules and agents, in µs"),
        ),
    )
