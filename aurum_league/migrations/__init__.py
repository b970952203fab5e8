"""Migrations of the site: roles."""
