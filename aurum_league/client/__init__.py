"""A small client of the site for programs, such as a connected bot."""

from aurum_league.client.bot_client import BotClient, ClientError, Message

__all__ = ["BotClient", "ClientError", "Message"]
