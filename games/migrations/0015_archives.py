import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0014_rematch"),
    ]

    operations = [
        migrations.CreateModel(
            name="Archive",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=120, unique=True)),
                ("digest", models.CharField(max_length=64)),
                ("matches", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name="matchresult",
            name="archive",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.archive",
            ),
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="matchresult",
            name="keep_version",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="matchresult",
            trigger=pgtrigger.compiler.Trigger(
                name="keep_version",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    IF OLD.archive_id IS NULL AND NEW.log = '' AND EXISTS (SELECT FROM games_archive WHERE id = NEW.archive_id)\n       AND to_jsonb(NEW) - 'log' - 'archive_id' = to_jsonb(OLD) - 'log' - 'archive_id' THEN\n        RETURN NEW;\n    END IF;\n    IF NEW.match_id <> OLD.match_id OR NEW.reason = '' THEN\n        RAISE EXCEPTION 'a settled result changes only for a reason' USING ERRCODE = 'check_violation';\n    END IF;\n    NEW.version := OLD.version + 1;\n    NEW.settled_at := statement_timestamp();\n    INSERT INTO games_resultversion (match_id, version, content) VALUES (OLD.match_id, OLD.version, to_jsonb(OLD));\n    RETURN NEW;\n",
                    hash="eee79667f641115df4e56d16c8428675ecaff799",
                    operation="UPDATE",
                    pgid="pgtrigger_keep_version_49484",
                    table="games_matchresult",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="archive",
            trigger=pgtrigger.compiler.Trigger(
                name="archive_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME USING ERRCODE = 'check_violation';\n",
                    hash="6fa1fd797c7d615130830c8f556c2968c95d7976",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_archive_stays_ca46a",
                    table="games_archive",
                    when="BEFORE",
                ),
            ),
        ),
    ]
