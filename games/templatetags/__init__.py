"""Tags and filters for templates about matches and tables."""
