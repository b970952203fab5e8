"""Makes a chain of the events there are, and refuses to change or delete one from then on."""

from datetime import UTC
from typing import Any

import django.db.models.deletion
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

from aurum_league.common.proofs import first_link, link_event


def link_events(apps: Any, schema_editor: object) -> None:
    """Tournament by tournament, in batches: each event names the digest of the one before it."""
    event_model = apps.get_model("tournaments", "TournamentEvent")
    for tournament in apps.get_model("tournaments", "Tournament").objects.only("id", "commitment").order_by("id"):
        previous, linked = first_link(tournament.id, tournament.commitment), []
        for event in event_model.objects.filter(tournament=tournament).order_by("number").iterator(chunk_size=500):
            told = {
                "number": event.number,
                "kind": event.kind,
                "actor": event.actor_id,
                "reason": event.reason,
                "detail": event.detail,
                "at": event.at.astimezone(UTC).isoformat(),
            }
            event.previous, event.digest = previous, link_event(previous, told)
            previous = event.digest
            linked.append(event)
        event_model.objects.bulk_update(linked, ["previous", "digest"], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='tournamentevent',
            name='digest',
            field=models.CharField(db_default='', editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='tournamentevent',
            name='previous',
            field=models.CharField(db_default='', editable=False, max_length=64),
        ),
        migrations.AlterField(
            model_name='tournamentevent',
            name='actor',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='tournamentevent',
            name='at',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.RunPython(link_events, migrations.RunPython.noop),
        pgtrigger.migrations.AddTrigger(
            model_name='tournamentevent',
            trigger=pgtrigger.compiler.Trigger(name='event_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n    RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME USING ERRCODE = 'check_violation';\n", hash='c6d59fed00e49a01d95ed6e9fa0467eb4a21207b', operation='UPDATE OR DELETE', pgid='pgtrigger_event_stays_178b4', table='tournaments_tournamentevent', when='BEFORE')),
        ),
    ]
