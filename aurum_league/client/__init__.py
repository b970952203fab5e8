"""Clients of the site for programs: LeagueClient for scripts, BotClient for a connected bot."""

from aurum_league.client.bot_client import BotClient, Message
from aurum_league.client.connection import UNREACHABLE, ClientError
from aurum_league.client.league_client import LeagueClient

__all__ = ["UNREACHABLE", "BotClient", "ClientError", "LeagueClient", "Message"]
