"""Ratings keep their interval, which need not lie even around the number, and the ranks that all pairs leave open."""

from django.db import migrations, models

FILL = """
    UPDATE tournaments_rating SET official_low = official - 1.96 * official_se,
        official_high = official + 1.96 * official_se WHERE official_se IS NOT NULL;
    UPDATE tournaments_fitstate SET low = value - 1.96 * se, high = value + 1.96 * se;
"""
EMPTY = """
    UPDATE tournaments_rating SET official_se = (official_high - official_low) / 3.92;
    UPDATE tournaments_fitstate SET se = (high - low) / 3.92;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0004_chance'),
    ]

    operations = [
        migrations.AddField('rating', 'official_low', models.FloatField(blank=True, null=True, verbose_name='lower end')),
        migrations.AddField('rating', 'official_high', models.FloatField(blank=True, null=True, verbose_name='upper end')),
        migrations.AddField(
            'rating', 'rank_best', models.PositiveIntegerField(blank=True, null=True, verbose_name='best rank open')
        ),
        migrations.AddField(
            'rating', 'rank_worst', models.PositiveIntegerField(blank=True, null=True, verbose_name='worst rank open')
        ),
        migrations.AddField('fitstate', 'low', models.FloatField(default=0, verbose_name='lower end'), preserve_default=False),
        migrations.AddField('fitstate', 'high', models.FloatField(default=0, verbose_name='upper end'), preserve_default=False),
        migrations.AlterField('fitstate', 'se', models.FloatField(null=True)),
        migrations.RunSQL(FILL, EMPTY),
        migrations.RemoveField('fitstate', 'se'),
        migrations.RemoveField('rating', 'official_se'),
    ]
