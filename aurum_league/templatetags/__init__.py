"""Template tags that draw cards, marks and icons."""
