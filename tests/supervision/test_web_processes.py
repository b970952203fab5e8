"""Two web processes behind one address: either answers alone, what one is told the other tells, none is missed."""

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from aurum_league.embedded.layout import find_process, wait_until
from aurum_league.supervision.roster import read_roster
from aurum_league.supervision.site import is_answering, listen
from aurum_league.supervision.supervisor import Supervisor, make_web_commands
from benchmarks.tables import CSRF, Client, deal_tables
from tests.server import name_database

CHECKOUT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
SECONDS_TO_START = 180
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
    pytest.mark.timeout(600),
]


class TwoProcesses:
    """A running site of two web processes, of which one can be held still so that the other must answer."""

    def __init__(self, port: int, roster: Path) -> None:
        self.port = port
        self.address = f"http://{HOST}:{port}"
        self.roster = roster

    @property
    def pids(self) -> list[int]:
        return [leader.pid for leader in read_roster(self.roster)]

    @contextmanager
    def only(self, pid: int) -> Iterator[None]:
        others = [other for other in self.pids if other != pid]
        for other in others:
            os.kill(other, signal.SIGSTOP)
        try:
            yield
        finally:
            for other in others:
                os.kill(other, signal.SIGCONT)

    def wait_for(self, pid: int) -> None:
        with self.only(pid):
            assert wait_until(lambda: is_answering(HOST, self.port), SECONDS_TO_START)

    def wait_for_other_than(self, gone: set[int]) -> None:
        assert wait_until(lambda: len(self.pids) == 2 and not gone & set(self.pids), SECONDS_TO_START)
        for pid in self.pids:
            self.wait_for(pid)

    def read_rules(self) -> int:
        return httpx.get(f"{self.address}/rules/", timeout=SECONDS_TO_START).status_code

    def count_requests(self) -> float:
        """As the process that answers tells it."""
        told = httpx.get(f"{self.address}/metrics", timeout=SECONDS_TO_START).text
        (found,) = re.findall(r"^django_http_requests_before_middlewares_total (\S+)$", told, re.M)
        return float(found)


@pytest.fixture(scope="module")
def site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoProcesses]:
    folder = tmp_path_factory.mktemp("web")
    sockets = listen(HOST, 0)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "DJANGO_SETTINGS_MODULE": "aurum_league.settings.test",
            "DATABASE_URL": name_database(),
            "WEB_PROCESSES": "2",
        }.items():
            patch.setenv(name, value)
        with Supervisor(make_web_commands(sockets, folder), folder / "web.roster", CHECKOUT):
            running = TwoProcesses(sockets[0].getsockname()[1], folder / "web.roster")
            running.wait_for_other_than(set())
            yield running


def is_gone(pid: int) -> bool:
    found = find_process(pid)
    return found is None or found.is_dead


def ask_table(site: TwoProcesses, client: Client, method: str, path: str, **fields: object) -> httpx.Response:
    return httpx.request(
        method,
        f"{site.address}/play/{client.match_id}/{path}",
        data=fields or None,
        headers={"Cookie": f"sessionid={client.session}; csrftoken={CSRF}", "X-CSRFToken": CSRF},
        timeout=SECONDS_TO_START,
    )


def read_notes(lines: Iterator[str]) -> Iterator[dict[str, object]]:
    return (json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: "))


@pytest.mark.parametrize("turn", [0, 1])
def test_what_one_process_is_told_the_other_tells(site: TwoProcesses, turn: int) -> None:
    (client,) = deal_tables(1)
    pids = site.pids
    listening, deciding = pids[turn], pids[1 - turn]
    stream = f"{site.address}/live/matches/{client.match_id}/"
    with httpx.Client(timeout=SECONDS_TO_START) as caller:
        with site.only(listening):
            opened = caller.send(caller.build_request("GET", stream), stream=True)
            notes = read_notes(opened.iter_lines())
            assert next(notes)["kind"] == "open"
        with site.only(deciding):
            played = ask_table(site, client, "GET", "state/").json()
            card, counter = played["options"]["cards"][0], played["table"]["counter"]
            answer = ask_table(site, client, "POST", "decide/", counter=counter, action=f"bid {card}")
            assert answer.status_code == 200
        assert next(notes)["kind"] == "moved"
        with site.only(listening):
            doubled = ask_table(site, client, "POST", "decide/", counter=counter, action=f"bid {card}")
            assert doubled.status_code == 409
        opened.close()


def test_either_process_counts_for_both(site: TwoProcesses) -> None:
    first, second = site.pids
    with site.only(first):
        before = site.count_requests()
        assert site.read_rules() == 200
    with site.only(second):
        assert site.read_rules() == 200
        assert site.count_requests() == before + 2
    with site.only(first):
        assert site.count_requests() == before + 2


def test_nobody_is_turned_away_by_kill_9_of_one_and_then_of_the_other(site: TwoProcesses) -> None:
    killed = site.pids
    counted = site.count_requests()
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
        assert wait_until(partial(is_gone, pid), SECONDS_TO_START)
        for _ in range(5):
            assert httpx.get(f"{site.address}/healthz", timeout=SECONDS_TO_START).status_code == 200
    site.wait_for_other_than(set(killed))
    assert site.count_requests() >= counted
