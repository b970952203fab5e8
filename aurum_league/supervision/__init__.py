"""Runs the site's programs (web, worker, live, beat) under one parent and leaves none of them behind."""
