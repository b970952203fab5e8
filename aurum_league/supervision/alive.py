"""Whether a supervised program of this machine lives, for container health checks: python -m … alive worker."""

import sys

from aurum_league.embedded.process_table import find_process
from aurum_league.supervision.roster import locate_roster, read_roster


def is_alive(name: str) -> bool:
    leaders = read_roster(locate_roster((name,)))
    found = [find_process(leader.pid) for leader in leaders]
    return bool(found) and all(
        process is not None and not process.is_dead and process.started == leader.started
        for process, leader in zip(found, leaders, strict=True)
    )


if __name__ == "__main__":
    sys.exit(0 if is_alive(sys.argv[1]) else f"aurum: {sys.argv[1]} does not run here.")
