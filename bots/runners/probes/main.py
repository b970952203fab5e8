"""The probe bot's own main: does what each message says, and answers all but `hold`."""

import json
import sys
from typing import Any

from bots.runners.probes.escapes import try_everything
from bots.runners.probes.pairs import clean_up, hold_futex, read_all, write_all
from bots.runners.probes.system_calls import choose_machine


def do(message: dict[str, Any]) -> dict[str, Any] | None:
    choose_machine(message["machine"])
    match message["do"]:
        case "try":
            return try_everything(message)
        case "write":
            return write_all(message)
        case "read":
            return read_all(message)
        case "clean":
            return clean_up(message)
    hold_futex()
    return None


if __name__ == "__main__":
    for line in sys.stdin:
        answer = do(json.loads(line))
        if answer is not None:
            print(json.dumps(answer), flush=True)
