"""Everything that writes tournaments; one public function is one thing that happens, in one transaction.

Locks are taken in this order, rows of one table by rising id: tournament, match, fixture, matchday, stage. Every
service locks its tournament first. Settling a match is the one exception: it starts from matches it owns, goes on to
their fixtures and stages, and leaves the rest to `advance_tournament`, so that workers never wait for an organiser.
"""
