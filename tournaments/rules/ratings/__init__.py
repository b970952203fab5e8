"""Ratings: live steps match by match, and the official fit of a whole pool."""
