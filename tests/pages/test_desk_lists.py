"""Entries by list at the desk: a preview first, then entered, then undone; a file does the same."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.pages.desk import DESK, sign_in
from tests.pages.events import make_tournament, read_page
from tournaments.models import EntrantState

pytestmark = pytest.mark.django_db
LIST = f"{DESK}entries/list/"


def test_paste_look_enter_undo(client: Client) -> None:
    tournament = make_tournament("draft", entry_kind="people", is_rated=False)
    sign_in(client, tournament)
    client.post(f"{DESK}steps/open/")
    names = "\n".join(f"Player {number}" for number in range(14))
    page = client.post(LIST, {"names": names}).content.decode()
    assert page.count("enters as a guest") == 14 and "Enter 14 players" in page
    assert not tournament.entrants.exists()
    assert client.post(LIST, {"names": names, "enter": "1"}).status_code == 302
    assert tournament.entrants.count() == 14
    page = read_page(client, f"{DESK}entries/")
    assert "Undo the last list (14 entrants)" in page and "Player 13" in page
    number = tournament.events.get(kind="list_entered").number
    client.post(f"{LIST}{number}/undo/")
    assert tournament.entrants.filter(state=EntrantState.WITHDRAWN).count() == 14
    assert "Undo the last list" not in read_page(client, f"{DESK}entries/")


def test_a_file_is_read_and_what_is_no_text_is_refused(client: Client) -> None:
    tournament = make_tournament("draft", entry_kind="people", is_rated=False)
    sign_in(client, tournament)
    client.post(f"{DESK}steps/open/")
    file = SimpleUploadedFile("names.csv", "Name,Town\nÉlodie,Lyon\n".encode())
    assert "Élodie" in client.post(LIST, {"file": file}).content.decode()
    broken = client.post(LIST, {"file": SimpleUploadedFile("names.csv", b"\xff\xfe\x00")})
    assert broken.status_code == 422 and "no text in UTF-8" in broken.content.decode()
