"""The house: which way imports point, what a hook may load, how large things may grow, what is documented."""

from __future__ import annotations

import ast
import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.files.hook_bundle import NAME as BUNDLE_NAME
from recollect.files.launchers.hook_launcher import ensure_launcher, interpreter
from recollect.store.database import SCHEMA_VERSION
from recollect.store.migrations import tables_made
from tests.hook_calls import leaving, prompt, session_start
from tests.paths import ROOT, SOURCE

MODULE_LINES = 400
FUNCTION_LINES_P95 = 40
# Only shrinks: a module that is here may get smaller and leave, none may enter.
LARGER_MODULES: dict[str, int] = {}
# `except Exception` is meant for the worker loop and the doors, where nothing may reach a user or a host, and for the
# two places of a compaction that call other people's code: a summariser, and hooks and sources in the background.
BROAD_EXCEPTS = {
    "context/compaction.py",
    "context/running.py",
    "doors/acp/proxy.py",
    "doors/chat/terminal.py",
    "doors/cli/running.py",
    "doors/hook.py",
    "doors/mcp/threads.py",
    "doors/mcp/server.py",
    "worker.py",
}

# What only a person decides, as verbs of the public class and its rooms; `forget` erases, and retiring is `remove`.
DECISIONS = {
    "restore", "undo", "forget", "rewrite", "set_section", "load", "approve", "reject", "reopen", "allow_here", "revoke",
    "apply", "dismiss", "trust",
}  # fmt: skip

# What `turn` may load beyond what the interpreter itself has loaded.
STANDARD_LIBRARY = {
    "_bisect", "_collections", "_datetime", "_functools", "_heapq", "_json", "_operator", "_sqlite3", "_sre", "_struct",
    "_signal", "_thread", "_weakref", "gc", "_blake2", "_random", "_sha512",
    "collections", "collections.abc", "copyreg", "datetime", "enum", "errno", "fcntl", "functools", "json", "json.decoder",
    "json.encoder", "json.scanner", "keyword", "math", "operator", "os", "re", "re._casefix", "re._compiler",
    "re._constants", "re._parser", "reprlib", "sqlite3", "sqlite3.dbapi2", "sys", "time", "types", "unicodedata",
    "__future__", "itertools", "os.path", "encodings.utf_8_sig", "pwd", "stat", "io", "abc", "posixpath", "codecs", "encodings", "_abc", "_stat", "genericpath", "_collections_abc",
}  # fmt: skip
FORBIDDEN = {
    "asyncio", "argparse", "ast", "click", "contextlib", "dataclasses", "hashlib", "importlib.metadata", "inspect",
    "logging", "pathlib", "random", "rich", "shutil", "socket", "subprocess", "tempfile", "threading", "tomllib",
    "typing", "urllib", "uuid",
}  # fmt: skip

# A prompt's hook takes its patterns ready-made and its JSON from the interpreter: these cost more than its search.
NOT_AT_A_PROMPT = {"enum", "json", "re"}

HOOK_PATH = """
import sys
sys.path.insert(0, {path!r})
from recollect.files.home import Home
from recollect.flows.opened import open_for_hook, settings_at
from recollect.flows.turns.turn import turn
from recollect.model.turns import Recipient

home, environ = Home({home!r}), {{"HOME": {home!r}}}
settings = settings_at({tree!r}, home, environ)
memory = open_for_hook(
    home, settings, folder={tree!r}, environ=environ, clock=lambda: 1790000000.0, late=lambda: False
)
block = turn("what is the deploy target?", memory, Recipient("codex", "s1"))
assert "Fly.io" in block.text, block
print(",".join(sorted(sys.modules)))
"""


# The door as the launcher runs it, with what it loaded told on stderr.
HOOK_DOOR = """
import sys
sys.path.append({path!r})
from recollect.files.hook_bundle import use_bundle

assert use_bundle({bundle!r})
import recollect.doors.hook as door
import recollect.files.worker_process as processes

processes.start_worker = lambda *_: None
code = door.run(["--host", "codex"], home={home!r})
sys.stderr.write(",".join(sorted(sys.modules)))
assert code == 0
"""


