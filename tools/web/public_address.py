"""Which addresses are of the public internet: all others are somebody's own, or this machine's."""

import ipaddress

_NEVER_4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # a cloud's own service, at a public address
    )
)
# Of IPv6 only what is given out: so no mapped, translated (64:ff9b::), local or multicast address.
_GIVEN_OUT_6 = ipaddress.IPv6Network("2000::/3")
_NEVER_6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # Teredo and other tunnels
        "2001:db8::/32",
        "2002::/16",  # 6to4: holds an IPv4 address
        "3fff::/20",
    )
)


def is_public(address: str) -> bool:
    """Of what is no address, not."""
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(read, ipaddress.IPv4Address):
        return read.is_global and not any(read in network for network in _NEVER_4)
    return (
        read.scope_id is None
        and read.is_global
        and read in _GIVEN_OUT_6
        and not any(read in network for network in _NEVER_6)
    )
