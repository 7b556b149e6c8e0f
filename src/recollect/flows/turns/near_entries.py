"""How near in meaning entries are to a prompt, for a process that is there long enough to have loaded the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.model.recall import Nearness
from recollect.providers.sentences import LONGEST_PROMPT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.providers.sentences import Sentences
    from recollect.store.store import Store

BATCH = 16  # entries, which take about a third of a second
FEWEST = 3  # of fewer entries nothing can be said about how near one is


class NearEntries:
    """The facts of a store as vectors, held until there are others. For one thread."""

    def __init__(self, store: Store, sentences: Sentences) -> None:
        self._store = store
        self._sentences = sentences
        self._state: tuple[int, ...] = ()
        self._places: dict[str, int] = {}
        self._repositories: list[str] = []
        self._vectors: Any = None

    def nearness(self, text: str, repositories: Sequence[str], entry_ids: Sequence[str]) -> Nearness | None:
        """How near these entries are, and how near those of these repositories are at all; None where few are known."""
        import numpy

        self._look()
        wanted = set(repositories)
        here = [place for place, repository in enumerate(self._repositories) if repository in wanted]
        if len(here) < FEWEST:
            return None
        [asked] = self._sentences.embed([text], limit_tokens=LONGEST_PROMPT)
        every = self._vectors @ _unit(numpy.frombuffer(asked, dtype=numpy.int8).reshape(1, -1))[0]
        near = every[here]
        second, best = numpy.sort(near)[-2:].tolist()
        known = [(entry_id, self._places[entry_id]) for entry_id in entry_ids if entry_id in self._places]
        cosines = {entry_id: float(every[place]) for entry_id, place in known}
        return Nearness(cosines, float(near.mean()), float(near.std()), best, second)

    def _look(self) -> None:
        """See what is there, if that is something else than before."""
        import numpy

        state = (self._store.index.version(), *self._store.entry_vectors.state())
        if state == self._state:
            return
        rows = self._store.entry_vectors.all()
        self._places = {entry_id: place for place, (entry_id, _, _) in enumerate(rows)}
        self._repositories = [repository for _, repository, _ in rows]
        data = b"".join([vector for _, _, vector in rows])
        self._vectors = _unit(numpy.frombuffer(data, dtype=numpy.int8).reshape(len(rows), -1)) if rows else None
        self._state = state


def fill_entry_vectors(store: Store, sentences: Sentences, *, most: int = 100_000) -> int:
    """Give every fact that has none its vector, at most so many; returns how many."""
    filled = 0
    while filled < most:
        missing = store.entry_vectors.missing(min(BATCH, most - filled))
        if not missing:
            break
        # Outside the write: nobody waits for a model.
        found = sentences.embed([text for _, _, text in missing])
        with store.write(durable=False):
            rows = [(entry_id, key, vector) for (entry_id, key, _), vector in zip(missing, found, strict=True)]
            store.entry_vectors.save(rows)
        filled += len(missing)
    return filled


def _unit(vectors: Any) -> Any:
    import numpy

    floats = vectors.astype(numpy.float32)
    return floats / numpy.maximum(numpy.linalg.norm(floats, axis=1, keepdims=True), 1e-9)
