"""Notes which decisions of a person came by token."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_guests")]

    operations = [
        migrations.AddField(
            model_name="matchseat",
            name="token_decisions",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.PositiveSmallIntegerField(),
                editable=False,
                help_text="which of the seat's own decisions those were, counted from 0",
                null=True,
                size=None,
            ),
        ),
    ]
