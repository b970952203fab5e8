"""The roles that people can hold, as groups: organisers run tournaments, staff keep the site."""

ROLES = ("organiser", "staff")
KEPT_BY_STAFF = ("aurum_league", "games", "bots", "tournaments")
"""Apps whose rows the staff may see and act on; what an admin page lets them do is its own affair."""

ACCOUNT_RIGHTS = ("view_user", "change_user", "view_group")


def ensure_roles(**details: object) -> None:
    """Make the groups that are missing; runs after every migrate, so that a flushed database has them too."""
    from django.apps import apps as installed
    from django.contrib.auth.management import create_permissions
    from django.contrib.auth.models import Group, Permission
    from django.db.models import Q

    groups = {name: Group.objects.get_or_create(name=name)[0] for name in ROLES}
    # Our app comes before those whose rights it hands out.
    for label in (*KEPT_BY_STAFF, "auth"):
        create_permissions(installed.get_app_config(label), verbosity=0)
    may_keep = Q(content_type__app_label__in=KEPT_BY_STAFF, codename__regex=r"^(view|change)_")
    may_help = Q(content_type__app_label="auth", codename__in=ACCOUNT_RIGHTS)
    groups["staff"].permissions.set(Permission.objects.filter(may_keep | may_help))
