"""A back end for Anthropic's memory tool (`memory_20250818`): its /memories are entries of Recollect.

What the model writes there is an agent's write: permissions hold, secrets are taken out, a person sees it
(`recollect list --tag shelved`), recall finds it and `recollect undo` takes it back. Results and errors read as those
of the tool's own back end, which is what models were taught.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from recollect.adapters.missing import missing
from recollect.errors import RecollectError
from recollect.flows.shelves.memory_files import ROOT, normal
from recollect.model.drafts import Outcome

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ImportError as error:
    raise missing("anthropic", error) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from recollect.app import Recollect
    from recollect.flows.shelves.memory_files import MemoryFiles
    from recollect.model.entries import Scope
    from recollect.ports import Ask

MOST_LINES = 999_999
NUMBER_WIDTH = len(str(MOST_LINES))
LEVELS = 2
FOLDER_SIZE = "4K"
SIZES = "BKMG"
SNIPPET_LINES = 2


class RecollectMemoryTool(BetaAbstractMemoryTool):
    """Pass it to `client.beta.messages.tool_runner(tools=[...])`. `ask` is called before a risky write is done."""

    def __init__(
        self,
        memory: Recollect,
        *,
        client: str = "",
        session: str = "",
        scope: Scope | None = None,
        ask: Ask | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._commands = _Commands(memory.shelves.memory_files(client=client, session=session, scope=scope, ask=ask))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return _answered(self._commands.view, command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return _answered(self._commands.create, command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return _answered(self._commands.str_replace, command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return _answered(self._commands.insert, command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return _answered(self._commands.delete, command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return _answered(self._commands.rename, command)

    def clear_all_memory(self) -> str:
        return _answered(self._commands.clear, None)


class AsyncRecollectMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`: the work is done beside the event loop."""

    def __init__(
        self,
        memory: Recollect,
        *,
        client: str = "",
        session: str = "",
        scope: Scope | None = None,
        ask: Ask | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._commands = _Commands(memory.shelves.memory_files(client=client, session=session, scope=scope, ask=ask))

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await asyncio.to_thread(_answered, self._commands.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await asyncio.to_thread(_answered, self._commands.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await asyncio.to_thread(_answered, self._commands.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await asyncio.to_thread(_answered, self._commands.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await asyncio.to_thread(_answered, self._commands.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await asyncio.to_thread(_answered, self._commands.rename, command)

    async def clear_all_memory(self) -> str:
        return await asyncio.to_thread(_answered, self._commands.clear, None)


class _Commands:
    """What each command does and says."""

    def __init__(self, files: MemoryFiles) -> None:
        self._files = files

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        path = normal(command.path)
        text = self._files.text(path)
        if text is not None:
            return _numbered(command.path, text, command.view_range)
        listed = _listed(path, self._files.files())
        if path != ROOT and not listed:
            raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
        lines = [f"{FOLDER_SIZE}\t{command.path}", *(f"{size}\t{command.path}/{name}" for size, name in listed)]
        deep = (
            f"Here're the files and directories up to {LEVELS} levels deep in {command.path}, excluding hidden items:"
        )
        return "\n".join([deep, *lines])

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        path, text = normal(command.path), _text(command.file_text, "file_text")
        files = self._files.files()
        if path == ROOT or path in files or _under(path, files):
            raise ToolError(f"File {command.path} already exists")
        self._require_folders(path, files)
        _done(self._files.create(path, text))
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        path = self._file(command.path)
        old, new = _text(command.old_str, "old_str"), _text(command.new_str, "new_str")
        after, changed_line = "", 0

        def replaced(text: str | None) -> str:
            nonlocal after, changed_line
            if text is None:
                raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
            places = _places(text, old)
            if not places:
                raise ToolError(
                    f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}."
                )
            if text.count(old) > 1:
                lines = ", ".join(str(_line_at(text, place)) for place in places)
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                    "Please ensure it is unique"
                )
            after, changed_line = text.replace(old, new), _line_at(text, places[0])
            return after

        _done(self._files.rewrite(path, replaced))
        shown = self._files.text(path)
        lines = (after if shown is None else shown).split("\n")
        first = max(changed_line - 1 - SNIPPET_LINES, 0)
        snippet = _with_numbers(lines[first : changed_line + SNIPPET_LINES], first + 1)
        return (
            f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        path, new = self._file(command.path), _text(command.insert_text, "insert_text")
        at = command.insert_line
        if isinstance(at, bool) or not isinstance(at, int):
            raise ToolError("Invalid `insert_line` parameter: it is a number.")

        def inserted(text: str | None) -> str:
            if text is None:
                raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
            lines = text.split("\n")
            if lines[-1] == "":
                lines.pop()
            if not 0 <= at <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {at}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(at, new.rstrip("\n"))
            whole = "\n".join(lines)
            return whole if whole.endswith("\n") else whole + "\n"

        _done(self._files.rewrite(path, inserted))
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        path = normal(command.path)
        if path == ROOT:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")
        files = self._files.files()
        gone = [path] if path in files else _under(path, files)
        if not gone:
            raise ToolError(f"The path {command.path} does not exist")
        _done(self._files.delete(gone))
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = normal(command.old_path), normal(command.new_path)
        files = self._files.files()
        if old == ROOT:
            raise ToolError(f"Cannot rename the {ROOT} directory itself")
        if new == ROOT or new in files or _under(new, files):
            raise ToolError(f"The destination {command.new_path} already exists")
        moved = [old] if old in files else _under(old, files)
        if not moved:
            raise ToolError(f"The path {command.old_path} does not exist")
        if new.startswith(old + "/"):
            raise ToolError(f"Cannot move {command.old_path} into itself")
        self._require_folders(new, files)
        _done(self._files.rename([(path, new + path.removeprefix(old)) for path in moved]))
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear(self, _: None) -> str:
        own = self._files.own()
        if own:
            _done(self._files.delete(own))
        return "All memory cleared"

    def _file(self, given: str) -> str:
        path = normal(given)
        if self._files.text(path) is None:
            if path == ROOT or _under(path, self._files.files()):
                raise ToolError(f"The path {given} is not a file.")
            raise ToolError(f"The path {given} does not exist. Please provide a valid path.")
        return path

    def _require_folders(self, path: str, files: Mapping[str, str]) -> None:
        above = path
        while (above := above.rpartition("/")[0]) and above != ROOT:
            if above in files:
                raise ToolError(f"The path {above} is a file, not a directory.")


def _answered(command: Callable[[Any], str], given: Any) -> str:
    """The result of a command; what goes wrong is told to the model in one sentence."""
    try:
        return command(given)
    except AttributeError as error:
        raise ToolError(f"The command is incomplete: {error}") from error
    except RecollectError as error:
        raise ToolError(str(error)) from error


def _done(outcome: Outcome) -> None:
    if not outcome.is_done:
        raise ToolError(outcome.why or f"Nothing was written ({outcome.status}).")


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ToolError(f"The command is incomplete: {name} is a text.")
    return value


def _under(folder: str, files: Mapping[str, str]) -> list[str]:
    return [path for path in files if path.startswith(folder + "/")]


def _listed(folder: str, files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Sizes and names below a folder: two levels, by name, without what is hidden."""
    found: dict[tuple[str, ...], str] = {}
    for path in _under(folder, files):
        parts = path.removeprefix(folder + "/").split("/")
        if any(part.startswith(".") for part in parts[:LEVELS]):
            continue
        for depth in range(1, min(len(parts), LEVELS + 1)):
            found[tuple(parts[:depth])] = FOLDER_SIZE
        if len(parts) <= LEVELS:
            found[tuple(parts)] = _size(len(files[path].encode("utf-8", "replace")))
    folders = {parts[:-1] for parts in found} | {
        tuple(path.removeprefix(folder + "/").split("/")[:LEVELS])
        for path in _under(folder, files)
        if path.removeprefix(folder + "/").count("/") >= LEVELS
    }
    return [(size, "/".join(parts) + ("/" if parts in folders else "")) for parts, size in sorted(found.items())]


def _size(size_bytes: int) -> str:
    power = min(max(size_bytes.bit_length() - 1, 0) // 10, len(SIZES) - 1)
    size = size_bytes / 1024**power
    return f"{size:.0f}{SIZES[power]}" if size == int(size) else f"{size:.1f}{SIZES[power]}"


def _numbered(path: str, text: str, view_range: list[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise ToolError(f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.")
    first = 0
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0]) - 1
        lines = lines[first : len(lines) if view_range[1] == -1 else view_range[1]]
    return f"Here's the content of {path} with line numbers:\n{_with_numbers(lines, first + 1)}"


def _with_numbers(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>{NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _places(text: str, wanted: str) -> list[int]:
    places, start = [], 0
    while (place := text.find(wanted, start)) != -1 and place < len(text):
        places.append(place)
        start = place + 1
    return places


def _line_at(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
