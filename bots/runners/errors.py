"""Coded errors that the caller of a runner can act on."""


class RunnerError(Exception):
    """`code` is for programs, the message is a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class SandboxUnsafeError(RunnerError):
    """This machine cannot hold an uploaded bot, so none is started."""

    def __init__(self, reason: str) -> None:
        super().__init__("sandbox_unsafe", f"Uploaded bots cannot be run here: {reason}")


class LaunchError(RunnerError):
    """The platform failed to start a bot; no fault of the bot."""

    def __init__(self, reason: str) -> None:
        super().__init__("launch_failed", f"The bot could not be started: {reason}")


class ArchiveError(RunnerError):
    """The upload is not one that we take; the sentence says why."""
