"""Keeping a long conversation inside its window: counting, compaction, truncation. Usable without the rest."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.context.compaction import CompactionResult, compact
    from recollect.context.compaction_options import Hooks, Sources, Thresholds
    from recollect.context.counting import Counter
    from recollect.context.fitting import Fit, fit
    from recollect.context.model_summary import ModelSummariser
    from recollect.context.pipeline import RequestPipeline
    from recollect.context.processor import CompactionProcessor
    from recollect.context.truncation import BasicTruncator

_PLACES = {
    "BasicTruncator": "truncation",
    "CompactionProcessor": "processor",
    "CompactionResult": "compaction",
    "Counter": "counting",
    "Fit": "fitting",
    "Hooks": "compaction_options",
    "ModelSummariser": "model_summary",
    "RequestPipeline": "pipeline",
    "Sources": "compaction_options",
    "Thresholds": "compaction_options",
    "compact": "compaction",
    "fit": "fitting",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for, when it is asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


__all__ = [
    "BasicTruncator",
    "CompactionProcessor",
    "CompactionResult",
    "Counter",
    "Fit",
    "Hooks",
    "ModelSummariser",
    "RequestPipeline",
    "Sources",
    "Thresholds",
    "compact",
    "fit",
]
