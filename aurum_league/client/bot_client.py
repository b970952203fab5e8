"""The connected bot's client: follows its stream through broken connections, and sends decisions until they count."""

import json
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from aurum_league.client.connection import Closing, read_error, read_pause

STREAM = "/live/bot/stream"
DECISIONS = "/api/v1/bot/matches/{match}/decisions"
# The site says something every seven seconds; silence for three times as long is a dead connection.
SILENCE_SECONDS = 21.0
ANSWER_SECONDS = 10.0
LONGEST_PAUSE = 30.0
MOST_TRIES = 8
TOO_LATE = frozenset({"stale_state", "not_awaited", "match_over"})
WORTH_WAITING = frozenset({"table_busy", "throttled"})

Message = dict[str, Any]


class BotClient(Closing):
    """For one bot and its token. `sleep` is passed in so that waiting can be tested without it.

    `tell_lost` hears once, and why, when the connection is lost or cannot be made.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
        tell_lost: Callable[[str], object] = lambda reason: None,
    ) -> None:
        timeout = httpx.Timeout(ANSWER_SECONDS, read=SILENCE_SECONDS)
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=url.rstrip("/"), headers=headers, timeout=timeout, transport=transport)
        self._sleep = sleep
        self._tell_lost = tell_lost
        self._seq: int | None = None

    def messages(self) -> Iterator[Message]:
        """Every message to the bot, for ever: a lost connection is made again and resumes where it broke.

        Ends when a newer stream of the same bot has taken over; raises ClientError where the site refuses the token.
        """
        pause, is_lost = 1.0, False
        while True:
            try:
                for message in self._follow():
                    pause, is_lost = 1.0, False
                    if message["type"] == "closed":
                        return
                    yield message
            except (httpx.HTTPError, json.JSONDecodeError) as error:
                # A line that was cut off in the middle is a broken connection too.
                if not is_lost:
                    self._tell_lost(str(error) or type(error).__name__)
                is_lost = True
            self._sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def decide(self, question: Message, action: str) -> bool:
        """Answer a question; False where it came too late. Sent again until the site has said something about it."""
        address = DECISIONS.format(match=question["match"])
        body = {"counter": question["counter"], "seat": question["seat"], "action": action}
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        for tried in range(MOST_TRIES):
            try:
                answer = self._http.post(address, json=body, headers=headers)
            except httpx.HTTPError:
                self._sleep(min(0.5 * 2**tried, LONGEST_PAUSE))
                continue
            if answer.is_success:
                return True
            error = read_error(answer)
            if error.code in TOO_LATE:
                return False
            if error.code not in WORTH_WAITING and answer.status_code not in (429, 500, 502, 503, 504):
                raise error
            self._sleep(read_pause(answer, 0.2 * 2**tried, longest=LONGEST_PAUSE))
        return False

    def _follow(self) -> Iterator[Message]:
        params = {} if self._seq is None else {"after": self._seq}
        with self._http.stream("GET", STREAM, params=params) as answer:
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
                self._sleep(read_pause(answer, LONGEST_PAUSE, longest=LONGEST_PAUSE))
                return
            if answer.is_client_error:
                answer.read()
                raise read_error(answer)
            answer.raise_for_status()
            for line in answer.iter_lines():
                if line:
                    message = json.loads(line)
                    self._seq = message.get("seq", self._seq)
                    yield message
