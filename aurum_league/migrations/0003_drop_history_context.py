"""Drops the table of a package that kept histories and tracked nothing: results keep their versions themselves."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("aurum_league", "0002_drop_knox_token"),)
    operations = (migrations.RunSQL("DROP TABLE IF EXISTS pghistory_context", migrations.RunSQL.noop),)
