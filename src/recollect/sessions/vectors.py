"""Static word vectors, from the extra `recollect[semantic]`: what was typed as one vector each, near in meaning.

WordLlama's vectors come inside its package; its two files are read as they are, because its own loader looks for its
tokenizer on the network. Nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from recollect.text.language.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.turn_search import TurnKey
    from recollect.store.store import Store

WEIGHTS = ("weights", "l2_supercat_256.safetensors")
TOKENIZER = ("tokenizers", "l2_supercat_tokenizer_config.json")
LONGEST_TEXT = 4_000
BATCH = 500
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_LARGEST = 127.0


class Vectors:
    """Texts as vectors of one byte a dimension."""

    def __init__(self, table: Any, tokenizer: Any) -> None:
        self._table = table
        self._tokenizer = tokenizer
        self._kept: tuple[tuple[Any, ...], list[TurnKey], Any] | None = None

    @classmethod
    def load(cls) -> Vectors | None:
        """The vectors, or None without the extra."""
        try:
            import numpy
            from tokenizers import Tokenizer
        except ImportError:
            return None
        folder = _package_folder("wordllama")
        weights, words = (os.path.join(folder, *name) for name in (WEIGHTS, TOKENIZER))
        if not folder or not os.path.exists(weights) or not os.path.exists(words):
            return None
        with open(weights, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(size))
            [about] = [value for name, value in header.items() if name != "__metadata__"]
            file.seek(8 + size + about["data_offsets"][0])
            table = numpy.fromfile(file, dtype="<f2", count=about["shape"][0] * about["shape"][1])
        tokenizer = Tokenizer.from_file(words)
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return cls(table.reshape(about["shape"]), tokenizer)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text, of length one, stored as whole numbers; empty for a text without words."""
        import numpy

        found = []
        for encoded in self._tokenizer.encode_batch([_words(text) for text in texts], add_special_tokens=False):
            if not encoded.ids:
                found.append(b"")
                continue
            mean = self._table[encoded.ids].astype(numpy.float32).mean(axis=0)
            # Scaled by its own largest number: only the direction counts.
            scale = _LARGEST / max(float(numpy.abs(mean).max()), 1e-9)
            found.append(numpy.rint(mean * scale).astype(numpy.int8).tobytes())
        return found

    def nearness(self, text: str, *, store: Store, among: Sequence[TurnKey], closest: int) -> dict[TurnKey, float]:
        """How near these turns and the closest are in meaning, from 0 (as all in the mean) to 1 (the nearest)."""
        import numpy

        [asked] = self.embed([text])
        keys, every = self._every(store)
        if not asked or not keys:
            return {}
        query = numpy.frombuffer(asked, dtype=numpy.int8).astype(numpy.float32)
        query /= numpy.linalg.norm(query)
        # Not `@`: for one vector the threads of the linear algebra cost more than they save.
        lengths = numpy.sqrt(numpy.einsum("ij,ij->i", every, every))
        # What all turns have in common tells nothing: their centre is taken from each, without making new vectors.
        centre = numpy.einsum("i,ij->j", 1 / lengths, every) / len(keys)
        towards = query - centre
        along = numpy.einsum("ij,j->i", every, towards) / lengths - centre.dot(towards)
        common = numpy.einsum("ij,j->i", every, centre) / lengths
        apart = numpy.sqrt(numpy.maximum(1 - 2 * common + centre.dot(centre), 1e-9))
        near = along / apart
        near -= near.mean()
        near = numpy.maximum(near, 0.0) / max(float(near.max()), 1e-9)
        places = numpy.argsort(-near)[:closest].tolist()
        wanted = set(among)
        places += [place for place, key in enumerate(keys) if key in wanted]
        return {keys[place]: float(near[place]) for place in places}

    def _every(self, store: Store) -> tuple[list[TurnKey], Any]:
        """All turns and their vectors, kept until there are more: a server asks often."""
        import numpy

        state = (store.database.path, *store.sessions.vectors.state())
        if self._kept is None or self._kept[0] != state:
            keys, data = store.sessions.vectors.all()
            every = numpy.frombuffer(data, dtype=numpy.int8).reshape(len(keys), -1) if keys else numpy.zeros((0, 1))
            self._kept = (state, keys, every.astype(numpy.float32))
        return self._kept[1], self._kept[2]


def fill_vectors(store: Store, vectors: Vectors) -> int:
    """Give every turn that has none its vector, inside a write(); returns how many."""
    filled = 0
    while True:
        missing = store.sessions.vectors.missing(BATCH)
        if not missing:
            return filled
        found = vectors.embed([text for _, text in missing])
        store.sessions.vectors.save([(key, data) for (key, _), data in zip(missing, found, strict=True)])
        filled += len(missing)


def _words(text: str) -> str:
    text = text[:LONGEST_TEXT]
    return " ".join([word for word in _WORD.findall(text) if word.lower() not in STOPWORDS]) or text


def _package_folder(name: str) -> str:
    """Where a package lies; importing it would load far more than its two files."""
    from importlib.util import find_spec

    found = find_spec(name)
    return os.path.dirname(found.origin) if found is not None and found.origin else ""
