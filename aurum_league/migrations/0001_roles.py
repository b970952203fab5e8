"""Says only that roles need the tables of accounts first; aurum_league/accounts/access.py makes them after every migrate."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("auth", "0012_alter_user_first_name_max_length"),)
    operations = ()
