"""Rebuilds ratings from the results alone and says what differs, fits the official ratings now, or names pairs."""

import gc
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import RatingPool
from tournaments.selectors.partners import list_joint_matches, list_suspect_pairs
from tournaments.services.audit import audit_results
from tournaments.services.ratings import fit_due_pools
from tournaments.services.rebuild import RebuildReport, audit_pool, rebuild_pool


class Command(BaseCommand):
    help = "Check or rebuild all live ratings from the results, fit the official ratings, or look for suspect pairs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        rebuild = actions.add_parser("rebuild", help="rate every match again and say whether anything differs")
        rebuild.add_argument("--fix", action="store_true", help="write what the results give where it differs")
        actions.add_parser("fit", help="fit the pools of bots that have new results")
        actions.add_parser("pairs", help="name pairs whose results with each other luck does not explain")

    def handle(self, *args: Any, action: str, fix: bool = False, **options: Any) -> None:
        if action == "fit":
            self.stdout.write(f"{fit_due_pools()} pools fitted.")
            return
        if action == "pairs":
            self._print_pairs()
            return
        if fix:
            self._require_sound_results()
        gc.freeze()  # or a tenth of the time goes into looking through all that Django has loaded, again and again
        pools = RatingPool.objects.order_by("players", "is_teams", "entry_kind").values_list("id", flat=True)
        reports = [rebuild_pool(pool_id=pool_id) if fix else audit_pool(pool_id=pool_id) for pool_id in pools]
        for report in reports:
            self._print(report)
        if not fix and not all(report.is_clean for report in reports):
            raise CommandError("Ratings differ from the results. `ratings rebuild --fix` puts them right.")

    def _print_pairs(self) -> None:
        pairs = list_suspect_pairs()
        for pair in pairs:
            gains = f"{pair.helped_gain:+.2f}, {pair.helper_gain:+.2f}, the third {pair.third_gain:+.2f} points a match"
            joint = list_joint_matches(RatingPool.objects.get(pk=pair.pool_id), pair.helped.id, pair.helper.id, limit=5)
            self.stdout.write(
                f"{pair.pool}: {pair.helper} plays for {pair.helped}: {gains} in {pair.matches} matches, "
                f"by luck in {pair.chance:.2%} of pools; last " + ", ".join(str(one.match_id) for one in joint)
            )
        if not pairs:
            self.stdout.write("No pair has results that luck does not explain.")

    def _require_sound_results(self) -> None:
        """A forged result must not become the ratings' truth."""
        faults = list(audit_results())
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError(f"{len(faults)} results contradict their records: nothing was rebuilt.")

    def _print(self, report: RebuildReport) -> None:
        if report.is_clean:
            self.stdout.write(f"{report.pool}: {report.matches} matches, every bit the same.")
            return
        found = [f"{count} {kind}" for kind, count in sorted(report.counts.items())]
        counted = ", ".join([*found, f"{report.misnumbered} misnumbered"])
        self.stdout.write(f"{report.pool}: {report.matches} matches; differences: {counted}")
        for difference in report.first:
            where = f"match {difference.match}" if difference.match else "now"
            values = f"{difference.stored} -> {difference.replayed}"
            self.stdout.write(f"  {difference.kind}: player {difference.player}, {where}: {values}")
