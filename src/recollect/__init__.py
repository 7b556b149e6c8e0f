"""One local memory for every coding agent you use."""

from recollect.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.flows.writes.actors import Agent

__all__ = ["Agent", "Recollect", "__version__"]


def __getattr__(name: str) -> object:
    # Lazy: the hook imports this package at every turn of every user.
    if name in ("Agent", "Recollect"):
        from recollect import app

        return getattr(app, name)
    raise AttributeError(f"module 'recollect' has no attribute {name!r}")
