"""Names of models and fields, which the catalogues translate: no statement is run."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from aurum_league.operations.migrations import StateOnly


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0001_initial"),
        ("games", "0010_names_in_every_language"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        StateOnly([
            migrations.AlterModelOptions(
                name="bot",
                options={"ordering": ("player__name",), "verbose_name": "bot", "verbose_name_plural": "bots"},
            ),
            migrations.AlterModelOptions(
                name="botmessage",
                options={"ordering": ("bot_id", "seq"), "verbose_name": "bot message", "verbose_name_plural": "bot messages"},
            ),
            migrations.AlterModelOptions(
                name="botversion",
                options={"ordering": ("bot_id", "-number"), "verbose_name": "bot version", "verbose_name_plural": "bot versions"},
            ),
            migrations.AlterModelOptions(
                name="scrimmage",
                options={"verbose_name": "scrimmage", "verbose_name_plural": "scrimmages"},
            ),
            migrations.AlterModelOptions(
                name="seatusage",
                options={"verbose_name": "seat usage", "verbose_name_plural": "seat usages"},
            ),
            migrations.AlterField(
                model_name="bot",
                name="allows_scrimmages",
                field=models.BooleanField(default=True, verbose_name="allows scrimmages"),
            ),
            migrations.AlterField(
                model_name="bot",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="bot",
                name="description",
                field=models.CharField(blank=True, max_length=300, verbose_name="description"),
            ),
            migrations.AlterField(
                model_name="bot",
                name="failures",
                field=models.PositiveSmallIntegerField(default=0, verbose_name="failures"),
            ),
            migrations.AlterField(
                model_name="bot",
                name="mode",
                field=models.CharField(choices=[("uploaded", "Uploaded"), ("connected", "Connected")], max_length=9, verbose_name="mode"),
            ),
            migrations.AlterField(
                model_name="bot",
                name="paused_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="paused at"),
            ),
            migrations.AlterField(
                model_name="bot",
                name="player",
                field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="bot", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="bot",
                name="state",
                field=models.CharField(choices=[("new", "Not qualified yet"), ("active", "Active"), ("paused", "Paused"), ("retired", "Retired")], default="new", max_length=7, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="botmessage",
                name="bot",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="bots.bot", verbose_name="bot"),
            ),
            migrations.AlterField(
                model_name="botmessage",
                name="counter",
                field=models.PositiveIntegerField(verbose_name="counter"),
            ),
            migrations.AlterField(
                model_name="botmessage",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="botmessage",
                name="kind",
                field=models.CharField(max_length=12, verbose_name="kind"),
            ),
            migrations.AlterField(
                model_name="botmessage",
                name="match",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="botmessage",
                name="seat",
                field=models.PositiveSmallIntegerField(verbose_name="seat"),
            ),
            migrations.AlterField(
                model_name="botmessage",
                name="seq",
                field=models.PositiveBigIntegerField(verbose_name="number"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="bot",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="bots.bot", verbose_name="bot"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="checked_at",
                field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="checked at"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="content_hash",
                field=models.CharField(editable=False, max_length=64, verbose_name="content hash"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="contract",
                field=models.PositiveSmallIntegerField(editable=False, verbose_name="contract"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="number",
                field=models.PositiveIntegerField(verbose_name="number"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="rules",
                field=models.PositiveSmallIntegerField(editable=False, verbose_name="rules"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="size",
                field=models.PositiveIntegerField(default=0, verbose_name="size"),
            ),
            migrations.AlterField(
                model_name="botversion",
                name="state",
                field=models.CharField(choices=[("new", "Waits to be checked"), ("checking", "Being checked"), ("qualified", "Qualified"), ("rejected", "Failed the check")], default="new", max_length=9, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="scrimmage",
                name="asked_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="asked at"),
            ),
            migrations.AlterField(
                model_name="scrimmage",
                name="asked_by",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="asked by"),
            ),
            migrations.AlterField(
                model_name="scrimmage",
                name="bot",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="scrimmages", to="bots.bot", verbose_name="bot"),
            ),
            migrations.AlterField(
                model_name="scrimmage",
                name="match",
                field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="+", serialize=False, to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="seatusage",
                name="cpu",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None, verbose_name="decisions by processor time"),
            ),
            migrations.AlterField(
                model_name="seatusage",
                name="match",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="seatusage",
                name="seat",
                field=models.PositiveSmallIntegerField(verbose_name="seat"),
            ),
            migrations.AlterField(
                model_name="seatusage",
                name="version",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="usages", to="bots.botversion", verbose_name="version"),
            ),
        ]),
    ]
