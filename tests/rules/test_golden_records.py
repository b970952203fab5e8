"""One record per ruleset, made once and judged again ever since."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules.record import load_record, make_record, read_record
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.transcript import read_transcript, write_transcript

RECORDS = [load_record(line) for line in (Path(__file__).parent / "golden/records.jsonl").read_text().splitlines()]


def test_every_ruleset_has_one() -> None:
    assert [Ruleset.from_dict(record["ruleset"]) for record in RECORDS] == list(all_rulesets())


@pytest.mark.parametrize("record", RECORDS, ids=[ruleset.code for ruleset in all_rulesets()])
def test_golden_record(record: dict[str, Any]) -> None:
    match = read_record(record)
    assert json.dumps(make_record(match, with_seed=True)) == json.dumps(record)
    assert read_transcript(write_transcript(record)) == record
