"""What a hook loads as one file of bytecode: Python looks for a module in several places, and a hook has sixty of them.

The file counts only while it is true: made by this very interpreter, and every source has the time and the size it had.
Otherwise, and for every module that is not in it, Python's own way is taken."""

from __future__ import annotations

import os
import sys
from marshal import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    Modules = dict[str, tuple[str, bool, bytes]]  # by name: source, is it a package, code
    Stamps = list[tuple[str, int, int]]

NAME = "recollect-hook.modules"
# What answers prompts, session starts and ends; what these import comes along.
ROOTS = (
    "doors.hook", "doors.hook_crowd", "files.artifacts", "files.logs.hook_log", "files.near_socket", "files.spool",
    "files.worker_process",
    "flows.board.show_board", "flows.sidekicks.leave_message", "flows.sidekicks.tell", "store.board",
    "flows.hooks.note_session_end", "flows.opened", "flows.turns.keep_receipt", "flows.turns.session_start",
    "flows.turns.turn",
    "hosts.claude_code.wire", "hosts.cline.wire", "hosts.codex.wire", "hosts.copilot_cli.wire", "hosts.cursor.wire",
    "hosts.gemini_cli.wire", "hosts.goose.wire", "hosts.opencode.wire", "hosts.pi.wire", "hosts.vscode.wire",
    "memory.checking", "store.candidates", "store.citation_checks", "store.conflicts", "store.jobs", "store.staged",
    "store.tasks", "text.language.lexicon",
)  # fmt: skip


class Bundle:
    """A finder and loader of the modules in a bundle."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Where the module is, when it is here."""
        found = self._modules.get(name)
        if found is None:
            return None
        spec: ModuleSpec = type(sys.__spec__)(name, self, origin=found[0], is_package=found[1])  # type: ignore[arg-type]
        if found[1]:
            spec.submodule_search_locations = [os.path.dirname(found[0])]
        spec.has_location = True
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """As Python makes it."""

    def exec_module(self, module: ModuleType) -> None:
        """Run its code."""
        exec(loads(self._modules[module.__name__][2]), module.__dict__)  # noqa: S102, S302 our own file, as bytecode is


def use_bundle(path: str) -> bool:
    """Let modules come out of a bundle from here on; False, and nothing changes, when there is no true one."""
    modules = read_bundle(path)
    if modules:
        sys.meta_path.insert(0, Bundle(modules))
    return bool(modules)


def read_bundle(path: str) -> Modules:
    """The modules of a bundle; none when it is not there, was made by another Python, or a source has changed."""
    try:
        with open(path, "rb", 0) as file:
            python, stamps, modules = loads(file.read())  # noqa: S302
        if python != sys.version or not all(_is_as_before(*stamp) for stamp in stamps):
            return {}
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    found: Modules = modules
    return found


def _is_as_before(source: str, mtime_ns: int, size: int) -> bool:
    state = os.stat(source)
    return state.st_mtime_ns == mtime_ns and state.st_size == size


def write_bundle(folder: str, roots: Sequence[str] = ROOTS) -> None:
    """Make the bundle of this package for this interpreter."""
    from importlib import import_module

    from recollect.files.writing import write_atomic

    for root in roots:
        import_module(f"recollect.{root}")
    modules: Modules = {}
    stamps: Stamps = []
    for name, module in sorted(sys.modules.items()):
        source = getattr(module, "__file__", None)
        if source and name.partition(".")[0] == "recollect" and source.endswith(".py"):
            state = os.stat(source)
            with open(source, "rb") as file:
                code = compile(file.read(), source, "exec", dont_inherit=True)
            modules[name] = (source, hasattr(module, "__path__"), dumps(code))
            stamps.append((source, state.st_mtime_ns, state.st_size))
    write_atomic(folder, NAME, dumps((sys.version, stamps, modules)))
