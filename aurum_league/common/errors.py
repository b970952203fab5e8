"""The coded error that a caller can act on; anything else that is raised is a bug of ours."""


class LeagueError(Exception):
    """Carries a stable code, a sentence for people, what to do about it and the HTTP status it deserves."""

    def __init__(self, code: str, message: str, fix: str = "", status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix
        self.status = status

    def __str__(self) -> str:
        return f"{self.message} {self.fix}".strip()

    def __reduce__(self) -> tuple[type, tuple[str, str, str, int]]:
        return type(self), (self.code, self.message, self.fix, self.status)
