"""The roles that people can hold, as groups: organisers run tournaments, staff keep the site."""

ROLES = ("organiser", "staff")


def ensure_roles(**details: object) -> None:
    """Make the groups that are missing; runs after every migrate, so that a flushed database has them too."""
    from django.contrib.auth.models import Group

    for name in ROLES:
        Group.objects.get_or_create(name=name)
