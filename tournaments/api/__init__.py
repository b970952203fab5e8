"""The part of the API about leagues, tournaments, standings and ratings."""
