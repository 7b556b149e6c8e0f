"""Standard output and standard error that outlive their reader."""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from _typeshed import ReadableBuffer


class LastingFile(io.FileIO):
    """An open file; once nobody reads the other end of its pipe, the rest goes nowhere."""

    instead_of: TextIO  # kept, for its end may close the file

    def write(self, content: ReadableBuffer) -> int:
        """Write as usual; without a reader, as if all of it had been written."""
        try:
            return super().write(content)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return super().write(content)


def let_readers_leave() -> None:
    """A command does its work even if nobody reads what it says: `recollect install all --yes | head -3` installs."""
    sys.stdout, sys.stderr = _lasting(sys.stdout), _lasting(sys.stderr)


def _lasting(stream: TextIO) -> TextIO:
    """The stream over a file that lasts; as it is where it leads to a terminal or was replaced by a program."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)  # with `python -u` there is no buffer between
    if type(raw) is not io.FileIO or stream.isatty():
        return stream
    stream.flush()
    lasting = LastingFile(raw.fileno(), "wb", closefd=False)
    lasting.instead_of = stream
    return io.TextIOWrapper(
        lasting if raw is buffer else io.BufferedWriter(lasting),
        encoding=stream.encoding,
        errors="replace",
        line_buffering=bool(getattr(stream, "line_buffering", False)),
        write_through=bool(getattr(stream, "write_through", False)),
    )
