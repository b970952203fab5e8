"""Coded errors that the caller of a runner can act on."""

from aurum_league.common.errors import Sentence


class RunnerError(Exception):
    """`code` is for programs, the sentence for people."""

    def __init__(self, code: str, sentence: str, /, **values: object) -> None:
        self.code = code
        self.sentence = Sentence(sentence, **values)
        super().__init__(self.sentence)


class SandboxUnsafeError(RunnerError):
    """This machine cannot hold an uploaded bot, so none is started."""

    def __init__(self, reason: str) -> None:
        super().__init__("sandbox_unsafe", "Uploaded bots cannot be run here: %(reason)s", reason=reason)


class LaunchError(RunnerError):
    """The platform failed to start a bot; no fault of the bot."""

    def __init__(self, reason: str) -> None:
        super().__init__("launch_failed", "The bot could not be started: %(reason)s", reason=reason)


class ArchiveError(RunnerError):
    """The upload is not one that we take; the sentence says why."""
