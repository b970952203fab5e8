"""How many races are run: few by default, `pytest tests/races --tries 10000` for the long run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tries", type=int, default=100, help="races of two services drawn by chance")
    parser.addoption("--race-seed", type=int, default=1, help="which of them, in which worlds")
