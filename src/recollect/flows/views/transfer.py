"""Everything out, everything back: as one document, as JSON or Markdown, with the settings of the user's own file."""

from __future__ import annotations

from recollect.files.config import set_value
from recollect.flows.views.exporting import export, load
from recollect.memory.exports import parse, to_json, to_markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.flows.opened import Opened
    from recollect.flows.views.exporting import Loaded
    from recollect.settings_table import Value


class Transfer:
    """Moves a whole memory."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        memory.take_in()

    def export(self) -> dict[str, Any]:
        """Everything, as one JSON document."""
        return export(self._memory.store, settings=self.own_settings())

    def load(self, document: dict[str, Any]) -> Loaded:
        """Bring an export back; what is here already stays as it is."""
        memory = self._memory
        loaded = load(document, memory.writer("user"), own_settings=self.own_settings())
        for name, value in loaded.settings.items():
            set_value(memory.home.config, name, value)
        return loaded

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
