"""The right to say that words were typed at our own terminal."""

from __future__ import annotations


class Terminal:
    """What a door shows when it records words that a person typed to it; only such words count as typed.

    Only doors make one (a contract says so), and only where they have read the words from a person's keyboard: neither
    `Recollect` nor an adapter has one to pass on. It is a promise between our own parts, not a lock: whoever can write
    to the folder of a session, load an export or import this module can set the mark too. Whether a log was edited by
    hand, or copied from somewhere else before it was imported, cannot be known.
    """
