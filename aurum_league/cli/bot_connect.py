"""`aurum bot connect`: the author's bot, run here with whatever it needs, plays at a running site."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from aurum_league.cli.main import CommandError
from aurum_league.client import BotClient, ClientError, Message
from bots.agents.local import LocalBot, NoAnswer, split_command

HELP = "play your bot, running here, at a site (no sandbox: it is your own machine and your own bot)"
TOKEN_FILE_HELP = "a file with the token, instead of --token; - reads it from stdin"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    program = parser.add_mutually_exclusive_group(required=True)
    program.add_argument("file", nargs="?", help="the bot: a Python file that reads and answers JSON lines")
    program.add_argument("--cmd", metavar="COMMAND", help="the bot: any program that does, such as './my_bot --fast'")
    parser.add_argument("--url", required=True, help="the site, such as https://aurum.example.org")
    token = parser.add_mutually_exclusive_group(required=True)
    token.add_argument("--token", help="the bot's token, from its dashboard")
    token.add_argument("--token-file", metavar="FILE", help=TOKEN_FILE_HELP)
    parser.add_argument("--matches", type=int, metavar="N", help="leave after so many matches (default: never)")


def run(arguments: argparse.Namespace) -> int:
    command = _find_command(arguments)
    token = arguments.token or read_token(arguments.token_file)
    console = Console(highlight=False)
    tables = OpenTables(command, console.print)
    try:
        with BotClient(arguments.url, token) as client:
            for message in client.messages():
                tables.take(message, client)
                if arguments.matches and tables.ended >= arguments.matches:
                    return 0
    except ClientError as error:
        raise CommandError(f"The site says: {error} ({error.code})") from None
    finally:
        tables.close()
    console.print("A newer stream of this bot has taken over.")
    return 0


def _find_command(arguments: argparse.Namespace) -> list[str]:
    if arguments.cmd is not None:
        try:
            return split_command(arguments.cmd)
        except ValueError as error:
            raise CommandError(f"--cmd names no command: {error}.") from None
    if not Path(arguments.file).is_file():
        raise CommandError(f"There is no file {arguments.file}.")
    return [sys.executable, "-u", arguments.file]


def read_token(name: str) -> str:
    text = sys.stdin.readline() if name == "-" else Path(name).read_text(encoding="utf-8")
    return text.strip()


class OpenTables:
    """The matches that go on, each seat with its own process, as for an uploaded bot."""

    def __init__(self, command: Sequence[str], tell: Callable[[str], Any]) -> None:
        self.ended = 0
        self._command = command
        self._tell = tell
        self._hello: Message = {}
        self._bots: dict[tuple[int, int], LocalBot] = {}

    def take(self, message: Message, client: BotClient) -> None:
        kind = message["type"]
        if kind == "hello":
            self._hello = message
            self._tell(f"connected as {message['bot']}")
        elif kind == "match_start":
            self._start(message)
        elif kind == "happened":
            self._bot(message).tell(message)
        elif kind == "decide":
            if not client.decide(message, self._ask(message)):
                self._tell(f"match {message['match']}: a decision came too late")
        elif kind == "match_end":
            self._end(message)

    def _start(self, message: Message) -> None:
        """Also after a connection was lost for too long: the whole state comes again, and the bot begins anew."""
        key = message["match"], message["seat"]
        if key in self._bots:
            self._bots.pop(key).close()
        else:
            self._tell(f"match {message['match']}: seat {message['seat']}, with {', '.join(message['seats'])}")
        bot = self._bots[key] = LocalBot(self._command)
        bot.tell(self._hello)
        bot.tell(message)

    def _end(self, message: Message) -> None:
        key = message["match"], message["seat"]
        if key in self._bots:
            self._bots.pop(key).dismiss(message)
        self.ended += 1
        places = "called off" if message["result"] is None else f"places by side {message['result']['places']}"
        self._tell(f"match {message['match']}: {places}")

    def _ask(self, message: Message) -> str:
        try:
            return str(self._bot(message).ask(message)["action"])
        except (NoAnswer, KeyError):
            raise CommandError("The bot gave no answer that can be read; what it wrote is above.") from None

    def _bot(self, message: Message) -> LocalBot:
        return self._bots[message["match"], message["seat"]]

    def close(self) -> None:
        for bot in self._bots.values():
            bot.close()
