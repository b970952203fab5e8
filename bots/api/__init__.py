"""The part of the API that bots and their authors' programs use."""
