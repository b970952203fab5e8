"""What an operator needs: checks, metrics, logs, backups, the demo."""
