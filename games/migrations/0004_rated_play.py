"""Adds how much a match counts, early forfeits, decisions by token, and holds from rated play."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_fair_shares'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='share',
            field=models.FloatField(db_default=1.0),
        ),
        migrations.AddField(
            model_name='matchresult',
            name='early',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), db_default=models.Value([], output_field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None)), editable=False, size=None),
        ),
        migrations.AddField(
            model_name='matchseat',
            name='by_token',
            field=models.PositiveSmallIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name='player',
            name='held_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
