"""Make the bundle that hooks load (`hook_bundle`): what runs, without the words that are for readers of the source."""

from __future__ import annotations

import ast
import os
import sys
from array import array
from importlib import import_module
from importlib.machinery import PathFinder
from marshal import dumps
from re import _compiler, _parser  # type: ignore[attr-defined]

from recollect.files.hook_bundle import LENGTH_BYTES, NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from recollect.files.hook_bundle import Orders, Patterns, Place

PACKAGE = "recollect"
# What is loaded whole before it is imported, in this order.
AHEAD = ("doors.hook_crowd", "doors.hook", "flows.opened", "flows.turns.turn")
# What answers prompts, session starts and ends; what these import comes along.
ROOTS = (
    "doors.hook", "doors.hook_crowd", "files.artifacts", "files.logs.hook_log", "files.near_socket", "files.spool",
    "files.worker_process", "flows.board.show_board", "flows.sidekicks.leave_message", "flows.sidekicks.tell",
    "flows.hooks.note_session_end", "flows.opened", "flows.turns.keep_receipt", "flows.turns.session_start",
    "flows.turns.turn",
    "hosts.claude_code.wire", "hosts.cline.wire", "hosts.codex.wire", "hosts.copilot_cli.wire", "hosts.cursor.wire",
    "hosts.gemini_cli.wire", "hosts.goose.wire", "hosts.opencode.wire", "hosts.pi.wire", "hosts.vscode.wire",
    "memory.checking", "store.board", "store.candidates", "store.citation_checks", "store.conflicts", "store.jobs",
    "store.staged", "store.tasks", "text.language.lexicon", "text.language.trade_words", "text.secrets.encoded",
    "text.secrets.places", "text.secrets.tokens",
)  # fmt: skip


class Recorder:
    """Notes in which order modules were done, so that each comes after what it needs."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """Python's own answer, with an ear at its end."""
        spec = PathFinder.find_spec(name, path) if name.partition(".")[0] == PACKAGE else None
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            run(module)
            self.done.append(name)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def write_bundle(folder: str, roots: Sequence[str] = ROOTS) -> None:
    """Make the bundle of this package for this interpreter."""
    recorder = Recorder()
    sys.meta_path.insert(0, recorder)
    orders: Orders = {}
    for root in AHEAD:
        began = len(recorder.done)
        import_module(f"{PACKAGE}.{root}")
        orders[f"{PACKAGE}.{root}"] = recorder.done[began:]
    sys.meta_path.remove(recorder)
    for root in roots:
        import_module(f"{PACKAGE}.{root}")
    from recollect.files.writing import write_atomic

    write_atomic(folder, NAME, _packed(orders))


def _packed(orders: Orders) -> bytes:
    """The length of the table of contents, the table, and the code of every module."""
    modules: dict[str, Place] = {}
    codes = bytearray()
    for name, module in sorted(sys.modules.items()):
        source = getattr(module, "__file__", None)
        if source and name.partition(".")[0] == PACKAGE and source.endswith(".py"):
            state = os.stat(source)
            with open(source, "rb") as file:
                tree = _without_words(ast.parse(file.read(), source))
            code = dumps(compile(tree, source, "exec", dont_inherit=True))
            is_package = hasattr(module, "__path__")
            modules[name] = (source, is_package, state.st_mtime_ns, state.st_size, len(codes), len(code))
            codes += code
    from recollect.text.patterns import asked

    patterns: Patterns = {}
    for pattern, flags in sorted(asked):
        code = _compiled(pattern, flags)
        patterns[pattern, flags] = (len(codes), len(code))
        codes += code
    table = dumps((sys.version, len(codes), modules, orders, patterns))
    return len(table).to_bytes(LENGTH_BYTES, "little") + table + codes


def _compiled(pattern: str, flags: int) -> bytes:
    """What `re` hands to its engine, which is the same for this very interpreter."""
    parsed = _parser.parse(pattern, flags)
    code = array("I", _compiler._code(parsed, flags))
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    return dumps((flags | state.flags, code.tobytes(), state.groups - 1, state.groupdict, tuple(names)))


def _without_words(tree: ast.Module) -> ast.Module:
    """Functions without docstrings and annotations, which nothing reads at run time. Those of classes stay: a record's
    annotations are its fields, and an error's docstring is what it says."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                argument.annotation = None
            for rest in (node.args.vararg, node.args.kwarg):
                if rest is not None:
                    rest.annotation = None
            if ast.get_docstring(node, clean=False) is not None:
                node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
    return tree
