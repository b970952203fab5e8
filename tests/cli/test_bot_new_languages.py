"""`aurum bot new --language`: a starter with its own name in it, and the commands that come next."""

from pathlib import Path

import pytest

from aurum_league.cli import main
from bots.starters import STARTERS


@pytest.mark.parametrize("language", STARTERS)
def test_writes_a_starter(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "new", "my_bot", "--language", language]) == 0
    starter = STARTERS[language]
    source = (tmp_path / f"my_bot.{starter.ending}").read_text(encoding="utf-8")
    told = capsys.readouterr().out
    assert "aurum_decide" in source and "my_bot.wasm" in source
    assert starter.tell_build("my_bot", f"my_bot.{starter.ending}") in told
    assert main(["bot", "new", "my_bot", "--language", language]) != 0
    assert "is there already" in capsys.readouterr().err
