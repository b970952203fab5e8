"""One web process of several, on sockets that the supervisor listens on: web <folder of metrics> <socket…>."""

import resource
import socket
import sys
from pathlib import Path

from uvicorn import Config, Server

from aurum_league.settings.environment import limit_statements, share_metrics

SECONDS_TO_FINISH_REQUESTS = 3
SECONDS_OF_STATEMENT = 20


def make_config() -> Config:
    return Config(
        "aurum_league.asgi:application",
        http="aurum_league.web.limits:LimitedProtocol",
        lifespan="off",
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH_REQUESTS,
        # It would believe the first address of X-Forwarded-For, which the client writes: see web/requests.py.
        proxy_headers=False,
    )


def allow_many_streams() -> None:
    """Each is an open file, and the usual limit of a thousand is soon reached; the system's own stands."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    share_metrics(Path(sys.argv[1]))
    limit_statements(SECONDS_OF_STATEMENT)
    allow_many_streams()
    Server(make_config()).run([socket.socket(fileno=int(number)) for number in sys.argv[2:]])
