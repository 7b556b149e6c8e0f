"""What a hook loads as one file of bytecode: Python looks for a module in several places, and a hook has sixty of them.

A module counts only while it is true: made by this very interpreter, and its source has the time and the size it had.
Otherwise, and for every module that is not in it, Python's own way is taken. Regular expressions are in it too, as what
this interpreter's compiler made of them. `hook_bundling` makes the file."""

from __future__ import annotations

import os
import sys
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from re import Pattern
    from types import CodeType, ModuleType

    Place = tuple[str, bool, int, int, int, int]  # source, is it a package, its time and size, where the code is
    Orders = dict[str, list[str]]  # by what is asked for: what it needs, dependencies first
    Patterns = dict[tuple[str, int], tuple[int, int]]  # where the code of each pattern with its flags is

NAME = "recollect-hook.modules"
LENGTH_BYTES = 8  # in front of the table of contents: how long that is


class Bundle:
    """A finder and loader of the modules in a bundle."""

    def __init__(self, handle: int, first: int, modules: dict[str, Place], orders: Orders, patterns: Patterns) -> None:
        self._handle = handle
        self._first = first  # byte of the first module's code
        self.modules = modules
        self._orders = orders
        self._patterns = patterns

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Where the module is, when it is here and true."""
        return self._spec(name) if name in self.modules and self.is_true(name) else None

    def create_module(self, spec: ModuleSpec) -> None:
        """As Python makes it."""

    def exec_module(self, module: ModuleType) -> None:
        """Run its code."""
        exec(self.code(module.__name__), module.__dict__)  # noqa: S102 our own file, as bytecode is

    def is_true(self, name: str) -> bool:
        """Is the source as it was?"""
        source, _, mtime_ns, size, _, _ = self.modules[name]
        try:
            state = os.stat(source)
        except OSError:
            return False
        return state.st_mtime_ns == mtime_ns and state.st_size == size

    def code(self, name: str) -> CodeType:
        """What the module does."""
        _, _, _, _, start, length = self.modules[name]
        code: CodeType = loads(self._read(start, length))  # noqa: S302 our own file
        return code

    def _read(self, start: int, length: int) -> bytes:
        os.lseek(self._handle, self._first + start, os.SEEK_SET)
        return os.read(self._handle, length)

    def pattern(self, pattern: str, flags: int) -> Pattern[str] | None:
        """A regular expression without its compiler, when it is here."""
        place = self._patterns.get((pattern, flags))
        if place is None:
            return None
        from _sre import compile as made_of  # type: ignore[import-not-found]

        flags, code, *groups = loads(self._read(*place))  # noqa: S302 our own file
        found: Pattern[str] = made_of(pattern, flags, memoryview(code).cast("I").tolist(), *groups)
        return found

    def load(self, root: str) -> None:
        """Load what a module needs, and it, without asking Python's finders about each; a changed one ends that."""
        for name in self._orders.get(root, ()):
            if name not in sys.modules:
                if not self.is_true(name):
                    return
                self._load(name)

    def _load(self, name: str) -> None:
        module = type(sys)(name)
        spec = self._spec(name)
        module.__spec__, module.__loader__, module.__file__ = spec, self, spec.origin  # type: ignore[assignment]
        parent, _, child = name.rpartition(".")
        module.__package__ = parent
        if spec.submodule_search_locations is not None:
            module.__package__, module.__path__ = name, spec.submodule_search_locations
        sys.modules[name] = module
        try:
            self.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        if parent:
            setattr(sys.modules[parent], child, module)

    def _spec(self, name: str) -> ModuleSpec:
        source, is_package = self.modules[name][:2]
        spec: ModuleSpec = type(sys.__spec__)(name, self, origin=source, is_package=is_package)  # type: ignore[arg-type]
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        spec.has_location = True
        return spec


def use_bundle(path: str) -> bool:
    """Let modules come out of a bundle from here on; False, and nothing changes, when there is none."""
    bundle = open_bundle(path)
    if bundle:
        sys.meta_path.insert(0, bundle)
    return bool(bundle)


def load_ahead(root: str) -> None:
    """Have a module ready that is about to be imported; without a bundle the import does it all."""
    bundle = sys.meta_path[0]
    if isinstance(bundle, Bundle):
        bundle.load(root)


def open_bundle(path: str) -> Bundle | None:
    """A whole bundle of this very Python, or None."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None
    try:
        size = os.fstat(handle).st_size
        length = min(int.from_bytes(os.read(handle, LENGTH_BYTES), "little"), size)
        python, total, modules, orders, patterns = loads(os.read(handle, length))  # noqa: S302 our own file
        if python == sys.version and LENGTH_BYTES + length + total == size:
            return Bundle(handle, LENGTH_BYTES + length, modules, orders, patterns)
    except (OSError, ValueError, EOFError, TypeError):
        pass
    os.close(handle)
    return None


def is_current(path: str) -> bool:
    """Is there a bundle of which every module is true?"""
    bundle = open_bundle(path)
    if bundle is None:
        return False
    bundle.close()
    return all(bundle.is_true(name) for name in bundle.modules)
