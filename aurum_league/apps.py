"""Django's entry to the site as a whole."""

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.db.models.signals import m2m_changed, post_migrate, post_save, pre_save
from django.utils.translation import gettext_lazy as _


class LeagueSiteConfig(AppConfig):
    name = "aurum_league"
    verbose_name = _("Aurum League")

    def ready(self) -> None:
        # Makes our Celery application the current one for shared tasks, and connects the receivers.
        from allauth.mfa.signals import authenticator_added

        from aurum_league import celery  # noqa: F401
        from aurum_league.accounts.access import end_access, ensure_roles, note_groups, note_new_rights, note_rights
        from aurum_league.accounts.sign_in import welcome_factor
        from aurum_league.web import requests  # noqa: F401

        post_migrate.connect(ensure_roles, sender=self)
        pre_save.connect(note_rights, sender="auth.User")
        post_save.connect(note_new_rights, sender="auth.User")
        post_save.connect(end_access, sender="auth.User")
        m2m_changed.connect(note_groups, sender=get_user_model().groups.through)
        authenticator_added.connect(welcome_factor)
