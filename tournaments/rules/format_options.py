"""From a stage's stored format to the format itself, with its mistakes as errors an organiser can act on."""

from collections.abc import Mapping
from typing import Any

from aurum_league.common.errors import LeagueError
from tournaments.rules.formats.catalogue import make_format
from tournaments.rules.formats.format import Format
from tournaments.rules.pairing import ImpossibleDraw, TableKind


def make_stage_format(name: str, kind: TableKind, options: Mapping[str, Any]) -> Format:
    """The format of that name for tables of this kind; raises a coded error that names what is wrong."""
    try:
        return make_format(name, {**options, "kind": kind})
    except ImpossibleDraw as impossible:
        raise LeagueError(impossible.problem.code, impossible.problem.sentence) from None
