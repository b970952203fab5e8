"""The small site, made once a module, and given back to each test as it was."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from tests.leftovers import empty_tables
from tests.security.site import Site, make_site


@pytest.fixture(scope="module")
def made_site(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    """Committed once: playing a tournament takes longer than asking a page about it."""
    with django_db_blocker.unblock(), transaction.atomic():
        site = make_site()
        # No worker is there to be nudged.
        connection.run_on_commit.clear()
    yield site
    with django_db_blocker.unblock():
        empty_tables()


@pytest.fixture
def site(made_site: Site, db: None) -> Site:
    """What a test changes is rolled back."""
    return made_site
