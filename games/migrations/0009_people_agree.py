from django.db import migrations, models


class Migration(migrations.Migration):
    """When a person agreed to be rated against bots, whoever entered them."""

    dependencies = [("games", "0008_lean_seats")]

    operations = [
        migrations.AddField("player", "agreed_at", models.DateTimeField(blank=True, editable=False, null=True)),
    ]
