"""Answer near: what a process that is there anyway does for hooks, which cannot load a model themselves.

take the socket, or wait until whoever has it is gone -> load the model -> give facts their vectors -> answer"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from recollect.errors import RecollectError, StoreError
from recollect.files.near_listener import Listener
from recollect.flows.turns.near_entries import NearEntries, fill_entry_vectors
from recollect.providers.sentences import Sentences, are_installed
from recollect.store.database import SCHEMA_VERSION, Database
from recollect.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.files.home import Home

    Load = Callable[[], Sentences | None]

AGAIN_SECONDS = 5.0  # how often a process looks whether the one that answers is gone, or the database is there
FIRST_SECONDS = 2.0  # the host waits for a server to start, and a model is half a second of work
IDLE_SECONDS = 1.0  # without a question: time to give new facts their vectors


def answer_in_background(home: Home) -> None:
    """Answer hooks from a thread of its own, as long as this process is there; without the extra nothing happens."""
    if os.name == "posix" and are_installed():
        threading.Thread(target=_answer_soon, args=(home,), name="recollect-near", daemon=True).start()


def _answer_soon(home: Home) -> None:
    time.sleep(FIRST_SECONDS)
    answer_near(home)


def answer_near(home: Home, *, stop: threading.Event | None = None, load: Load = Sentences.load) -> None:
    """Be the one who answers, whenever nobody else is, until told to stop."""
    stop = stop or threading.Event()
    while not stop.is_set():
        with Listener(home.near_socket) as listener:
            try:
                is_ours = listener.take()
            except OSError:
                return  # the path is too long for a socket, or the disk has none: hooks do without
            try:
                if is_ours:
                    _serve(listener, home, stop, load)
            except RecollectError:
                pass  # locked for long, or not migrated yet: another time
        stop.wait(AGAIN_SECONDS)


def _serve(listener: Listener, home: Home, stop: threading.Event, load: Load) -> None:
    store = _opened(home)
    try:
        sentences = load()
        if sentences is None:
            raise StoreError("The extra is not installed any more.")
        entries = NearEntries(store, sentences)
        filled = -1  # the version of the index at which every fact had its vector
        while not stop.is_set():
            version = store.index.version()
            # One fact between two questions: a hook does not wait for long.
            if version != filled and not fill_entry_vectors(store, sentences, most=1):
                filled = version
            listener.answer_one(entries.nearness, wait_seconds=IDLE_SECONDS if version == filled else 0.0)
    finally:
        store.close()


def _opened(home: Home) -> Store:
    if not os.path.exists(home.database):
        raise StoreError("There is no database yet.")
    database = Database(home.database)
    if database.schema_version() != SCHEMA_VERSION:
        raise StoreError("The database has another version.")
    return Store(database)
