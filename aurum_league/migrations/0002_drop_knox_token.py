"""Drops the table of knox's own token model: ours takes its place, and an unused table of tokens helps nobody."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (
        ("aurum_league", "0001_initial"),
        ("knox", "0009_extend_authtoken_field"),
    )
    operations = (migrations.RunSQL("DROP TABLE IF EXISTS knox_authtoken", migrations.RunSQL.noop),)
