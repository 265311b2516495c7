"""Addresses, keys and headers of services: what may be sent, and to whom."""

import ipaddress
from urllib.parse import urlsplit

from core.errors import ConfigurationError

SENT_HEADERS = frozenset(
    {
        *("accept", "accept-encoding", "authorization", "connection"),
        *("content-length", "content-type", "host", "user-agent"),
    }
)
"""What a request may say; client libraries add more about this machine and its environment."""
USER_AGENT = "pdf-learning-assistant"


def host_of(base_url: str, *, setting: str) -> str:
    """Return the host of an address. Raises `ConfigurationError`, which names `setting`."""
    try:
        parts = urlsplit(base_url)
        host = parts.hostname
    except ValueError as exc:
        raise ConfigurationError(f"{setting} is not an address.") from exc
    if parts.scheme not in ("http", "https") or not host:
        raise ConfigurationError(f"{setting} must begin with http:// or https:// and name a host.")
    return host


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine. A proxy of the environment is never for it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def checked_key(key: str | None, *, setting: str) -> str | None:
    """Return the key without spaces around it, None for an empty one.

    Raises `ConfigurationError`, which names `setting`, when it holds what no key has.
    """
    key = (key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError(
            f"{setting} holds characters that no key has.", remedy="Copy the key again."
        )
    return key or None


def hide(exc: BaseException, key: str | None) -> None:
    """Take the key out of the words of an exception: a server may repeat it, and logs show them."""
    if key and key in str(exc):
        exc.args = tuple(str(arg).replace(key, "***") for arg in exc.args)
