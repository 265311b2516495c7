"""Python runs this at its start when the folder is on PYTHONPATH: other hosts are refused.

Every attempt is appended to the file named by OUTSIDE_LOG, also when the code that made it
swallows the refusal. Child processes inherit all of it.
"""

import ipaddress
import os
import sys


def _is_local(host):
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    text = host.decode(errors="replace") if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _refuse_outside(event, args):
    if event in ("socket.connect", "socket.sendto"):
        if not isinstance(args[1], tuple):
            return  # a Unix socket
        host = args[1][0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0]
    else:
        return
    if _is_local(host):
        return
    with open(os.environ["OUTSIDE_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{event} {host!r} by {sys.argv}\n")
    raise OSError(f"refused: {event} {host!r}")


if "OUTSIDE_LOG" in os.environ:
    sys.addaudithook(_refuse_outside)
