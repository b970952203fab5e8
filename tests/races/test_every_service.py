"""Every service that writes is run by two connections at once: an effect or a coded refusal, and never a deadlock."""

import logging
from collections.abc import Iterator
from random import Random

import pytest

from tests.races.deeds import DEEDS
from tests.races.services import Job, Racers, list_services
from tests.races.world import make_world

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
SERVICES = list_services()
RACES_A_WORLD = 40


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Refusals are told in the log; there are thousands."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def race(racers: Racers, name: str, *jobs: Job) -> Iterator[str]:
    """What broke, if anything: a race that fails must not hide the others."""
    try:
        racers.run(*jobs)
    except Exception as error:
        yield f"{name}: {type(error).__name__}: {error}"


@pytest.mark.timeout(1800)
def test_every_service_meets_itself() -> None:
    """Each deed twice at once on the same rows; then no service is left that nobody ran."""
    assert sorted(set(DEEDS) - set(SERVICES)) == [], "these services are gone"
    racers = Racers(frozenset(SERVICES.values()))
    rng = Random(3)
    failures: list[str] = []
    for start in range(0, len(DEEDS), 15):
        world = make_world(rng)
        for name in list(DEEDS)[start : start + 15]:
            job = DEEDS[name](world)
            failures += list(race(racers, name, job, job))
            failures += list(race(racers, name, job, DEEDS["games.play.play_ready_matches"](world)))
    assert failures == []
    missing = sorted(name for name, code in SERVICES.items() if code not in racers.entered)
    assert not missing, f"give these services a deed: {missing}"


@pytest.mark.timeout(0)
def test_services_meet_by_chance(request: pytest.FixtureRequest) -> None:
    tries = request.config.getoption("--tries", 100)
    rng = Random(request.config.getoption("--race-seed", 1))
    racers = Racers()
    failures: list[str] = []
    for number in range(tries):
        if number % RACES_A_WORLD == 0:
            world = make_world(rng)
        names = rng.choices(list(DEEDS), k=2)
        failures += list(race(racers, " and ".join(names), *[DEEDS[name](world) for name in names]))
    assert failures == []
