"""The demo: what a first start shows in the terminal before the site opens."""

import secrets

from django.contrib.auth.models import Group, User
from rich.console import Console

DEMO_ORGANISER = "organiser"


def play_demo(console: Console) -> None:
    console.print("All migrations are applied.")


def make_demo_organiser(console: Console) -> None:
    """Prints the name and password at the one start that makes the account; the password is stored hashed only."""
    if User.objects.filter(username=DEMO_ORGANISER).exists():
        return
    password = secrets.token_urlsafe(12)
    user = User.objects.create_user(DEMO_ORGANISER, password=password, is_staff=True, is_superuser=True)
    user.groups.set(Group.objects.filter(name__in=("organiser", "staff")))
    console.print(f"Demo organiser: name [bold]{DEMO_ORGANISER}[/bold], password [bold]{password}[/bold] (shown once)")
