"""One web process of several, on sockets that the supervisor listens on: web <folder of metrics> <socket…>."""

import sys
from pathlib import Path
from socket import socket

from uvicorn import Config, Server

from aurum_league.settings.environment import read_flag, share_metrics

SECONDS_TO_FINISH_REQUESTS = 3


def serve(sockets: list[socket]) -> None:
    # A proxy's headers name the client only if the operator vouches for the proxy; else anyone could write them.
    is_behind_proxy = read_flag("TRUSTED_PROXY")
    config = Config(
        "aurum_league.asgi:application",
        lifespan="off",
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH_REQUESTS,
        proxy_headers=is_behind_proxy,
        forwarded_allow_ips="*" if is_behind_proxy else None,
    )
    Server(config).run(sockets)


if __name__ == "__main__":
    share_metrics(Path(sys.argv[1]))
    serve([socket(fileno=int(number)) for number in sys.argv[2:]])
