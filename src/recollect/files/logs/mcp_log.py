"""The log of MCP servers: lines in the home, without secrets, small enough to be read. Nothing of it goes to stdout."""

from __future__ import annotations

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler

from recollect.files.writing import NO_LINKS
from recollect.text.clean import clean

NAME = "mcp.log"
MOST_BYTES = 1_000_000


class _Private(RotatingFileHandler):
    """A file for its owner's eyes; a disk that is full takes the line, not the server."""

    def _open(self) -> TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_LINKS, 0o600)
        return TextIOWrapper(os.fdopen(handle, "ab"), encoding="utf-8", errors="replace", line_buffering=True)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 the name is the standard library's
        """Say nothing: stderr belongs to the host."""


class _WithoutSecrets(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return clean(super().format(record))


def log_to(folder: str) -> None:
    """From now on what anybody in this process logs goes to the file; nowhere, when that cannot be opened."""
    handler: logging.Handler
    try:
        handler = _Private(os.path.join(folder, NAME), maxBytes=MOST_BYTES, backupCount=1, delay=True)
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(_WithoutSecrets(f"%(asctime)s {os.getpid()} %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("recollect").setLevel(logging.INFO)
