"""A case of fair play as a table of states, and from where on a number is worth a moderator's look."""

from dataclasses import dataclass

from aurum_league.common.errors import N_, LabelledEnum


class CaseState(LabelledEnum):
    OPEN = "open", N_("Open")
    ACTED = "acted", N_("Acted on")
    APPEALED = "appealed", N_("Appealed")
    CLOSED = "closed", N_("Closed")


class DeedKind(LabelledEnum):
    """What a moderator may do."""

    CLOSE = "close", N_("Closed")
    WARN = "warn", N_("Warned")
    HOLD = "hold", N_("Held from rated play")
    VOID = "void", N_("Matches made void")
    SUSPEND = "suspend", N_("Suspended")


class AppealStep(LabelledEnum):
    """What else moves a case: somebody appeals, and the last appeal is decided."""

    APPEAL = "appeal", N_("Appealed")
    DECIDE = "decide", N_("Appeal decided")


AGAINST_SOMEBODY = (DeedKind.WARN, DeedKind.HOLD, DeedKind.VOID, DeedKind.SUSPEND)

CASE_STEPS: dict[tuple[CaseState, DeedKind | AppealStep], CaseState] = {
    **{(state, deed): CaseState.ACTED for state in (CaseState.OPEN, CaseState.ACTED) for deed in AGAINST_SOMEBODY},
    (CaseState.OPEN, DeedKind.CLOSE): CaseState.CLOSED,
    (CaseState.ACTED, DeedKind.CLOSE): CaseState.CLOSED,
    (CaseState.ACTED, AppealStep.APPEAL): CaseState.APPEALED,
    (CaseState.CLOSED, AppealStep.APPEAL): CaseState.APPEALED,
    (CaseState.APPEALED, AppealStep.APPEAL): CaseState.APPEALED,
    (CaseState.APPEALED, AppealStep.DECIDE): CaseState.CLOSED,
}
"""Nothing is done to anybody while an appeal waits for its moderator."""


def find_next_state(state: CaseState, step: DeedKind | AppealStep) -> CaseState | None:
    """None where the step cannot be taken now."""
    return CASE_STEPS.get((state, step))


LARGEST_P = 0.01
"""A pair becomes a case below this; it already allows for all pairs of the pool, so one honest pool of a hundred has
any. Moderators look at it, so the line is nearer than an accusation's would be."""

JUMP_ERRORS, JUMP_POINTS, FEWEST_MATCHES = 4.0, 120.0, 12
"""How many errors of its beginning, and how many points, a sure rating must rise within a month to be a case."""

MEETINGS_BY_DEVICE, MEETINGS_BY_ADDRESS = 1, 3
"""Rated matches at one table from which linked accounts are a case: people of one household do play one another."""


@dataclass(frozen=True, slots=True)
class RatingRise:
    """A live rating at the beginning and the end of a month, on the displayed scale, and the error of the beginning."""

    before: float
    error: float
    after: float
    matches: int

    @property
    def is_jump(self) -> bool:
        rise = self.after - self.before
        return self.matches >= FEWEST_MATCHES and rise >= JUMP_POINTS and rise >= JUMP_ERRORS * self.error


HELPFUL, COSTLY = 0.02, 0.05
"""A decision counts as a gift where it costs the seat so much of its chance to win and gives another so much."""


@dataclass(frozen=True, slots=True)
class Gift:
    """A decision that was costly to oneself and helped another: where it stands in the replay, and in chances."""

    match: int
    seat: int
    round_number: int
    applied: int
    played: str
    best: str
    cost: float
    helped_seat: int
    helped_by: float


def is_gift(cost: float, helped_by: float) -> bool:
    return cost >= COSTLY and helped_by >= HELPFUL
