"""Whether an address leads no further than this machine."""

import ipaddress


def is_loopback(host: str) -> bool:
    """The name or address leads to this machine and no further."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
