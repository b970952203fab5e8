"""Runs the site's programs (web, worker, beat) under one parent and leaves none of them behind."""
