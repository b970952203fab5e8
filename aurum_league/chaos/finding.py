"""What a check found: the promise, what was measured of it, and where it was broken."""

from dataclasses import dataclass

BREACHES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Finding:
    promise: str
    measured: str
    breaches: tuple[str, ...] = ()

    def list_lines(self) -> list[str]:
        """The first breaches, as sentences, and how many more there are."""
        shown = list(self.breaches[:BREACHES_SHOWN])
        hidden = len(self.breaches) - len(shown)
        return [*shown, f"… and {hidden} more"] if hidden else shown
