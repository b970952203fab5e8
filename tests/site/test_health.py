"""Whether the site says truthfully how it is."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client


def test_process_answers(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok"}


@pytest.mark.django_db
def test_roles_exist() -> None:
    assert set(Group.objects.values_list("name", flat=True)) >= {"organiser", "staff"}
