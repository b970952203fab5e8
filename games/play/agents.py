"""What a seat needs to play: something that chooses an action from a view."""

from typing import Protocol

from games.rules.view import View


class Agent(Protocol):
    """That which chooses. It sees nothing but views, and may be told how the match ended."""

    def choose(self, view: View) -> int:
        """One of the actions the view's `legal` mask allows."""
        ...
