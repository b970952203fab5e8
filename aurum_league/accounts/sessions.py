"""Sessions in the database under a digest of their key: whoever reads the table, or a dump of it, opens none."""

import hashlib
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone

from aurum_league.common.sql import prepared_cursor

LONGEST_KEY = 40
"""Of the table's column; 160 bits of a digest are as hard to guess as the key."""


# Written out because every request of somebody known asks it, and making the statement anew took longer than it did.
_READ = "SELECT session_data, expire_date FROM django_session WHERE session_key = %s AND expire_date > %s"


def digest_key(session_key: str | None) -> str:
    return hashlib.sha256((session_key or "").encode()).hexdigest()[:LONGEST_KEY]


class SessionStore(DatabaseStore):
    def exists(self, session_key: str) -> bool:
        return super().exists(digest_key(session_key))

    async def aexists(self, session_key: str) -> bool:
        return await super().aexists(digest_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        row = super().create_model_instance(data)
        row.session_key = digest_key(row.session_key)
        return row

    async def acreate_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        row = await super().acreate_model_instance(data)
        row.session_key = digest_key(row.session_key)
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
        return self.model(key, *row)

    async def _aget_session_from_db(self) -> AbstractBaseSession | None:
        return await sync_to_async(self._get_session_from_db)()
