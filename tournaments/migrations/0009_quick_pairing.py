"""Adds who waits for a table, and blocks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_rated_play'),
        ('tournaments', '0008_helpers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.player')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'player'), name='block_once')],
            },
        ),
        migrations.CreateModel(
            name='Seeker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('guest', models.UUIDField(editable=False, null=True, unique=True)),
                ('ruleset', models.CharField(max_length=40)),
                ('players', models.PositiveSmallIntegerField()),
                ('clock', models.CharField(max_length=8)),
                ('is_rated', models.BooleanField()),
                ('low', models.PositiveSmallIntegerField(null=True)),
                ('high', models.PositiveSmallIntegerField(null=True)),
                ('bots_after', models.PositiveSmallIntegerField()),
                ('since', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
                ('match', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('user', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='seeker', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('match', None)), fields=['seen_at'], name='seeker_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('guest__isnull', False), ('is_rated', False), ('user__isnull', True)), models.Q(('guest__isnull', True), ('user__isnull', False)), _connector='OR'), name='seeker_user_or_guest')],
            },
        ),
    ]
