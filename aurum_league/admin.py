"""Accounts in the admin, in unfold's clothes: people, their groups, and access tokens without their digests."""

from typing import Any

from allauth.account.forms import ResetPasswordForm
from allauth.mfa import admin as factors
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as joined
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import EmailField, ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from unfold.admin import ModelAdmin
from unfold.forms import UserChangeForm
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminTextInputWidget

from aurum_league.accounts.access import acting_as
from aurum_league.accounts.sessions import end_sessions
from aurum_league.common.admin import ReadOnlyAdmin
from aurum_league.models import AccessToken, KeptAnswer, Notice, SiteEvent

RIGHTS = ("is_staff", "is_superuser", "user_permissions")

admin.site.unregister(User)
admin.site.unregister(Group)
# Their pages show secrets, keys and tokens, or let them be written.
admin.site.unregister(factors.Authenticator)
for model in (joined.SocialAccount, joined.SocialApp, joined.SocialToken):
    admin.site.unregister(model)


class NewAccountForm(ModelForm):
    """Whoever makes an account does not know its password: its owner sets one by the link that is sent."""

    email = EmailField(label=gettext_lazy("Email address"), widget=UnfoldAdminEmailInputWidget)

    class Meta:
        model = User
        fields = ("username", "email")
        widgets = {"username": UnfoldAdminTextInputWidget}  # noqa: RUF012


@admin.register(User)
class AccountAdmin(UserAdmin, ModelAdmin):
    """Whoever is put into the group `organiser` may run leagues and rated tournaments."""

    form = UserChangeForm
    add_form = NewAccountForm
    add_fieldsets = ((None, {"fields": ("username", "email")}),)
    list_display = ("username", "email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("groups", "is_staff", "is_active")
    list_per_page = 50
    actions = ("send_reset", "remove_factors")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Without the password of an account that exists: nobody sets another's."""
        shown = super().get_fieldsets(request, obj)
        if obj is None:
            return shown
        return [
            (title, {**part, "fields": tuple(n for n in part["fields"] if n != "password")}) for title, part in shown
        ]

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Rights that are given or taken here are told with who did it."""
        with acting_as(request.user):  # type: ignore[arg-type]
            return super().changeform_view(request, *args, **kwargs)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        raise PermissionDenied

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        if not change:
            _send_reset(request, obj.email)

    @admin.action(description=gettext_lazy("Send a link to set a new password"), permissions=("change",))
    def send_reset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for address in queryset.filter(is_active=True).exclude(email="").values_list("email", flat=True):
            _send_reset(request, address)
        messages.success(request, gettext("A link to set a new password is on its way."))

    @admin.action(
        description=gettext_lazy("Remove the second factor of somebody who lost it"), permissions=("superuser",)
    )
    def remove_factors(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Never one's own: that goes by the account's pages, which ask for it."""
        others = queryset.exclude(username=request.user.get_username())
        for user in others:
            end_sessions(user)
        Authenticator.objects.filter(user__in=others).delete()
        messages.success(request, gettext("Their second factors are removed, and they are signed out."))

    def has_superuser_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Staff help people; accounts that have more rights than a person's are left to superusers."""
        is_plain = obj is None or not (obj.is_staff or obj.is_superuser)
        return super().has_change_permission(request, obj) and (is_plain or request.user.is_superuser)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return () if request.user.is_superuser else RIGHTS

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The role of the staff is given by superusers, for it opens more than its giver may do."""
        if db_field.name == "groups" and not request.user.is_superuser:
            kwargs["queryset"] = Group.objects.filter(name="organiser")
        return super().formfield_for_manytomany(db_field, request, **kwargs)


def _send_reset(request: HttpRequest, address: str) -> None:
    form = ResetPasswordForm({"email": address})
    if form.is_valid():
        form.save(request)


@admin.register(Group)
class RoleAdmin(GroupAdmin, ModelAdmin):
    pass


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnlyAdmin):
    """Only a list: a page of its own would have the token's digest in its address."""

    list_display_links = None
    actions = None
    list_display = ("name", "user", "scopes", "created", "last_used_at", "expiry")
    list_filter = ("created", "expiry")
    search_fields = ("name", "user__username")
    list_select_related = ("user",)
    fields = ("name", "user", "scopes", "created", "last_used_at", "expiry")


@admin.register(KeptAnswer)
class KeptAnswerAdmin(ReadOnlyAdmin):
    """Without the answer itself, which may show what only its reader may know."""

    hidden = ("body",)
    list_display = ("key", "user", "status", "created_at")
    list_filter = ("status",)
    search_fields = ("key", "user__username")
    list_select_related = ("user",)
    fields = ("key", "user", "status", "created_at")


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    """Whether somebody was told; what they were told is theirs."""

    hidden = ("values", "text")
    list_display = ("kind", "user", "told_at", "sent_at", "read_at")
    list_filter = ("kind", "told_at")
    search_fields = ("user__username",)
    list_select_related = ("user",)
    fields = ("kind", "user", "subject", "url", "told_at", "sent_at", "read_at")


@admin.register(SiteEvent)
class SiteEventAdmin(ReadOnlyAdmin):
    list_display = ("number", "kind", "actor", "reason", "at")
    list_filter = ("kind", "at")
    search_fields = ("reason", "actor__username")
    list_select_related = ("actor",)
    fields = ("number", "kind", "actor", "reason", "detail", "at", "previous", "digest")
