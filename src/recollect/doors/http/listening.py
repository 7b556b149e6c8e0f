"""The socket of a server."""

from __future__ import annotations

import socket

from recollect.errors import Refused

BACKLOG = 512


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; 0 picks a free port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)  # before anybody is told: who calls at once has to wait, not to fail
    except OSError as error:
        listening.close()
        raise Refused(f"Cannot listen on {host}:{port}: {error.strerror}; choose another --port.") from error
    return listening
