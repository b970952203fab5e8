"""The site's address: sockets that outlive the processes behind them, and one web process of several on them."""

import http.client
import resource
import socket
import sys
from pathlib import Path

from uvicorn import Config, Server

from aurum_league.common.errors import LeagueError
from aurum_league.settings.environment import limit_statements, share_metrics

MOST_WAITING = 2048
"""Connections that nobody has taken yet; uvicorn's own number."""


def listen(host: str, port: int) -> tuple[socket.socket, ...]:
    """One for each address that the host name stands for."""
    opened: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in set(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)):
            opened.append(socket.socket(family, kind, protocol))
            opened[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                opened[-1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            opened[-1].bind(address)
            opened[-1].listen(MOST_WAITING)
    except OSError as error:
        for each in opened:
            each.close()
        raise LeagueError(
            "port_unusable",
            "The site cannot listen on %(host)s port %(port)s: %(error)s.",
            "Stop what uses it or choose another, as in: make run PORT=%(other)s",
            host=host,
            port=port,
            error=error.strerror,
            other=port % 65535 + 1,
        ) from error
    return tuple(opened)


def is_answering(host: str, port: int) -> bool:
    """Whether a process takes what comes in; a connection alone is made without any."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


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
        # It would believe the first address of X-Forwarded-For, which the client writes: see web/forwarded.py.
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
