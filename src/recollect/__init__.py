"""One local memory for every coding agent you use."""

from recollect.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app import Recollect

__all__ = ["Recollect", "__version__"]


def __getattr__(name: str) -> object:
    # Lazy: the hook imports this package at every turn of every user.
    if name == "Recollect":
        from recollect.app import Recollect

        return Recollect
    raise AttributeError(f"module 'recollect' has no attribute {name!r}")
