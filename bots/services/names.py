"""Names of bots: readable, on one line, and not to be mistaken for another's."""

import re
import unicodedata

from django.utils.text import slugify

from aurum_league.common.errors import LeagueError
from bots.brains import BRAINS
from games.models import Player
from games.services.agents import HOUSE_SLUG

SHORTEST, LONGEST = 2, 40
LOOK_ALIKE_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK"})
HOUSE_NAMES = frozenset(name.casefold() for entry in BRAINS for name in (entry.name, entry.title))
RESERVED = HOUSE_NAMES | {"admin", "api", "guest", "house", "mine", "new", "organiser", "staff"}
LONGEST_SLUG = 50
# Marks sit on the letter before them; more of them in a row climb over the lines above.
MOST_MARKS = 3


def check_name(name: str) -> str:
    """The name as it is stored, in one normal form; raises a coded error where it cannot be one."""
    name = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip()
    if not SHORTEST <= len(name) <= LONGEST:
        raise LeagueError("name_length", f"A name has {SHORTEST} to {LONGEST} characters.")
    kinds = "".join(unicodedata.category(character)[0] for character in name)
    # C: control, format (bidi, zero width), unassigned; Z: separators, of which only the plain space was left above.
    if "C" in kinds or kinds.count("Z") > name.count(" ") or MOST_MARKS * "M" in kinds:
        raise LeagueError("name_characters", "A name has visible characters and plain spaces only.")
    if not any(character.isalnum() for character in name):
        raise LeagueError("name_characters", "A name has at least one letter or digit.")
    if len(_alphabets(name) & LOOK_ALIKE_ALPHABETS) > 1:
        raise LeagueError("name_alphabets", "A name does not mix alphabets whose letters look alike.")
    if name.casefold() in RESERVED:
        raise LeagueError("name_reserved", "This name is reserved.", "Choose another.")
    return name


def choose_slug(name: str) -> str:
    """A free part of an address for a name; two names may lead to the same one, so it can get a number."""
    base = slugify(name)[:LONGEST_SLUG] or "bot"
    if base in RESERVED or base.startswith(HOUSE_SLUG):
        base = f"bot-{base}"[:LONGEST_SLUG]
    taken = set(Player.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    if base not in taken:
        return base
    return next(slug for number in range(2, len(taken) + 3) if (slug := f"{base}-{number}") not in taken)


def _alphabets(name: str) -> set[str]:
    return {unicodedata.name(character, "").partition(" ")[0] for character in name if character.isalpha()}
