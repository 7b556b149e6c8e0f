"""One local memory for every coding agent you use."""

from recollect.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.errors import (
        Ambiguous,
        NotFound,
        ProviderError,
        RecollectError,
        Refused,
        SettingsError,
        StoreBusy,
        StoreError,
        StoreFull,
        UsageError,
    )
    from recollect.flows.writes.actors import Agent, Person
    from recollect.model.drafts import Draft, Outcome
    from recollect.model.entries import Citation, Entry
    from recollect.model.receipts import Answer, Injection, LeftOut, Recall, Recalled, Receipt

__all__ = [
    "Agent",
    "Ambiguous",
    "Answer",
    "Citation",
    "Draft",
    "Entry",
    "Injection",
    "LeftOut",
    "NotFound",
    "Outcome",
    "Person",
    "ProviderError",
    "Recall",
    "Recalled",
    "Receipt",
    "Recollect",
    "RecollectError",
    "Refused",
    "SettingsError",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "UsageError",
    "__version__",
]

# Where else than in `errors` a name stands.
_HOMES = {
    "Agent": "flows.writes.actors",
    "Person": "flows.writes.actors",
    "Recollect": "app",
    "Draft": "model.drafts",
    "Outcome": "model.drafts",
    "Citation": "model.entries",
    "Entry": "model.entries",
    "Answer": "model.receipts",
    "Injection": "model.receipts",
    "LeftOut": "model.receipts",
    "Recall": "model.receipts",
    "Recalled": "model.receipts",
    "Receipt": "model.receipts",
}


def __getattr__(name: str) -> object:
    # Lazy: the hook imports this package at every turn of every user.
    if name not in __all__:
        raise AttributeError(f"module 'recollect' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"recollect.{_HOMES.get(name, 'errors')}"), name)
