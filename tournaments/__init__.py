"""Leagues, tournaments, standings and ratings."""
