"""The site's address: sockets that outlive the processes behind them, so that nobody is turned away by a restart."""

import http.client
import socket

from aurum_league.common.errors import LeagueError

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
