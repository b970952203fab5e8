"""Public pages: home, leagues, tournaments, players and search."""
