from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When

LANE = Case(When(state__in=("ready", "playing"), then=F("needs")), When(state="quarantined", then=Value(9)))
OLD = ("match_ready", "match_suspect", "match_leased", "match_waiting", "match_open", "match_quarantined", "match_latest")
NEW = (
    models.Index(
        F("lane"), F("priority").desc(), F("account"), F("id"), condition=Q(lane__isnull=False), name="match_queue"
    ),
    models.Index(
        F("lane"), F("priority").desc(), F("id"), condition=Q(is_suspect=True, lane__isnull=False),
        name="match_suspects",
    ),
    models.Index(fields=("deadline",), condition=Q(deadline__isnull=False), name="match_clock"),
    models.Index(fields=("closes_at",), condition=Q(closes_at__isnull=False), name="match_window"),
    models.Index(F("finished_at").desc(), condition=Q(finished_at__isnull=False), name="match_ended"),
)  # fmt: skip


class Migration(migrations.Migration):
    """The site plays on meanwhile: new indexes are built beside it, and the old ones dropped once they stand."""

    atomic = False

    dependencies = [("games", "0012_guests_of_their_own")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="lane",
            field=models.GeneratedField(
                db_persist=True, editable=False, expression=LANE,
                output_field=models.PositiveSmallIntegerField(null=True),
            ),
        ),
        migrations.RunSQL("ALTER TABLE games_match SET (fillfactor = 55)", "ALTER TABLE games_match RESET (fillfactor)"),
        *(AddIndexConcurrently(model_name="match", index=index) for index in NEW),
        *(RemoveIndexConcurrently(model_name="match", name=name) for name in OLD),
    ]  # fmt: skip
