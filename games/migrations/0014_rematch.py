from django.db import migrations, models
from django.db.models.deletion import SET_NULL


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0013_queue"),
    ]

    operations = [
        migrations.AddField(
            model_name="lobby",
            name="rematch_of",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=SET_NULL,
                related_name="rematch",
                to="games.match",
                verbose_name="rematch of",
            ),
        ),
    ]
