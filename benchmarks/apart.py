"""A system in a process of its own: what it loads, does in threads or leaves to the garbage collector is not paid for
by another one."""

from __future__ import annotations

from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from benchmarks.measuring import Answer, timed
from benchmarks.rivals import start

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection

LONGEST_END_SECONDS = 20.0


class Failed(Exception):
    """A system did not start, or could not do what it was asked; with what it said."""


class Apart:
    """A system that was started in its own process."""

    def __init__(self, system: type[Any], folder: str, embedder: str) -> None:
        spawning = get_context("spawn")
        self._pipe, theirs = spawning.Pipe()
        self._process = spawning.Process(target=_serve, args=(theirs, system, folder, embedder))
        self._process.start()
        theirs.close()
        self._answers()

    def calls(self, name: str, arguments: Sequence[tuple[object, ...]]) -> list[Answer]:
        """Call a method of the system several times in a row; each is timed."""
        self._pipe.send((name, arguments))
        return self._answers()

    def close(self) -> None:
        """End the system and its process."""
        self._pipe.close()
        self._process.join(LONGEST_END_SECONDS)
        self._process.kill()

    def _answers(self) -> list[Answer]:
        try:
            answers: list[Answer] | Failed = self._pipe.recv()
        except EOFError:
            answers = Failed("its process ended")
        if isinstance(answers, Failed):
            raise answers
        return answers


def _serve(pipe: Connection, kind: type[Any], folder: str, embedder: str) -> None:
    """Start the system, then do what comes through the pipe until that is closed; what it cannot do, it tells."""
    system = None
    try:
        system = start(kind, folder, embedder)
        pipe.send([])
        while True:
            name, arguments = pipe.recv()
            pipe.send([timed(getattr(system, name), *one) for one in arguments])
    except EOFError:
        pass
    except Exception as error:  # noqa: BLE001 - other people's packages raise what they like
        pipe.send(Failed(f"{type(error).__name__}: {error}".splitlines()[0]))
    finally:
        if system is not None:
            system.close()
