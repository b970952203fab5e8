"""Names of models and fields, which the catalogues translate: no statement is run."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from aurum_league.operations.migrations import StateOnly


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_people_agree"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        StateOnly([
            migrations.AlterModelOptions(
                name="heartbeat",
                options={"verbose_name": "heartbeat", "verbose_name_plural": "heartbeats"},
            ),
            migrations.AlterModelOptions(
                name="lobby",
                options={"verbose_name": "lobby", "verbose_name_plural": "lobbies"},
            ),
            migrations.AlterModelOptions(
                name="lobbyseat",
                options={"ordering": ("lobby_id", "seat"), "verbose_name": "lobby seat", "verbose_name_plural": "lobby seats"},
            ),
            migrations.AlterModelOptions(
                name="match",
                options={"verbose_name": "match", "verbose_name_plural": "matches"},
            ),
            migrations.AlterModelOptions(
                name="matchresult",
                options={"verbose_name": "match result", "verbose_name_plural": "match results"},
            ),
            migrations.AlterModelOptions(
                name="matchseat",
                options={"ordering": ("match_id", "seat"), "verbose_name": "match seat", "verbose_name_plural": "match seats"},
            ),
            migrations.AlterModelOptions(
                name="player",
                options={"ordering": ("name",), "verbose_name": "player", "verbose_name_plural": "players"},
            ),
            migrations.AlterModelOptions(
                name="seatfailure",
                options={"ordering": ("match_id", "step"), "verbose_name": "seat failure", "verbose_name_plural": "seat failures"},
            ),
            migrations.AlterModelOptions(
                name="turnnotice",
                options={"verbose_name": "turn notice", "verbose_name_plural": "turn notices"},
            ),
            migrations.AlterField(
                model_name="heartbeat",
                name="beat_at",
                field=models.DateTimeField(verbose_name="beat at"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="clock",
                field=models.JSONField(help_text="how the people at the table are timed", verbose_name="clock"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="is_guided",
                field=models.BooleanField(default=False, help_text="with hints for a first match", verbose_name="is guided"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="is_rated",
                field=models.BooleanField(default=False, verbose_name="is rated"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="match",
                field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="lobby", to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="players",
                field=models.PositiveSmallIntegerField(verbose_name="players"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="ruleset",
                field=models.CharField(max_length=40, verbose_name="ruleset"),
            ),
            migrations.AlterField(
                model_name="lobby",
                name="strength",
                field=models.CharField(max_length=20, verbose_name="strength"),
            ),
            migrations.AlterField(
                model_name="lobbyseat",
                name="is_host",
                field=models.BooleanField(default=False, verbose_name="is host"),
            ),
            migrations.AlterField(
                model_name="lobbyseat",
                name="seat",
                field=models.PositiveSmallIntegerField(verbose_name="seat"),
            ),
            migrations.AlterField(
                model_name="lobbyseat",
                name="user",
                field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="lobby_seats", to=settings.AUTH_USER_MODEL, verbose_name="user"),
            ),
            migrations.AlterField(
                model_name="match",
                name="attempt",
                field=models.PositiveSmallIntegerField(default=0, verbose_name="attempt"),
            ),
            migrations.AlterField(
                model_name="match",
                name="awaited",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), blank=True, default=list, size=None, verbose_name="awaited"),
            ),
            migrations.AlterField(
                model_name="match",
                name="awaited_since",
                field=models.DateTimeField(blank=True, null=True, verbose_name="awaited since"),
            ),
            migrations.AlterField(
                model_name="match",
                name="clock",
                field=models.JSONField(blank=True, help_text="how people and connected bots are timed", null=True, verbose_name="clock"),
            ),
            migrations.AlterField(
                model_name="match",
                name="commitment",
                field=models.CharField(help_text="SHA-256 of the seed, public before the match", max_length=64, verbose_name="commitment"),
            ),
            migrations.AlterField(
                model_name="match",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="match",
                name="deadline",
                field=models.DateTimeField(blank=True, null=True, verbose_name="deadline"),
            ),
            migrations.AlterField(
                model_name="match",
                name="finished_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="finished at"),
            ),
            migrations.AlterField(
                model_name="match",
                name="is_rated",
                field=models.BooleanField(default=False, verbose_name="is rated"),
            ),
            migrations.AlterField(
                model_name="match",
                name="is_suspect",
                field=models.BooleanField(default=False, help_text="a worker died on its batch: played alone from now on", verbose_name="is suspect"),
            ),
            migrations.AlterField(
                model_name="match",
                name="kind",
                field=models.CharField(choices=[("tournament", "Tournament"), ("casual", "Casual"), ("scrimmage", "Scrimmage"), ("qualification", "Qualification"), ("trial", "Version trial")], max_length=16, verbose_name="kind"),
            ),
            migrations.AlterField(
                model_name="match",
                name="lease_until",
                field=models.DateTimeField(blank=True, null=True, verbose_name="lease until"),
            ),
            migrations.AlterField(
                model_name="match",
                name="needs",
                field=models.PositiveSmallIntegerField(choices=[(0, "House bots only"), (1, "A safe sandbox")], default=0, verbose_name="needs"),
            ),
            migrations.AlterField(
                model_name="match",
                name="players",
                field=models.PositiveSmallIntegerField(verbose_name="players"),
            ),
            migrations.AlterField(
                model_name="match",
                name="priority",
                field=models.SmallIntegerField(default=0, help_text="higher is played earlier", verbose_name="priority"),
            ),
            migrations.AlterField(
                model_name="match",
                name="ruleset",
                field=models.CharField(max_length=40, verbose_name="ruleset"),
            ),
            migrations.AlterField(
                model_name="match",
                name="started_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="started at"),
            ),
            migrations.AlterField(
                model_name="match",
                name="state",
                field=models.CharField(choices=[("open", "Waiting for its people to sit down"), ("ready", "Ready"), ("held", "Held back while its tournament is paused"), ("playing", "Playing"), ("waiting", "Waiting for a player"), ("finished", "Finished"), ("void", "Void"), ("quarantined", "Needs a decision")], default="ready", max_length=12, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="match",
                name="trouble",
                field=models.TextField(blank=True, help_text="why it could not be played", verbose_name="trouble"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="bids",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="bids"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="cpu_us",
                field=models.PositiveIntegerField(default=0, help_text="processor time of rules and agents, in µs", verbose_name="processor time"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="exact_bids",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="exact bids"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="forfeits",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), default=list, size=None, verbose_name="forfeits"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="gold_points",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="gold points"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="is_by_hand",
                field=models.BooleanField(default=False, verbose_name="is by hand"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="lots",
                field=models.BooleanField(default=False, verbose_name="decided by lots"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="match",
                field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="result", serialize=False, to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="nuggets",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="nuggets"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="places",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="places"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="rounds",
                field=models.PositiveSmallIntegerField(verbose_name="rounds"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="settled_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="settled at"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="totals",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="totals"),
            ),
            migrations.AlterField(
                model_name="matchresult",
                name="tricks",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="tricks"),
            ),
            migrations.AlterField(
                model_name="matchseat",
                name="agent",
                field=models.CharField(max_length=80, verbose_name="agent"),
            ),
            migrations.AlterField(
                model_name="matchseat",
                name="owner",
                field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="owner"),
            ),
            migrations.AlterField(
                model_name="matchseat",
                name="player",
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="matchseat",
                name="seat",
                field=models.PositiveSmallIntegerField(verbose_name="seat"),
            ),
            migrations.AlterField(
                model_name="matchseat",
                name="side",
                field=models.PositiveSmallIntegerField(verbose_name="side"),
            ),
            migrations.AlterField(
                model_name="player",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="player",
                name="is_active",
                field=models.BooleanField(default=True, verbose_name="is active"),
            ),
            migrations.AlterField(
                model_name="player",
                name="kind",
                field=models.CharField(choices=[("person", "Person"), ("bot", "Bot"), ("house", "House bot"), ("team", "Team")], max_length=8, verbose_name="kind"),
            ),
            migrations.AlterField(
                model_name="player",
                name="name",
                field=models.CharField(max_length=40, verbose_name="name"),
            ),
            migrations.AlterField(
                model_name="player",
                name="owner",
                field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="players", to=settings.AUTH_USER_MODEL, verbose_name="owner"),
            ),
            migrations.AlterField(
                model_name="player",
                name="slug",
                field=models.SlugField(max_length=60, unique=True, verbose_name="slug"),
            ),
            migrations.AlterField(
                model_name="seatfailure",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="seatfailure",
                name="match",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="failures", to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="seatfailure",
                name="seat",
                field=models.PositiveSmallIntegerField(verbose_name="seat"),
            ),
            migrations.AlterField(
                model_name="seatfailure",
                name="step",
                field=models.PositiveIntegerField(help_text="how many actions had been made", verbose_name="step"),
            ),
            migrations.AlterField(
                model_name="seatfailure",
                name="verdict",
                field=models.CharField(max_length=16, verbose_name="verdict"),
            ),
        ]),
    ]
