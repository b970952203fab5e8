"""Postgres and Valkey without root, Docker or a TCP port: found, started, stopped and repaired."""
