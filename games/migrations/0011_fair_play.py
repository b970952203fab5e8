"""Lets moderators suspend players."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0010_sleepers'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='suspended_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
