"""What the tournaments app announces within itself."""

from django.dispatch import Signal

results_corrected = Signal()
"""Sent inside the transaction that changed or took back results, with `match_ids`; ratings correct themselves by it."""
