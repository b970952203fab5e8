"""Remembers agents that let a referee wait without working."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0009_token_decisions")]

    operations = [
        migrations.CreateModel(
            name="Sleeper",
            fields=[
                ("agent", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("slept_at", models.DateTimeField()),
            ],
        ),
    ]
