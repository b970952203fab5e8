"""Names of models in the plural."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_pending_fixtures"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="fixturematch",
            options={"ordering": ("fixture_id", "number"), "verbose_name_plural": "fixture matches"},
        ),
        migrations.AlterModelOptions(
            name="rerunmatch",
            options={"ordering": ("rerun_id", "match_id"), "verbose_name_plural": "rerun matches"},
        ),
        migrations.AlterModelOptions(
            name="stagestandings",
            options={"verbose_name_plural": "stage standings"},
        ),
    ]
