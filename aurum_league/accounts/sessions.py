"""Sessions in the database under a digest of their key: whoever reads the table, or a dump of it, opens none.

Each knows who signed in, in which network and with what browser, so that people see their own and can end them.
"""

import hashlib
import ipaddress
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware

from aurum_league.common.sql import prepared_cursor
from aurum_league.models import Session

LONGEST_KEY = 40
"""Of the table's column; 160 bits of a digest are as hard to guess as the key."""

SEEN_STEP = timedelta(minutes=10)
"""How exactly it is known when a session was last seen: a write for every request would cost more than it tells."""

# Written out because every request of somebody known asks it, and making the statement anew took longer than it did.
# It also tells whether powers and a second factor stand behind the session: nobody has to ask again.
_READ = """
SELECT s.session_data, s.expire_date, s.user_id, s.seen_at,
  coalesce(u.is_staff OR u.is_superuser OR EXISTS (SELECT FROM auth_user_groups g WHERE g.user_id = u.id), false),
  EXISTS (SELECT FROM mfa_authenticator a WHERE a.user_id = u.id AND a.type <> 'recovery_codes')
FROM aurum_league_session s LEFT JOIN auth_user u ON u.id = s.user_id
WHERE s.session_key = %s AND s.expire_date > %s
"""


def digest_key(session_key: str | None) -> str:
    return hashlib.sha256((session_key or "").encode()).hexdigest()[:LONGEST_KEY]


class SessionStore(DatabaseStore):
    """`has_role` and `has_factor` are of whoever is signed in, as they were when the session was read."""

    address = agent = ""
    seen_at = None
    has_role = has_factor = False

    @classmethod
    def get_model_class(cls) -> type[AbstractBaseSession]:
        return Session

    def exists(self, session_key: str) -> bool:
        return super().exists(digest_key(session_key))

    async def aexists(self, session_key: str) -> bool:
        return await super().aexists(digest_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        return self._describe(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        return self._describe(await super().acreate_model_instance(data), data)

    def _describe(self, row: Any, data: dict[str, Any]) -> AbstractBaseSession:
        row.session_key = digest_key(row.session_key)
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.address, row.agent = self.address, self.agent
        return row

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            super().delete(digest_key(key))

    async def adelete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            await super().adelete(digest_key(key))

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        """None, and the key forgotten, where there is no such session or it is over."""
        key = digest_key(self.session_key)
        with prepared_cursor() as cursor:
            cursor.execute(_READ, [key, timezone.now()])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return None
        data, expires, user_id, seen_at, self.has_role, self.has_factor = row
        self.seen_at = seen_at if user_id else None
        return Session(key, data, expires)

    async def _aget_session_from_db(self) -> AbstractBaseSession | None:
        return await sync_to_async(self._get_session_from_db)()


@sync_and_async_middleware
def note_browser(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Right behind the session's own middleware: what is stored of a session names where it was seen."""
    if iscoroutinefunction(get_response):
        # The async stack serves live streams only, which know nobody.
        return get_response

    def middleware(request: HttpRequest) -> HttpResponseBase:
        session: Any = request.session
        session.address = name_network(request.META.get("REMOTE_ADDR", ""))
        session.agent = request.META.get("HTTP_USER_AGENT", "")[:200]
        response: HttpResponseBase = get_response(request)
        now = timezone.now()
        if session.session_key and session.seen_at and now - session.seen_at > SEEN_STEP and not session.modified:
            seen = {"seen_at": now, "address": session.address, "agent": session.agent}
            Session.objects.filter(pk=digest_key(session.session_key)).update(**seen)
        return response

    return middleware


def name_network(address: str) -> str:
    """Roughly where: enough to tell home from elsewhere, not enough to find anybody."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 48), strict=False))


BROWSERS = (
    *(("Edge", r"\bEdgA?/"), ("Opera", r"\bOPR/"), ("Samsung Internet", r"SamsungBrowser/")),
    *(("Firefox", r"Firefox/|FxiOS/"), ("Chrome", r"Chrome/|CriOS/"), ("Safari", r"Safari/")),
)
SYSTEMS = (
    *(("Android", r"Android"), ("iPhone", r"iPhone"), ("iPad", r"iPad"), ("Windows", r"Windows")),
    *(("macOS", r"Mac OS X|Macintosh"), ("ChromeOS", r"CrOS"), ("Linux", r"Linux")),
)


def name_device(agent: str) -> str:
    """Browser and system, as far as the browser tells; empty where it tells neither."""
    known = (next((name for name, sign in table if re.search(sign, agent)), "") for table in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, known))


def list_sessions(user: User) -> QuerySet[Session]:
    return Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen_at")


def end_session(*, user: User, digest: str) -> bool:
    """False where this user has none of that name."""
    return bool(list_sessions(user).filter(pk=digest).delete()[0])


def end_sessions(user: User, *, kept: str | None = None) -> int:
    """Of every browser but the one whose session key is kept; how many were ended."""
    return Session.objects.filter(user=user).exclude(pk=digest_key(kept) if kept else "").delete()[0]
