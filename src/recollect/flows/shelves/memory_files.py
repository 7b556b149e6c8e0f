"""The files that a model keeps under /memories. Each is kept as passages, and every passage is an entry.

So a person sees them in `recollect list`, recall finds them, secrets are taken out, undo takes them back, and a
correction of what a file says is what the model reads there next. Beside them `/memories/recollect/` shows, for reading
alone, what else is remembered here.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from recollect.errors import OutsideRoot, Refused
from recollect.flows.shelves.change_texts import CHANGED, Sheet, TextChange, fingerprint
from recollect.memory.passages import divide, join, passage_number
from recollect.model.drafts import Outcome
from recollect.text.rendering import entry_line
from recollect.text.secrets.redacting import redact
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from recollect.flows.shelves.shelf import Shelf
    from recollect.flows.writes.agent_writes import AgentWrites
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored

ROOT = "/memories"
SHOWN = f"{ROOT}/recollect"  # what is shown there is not written through
LONGEST_PATH = 120
LONGEST_FILE = 200_000
MOST_TRIES = 5
MOST_SHOWN = 4_000  # of a text that a person is asked about
_ENCODED = re.compile(r"%(2e|2f|5c|00|25)", re.IGNORECASE)


class MemoryFiles:
    """The files of one repository, or of the user. Writes go through what an agent may do."""

    def __init__(self, shelf: Shelf, agent: AgentWrites, shown: Callable[[], Mapping[str, str]]) -> None:
        self._shelf = shelf
        self._agent = agent
        self._shown = shown

    # -- reading

    def files(self) -> dict[str, str]:
        """Every file with its text, by path, sorted; those for reading alone too."""
        found: dict[str, list[Stored]] = {}
        for stored in self._shelf.under(ROOT + "/"):
            found.setdefault(stored.entry.subject, []).append(stored)
        texts = {path: join([one.entry.content for one in _in_order(some)]) for path, some in found.items()}
        shown = {f"{SHOWN}/{name}": text for name, text in self._shown().items() if text}
        return dict(sorted({**texts, **shown}.items()))

    def text(self, path: str) -> str | None:
        """The text of a file; None when there is none."""
        if is_shown(path):
            return self._shown().get(path.removeprefix(SHOWN + "/")) or None
        found = self._shelf.at(path)
        return join([one.entry.content for one in found]) if found else None

    def own(self) -> list[str]:
        """The paths of the files that can be written."""
        return [path for path in self.files() if not is_shown(path)]

    # -- writing

    def create(self, path: str, text: str) -> Outcome:
        """A new file; refused where one is."""
        if self.text(path) is not None:
            return Outcome("refused", why=CHANGED)
        return self._write(path, None, text)

    def rewrite(self, path: str, change: Callable[[str | None], str]) -> Outcome:
        """Put what `change` makes of a file in its place; made anew when somebody else was faster."""
        for _ in range(MOST_TRIES):
            before = self.text(path)
            outcome = self._write(path, before, change(before))
            if outcome != Outcome("refused", why=CHANGED):
                return outcome
        return outcome

    def delete(self, paths: Sequence[str]) -> Outcome:
        """Take files away, as one change."""
        _require_writable(*paths)
        before = {path: self.text(path) for path in paths}
        gone = [stored.entry for path in paths for stored in self._shelf.at(path)]
        change = TextChange(
            self._shelf.place,
            sheets=tuple(Sheet(path, ()) for path in paths),
            before=_fingerprints(before),
            what=f"delete {', '.join(paths)}",
            status="removed",
        )
        return self._agent.write_text(change, [], gone)

    def rename(self, moves: Sequence[tuple[str, str]]) -> Outcome:
        """Give files other paths, as one change."""
        _require_writable(*(path for pair in moves for path in pair))
        before = {path: self.text(path) for pair in moves for path in pair}
        what = f"rename {', '.join(f'{old} to {new}' for old, new in moves)}"
        change = TextChange(self._shelf.place, moves=tuple(moves), before=_fingerprints(before), what=what)
        return self._agent.write_text(change, [], [])

    def _write(self, path: str, before: str | None, text: str) -> Outcome:
        _require_writable(path)
        # Whole, before it is divided: a key may run over many lines.
        text = redact("\r".join(map(visible, text.split("\r"))))  # a file keeps its line ends
        if len(text) > LONGEST_FILE:
            raise Refused(f"A memory file may have at most {LONGEST_FILE:,} characters, this would have {len(text):,}.")
        passages = divide(text)
        stood = [stored.entry for stored in self._shelf.at(path)]
        new = [passage for passage in passages if passage not in {entry.content for entry in stood}]
        change = TextChange(
            self._shelf.place,
            sheets=(Sheet(path, passages),),
            before=_fingerprints({path: before}),
            what=_in_words(path, new),
            status="stored" if before is None else "updated",
        )
        return self._agent.write_text(change, new, _replaced(stood, passages))


def normal(path: object) -> str:
    """The path as it is kept: below /memories and nowhere else. Raises OutsideRoot."""
    if not isinstance(path, str) or not (path == ROOT or path.startswith(ROOT + "/")):
        raise OutsideRoot(f"Path must start with {ROOT}, got: {path}")
    if _ENCODED.search(path) or "\\" in path or unquote(path).startswith("//"):
        raise OutsideRoot(f"Path {path} would escape {ROOT} directory")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in path):
        raise OutsideRoot("A path may not contain control characters.")
    if visible(path) != path:
        raise OutsideRoot("A path may not contain invisible characters.")
    parts = [part for part in unicodedata.normalize("NFC", path).split("/") if part not in ("", ".")]
    if ".." in parts:
        raise OutsideRoot(f"Path {path} would escape {ROOT} directory")
    found = "/" + "/".join(" ".join(part.split()) for part in parts)
    if len(found) > LONGEST_PATH:
        raise OutsideRoot(f"A path may have at most {LONGEST_PATH} characters, this has {len(found)}.")
    return found


def is_shown(path: str) -> bool:
    """Is it for reading alone?"""
    return path == SHOWN or path.startswith(SHOWN + "/")


def overview(profile: str, entries: Iterable[Entry], *, limit_characters: int) -> dict[str, str]:
    """What else is remembered, as files: the profile, and the entries as far as there is room, the newest first."""
    lines: list[str] = []
    for entry in entries:
        line = entry_line(entry) + "\n"
        if sum(map(len, lines)) + len(line) > limit_characters:
            break
        if not passage_number(entry.tags):
            lines.append(line)
    return {"profile.md": profile, "knowledge.md": "".join(lines)}


def _require_writable(*paths: str) -> None:
    for path in paths:
        if is_shown(path):
            raise Refused(f"{path} shows what is remembered elsewhere and cannot be changed here.")


def _replaced(stood: Sequence[Entry], passages: Sequence[str]) -> list[Entry]:
    """The passages of a person that would no longer be there word for word; a model's own notes are its to change."""
    text = join(passages)
    return [entry for entry in stood if entry.content.strip() not in text]


def _in_words(path: str, new: Sequence[str]) -> str:
    text = "".join(new).strip()
    more = f" (and {len(text) - MOST_SHOWN:,} more characters)" if len(text) > MOST_SHOWN else ""
    return f"{path}: {text[:MOST_SHOWN]}{more}" if text else f"take lines out of {path}"


def _in_order(passages: Sequence[Stored]) -> list[Stored]:
    return sorted(passages, key=lambda one: passage_number(one.entry.tags))


def _fingerprints(texts: Mapping[str, str | None]) -> tuple[tuple[str, str], ...]:
    return tuple((path, fingerprint(text)) for path, text in texts.items())
