"""`aurum bot connect`: the author's bot, run here with whatever it needs, plays at a running site."""

import argparse
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console

from aurum_league.cli.main import CommandError
from aurum_league.client import UNREACHABLE, BotClient, ClientError, Message
from bots.agents.local import LocalBot, NoAnswer, split_command
from bots.runners.streams import show_text
from bots.runners.verdict import Verdict

HELP = "play your bot, running here, at a site (no sandbox: it is your own machine and your own bot)"
Seat = tuple[int, int]
"""A match and a seat in it."""

FINAL = frozenset({401, 403})
"""The token is void, or the bot retired: nothing that is sent will ever count."""

TOKEN_FILE_HELP = "a file with the token, instead of --token; - reads it from stdin"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    program = parser.add_mutually_exclusive_group(required=True)
    program.add_argument("file", nargs="?", help="the bot: a Python file that reads and answers JSON lines")
    program.add_argument("--cmd", metavar="COMMAND", help="the bot: any program that does, such as './my_bot --fast'")
    parser.add_argument("--url", required=True, type=read_url, help="the site, such as https://aurum.example.org")
    token = parser.add_mutually_exclusive_group(required=True)
    token.add_argument("--token", help="the bot's token, from its dashboard")
    token.add_argument("--token-file", metavar="FILE", help=TOKEN_FILE_HELP)
    parser.add_argument("--matches", type=int, metavar="N", help="leave after so many matches (default: never)")


def run(arguments: argparse.Namespace) -> int:
    command = _find_command(arguments)
    token = check_token("--token", arguments.token) if arguments.token else read_token(arguments.token_file)
    console = Console(highlight=False)
    tables = OpenTables(command, console.print)
    try:
        with BotClient(arguments.url, token, tell_lost=partial(tell_lost, console, arguments.url)) as client:
            for message in client.messages():
                tables.take(message, client)
                if arguments.matches and tables.ended >= arguments.matches:
                    return 0
    except ClientError as error:
        raise CommandError(tell_refusal(error)) from None
    finally:
        tables.close()
    console.print("A newer stream of this bot has taken over.")
    return 0


def tell_lost(console: Console, url: str, reason: str) -> None:
    """A site that is away for a day, and an address with a slip in it, look the same from here."""
    console.print(f"no connection to {url}: {show_text(reason)}; trying again until there is one", markup=False)


def _find_command(arguments: argparse.Namespace) -> list[str]:
    if arguments.cmd is not None:
        try:
            return split_command(arguments.cmd)
        except ValueError as error:
            raise CommandError(f"--cmd names no command: {error}.") from None
    if not Path(arguments.file).is_file():
        raise CommandError(f"There is no file {arguments.file}.")
    return [sys.executable, "-u", arguments.file]


def read_url(text: str) -> str:
    """Raises for what no request can be sent to; a site that does not answer may yet come back."""
    with suppress(httpx.InvalidURL):
        url = httpx.URL(text)
        if url.scheme in ("http", "https") and url.host:
            return text
    raise argparse.ArgumentTypeError(f"{text} is no address of a site, such as https://aurum.example.org")


def read_token(name: str) -> str:
    given = sys.stdin.buffer.readline() if name == "-" else Path(name).read_bytes()
    return check_token("standard input" if name == "-" else name, given.decode(errors="replace"))


def check_token(name: str, text: str) -> str:
    """Anything else could not even be sent."""
    if not re.fullmatch(r"[!-~]+", token := text.strip()):
        raise CommandError(f"{name} holds no token: one line that begins with aur, as the site has shown it once.")
    return token


def tell_refusal(error: ClientError) -> str:
    return str(error) if error.code == UNREACHABLE else f"The site says: {error} ({error.code})"


class OpenTables:
    """The matches that go on, each seat with its own process, as for an uploaded bot.

    A bot that ends, hangs or writes nonsense costs one question at most: it begins anew with all its seat was told.
    """

    def __init__(self, command: Sequence[str], tell: Callable[[str], Any]) -> None:
        self.ended = 0
        self._command = command
        self._tell = tell
        self._hello: Message = {}
        self._bots: dict[Seat, LocalBot] = {}
        self._told: dict[Seat, list[Message]] = {}

    def take(self, message: Message, client: BotClient) -> None:
        kind = message["type"]
        if kind == "hello":
            self._hello = message
            self._tell(f"connected as {message['bot']}")
        elif kind == "match_start":
            self._start(message)
        elif kind == "happened":
            self._told[seat_of(message)].append(message)
            self._bots[seat_of(message)].tell(message)
        elif kind == "decide":
            self._decide(message, client)
        elif kind == "match_end":
            self._end(message)

    def _start(self, message: Message) -> None:
        """Also after a connection was lost for too long: the whole state comes again, and the bot begins anew."""
        if seat_of(message) not in self._bots:
            self._tell(f"match {message['match']}: seat {message['seat']}, with {', '.join(message['seats'])}")
        self._told[seat_of(message)] = [message]
        self._restart(seat_of(message))

    def _restart(self, seat: Seat) -> LocalBot:
        if seat in self._bots:
            self._bots.pop(seat).close()
        try:
            bot = self._bots[seat] = LocalBot(self._command)
        except OSError as error:
            raise CommandError(f"{self._command[0]}: {error.strerror}.") from None
        for message in (self._hello, *self._told[seat]):
            bot.tell(message)
        return bot

    def _decide(self, message: Message, client: BotClient) -> None:
        place = f"match {message['match']}"
        try:
            action = self._ask(message)
            if not client.decide(message, action):
                self._tell(f"{place}: a decision came too late")
        except NoAnswer as error:
            self._tell(f"{place}: no answer that can be read, so the site decides in time: {show_text(str(error))}")
        except ClientError as error:
            if error.status in FINAL:
                raise
            self._tell(f"{place}: {action!r} is refused: {error} ({error.code})")

    def _ask(self, message: Message) -> str:
        """Asked a second time, of a new process, where the first gives none; raises NoAnswer where that gives none."""
        seat = seat_of(message)
        ends = time.monotonic() + message["time"]["decision"] + message["time"]["bank"]
        for bot in (self._bots.get(seat), None):
            try:
                answer = (bot or self._restart(seat)).ask(message, max(0.0, ends - time.monotonic()))
                if isinstance(answer.get("action"), str):
                    return str(answer["action"])
                raise NoAnswer(Verdict.PROTOCOL, 'The answer has no "action".')
            except NoAnswer:
                if bot is None:
                    self._restart(seat)
                    raise
        raise AssertionError("the second try answers or raises")

    def _end(self, message: Message) -> None:
        self._told.pop(seat_of(message), None)
        bot = self._bots.pop(seat_of(message), None)
        if bot is not None:
            bot.dismiss(message)
        self.ended += 1
        places = "called off" if message["result"] is None else f"places by side {message['result']['places']}"
        self._tell(f"match {message['match']}: {places}")

    def close(self) -> None:
        for bot in self._bots.values():
            bot.close()


def seat_of(message: Message) -> Seat:
    return message["match"], message["seat"]
