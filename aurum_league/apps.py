"""Django's entry to the site as a whole."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class LeagueSiteConfig(AppConfig):
    name = "aurum_league"
    verbose_name = _("Aurum League")

    def ready(self) -> None:
        # Makes our Celery application the current one for shared tasks, and connects the receivers.
        from allauth.account.signals import password_changed, password_reset, password_set

        from aurum_league import celery  # noqa: F401
        from aurum_league.accounts.access import end_tokens, ensure_roles
        from aurum_league.web import requests  # noqa: F401

        post_migrate.connect(ensure_roles, sender=self)
        for signal in (password_changed, password_reset, password_set):
            signal.connect(end_tokens)
