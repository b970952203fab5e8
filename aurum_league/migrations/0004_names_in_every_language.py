"""Names of models and fields, which the catalogues translate: no statement is run."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from aurum_league.operations.migrations import StateOnly


class Migration(migrations.Migration):
    dependencies = [
        ("aurum_league", "0003_drop_knox_token"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        StateOnly([
            migrations.AlterModelOptions(
                name="accesstoken",
                options={"ordering": ("-created",), "verbose_name": "access token", "verbose_name_plural": "access tokens"},
            ),
            migrations.AlterModelOptions(
                name="keptanswer",
                options={"verbose_name": "kept answer", "verbose_name_plural": "kept answers"},
            ),
            migrations.AlterField(
                model_name="accesstoken",
                name="created",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created"),
            ),
            migrations.AlterField(
                model_name="accesstoken",
                name="expiry",
                field=models.DateTimeField(blank=True, null=True, verbose_name="expiry"),
            ),
            migrations.AlterField(
                model_name="accesstoken",
                name="last_used_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="last used at"),
            ),
            migrations.AlterField(
                model_name="accesstoken",
                name="name",
                field=models.CharField(max_length=60, verbose_name="name"),
            ),
            migrations.AlterField(
                model_name="accesstoken",
                name="scopes",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), size=None, verbose_name="scopes"),
            ),
            migrations.AlterField(
                model_name="accesstoken",
                name="user",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="auth_token_set", to=settings.AUTH_USER_MODEL, verbose_name="user"),
            ),
            migrations.AlterField(
                model_name="keptanswer",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, db_index=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="keptanswer",
                name="key",
                field=models.CharField(max_length=64, verbose_name="key"),
            ),
            migrations.AlterField(
                model_name="keptanswer",
                name="status",
                field=models.PositiveSmallIntegerField(null=True, verbose_name="status"),
            ),
            migrations.AlterField(
                model_name="keptanswer",
                name="user",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="user"),
            ),
        ]),
    ]
