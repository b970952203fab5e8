"""The client of the API for scripts: read everything that is public, and do what the token's owner may do."""

import secrets
from collections.abc import Iterator
from typing import Any, cast

from aurum_league.client.connection import Connection, Row
from aurum_league.client.shapes import (
    Bot,
    Entrant,
    Event,
    Judgement,
    League,
    Match,
    Player,
    Preset,
    ProofState,
    Rating,
    SeatLog,
    SeedParts,
    Stage,
    Standings,
    Table,
    Team,
    Tournament,
    Trial,
    TrialProgress,
    Version,
)


class LeagueReader(Connection):
    """Reading; filters are those of docs/openapi.yaml, by name."""

    def list_players(self, **filters: Any) -> Iterator[Player]:
        return self.read_pages("players", **filters)

    def list_leagues(self, **filters: Any) -> Iterator[League]:
        return self.read_pages("leagues", **filters)

    def list_tournaments(self, **filters: Any) -> Iterator[Tournament]:
        return self.read_pages("tournaments", **filters)

    def read_tournament(self, slug: str) -> Tournament:
        return cast(Tournament, self.read(f"tournaments/{slug}"))

    def list_stages(self, slug: str) -> list[Stage]:
        return cast(list[Stage], self.read(f"tournaments/{slug}/stages"))

    def read_standings(self, slug: str, stage: int = 1) -> Standings:
        return cast(Standings, self.read(f"tournaments/{slug}/stages/{stage}/standings"))

    def list_entrants(self, slug: str, **filters: Any) -> Iterator[Entrant]:
        return self.read_pages(f"tournaments/{slug}/entrants", **filters)

    def read_chance(self, slug: str) -> SeedParts:
        return cast(SeedParts, self.read(f"tournaments/{slug}/chance"))

    def list_events(self, slug: str, after: int | None = None) -> Iterator[Event]:
        return self.read_pages(f"tournaments/{slug}/events", after=after)

    def follow_events(self, slug: str, after: int | None = None) -> Iterator[Row]:
        """Without `after` the full state comes first; then every event as it happens, through broken connections."""
        return self.follow(f"tournaments/{slug}/events", after)

    def list_matches(self, **filters: Any) -> Iterator[Match]:
        return self.read_pages("matches", **filters)

    def list_tournament_matches(self, slug: str, **filters: Any) -> Iterator[Match]:
        return self.read_pages(f"tournaments/{slug}/matches", **filters)

    def read_match(self, match: int) -> Match:
        return cast(Match, self.read(f"matches/{match}"))

    def read_record(self, match: int) -> Row:
        return cast(Row, self.read(f"matches/{match}/record"))

    def read_notation(self, match: int) -> str:
        return self.read_text(f"matches/{match}/notation")

    def read_table(self, match: int, seat: int | None = None) -> Table:
        return cast(Table, self.read(f"matches/{match}/view", seat=seat))

    def read_opinion(self, match: int, seat: int | None = None, round: int = 1) -> Judgement:
        """What the champion would have played in a person's place; a worker forms it, so ask again after a second."""
        return cast(Judgement, self.read(f"matches/{match}/opinion", seat=seat, round=round))

    def read_logs(self, match: int) -> list[SeatLog]:
        """What one's own uploads did in a match, decision by decision."""
        return cast(list[SeatLog], self.read(f"matches/{match}/logs"))

    def ask_proof(self, match: int) -> ProofState:
        """Have the house bots and modules of a match asked every question again; then look until the proof is there."""
        return cast(ProofState, self.send(f"matches/{match}/proof"))

    def read_proof(self, match: int) -> ProofState:
        return cast(ProofState, self.read(f"matches/{match}/proof"))

    def export_version(self, bot: str, number: int) -> Iterator[Row]:
        """Every match of a version of one's own, a row a seat."""
        return self.read_lines(f"bots/{bot}/versions/{number}/matches.ndjson")

    def list_presets(self) -> list[Preset]:
        return cast(list[Preset], self.read("presets"))

    def list_teams(self, **filters: Any) -> Iterator[Team]:
        return self.read_pages("teams", **filters)

    def export_results(self, slug: str) -> Iterator[Row]:
        return self.read_lines(f"tournaments/{slug}/results.ndjson")

    def export_records(self, slug: str) -> Iterator[Row]:
        return self.read_lines(f"tournaments/{slug}/records.ndjson")

    def list_ratings(self, pool: str) -> Iterator[Rating]:
        return self.read_pages(f"rating-pools/{pool}/ratings")

    def list_bots(self, **filters: Any) -> Iterator[Bot]:
        return self.read_pages("bots", **filters)

    def list_versions(self, bot: str) -> Iterator[Version]:
        return self.read_pages(f"bots/{bot}/versions")


