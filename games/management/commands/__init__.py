"""What manage.py finds here by name."""
