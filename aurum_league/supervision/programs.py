"""The programs that make up a running site, and the command line of each."""

import sys

from aurum_league.environment import read_flag, read_number, read_text

NAMES = ("web", "worker", "live", "beat")
SECONDS_TO_FINISH_REQUESTS = "3"
CELERY = ("celery", "--quiet", "--app", "aurum_league.celery")


def make_command(name: str) -> list[str]:
    log_level = read_text("LOG_LEVEL").lower()
    arguments = {
        "web": _web_arguments(),
        "worker": _worker_arguments("worker", "play", log_level),
        # People and draws wait for it, so it never has a batch of bots' matches before it.
        "live": [*_worker_arguments("live", "live,celery", log_level), "--concurrency", "2"],
        "beat": [*CELERY, "beat", "--loglevel", log_level, "--pidfile="],
    }
    return [sys.executable, "-m", *arguments[name]]


def _worker_arguments(name: str, queues: str, log_level: str) -> list[str]:
    queue = ["--hostname", f"{name}@%h", "--queues", queues]
    return [*CELERY, "worker", *queue, "--loglevel", log_level, "--without-mingle"]


def _web_arguments() -> list[str]:
    # A proxy's headers name the client only if the operator vouches for the proxy; else anyone could write them.
    proxy = ["--proxy-headers", "--forwarded-allow-ips", "*"] if read_flag("TRUSTED_PROXY") else ["--no-proxy-headers"]
    return [
        *("uvicorn", "aurum_league.asgi:application"),
        *("--host", read_text("HOST"), "--port", str(read_number("PORT", 1, 65535))),
        *("--lifespan", "off", "--ws", "none", "--no-server-header", "--no-access-log", "--log-level", "warning"),
        *("--timeout-graceful-shutdown", SECONDS_TO_FINISH_REQUESTS),
        *proxy,
    ]