class LeagueClient(LeagueReader):
    """Reading and writing: with LeagueClient("https://aurum.example.org", token) as league: …"""

    def register_bot(self, name: str, mode: str, description: str = "") -> Bot:
        return cast(Bot, self.send("bots", {"name": name, "mode": mode, "description": description}))

    def add_version(self, bot: str, upload: bytes, *, note: str = "", filename: str = "bot.py") -> Version:
        return cast(Version, self.upload(f"bots/{bot}/versions", (filename, upload), {"note": note}))

    def activate_version(self, bot: str, number: int) -> Bot:
        return cast(Bot, self.send(f"bots/{bot}/versions/{number}/activation"))

    def ask_scrimmages(self, bot: str, ruleset: str, others: list[str], matches: int) -> list[int]:
        wish = {"ruleset": ruleset, "others": others, "matches": matches}
        return cast(list[int], self.send(f"bots/{bot}/scrimmages", wish)["matches"])

    def start_trial(self, bot: str, new: int, old: int, **wishes: Any) -> Trial:
        return cast(Trial, self.send(f"bots/{bot}/trials", {"new": new, "old": old, **wishes}))

    def read_trial(self, bot: str, trial: int) -> TrialProgress:
        return cast(TrialProgress, self.read(f"bots/{bot}/trials/{trial}"))

    def create_league(self, name: str, description: str = "") -> League:
        return cast(League, self.send("leagues", {"name": name, "description": description}))

    def create_tournament(self, spec: Row) -> Tournament:
        return cast(Tournament, self.send("tournaments", spec))

    def create_team(self, name: str, first: str, second: str) -> Team:
        return cast(Team, self.send("teams", {"name": name, "members": [first, second]}))

    def invite_partner(self, name: str) -> str:
        """A text for one person, who becomes the partner by `join_team`."""
        return cast(str, self.send("teams/invitations", {"name": name})["invitation"])

    def join_team(self, invitation: str) -> Team:
        return cast(Team, self.send("teams/memberships", {"invitation": invitation}))

    def take_step(self, slug: str, step: str, reason: str = "") -> Tournament:
        """Open, draw, start, release, pause, resume, finish or cancel."""
        return cast(Tournament, self.send(f"tournaments/{slug}/steps", {"step": step, "reason": reason}))

    def enter(self, slug: str, player: str, *, agrees: bool = False, contribution: str | None = None) -> Entrant:
        """`agrees` says that a person takes being rated against bots.

        `contribution` goes into the tournament's seed: where none is given, 32 random bytes of this machine's. Find
        it again in the answer and in `read_chance`.
        """
        given = secrets.token_hex(32) if contribution is None else contribution
        wish = {"player": player, "agrees": agrees, "contribution": given}
        return cast(Entrant, self.send(f"tournaments/{slug}/entrants", wish))

    def enter_house_bots(self, slug: str, brain: str, count: int) -> list[Entrant]:
        return cast(list[Entrant], self.send(f"tournaments/{slug}/house-bots", {"brain": brain, "count": count}))

    def withdraw(self, slug: str, entrant: int, reason: str = "") -> Entrant:
        return cast(Entrant, self.send(f"tournaments/{slug}/entrants/{entrant}/withdrawal", {"reason": reason}))

    def decide_match(self, slug: str, match: int, decision: str, **about: Any) -> Tournament:
        """`again`, `void`, `forfeit` with `seats`, or `result` with `places`; all but the first with a `reason`."""
        return cast(
            Tournament,
            self.send(f"tournaments/{slug}/decisions", {"match": match, "decision": decision, **about}),
        )

    def play_now(self, ruleset: str, strength: str = "greedy", **wishes: Any) -> int:
        """A table against house bots, dealt at once; the number of its match. This machine contributes to its deals."""
        wish = {"ruleset": ruleset, "strength": strength, "contribution": secrets.token_hex(32), **wishes}
        return cast(int, self.send("tables", wish)["match"])

    def decide(self, match: int, seat: int, counter: int, action: str) -> Table:
        wish = {"seat": seat, "counter": counter, "action": action}
        return cast(Table, self.send(f"matches/{match}/decisions", wish))
