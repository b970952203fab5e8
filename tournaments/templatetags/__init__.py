"""Tags and filters for templates about tournaments."""
