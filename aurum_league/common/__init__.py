"""What every app may import, and what imports no app."""
