"""Keeps every version of a result, from the first change of it on."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ResultVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('version', models.PositiveSmallIntegerField()),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='earlier_results', to='games.match')),
                ('content', models.JSONField()),
            ],
            options={
                'ordering': ('match_id', 'version'),
            },
        ),
        migrations.AddField(
            model_name='matchresult',
            name='actor',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='matchresult',
            name='kind',
            field=models.CharField(choices=[('played', 'Played'), ('rerun', 'Run again'), ('fresh', 'Played on fresh deals'), ('by_hand', 'By hand'), ('forfeit', 'Forfeit by decision'), ('void', 'Void')], db_default='played', max_length=8),
        ),
        migrations.AddField(
            model_name='matchresult',
            name='reason',
            field=models.CharField(blank=True, db_default='', max_length=400),
        ),
        migrations.AddField(
            model_name='matchresult',
            name='record_match',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match'),
        ),
        migrations.AddField(
            model_name='matchresult',
            name='version',
            field=models.SmallIntegerField(db_default=1),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='matchresult',
            trigger=pgtrigger.compiler.Trigger(name='keep_version', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n    IF NEW.match_id <> OLD.match_id OR NEW.reason = '' THEN\n        RAISE EXCEPTION 'a settled result changes only for a reason' USING ERRCODE = 'check_violation';\n    END IF;\n    NEW.version := OLD.version + 1;\n    NEW.settled_at := statement_timestamp();\n    INSERT INTO games_resultversion (match_id, version, content) VALUES (OLD.match_id, OLD.version, to_jsonb(OLD));\n    RETURN NEW;\n", hash='1f6707507f6225f32683869d98351e7545b80745', operation='UPDATE', pgid='pgtrigger_keep_version_49484', table='games_matchresult', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='matchresult',
            trigger=pgtrigger.compiler.Trigger(name='result_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n    RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME USING ERRCODE = 'check_violation';\n", hash='228be51ddce432e933a15f9132fa72086aa7a9fb', operation='DELETE', pgid='pgtrigger_result_stays_9e5b5', table='games_matchresult', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='resultversion',
            constraint=models.UniqueConstraint(fields=('match', 'version'), name='result_version_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='resultversion',
            trigger=pgtrigger.compiler.Trigger(name='version_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n    RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME USING ERRCODE = 'check_violation';\n", hash='39a906c13b3c744483291492bcb263fcaae0e9b9', operation='UPDATE OR DELETE', pgid='pgtrigger_version_stays_04dcf', table='games_resultversion', when='BEFORE')),
        ),
    ]
