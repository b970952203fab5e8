"""Who the client is behind proxies of ours: counted from the right, for what stands further left anybody may write."""

import ipaddress
from typing import Any


def name_client(scope: Any, trusted: int) -> Any:
    """The scope with the client's own address where so many proxies have each added the one before them.

    Where fewer have, the request did not come by way of all of them, and the address it came from stands.
    """
    if not trusted:
        return scope
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    hops = b",".join(forwarded).decode("latin1").split(",")
    address = read_address(hops[-trusted]) if len(hops) >= trusted else ""
    return {**scope, "client": (address, 0)} if address else scope


def read_address(text: str) -> str:
    """With or without a port; empty for what is no address."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""
