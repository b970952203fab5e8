"""The API as a whole: its versioned addresses, who is asking, and its schema."""
