"""Makes further versions of a result by a function of the owner's, so that the site needs no right to change one."""

from django.db import migrations

COLUMNS = (
    "places, nuggets, totals, exact_bids, bids, tricks, gold_points, forfeits, early, rounds, ends, first_seat, lots, log, "
    "cpu_us, is_by_hand, kind, reason, actor_id, record_match_id"
)
MAKE = f"""
CREATE FUNCTION games_add_result_version(changed bigint, content jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE games_matchresult SET ({COLUMNS}) = (
        SELECT {COLUMNS} FROM jsonb_populate_record(NULL::games_matchresult, content)
    ) WHERE match_id = changed
$$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_rated_play'),
    ]

    operations = [
        migrations.RunSQL(MAKE, "DROP FUNCTION games_add_result_version(bigint, jsonb)"),
    ]
