"""What the admin pages of all apps share: read-only by default, and actions that ask before they do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin import action, display, helpers
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from unfold.admin import ModelAdmin, TabularInline

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal

LONGEST_REASON = 200
THEME_WORDS = (
    gettext_noop("Type to search"),
    gettext_noop("General"),
    gettext_noop("Select action"),
    gettext_noop("Run"),
)
"""What the theme writes around our names. It comes without catalogues, so ours translate it."""
Deed = Callable[[Any, User, str], object]
"""What is done to one row, by whom, and why."""
Action = Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]


class _Untouched:
    """Everything that changes these rows goes through the services."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class ReadOnlyAdmin(_Untouched, ModelAdmin):
    """`hidden` columns hold cards, seeds or secrets: they are not even read from the database."""

    hidden: tuple[str, ...] = ()
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        if isinstance(self.list_select_related, tuple):
            rows = rows.select_related(*self.list_select_related)
        return rows.defer(*self.hidden)

    def has_run_permission(self, request: HttpRequest) -> bool:
        """Who may act on these rows through the services: whoever was given the right to change them."""
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")


def show_number(name: str, title: Any) -> Callable[[Any], Any]:
    """A column with the number of the row that a foreign key names, read without that row.

    Django would head the plain column, such as `match_id`, with its English name in every language.
    """

    @display(description=title, ordering=f"{name}_id")
    def show(row: Any) -> Any:
        return getattr(row, f"{name}_id")

    show.__name__ = f"show_{name}"
    return show


class ReadOnlyInline(_Untouched, TabularInline):
    """Rows below the one they belong to, to look at."""

    extra = 0
    can_delete = False
    tab = True


@dataclass(frozen=True, slots=True)
class DeedQuestion:
    """An action before it is done: what will happen, and whether it needs a reason."""

    name: str
    title: Any
    consequence: Any
    deed: Deed
    needs_reason: bool


def make_action(name: str, title: Any, consequence: Any, deed: Deed, *, needs_reason: bool = False) -> Action:
    """An action of a list that asks before it does the deed to every row chosen.

    A row that refuses says why, and the others are done all the same.
    """
    question = DeedQuestion(name, title, consequence, deed, needs_reason)

    @action(description=title, permissions=["run"])
    def act(admin: ModelAdmin, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        reason = request.POST.get("reason", "").replace("\x00", "").strip()[:LONGEST_REASON]
        is_confirmed = request.POST.get("confirmed") == "yes"
        if not is_confirmed or (needs_reason and not reason):
            return _ask(admin, request, rows, question, is_reason_missing=is_confirmed)
        done = sum(_do(admin, request, row, deed, reason) for row in rows)
        if done:
            words = ngettext("Done for %(count)d row.", "Done for %(count)d rows.", done) % {"count": done}
            admin.message_user(request, words, messages.SUCCESS)
        return None

    act.__name__ = name
    return act


def _ask(
    admin: ModelAdmin, request: HttpRequest, rows: QuerySet[Any], question: DeedQuestion, *, is_reason_missing: bool
) -> HttpResponse:
    context = {
        **admin.admin_site.each_context(request),
        "title": question.title,
        "question": question,
        "rows": list(rows),
        "is_reason_missing": is_reason_missing,
        "opts": admin.opts,
        "checkbox": helpers.ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "admin/confirm_action.html", context)


def _do(admin: ModelAdmin, request: HttpRequest, row: Model, deed: Deed, reason: str) -> bool:
    try:
        deed(row, request.user, reason)  # type: ignore[arg-type]
    except LeagueError as error:
        words = _("%(row)s: %(error)s") % {"row": row, "error": say_refusal(error)}
        admin.message_user(request, words, messages.ERROR)
        return False
    return True
