"""Static word vectors, from the extra `recollect[semantic]`: what was typed as one vector each, near in meaning.

WordLlama's vectors come inside its package; its two files are read as they are, because its own loader looks for its
tokenizer on the network. Nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from recollect.text.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

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

    def nearness(self, text: str, *, store: Store) -> dict[int, float]:
        """How near each turn is in meaning, from 0 (the mean of all turns) to 1 (the nearest)."""
        import numpy

        [asked] = self.embed([text])
        rows, data = store.sessions.vectors.all()
        if not asked or not rows:
            return {}
        every = numpy.frombuffer(data, dtype=numpy.int8).reshape(len(rows), -1).astype(numpy.float32)
        every /= numpy.linalg.norm(every, axis=1, keepdims=True)
        query = numpy.frombuffer(asked, dtype=numpy.int8).astype(numpy.float32)
        query /= numpy.linalg.norm(query)
        # What all turns have in common tells nothing.
        centre = every.mean(axis=0)
        every -= centre
        query = query - centre
        lengths = numpy.linalg.norm(every, axis=1) * max(float(numpy.linalg.norm(query)), 1e-9)
        near = (every @ query) / numpy.maximum(lengths, 1e-9)
        near -= near.mean()
        near = numpy.maximum(near, 0.0) / max(float(near.max()), 1e-9)
        return dict(zip(rows, near.tolist(), strict=True))


def fill_vectors(store: Store, vectors: Vectors) -> int:
    """Give every turn that has none its vector, inside a write(); returns how many."""
    filled = 0
    while True:
        missing = store.sessions.vectors.missing(BATCH)
        if not missing:
            return filled
        found = vectors.embed([text for _, text in missing])
        store.sessions.vectors.save([(row, data) for (row, _), data in zip(missing, found, strict=True)])
        filled += len(missing)


def _words(text: str) -> str:
    text = text[:LONGEST_TEXT]
    return " ".join([word for word in _WORD.findall(text) if word.lower() not in STOPWORDS]) or text


def _package_folder(name: str) -> str:
    """Where a package lies; importing it would load far more than its two files."""
    from importlib.util import find_spec

    found = find_spec(name)
    return os.path.dirname(found.origin) if found is not None and found.origin else ""
