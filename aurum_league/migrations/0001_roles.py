"""The roles that people can hold, as groups: organisers run tournaments, staff keep the site."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ROLES = ("organiser", "staff")


def make_roles(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for name in ROLES:
        apps.get_model("auth", "Group").objects.get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [("auth", "0012_alter_user_first_name_max_length")]
    operations = [migrations.RunPython(make_roles, migrations.RunPython.noop)]
