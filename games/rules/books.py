"""The printed rulebooks: where each of them says what, by edition, number of players, heading and page."""

from dataclasses import dataclass

from games.rules.ruleset import EDITIONS, PLAYERS

Cells = frozenset[str]
"""Rulebooks as codes of edition and players: the book `de` has a part for three, `de3`, and one for four, `de4`."""


def name_cells(text: str) -> Cells:
    """`en fr3` names both parts of the English book and the part for three of the French one."""
    return frozenset(
        f"{edition}{players}"
        for word in text.split()
        for edition in EDITIONS
        for players in PLAYERS
        if word in (edition, f"{edition}{players}", str(players))
    )


def write_cells(cells: Cells) -> str:
    """The way back: an edition alone where both of its parts are meant."""
    words = []
    for edition in EDITIONS:
        parts = [f"{edition}{players}" for players in PLAYERS if f"{edition}{players}" in cells]
        words += [edition] if len(parts) == len(PLAYERS) else parts
    return ", ".join(words)


ALL = name_cells("3 4")
THREE = name_cells("3")
FOUR = name_cells("4")
NOWHERE: Cells = frozenset()

NUGGETS_IN_THE_BOX = {"en": 3, "fr": 4, "de": 4, "ru": 4}


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a printed book; `page` is empty where only its heading is known."""

    edition: str
    heading: str
    page: str = ""

    @property
    def anchor(self) -> str:
        """A name for this place that can stand in an address."""
        words = "".join(letter if letter.isalnum() else " " for letter in self.heading.lower()).split()
        return "-".join(["book", self.edition, *words, *self.page.split(", ")]).rstrip("-")


# A row: the English book for three and four with its pages, the French one, the German one, the Russian one.
# A cell: a heading, and after a bar its page; `heading|13|5` is page 13 for three players and 5 for four. Two headings
# are divided by a slash, for three first.
_PLACES = {
    "components": ("Components|2", "Contenu", "Spielmaterial|2", "Состав игры"),
    "overview": ("Game Overview|13|5", "Introduction", "Spielübersicht|13|5", "Для игры втроём / Для игры вчетвером"),
    "setup": (
        "Setup (3-Player)|13 / Setup (4-Player)|5",
        "Mise en place",
        "Aufbau (3 Alchemisten)|13 / Aufbau (4 Alchemisten)|5",
        "Для игры втроём / Для игры вчетвером",
    ),
    "bid": ("Bid|14|6", "Enchère", "Gebote|14|6", "Ставка"),
    "change": (
        "Gold Reminders|20 / Rules for playing cards|6",
        "Jouer des cartes",
        "Regeln fürs Ausspielen|14|6",
        "Изменение ставки",
    ),
    "change order": ("Gold Reminders|20", "Précisions utiles", "Regeln fürs Ausspielen|14|6", "Изменение ставки"),
    "playing": ("Rules for playing cards|14|6", "Jouer des cartes", "Regeln fürs Ausspielen|14|6", "Розыгрыш взятки"),
    "taking": ("Taking the Trick|15|7", "Remporter le pli", "Einen Stich auswerten|15|7", "Выигрыш взятки"),
    "end of round": ("End of Round|16|8", "Fin de la manche", "Ende einer Runde|16|8", "Конец раунда"),
    "scoring": ("Scoring|17|10", "Décompte des points|10, 11", "Wertung|17|10", "Подсчёт победных очков"),
    "next round": (
        "Start Next Round|17|10",
        "Début de la manche suivante",
        "Beginn der nächsten Runde|17|10",
        "Новый раунд",
    ),
    "end of game": ("End of Game|17|10", "Fin de la partie", "Spielende|17|10", "Конец игры"),
    "variants": ("Expert Modes|20", "Variantes expert", "Experten-Varianten|20", "Режимы для опытных игроков"),
}


def find_passage(place: str, cell: str) -> Passage:
    """Where the book of this edition says it to so many players."""
    edition, is_four = cell[:2], cell[2:] == "4"
    headings = _PLACES[place][EDITIONS.index(edition)].split(" / ")
    heading, *pages = headings[is_four if len(headings) > 1 else 0].split("|")
    return Passage(edition, heading, pages[is_four if len(pages) > 1 else 0] if pages else "")


def list_passages(edition: str) -> list[Passage]:
    """Every place of a book that a rule can come from, in the order of this table."""
    found = [find_passage(place, f"{edition}{players}") for place in _PLACES for players in PLAYERS]
    return list(dict.fromkeys(found))
