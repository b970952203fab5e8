"""Names of models and fields, which the catalogues translate: no statement is run."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from aurum_league.operations.migrations import StateOnly


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0010_names_in_every_language"),
        ("tournaments", "0008_lean_fixtures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        StateOnly([
            migrations.AlterModelOptions(
                name="bye",
                options={"verbose_name": "bye", "verbose_name_plural": "byes"},
            ),
            migrations.AlterModelOptions(
                name="conflict",
                options={"verbose_name": "conflict", "verbose_name_plural": "conflicts"},
            ),
            migrations.AlterModelOptions(
                name="entrant",
                options={"ordering": ("tournament_id", "seed_number", "id"), "verbose_name": "entrant", "verbose_name_plural": "entrants"},
            ),
            migrations.AlterModelOptions(
                name="fitstate",
                options={"verbose_name": "fit state", "verbose_name_plural": "fit states"},
            ),
            migrations.AlterModelOptions(
                name="fixture",
                options={"ordering": ("matchday_id", "table"), "verbose_name": "fixture", "verbose_name_plural": "fixtures"},
            ),
            migrations.AlterModelOptions(
                name="fixturematch",
                options={"ordering": ("fixture_id", "number"), "verbose_name": "fixture match", "verbose_name_plural": "fixture matches"},
            ),
            migrations.AlterModelOptions(
                name="fixtureseat",
                options={"ordering": ("fixture_id", "position"), "verbose_name": "fixture seat", "verbose_name_plural": "fixture seats"},
            ),
            migrations.AlterModelOptions(
                name="league",
                options={"ordering": ("name",), "verbose_name": "league", "verbose_name_plural": "leagues"},
            ),
            migrations.AlterModelOptions(
                name="matchday",
                options={"ordering": ("stage_id", "number"), "verbose_name": "matchday", "verbose_name_plural": "matchdays"},
            ),
            migrations.AlterModelOptions(
                name="rating",
                options={"verbose_name": "rating", "verbose_name_plural": "ratings"},
            ),
            migrations.AlterModelOptions(
                name="ratingchange",
                options={"verbose_name": "rating change", "verbose_name_plural": "rating changes"},
            ),
            migrations.AlterModelOptions(
                name="ratingpool",
                options={"verbose_name": "rating pool", "verbose_name_plural": "rating pools"},
            ),
            migrations.AlterModelOptions(
                name="rerun",
                options={"ordering": ("-id",), "verbose_name": "rerun", "verbose_name_plural": "reruns"},
            ),
            migrations.AlterModelOptions(
                name="rerunmatch",
                options={"ordering": ("rerun_id", "match_id"), "verbose_name": "rerun match", "verbose_name_plural": "rerun matches"},
            ),
            migrations.AlterModelOptions(
                name="stage",
                options={"ordering": ("tournament_id", "number"), "verbose_name": "stage", "verbose_name_plural": "stages"},
            ),
            migrations.AlterModelOptions(
                name="stagestandings",
                options={"verbose_name": "stage standings", "verbose_name_plural": "stage standings"},
            ),
            migrations.AlterModelOptions(
                name="team",
                options={"verbose_name": "team", "verbose_name_plural": "teams"},
            ),
            migrations.AlterModelOptions(
                name="tournament",
                options={"ordering": ("-id",), "verbose_name": "tournament", "verbose_name_plural": "tournaments"},
            ),
            migrations.AlterModelOptions(
                name="tournamentevent",
                options={"ordering": ("tournament_id", "number"), "verbose_name": "tournament event", "verbose_name_plural": "tournament events"},
            ),
            migrations.AlterModelOptions(
                name="trial",
                options={"ordering": ("-id",), "verbose_name": "trial", "verbose_name_plural": "trials"},
            ),
            migrations.AlterModelOptions(
                name="trialunit",
                options={"ordering": ("trial_id", "number"), "verbose_name": "trial unit", "verbose_name_plural": "trial units"},
            ),
            migrations.AlterField(
                model_name="bye",
                name="entrant",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="byes", to="tournaments.entrant", verbose_name="entrant"),
            ),
            migrations.AlterField(
                model_name="conflict",
                name="first",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entrant", verbose_name="first"),
            ),
            migrations.AlterField(
                model_name="conflict",
                name="reason",
                field=models.CharField(blank=True, max_length=200, verbose_name="reason"),
            ),
            migrations.AlterField(
                model_name="conflict",
                name="second",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entrant", verbose_name="second"),
            ),
            migrations.AlterField(
                model_name="conflict",
                name="tournament",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="conflicts", to="tournaments.tournament", verbose_name="tournament"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="division",
                field=models.CharField(blank=True, max_length=40, verbose_name="division"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="entered_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="entered at"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="entered_on",
                field=models.PositiveIntegerField(default=1, verbose_name="entered on"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="left_on",
                field=models.PositiveIntegerField(blank=True, null=True, verbose_name="left on"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="player",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="reason",
                field=models.CharField(blank=True, max_length=200, verbose_name="reason"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="seed_number",
                field=models.PositiveIntegerField(blank=True, null=True, verbose_name="seed number"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="state",
                field=models.CharField(choices=[("waiting", "On the waiting list"), ("entered", "Entered"), ("checked_in", "Checked in"), ("withdrawn", "Withdrawn"), ("disqualified", "Disqualified"), ("replaced", "Replaced")], default="entered", max_length=12, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="entrant",
                name="tournament",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="entrants", to="tournaments.tournament", verbose_name="tournament"),
            ),
            migrations.AlterField(
                model_name="fitstate",
                name="at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="at"),
            ),
            migrations.AlterField(
                model_name="fitstate",
                name="player",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="fits", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="fitstate",
                name="pool",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="fits", to="tournaments.ratingpool", verbose_name="pool"),
            ),
            migrations.AlterField(
                model_name="fitstate",
                name="se",
                field=models.FloatField(verbose_name="standard error"),
            ),
            migrations.AlterField(
                model_name="fitstate",
                name="sequence",
                field=models.PositiveBigIntegerField(verbose_name="sequence"),
            ),
            migrations.AlterField(
                model_name="fitstate",
                name="value",
                field=models.FloatField(verbose_name="value"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="is_edited",
                field=models.BooleanField(default=False, verbose_name="is edited"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="matchday",
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="fixtures", to="tournaments.matchday", verbose_name="matchday"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="open_matches",
                field=models.PositiveIntegerField(default=0, verbose_name="open matches"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="places",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), blank=True, default=list, size=None, verbose_name="places"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="slot",
                field=models.CharField(blank=True, max_length=40, verbose_name="slot"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="state",
                field=models.CharField(choices=[("pending", "To be played"), ("settled", "Played"), ("void", "Void")], default="pending", max_length=8, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="table",
                field=models.PositiveIntegerField(verbose_name="table"),
            ),
            migrations.AlterField(
                model_name="fixture",
                name="why",
                field=models.JSONField(blank=True, default=list, verbose_name="why"),
            ),
            migrations.AlterField(
                model_name="fixturematch",
                name="fixture",
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="fixture_matches", to="tournaments.fixture", verbose_name="fixture"),
            ),
            migrations.AlterField(
                model_name="fixturematch",
                name="match",
                field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="fixture_match", to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="fixturematch",
                name="number",
                field=models.PositiveSmallIntegerField(verbose_name="number"),
            ),
            migrations.AlterField(
                model_name="fixturematch",
                name="stage",
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.stage", verbose_name="stage"),
            ),
            migrations.AlterField(
                model_name="fixtureseat",
                name="entrant",
                field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="fixture_seats", to="tournaments.entrant", verbose_name="entrant"),
            ),
            migrations.AlterField(
                model_name="fixtureseat",
                name="position",
                field=models.PositiveSmallIntegerField(verbose_name="position"),
            ),
            migrations.AlterField(
                model_name="league",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="league",
                name="description",
                field=models.TextField(blank=True, max_length=4000, verbose_name="description"),
            ),
            migrations.AlterField(
                model_name="league",
                name="name",
                field=models.CharField(max_length=80, verbose_name="name"),
            ),
            migrations.AlterField(
                model_name="league",
                name="organiser",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="leagues", to=settings.AUTH_USER_MODEL, verbose_name="organiser"),
            ),
            migrations.AlterField(
                model_name="league",
                name="slug",
                field=models.SlugField(max_length=80, unique=True, verbose_name="slug"),
            ),
            migrations.AlterField(
                model_name="matchday",
                name="finished_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="finished at"),
            ),
            migrations.AlterField(
                model_name="matchday",
                name="is_edited",
                field=models.BooleanField(default=False, verbose_name="is edited"),
            ),
            migrations.AlterField(
                model_name="matchday",
                name="number",
                field=models.PositiveIntegerField(verbose_name="number"),
            ),
            migrations.AlterField(
                model_name="matchday",
                name="released_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="released at"),
            ),
            migrations.AlterField(
                model_name="matchday",
                name="stage",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="matchdays", to="tournaments.stage", verbose_name="stage"),
            ),
            migrations.AlterField(
                model_name="matchday",
                name="state",
                field=models.CharField(choices=[("drawn", "Drawn"), ("released", "Released"), ("finished", "Finished")], default="drawn", max_length=12, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="matchday",
                name="window_ends_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="window ends at"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="is_provisional",
                field=models.BooleanField(default=True, verbose_name="is provisional"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="lower_bound",
                field=models.FloatField(blank=True, null=True, verbose_name="lower bound"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="matches",
                field=models.PositiveIntegerField(default=0, verbose_name="matches"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="mu",
                field=models.FloatField(verbose_name="mu"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="official",
                field=models.FloatField(blank=True, null=True, verbose_name="official"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="official_se",
                field=models.FloatField(blank=True, null=True, verbose_name="standard error"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="player",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="pool",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to="tournaments.ratingpool", verbose_name="pool"),
            ),
            migrations.AlterField(
                model_name="rating",
                name="sigma",
                field=models.FloatField(verbose_name="sigma"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="is_forfeit",
                field=models.BooleanField(default=False, verbose_name="is forfeit"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="match",
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="rating_changes", to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="mu_after",
                field=models.FloatField(verbose_name="mu after"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="mu_before",
                field=models.FloatField(verbose_name="mu before"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="place",
                field=models.PositiveSmallIntegerField(verbose_name="place"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="player",
                field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="rating_changes", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="pool",
                field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="changes", to="tournaments.ratingpool", verbose_name="pool"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="sequence",
                field=models.PositiveBigIntegerField(verbose_name="sequence"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="sigma_after",
                field=models.FloatField(verbose_name="sigma after"),
            ),
            migrations.AlterField(
                model_name="ratingchange",
                name="sigma_before",
                field=models.FloatField(verbose_name="sigma before"),
            ),
            migrations.AlterField(
                model_name="ratingpool",
                name="entry_kind",
                field=models.CharField(choices=[("bots", "Bots"), ("people", "People"), ("mixed", "People and bots")], max_length=8, verbose_name="entry kind"),
            ),
            migrations.AlterField(
                model_name="ratingpool",
                name="fitted_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="fitted at"),
            ),
            migrations.AlterField(
                model_name="ratingpool",
                name="fitted_sequence",
                field=models.PositiveBigIntegerField(default=0, verbose_name="fitted sequence"),
            ),
            migrations.AlterField(
                model_name="ratingpool",
                name="is_teams",
                field=models.BooleanField(default=False, verbose_name="of teams"),
            ),
            migrations.AlterField(
                model_name="ratingpool",
                name="players",
                field=models.PositiveSmallIntegerField(choices=[(3, "three players"), (4, "four players")], verbose_name="players"),
            ),
            migrations.AlterField(
                model_name="ratingpool",
                name="rebuild_from",
                field=models.PositiveBigIntegerField(blank=True, null=True, verbose_name="rebuild from"),
            ),
            migrations.AlterField(
                model_name="ratingpool",
                name="sequence",
                field=models.PositiveBigIntegerField(default=0, verbose_name="sequence"),
            ),
            migrations.AlterField(
                model_name="rerun",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="rerun",
                name="created_by",
                field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="created by"),
            ),
            migrations.AlterField(
                model_name="rerun",
                name="reason",
                field=models.CharField(max_length=400, verbose_name="reason"),
            ),
            migrations.AlterField(
                model_name="rerun",
                name="state",
                field=models.CharField(choices=[("playing", "Playing"), ("applied", "Applied"), ("dropped", "Dropped")], default="playing", max_length=8, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="rerun",
                name="tournament",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="reruns", to="tournaments.tournament", verbose_name="tournament"),
            ),
            migrations.AlterField(
                model_name="rerunmatch",
                name="again",
                field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="rerun_of", to="games.match", verbose_name="played again as"),
            ),
            migrations.AlterField(
                model_name="rerunmatch",
                name="match",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="reruns", to="games.match", verbose_name="match"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="block_deals",
                field=models.PositiveSmallIntegerField(default=0, verbose_name="block deals"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="cut",
                field=models.PositiveIntegerField(blank=True, help_text="how many go on to the next stage", null=True, verbose_name="cut"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="finished_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="finished at"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="format",
                field=models.CharField(max_length=24, verbose_name="format"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="groups",
                field=models.PositiveSmallIntegerField(default=0, help_text="seed the field to and fro into so many divisions of about equal strength", verbose_name="groups"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="matches_each",
                field=models.PositiveSmallIntegerField(default=1, help_text="matches a fixture, where it is no block", verbose_name="matches each"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="name",
                field=models.CharField(max_length=80, verbose_name="name"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="number",
                field=models.PositiveSmallIntegerField(verbose_name="number"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="options",
                field=models.JSONField(blank=True, default=dict, verbose_name="options"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="points",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), default=list, help_text="points by place, best first", size=None, verbose_name="points"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="release",
                field=models.CharField(choices=[("all", "All matchdays as soon as they are drawn"), ("matchday", "A table when those who sit there have ended the one before"), ("by_hand", "When the organiser says so")], default="all", max_length=8, verbose_name="release"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="results_version",
                field=models.PositiveIntegerField(default=0, verbose_name="results version"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="state",
                field=models.CharField(choices=[("waiting", "Waiting"), ("playing", "Playing"), ("finished", "Finished")], default="waiting", max_length=12, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="tiebreaks",
                field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=24), default=list, help_text="what parts equals, in order", size=None, verbose_name="tiebreaks"),
            ),
            migrations.AlterField(
                model_name="stage",
                name="tournament",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="tournaments.tournament", verbose_name="tournament"),
            ),
            migrations.AlterField(
                model_name="stagestandings",
                name="computed_at",
                field=models.DateTimeField(auto_now=True, verbose_name="computed at"),
            ),
            migrations.AlterField(
                model_name="stagestandings",
                name="stage",
                field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="standings", serialize=False, to="tournaments.stage", verbose_name="stage"),
            ),
            migrations.AlterField(
                model_name="stagestandings",
                name="version",
                field=models.PositiveIntegerField(verbose_name="version"),
            ),
            migrations.AlterField(
                model_name="team",
                name="created_by",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="created by"),
            ),
            migrations.AlterField(
                model_name="team",
                name="first",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.player", verbose_name="first"),
            ),
            migrations.AlterField(
                model_name="team",
                name="player",
                field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="team", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="team",
                name="second",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.player", verbose_name="second"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="capacity",
                field=models.PositiveIntegerField(blank=True, null=True, verbose_name="capacity"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="check_in_ends_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="check-in ends at"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="clock",
                field=models.JSONField(blank=True, null=True, verbose_name="clock"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="commitment",
                field=models.CharField(max_length=64, verbose_name="commitment"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="description",
                field=models.TextField(blank=True, max_length=4000, verbose_name="description"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="entry_kind",
                field=models.CharField(choices=[("bots", "Bots"), ("people", "People"), ("mixed", "People and bots")], default="bots", max_length=8, verbose_name="entry kind"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="finished_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="finished at"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="is_rated",
                field=models.BooleanField(default=True, verbose_name="is rated"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="league",
                field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="tournaments", to="tournaments.league", verbose_name="league"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="name",
                field=models.CharField(max_length=80, verbose_name="name"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="needs_check_in",
                field=models.BooleanField(default=False, verbose_name="needs check-in"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="organiser",
                field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="tournaments", to=settings.AUTH_USER_MODEL, verbose_name="organiser"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="ruleset",
                field=models.CharField(default="en3", max_length=40, verbose_name="ruleset"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="season",
                field=models.PositiveIntegerField(blank=True, null=True, verbose_name="season"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="slug",
                field=models.SlugField(max_length=90, unique=True, verbose_name="slug"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="started_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="started at"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="state",
                field=models.CharField(choices=[("draft", "Draft"), ("open", "Open for entries"), ("drawn", "Drawn"), ("playing", "Playing"), ("paused", "Paused"), ("finished", "Finished"), ("cancelled", "Cancelled")], default="draft", max_length=12, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="tournament",
                name="table_kind",
                field=models.CharField(choices=[("solo3", "three players"), ("teams4", "fixed sides of two"), ("solo4", "partners rotate")], default="solo3", max_length=8, verbose_name="table kind"),
            ),
            migrations.AlterField(
                model_name="tournamentevent",
                name="actor",
                field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="actor"),
            ),
            migrations.AlterField(
                model_name="tournamentevent",
                name="at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="at"),
            ),
            migrations.AlterField(
                model_name="tournamentevent",
                name="detail",
                field=models.JSONField(blank=True, default=dict, verbose_name="detail"),
            ),
            migrations.AlterField(
                model_name="tournamentevent",
                name="kind",
                field=models.CharField(max_length=40, verbose_name="kind"),
            ),
            migrations.AlterField(
                model_name="tournamentevent",
                name="number",
                field=models.PositiveIntegerField(verbose_name="number"),
            ),
            migrations.AlterField(
                model_name="tournamentevent",
                name="reason",
                field=models.CharField(blank=True, max_length=400, verbose_name="reason"),
            ),
            migrations.AlterField(
                model_name="tournamentevent",
                name="tournament",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="events", to="tournaments.tournament", verbose_name="tournament"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="created_at",
                field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="effect",
                field=models.FloatField(help_text="the difference in mean place points that would matter", verbose_name="effect"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="estimate",
                field=models.FloatField(blank=True, null=True, verbose_name="estimate"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="estimate_high",
                field=models.FloatField(blank=True, null=True, verbose_name="estimate high"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="estimate_low",
                field=models.FloatField(blank=True, null=True, verbose_name="estimate low"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="finished_at",
                field=models.DateTimeField(blank=True, null=True, verbose_name="finished at"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="llr",
                field=models.FloatField(default=0.0, verbose_name="log likelihood ratio"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="most_units",
                field=models.PositiveIntegerField(default=2000, verbose_name="most units"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="new_agent",
                field=models.CharField(max_length=80, verbose_name="new agent"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="old_agent",
                field=models.CharField(max_length=80, verbose_name="old agent"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="owner",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="trials", to=settings.AUTH_USER_MODEL, verbose_name="owner"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="player",
                field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="trials", to="games.player", verbose_name="player"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="ruleset",
                field=models.CharField(max_length=40, verbose_name="ruleset"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="state",
                field=models.CharField(choices=[("playing", "Playing"), ("better", "The new one is better"), ("not_better", "The new one is not better"), ("undecided", "Undecided at the limit"), ("stopped", "Stopped")], default="playing", max_length=12, verbose_name="state"),
            ),
            migrations.AlterField(
                model_name="trial",
                name="trouble",
                field=models.CharField(blank=True, help_text="why it was stopped", max_length=200, verbose_name="trouble"),
            ),
            migrations.AlterField(
                model_name="trialunit",
                name="number",
                field=models.PositiveIntegerField(verbose_name="number"),
            ),
            migrations.AlterField(
                model_name="trialunit",
                name="score",
                field=models.FloatField(blank=True, null=True, verbose_name="score"),
            ),
        ]),
    ]
