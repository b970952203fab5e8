"""Tells a match on fresh deals from a rerun on the same ones."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0002_event_chain'),
    ]

    operations = [
        migrations.AddField(
            model_name='rerun',
            name='is_fresh',
            field=models.BooleanField(db_default=False),
        ),
    ]
