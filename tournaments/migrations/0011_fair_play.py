"""Reports, cases, what moderators did in them, and appeals."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_fair_play'),
        ('tournaments', '0010_pairing_chance'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('report', 'Reported'), ('pair', 'Two who play for each other'), ('linked', 'Accounts that belong together'), ('jump', 'A rating that jumped')], max_length=8)),
                ('state', models.CharField(choices=[('open', 'Open'), ('acted', 'Acted on'), ('appealed', 'Appealed'), ('closed', 'Closed')], default='open', max_length=8)),
                ('key', models.CharField(max_length=60)),
                ('evidence', models.JSONField(blank=True, default=dict)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('studied_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('players', models.ManyToManyField(related_name='cases', to='games.player')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('text', models.CharField(max_length=1000)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('is_granted', models.BooleanField(null=True)),
                ('answer', models.CharField(blank=True, max_length=400)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to='games.player')),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to='tournaments.case')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='Deed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('close', 'Closed'), ('warn', 'Warned'), ('hold', 'Held from rated play'), ('void', 'Matches made void'), ('suspend', 'Suspended')], max_length=8)),
                ('reason', models.CharField(max_length=400)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('matches', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, size=None)),
                ('done_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('lifted_at', models.DateTimeField(blank=True, null=True)),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deeds', to='tournaments.case')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='deeds', to='games.player')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('collusion', 'Plays for somebody else at the table'), ('throwing', 'Loses on purpose'), ('program', 'Is helped by a program'), ('accounts', 'Plays with several accounts'), ('leaving', 'Leaves or stalls'), ('words', 'Hurts by words or by a name')], max_length=12)),
                ('round_number', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('trick', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('text', models.CharField(max_length=400)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='tournaments.case')),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='fair_play_reports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['key', '-id'], name='case_by_key'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'closed'), _negated=True), fields=('key',), name='case_once_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.UniqueConstraint(fields=('case', 'player'), name='appeal_once_a_case'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('match', 'reporter'), name='report_once_a_match'),
        ),
    ]