def prompt_about_deploys(host: str, cwd: Path) -> dict[str, object]:
    return prompt(host, cwd, "what is the deploy target?")


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def test_the_hook_path_loads_the_standard_library_alone_and_little_of_it(memory, repository, tmp_path) -> None:
    (repository / "fly.toml").write_text("app = 'x'\n")
    memory.remember("The deploy target is Fly.io.", cite=["fly.toml"])
    script = HOOK_PATH.format(path=str(SOURCE.parent), home=str(tmp_path / "home"), tree=str(repository))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.strip().split(","))
    ours = {name for name in loaded if name.split(".")[0] == "recollect"}
    assert not (loaded - ours) & FORBIDDEN
    bare = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; print(','.join(sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    extra = loaded - ours - set(bare.stdout.strip().split(",")) - STANDARD_LIBRARY
    assert not extra, f"loaded by a hook and not on the list: {sorted(extra)}"


@pytest.mark.parametrize("event", [session_start, prompt_about_deploys, leaving])
def test_the_real_door_loads_the_standard_library_alone_and_little_of_it(event, memory, repository, tmp_path) -> None:
    (repository / "fly.toml").write_text("app = 'x'\n")
    memory.remember("The deploy target is Fly.io.", cite=["fly.toml"])
    memory.remember("The user's name is Ada.", layer="L0")
    memory.tasks.add_task("Write the importer", state="Half done.")
    ensure_launcher(memory.home)
    bundle = str(tmp_path / "home" / "bin" / BUNDLE_NAME)
    script = HOOK_DOOR.format(path=str(SOURCE.parent), home=str(tmp_path / "home"), bundle=bundle)
    environ = {"HOME": str(tmp_path / "user"), "RECOLLECT_HOOK__LIMIT_MILLISECONDS": "10000"}
    done = subprocess.run(
        [interpreter(), "-I", "-S", "-c", script], input=json.dumps(event("codex", repository)), env=environ,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert isinstance(json.loads(done.stdout), dict)
    assert bool(json.loads(done.stdout)) == (event is not leaving)
    loaded = set(done.stderr.strip().split(","))
    ours = {name for name in loaded if name.split(".")[0] == "recollect"}
    assert not (loaded - ours) & FORBIDDEN
    assert event is not prompt_about_deploys or not loaded & NOT_AT_A_PROMPT
    bare = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; print(','.join(sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    extra = loaded - ours - set(bare.stdout.strip().split(",")) - STANDARD_LIBRARY
    assert not extra, f"loaded by a hook and not on the list: {sorted(extra)}"


def test_imports_point_downwards_only() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


def test_modules_stay_small() -> None:
    sizes = {str(path.relative_to(SOURCE)): len(path.read_text().splitlines()) for path in modules()}
    large = {name: lines for name, lines in sizes.items() if lines > LARGER_MODULES.get(name, MODULE_LINES)}
    assert not large
    assert all(sizes.get(name, 0) > MODULE_LINES for name in LARGER_MODULES), "the list of larger modules can shrink"


def test_functions_stay_short() -> None:
    lengths = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lengths.append((node.end_lineno or node.lineno) - node.lineno + 1)
    assert statistics.quantiles(lengths, n=100)[94] <= FUNCTION_LINES_P95


def test_broad_excepts_are_where_they_belong() -> None:
    broad = {
        str(path.relative_to(SOURCE))
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
        and not any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))
    }
    assert broad <= BROAD_EXCEPTS


def test_one_place_reads_the_environment() -> None:
    readers = {
        str(path.relative_to(SOURCE)) for path in modules() if re.search(r"os\.(environ|getenv)", path.read_text())
    }
    assert readers <= {"settings.py", "files/git/process.py"}


def test_every_table_is_documented() -> None:
    documented = (ROOT / "docs" / "architecture.md").read_text()
    for table in tables_made(SCHEMA_VERSION):
        assert f"`{table}`" in documented, f"docs/architecture.md says nothing about the table {table}"


SQL_STATEMENT = re.compile(
    r"\s*(SELECT\b.*\bFROM\b|SELECT \(?1\b|INSERT (OR \w+ )?INTO\b|UPDATE \w+ SET\b|UPDATE \{|DELETE FROM\b|"
    r"(CREATE|DROP|ALTER) (VIRTUAL |UNIQUE )?(TABLE|INDEX)\b)",
    re.DOTALL,
)


def test_statements_of_sql_stand_among_the_statements() -> None:
    """And in readers of other programs' databases, which are no part of the store."""
    for path in modules():
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith(("store/statements/", "hosts/")):
            continue
        texts = [text for node in ast.walk(ast.parse(path.read_text())) for text in _texts(node)]
        found = [text for text in texts if SQL_STATEMENT.match(text)]
        assert not found, f"{name} has a statement of its own: {found[0]}"


def _texts(node: ast.AST) -> list[str]:
    """A text as it stands in the source, one with fields in it with empty braces for them."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in parts)]
        case _:
            return []


def test_nobody_outside_the_store_names_a_row() -> None:
    for path in modules():
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith("store/"):
            assert not re.search(r"\b(entry|session|turn)_rows?\b", path.read_text()), f"{name} names a row"


def test_every_statement_says_what_it_is_for() -> None:
    for path in (SOURCE / "store" / "statements").glob("*.py"):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if re.match(r"[A-Z][A-Z_]* = \(?f?r?\"", line) or re.match(r"[A-Z][A-Z_]* = tuple", line):
                assert lines[number - 1].startswith("# "), f"{path.name}:{number + 1} has no comment"


def test_every_room_is_in_the_architecture() -> None:
    documented = (ROOT / "docs" / "architecture.md").read_text()
    for path in SOURCE.iterdir():
        if path.is_dir() and path.name != "__pycache__":
            assert f"{path.name}/" in documented, path.name


def test_every_dependency_is_justified() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    justified = (ROOT / "docs" / "decisions" / "0002-dependencies.md").read_text()
    for requirement in wanted:
        name = re.split(r"[<>=\[; ]", requirement)[0]
        assert f"`{name}`" in justified, f"docs/decisions/0002-dependencies.md does not say why {name}"


@pytest.mark.parametrize(
    "document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/words.md", "docs/architecture.md"]
)
def test_the_documents_are_there_and_their_links_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text()
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
        assert (ROOT / document).parent.joinpath(target).exists(), f"{document} links to {target}"


def _is_other(node: ast.expr) -> bool:
    """Is it the MCP SDK, or a session or an agent of our own, whose verbs have the same names?"""
    return isinstance(node, ast.Name) and node.id in ("sdk", "session", "agent")


def test_no_door_decides_for_a_person_without_asking_who_is_there() -> None:
    found = 0
    for path in sorted((SOURCE / "doors").rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
            called = {call.attr for call in calls if isinstance(call, ast.Attribute) and not _is_other(call.value)}
            if called & DECISIONS:
                found += 1
                assert "for_person" in called, f"{path.name}: {function.name} calls {sorted(called & DECISIONS)}"
    assert found > 7


def test_no_door_finds_out_by_itself_whether_an_agent_is_calling() -> None:
    for path in sorted((SOURCE / "doors").rglob("*.py")):
        names = {
            alias.name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert not names & {"inside_agent", "agent_of", "agent_session", "is_cut_loose"}, path.name
