"""The names and addresses that a server is asked by, and those that lead no further than this machine."""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_LONGEST: Final = 100  #: characters of an address, with room for the name of an interface
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s/@?#\\:\[\]]+)(:[0-9]{1,5})?")


def host_of(header: str) -> str:
    """The name or address of a `Host` header, in small letters and without its port; "" when it is none."""
    found = _HOST.fullmatch(header.strip())
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def is_loopback(host: str) -> bool:
    """The name or address leads to this machine and no further."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def is_listed(host: str, listed: Iterable[str]) -> bool:
    """The name, or the address, is one of those: `example.org`, `*.example.org`, `10.0.0.7`, `10.0.0.0/8`."""
    address = _address(host)
    for one in listed:
        if one == (host if address is None else str(address)) or (
            one.startswith("*.") and host.endswith(one[1:]) and host != one[2:]
        ):
            return True
        if address is not None and "/" in one and address in ipaddress.ip_network(one):
            return True
    return False


def is_one_label(host: str) -> bool:
    """A name without a dot, which means something else in every network; "" is one, too."""
    return "." not in host and _address(host) is None


def clean_host(text: str) -> str:
    """What may stand in a list of hosts. Raises ValueError."""
    entry = text.strip().rstrip(".").lower()
    if "/" in entry:
        return str(ipaddress.ip_network(entry))
    address = _address(entry)
    if address is not None:
        return str(address)
    name = entry.removeprefix("*.")
    if host_of(name) != name or "*" in name:
        raise ValueError(
            f"{text!r} is no name (without a port), address or network such as example.org, *.example.org or 10.0.0.0/8"
        )
    return entry


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    return _read(name) if len(name) <= _LONGEST else None


@lru_cache(
    maxsize=512
)  # every request asks for its own address and the one it was sent to, and they are the same few
def _read(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
