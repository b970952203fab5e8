"""Tournament rules as pure functions on values: formats, seating, standings and ratings, with no Django in sight."""
