"""Everything out, everything back: as one document, as JSON or Markdown, with the settings of the user's own file."""

from __future__ import annotations

from recollect.files.config import set_value
from recollect.flows.views.exporting import WantedSettings, export, load, read_document, without_known
from recollect.memory.bounds import LARGEST_FILE_BYTES
from recollect.memory.exports import parse, to_json, to_markdown
from recollect.memory.trust import claims, comes_unasked
from recollect.settings import coerce, require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recollect.flows.opened import Opened
    from recollect.flows.views.exporting import Loaded
    from recollect.memory.trust import Claims
    from recollect.settings_rows import Row, Value

    Grant = Callable[[Row, Value], bool]  # may a file set this?


def nobody_grants(row: Row, value: Value) -> bool:
    """Nobody is asked, so nothing is granted."""
    return False


class Transfer:
    """Moves a whole memory."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        memory.take_in()

    def export(self) -> dict[str, Any]:
        """Everything, as one JSON document."""
        return export(self._memory.store, settings=self.own_settings())

    def claims(self, document: dict[str, Any]) -> Claims:
        """What in this export is new here and would count as the person's own; UsageError when it is no export, or too
        large."""
        return claims(without_known(read_document(document), self._memory.store))

    def load(self, document: dict[str, Any], *, mine: bool = True, grant: Grant = nobody_grants) -> Loaded:
        """Bring an export back; what is here already stays as it is. One that is not the person's own brings what a
        document says. Settings that permit, name, run or say something are set only where `grant` says so."""

        def settings(found: dict[str, Any], is_own: bool) -> WantedSettings:
            return self._wanted(found, is_own, grant)

        loaded = load(document, self._memory.writer("user"), settings=settings, mine=mine)
        for name, value in loaded.settings.items():
            set_value(self._memory.home.config, name, value)
        return loaded

    def _wanted(self, found: dict[str, Any], is_own: bool, grant: Grant) -> WantedSettings:
        here, own = self._memory.settings, self.own_settings()
        rows = [require(name) for name in found]
        checked = [(row, coerce(row, value)) for row, value in zip(rows, found.values(), strict=True)]
        set_here: dict[str, Value] = {}
        left_out: dict[str, Value] = {}
        for row, value in checked:
            if row.name in own or value == here.get(row.name):
                continue
            granted = comes_unasked(row, value, here.get(row.name), mine=is_own) or grant(row, value)
            (set_here if granted else left_out)[row.name] = value
        return WantedSettings(set_here, left_out)

    def own_settings(self) -> dict[str, Value]:
        """What the user's own file sets."""
        settings, own = self._memory.settings, self._memory.home.config
        return {name: settings.get(name) for name, origin in dict(settings.origins).items() if origin.startswith(own)}


def as_text(document: dict[str, Any], form: str) -> str:
    """An export as the text of a file: json or markdown."""
    return to_markdown(document) if form == "markdown" else to_json(document)


def as_document(text: str) -> dict[str, Any]:
    """The export in the text of a file, whichever form it has; UsageError when it is none, or not whole."""
    return parse(text)


__all__ = ["LARGEST_FILE_BYTES", "Transfer", "as_document", "as_text", "nobody_grants"]
