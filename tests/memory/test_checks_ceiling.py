"""Checks of citations take no longer than a turn allows, whatever a repository holds, and say what they could not do."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import OutOfTime
from recollect.files.git.trees import Blob, blob_at, content_of, default_commits
from recollect.files.repositories import identify
from recollect.flows.upkeep.check_citations import check_citations
from recollect.memory.checking import CachedChecker, Checker
from recollect.memory.checks import CachedCheck, check_at_a_glance, check_text, make_citation
from recollect.memory.symbols import find_symbol
from recollect.memory.time_limits import NO_LIMIT, TimeLimit
from recollect.memory.verifying import LATE, check_now
from recollect.model.entries import Citation
from tests.conftest import git, make_repository

CEILING_SECONDS = 0.020
FUNCTIONS = "".join(f"def f{n}(a, b=1):\n    return a + b * {n}\n\n\n" for n in range(9_000))
TARGET = "def target():\n    return 1\n"
HOSTILE = {
    "long.py": FUNCTIONS + TARGET,
    "dense.py": "".join(f"v{n}=f(f(f(f(f(1,2),3),4),5),6)\n" for n in range(14_000)) + TARGET,
    "long.ts": "".join(f"const x{n} = target + {n};\n" for n in range(50_000)) + "function target() {\n  return 1\n}\n",
    "long.md": "".join(f"# h{n}\ntext\n" for n in range(100_000)) + "# Target\nx\n",
    "braces.js": "function target(){\n" + 'a("\'");' * 150_000 + "}\n",
    "quotes.ts": "const " + '"' * 60 + "target1 target\nfunction target() {\n  return 1\n}\n",
    "calls.go": ("func(" * 190 + " target \n") * 1_000 + "func target() {\n}\n",
}


def cite(root: Path, spec: str) -> Citation:
    return make_citation(spec, root=str(root), cwd=str(root))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """A repository in which every file is made to be slow to look at."""
    root = make_repository(tmp_path_factory.mktemp("hostile") / "app")
    for name, text in HOSTILE.items():
        (root / name).write_text(text)
    (root / "plain.txt").write_text("".join(f"line {n} of text\n" for n in range(80_000)))
    for folder in range(30):
        (root / f"d{folder}").mkdir()
        for number in range(20):
            (root / f"d{folder}" / f"{number}.txt").write_text(f"{folder} {number}\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    git(root, "gc", "-q")
    git(root, "checkout", "-qb", "topic")
    return root


@pytest.mark.parametrize("seed", range(1))
def test_no_turn_spends_more_than_its_ceiling_on_checks(hostile, tmp_path, monkeypatch, seed):
    """On the processor: what the machine does meanwhile is not ours to promise."""
    root = tmp_path / "app"
    shutil.copytree(hostile, root)
    memory = Recollect.open(str(tmp_path / "home"), folder=str(root), environ={"HOME": str(tmp_path)})
    specs = [f"{name}#target" for name in HOSTILE] + ["plain.txt:40000-40300", "plain.txt", "long.py#f77", "d3/4.txt"]
    for number, spec in enumerate(specs):
        memory.remember(f"The widget{number} obeys rule {number}.", subject=f"widget{number}", cite=[spec])
    many = [f"d{folder}/{number}.txt" for folder in range(30) for number in range(20)]
    memory.remember("The widgets cite everything.", subject="widgetmany", cite=many)
    spent: list[float] = []
    check = Checker.check

    def measured(checker, entries, *, now):
        began = time.thread_time()
        try:
            return check(checker, entries, now=now)
        finally:
            spent[-1] += time.thread_time() - began

    monkeypatch.setattr(Checker, "check", measured)
    chance = random.Random(seed)
    edits = [
        lambda text: text,
        lambda text: "\n\n\n" + text,
        lambda text: text.replace("target", "renamed"),
        lambda text: text.replace("return 1", "return 2"),
        lambda text: text + "def broken(:\n",
    ]
    for _ in range(15):
        name = chance.choice(list(HOSTILE))
        if chance.random() < 0.2:
            (root / name).unlink(missing_ok=True)
        else:
            (root / name).write_text(chance.choice(edits)(HOSTILE[name]))
        spent.append(0.0)
        wanted = chance.sample(range(len(specs)), chance.randint(1, 8))
        memory.recall(" ".join(f"widget{number}" for number in wanted) if chance.random() < 0.8 else "widgetmany")
    memory.close()
    assert max(spent) < CEILING_SECONDS


def test_the_rounds_of_one_turn_share_one_ceiling_and_nothing_is_looked_at_twice(memory, repository):
    for number in range(40):
        (repository / f"{number}.txt").write_text(f"gadgets: {number}\n")
        memory.remember(f"Rule {number} about gadgets.", cite=[f"{number}.txt"])
    entries = memory.entries.list()
    checker = Checker(memory.opened.store, memory.repository, milliseconds=1_000)
    assert {verdict.check for verdict in checker.check(entries, now=1.0)} == {"verified"}
    shutil.rmtree(repository / ".git")
    (repository / "3.txt").unlink()
    assert {verdict.check for verdict in checker.check(entries, now=1.0)} == {"verified"}
    tired = Checker(memory.opened.store, memory.repository, milliseconds=0)
    assert {verdict.check for verdict in tired.check(entries, now=1.0)} == {"unchecked"}
    hook = CachedChecker(memory.opened.store, memory.repository, milliseconds=0)
    assert {verdict.check for verdict in hook.check(entries, now=1.0)} == {"unchecked"}


def test_what_is_too_long_for_a_turn_is_said_and_found_out_by_the_worker(memory, repository, monkeypatch):
    monkeypatch.setattr("recollect.memory.checking.PATIENT_MILLISECONDS", 120_000)  # this machine may be busy
    (repository / "long.ts").write_text(HOSTILE["long.ts"])
    entry_id = memory.remember("Targets return one.", subject="targets", cite=["long.ts#target"]).entry_id
    [verdict] = memory.entries.checks([memory.entries.get(entry_id)])
    assert (verdict.check, verdict.detail) == ("unchecked", f"long.ts {LATE}")
    assert memory.entries.show(entry_id).check.check == "verified", "whoever looks at one entry has more time"
    assert check_citations(memory.repository, store=memory.opened.store, now=1.0, limit_seconds=120) == 1
    assert memory.entries.checks([memory.entries.get(entry_id)])[0].check == "verified"
    (repository / "long.ts").write_text(HOSTILE["long.ts"].replace("return 1", "return 2"))
    assert memory.entries.checks([memory.entries.get(entry_id)])[0].check == "unchecked", (
        "not what was known of another state"
    )
    assert check_citations(memory.repository, store=memory.opened.store, now=2.0, limit_seconds=20) == 1
    assert memory.entries.checks([memory.entries.get(entry_id)])[0].check == "changed"


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_makes_the_search_for_a_symbol_explode(name):
    began = time.thread_time()
    assert find_symbol(name, HOSTILE[name], "target") is not None
    find_symbol(name, HOSTILE[name], "nothing.of.that.name")
    assert time.thread_time() - began < 10


# At a glance


BLOCKS = st.lists(
    st.sampled_from(
        [
            "def one():\n    return 1\n",
            "def two(a):\n    if a:\n        return one()\n    return a\n",
            "@cached\n@slow(\n    3,\n)\ndef three():\n    return 3\n",
            "class Box:\n    size = 1\n\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n",
            "class Bag:\n    def one(self):\n        return 1\n",
            "LIMIT = [\n    1,\n    2,\n]\n",
            "# one two three\n",
            "x = 5\n",
        ]
    ),
    max_size=6,
)
SYMBOLS = ["one", "two", "three", "Box", "Box.one", "Box.two", "Bag.one", "LIMIT"]


@given(BLOCKS, BLOCKS, st.sampled_from(SYMBOLS), st.integers(0, 3))
def test_a_glance_never_contradicts_what_parsing_finds(tmp_path_factory, before, after, symbol, edit):
    root = tmp_path_factory.getbasetemp()
    text = "\n".join(before)
    (root / "glance.py").write_text(text)
    if find_symbol("glance.py", text, symbol) is None:
        return
    citation = cite(root, f"glance.py#{symbol}")
    now = "\n".join([*after, *before][edit:])
    parsed = check_text(citation, now).check
    try:
        glanced = check_at_a_glance(citation, now, NO_LIMIT).check
    except OutOfTime:
        return
    if parsed == "verified":
        assert glanced == "verified"
    if glanced == "gone":
        assert parsed == "gone"
    if glanced == "verified" and now.count(f"def {symbol}") + now.count(f"class {symbol}") == 1:
        assert parsed == "verified"


def test_a_glance_tells_verified_changed_and_gone_without_parsing(tmp_path):
    text = FUNCTIONS + "class Store:\n    def close(self):\n        return 1\n\n\nx = 1\n"
    (tmp_path / "long.py").write_text(text)
    function, method = cite(tmp_path, "long.py#f8000"), cite(tmp_path, "long.py#Store.close")
    hurried = TimeLimit(time.monotonic() + 5)
    for citation in (function, method):
        assert check_at_a_glance(citation, "# licence\n" * 30 + text, hurried).check == "verified"
    assert check_at_a_glance(function, text.replace("b * 8000\n", "b * 8001\n"), hurried).check == "changed"
    assert check_at_a_glance(function, text.replace("f8000", "f_8000"), hurried).check == "gone"
    with pytest.raises(OutOfTime):
        check_at_a_glance(method, text.replace("class Store", "class StoreBase"), hurried)


# What may stand where a file stood


def test_whatever_stands_in_the_place_of_a_file_is_looked_at_without_waiting_or_leaving_the_root(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside.txt"
    root.mkdir()
    outside.write_text("x\n")
    (root / "a.txt").write_text("x\n")
    citation = cite(root, "a.txt")
    repository = identify(str(root), home=str(tmp_path))

    def verdict() -> str:
        [found] = check_now([citation], repository=repository, deadline=time.monotonic() + 5, now=1.0).verdicts
        return found.check

    places: dict[str, Callable[[], object]] = {
        "a folder": lambda: (root / "a.txt").mkdir(),
        "a pipe": lambda: os.mkfifo(root / "a.txt"),
        "a link out": lambda: (root / "a.txt").symlink_to(outside),
        "an endless device": lambda: (root / "a.txt").symlink_to("/dev/zero"),
        "a loop": lambda: (root / "a.txt").symlink_to("a.txt"),
        "a broken link": lambda: (root / "a.txt").symlink_to("nowhere"),
    }
    for what, put in places.items():
        if (root / "a.txt").is_dir():
            (root / "a.txt").rmdir()
        else:
            (root / "a.txt").unlink()
        put()
        began = time.monotonic()
        assert verdict() == "gone", what
        assert time.monotonic() - began < 2, what
    (root / "a.txt").unlink()
    with (root / "a.txt").open("wb") as file:
        file.truncate(200_000_000)
    assert verdict() == "unchecked"
    (root / "a.txt").unlink()
    (root / "b.txt").write_text("x\n")
    (root / "a.txt").symlink_to("b.txt")
    assert verdict() == "verified", "a link inside the root is followed"


def test_a_change_in_bytes_that_are_no_utf_8_is_seen(tmp_path):
    (tmp_path / "a.py").write_bytes(b"# caf\xe9\ndef f():\n    return 1\n")
    whole, symbol = cite(tmp_path, "a.py"), cite(tmp_path, "a.py#f")
    repository = identify(str(tmp_path), home=str(tmp_path))

    def verdicts() -> list[str]:
        done = check_now([whole, symbol], repository=repository, deadline=time.monotonic() + 5, now=1.0)
        return [one.check for one in done.verdicts]

    assert verdicts() == ["verified", "verified"]
    (tmp_path / "a.py").write_bytes(b"# caf\xe8\ndef f():\n    return 1\n")
    assert verdicts() == ["changed", "verified"]
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbf# caf\xe9\r\ndef f():\r\n    return 1\r\n")
    assert verdicts() == ["verified", "verified"], "a mark at the beginning and other line ends are no change"


# The default branch


def test_what_a_commit_holds_is_what_git_lists(hostile):
    repository = identify(str(hostile), home=str(hostile.parent))
    directory = repository.common_directory
    [commit] = default_commits(repository)
    listed = git(hostile, "ls-tree", "-r", "main").splitlines()
    for line in listed[:5] + listed[-9:]:
        described, path = line.split("\t")
        found = blob_at(directory, commit, path, limit_seconds=5)
        assert found is not None
        assert found.name == described.split()[2]
    for missing in ("no.py", "d3/no.txt", "d3/4.txt/deeper", "no/no/no"):
        assert blob_at(directory, commit, missing, limit_seconds=5) == Blob()
    blob = blob_at(directory, commit, "d3/4.txt", limit_seconds=5)
    assert blob is not None
    assert (blob.size, content_of(directory, blob, limit_seconds=5)) == (4, b"3 4\n")
    assert blob_at(directory, commit, "d3/4.txt", limit_seconds=0) is None


def test_a_turn_does_not_start_git_and_whoever_has_time_does(memory, repository, monkeypatch):
    (repository / "a.py").write_text("def f():\n    return 1\n")
    entry_id = memory.remember("The function f returns one.", cite=["a.py"]).entry_id
    (repository / "a.py").unlink()
    [hurried] = memory.entries.checks([memory.entries.get(entry_id)])
    assert (hurried.check, hurried.gone_everywhere) == ("gone", False)
    shown = memory.entries.show(entry_id).check
    assert (shown.check, shown.gone_everywhere) == ("gone", True)


def test_without_git_installed_what_is_gone_here_is_not_gone_everywhere(tmp_path, repository, monkeypatch):
    (repository / "a.py").write_text("x = 1\n")
    citation = cite(repository, "a.py")
    (repository / "a.py").unlink()
    found = identify(str(repository), home=str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    done = check_now([citation], repository=found, deadline=time.monotonic() + 5, now=1.0)
    assert [(one.check, one.gone_everywhere) for one in done.verdicts] == [("gone", False)]
    assert done.rows == (), "the next one may have git"


def test_a_file_of_a_submodule_that_is_not_there_is_not_gone_everywhere(tmp_path, repository):
    inner = make_repository(tmp_path / "inner", remote="")
    (inner / "lib.py").write_text("x = 1\n")
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "lib")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    git(repository, "commit", "-qm", "sub")
    citation = cite(repository, "sub/lib.py")
    git(repository, "submodule", "--quiet", "deinit", "-f", "sub")
    found = identify(str(repository), home=str(tmp_path))
    for seconds in (0.02, 5.0):
        [verdict] = check_now([citation], repository=found, deadline=time.monotonic() + seconds, now=1.0).verdicts
        assert (verdict.check, verdict.gone_everywhere) == ("gone", False)


def test_what_a_commit_was_found_to_hold_is_not_looked_for_again(tmp_path, repository):
    (repository / "a.py").write_text("def f():\n    return 1\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "a")
    citation = cite(repository, "a.py#f")
    (repository / "a.py").write_text("x = 1\n")
    found = identify(str(repository), home=str(tmp_path))

    def check(rows: tuple[CachedCheck, ...] = ()):
        known = {row[:3]: row for row in rows}
        return check_now(
            [citation],
            repository=found,
            deadline=time.monotonic() + 5,
            now=1.0,
            known=lambda *place: known.get(place),
        )

    first = check()
    assert (first.verdicts[0].check, first.verdicts[0].gone_everywhere) == ("gone", False)
    for folder in (repository / ".git" / "objects").iterdir():
        shutil.rmtree(folder)
    assert check().rows == (), "without the objects nothing is known"
    again = check(first.rows)
    assert (again.verdicts[0].check, again.verdicts[0].gone_everywhere) == ("gone", False)
    assert len(again.rows) == 1
    git_commit = (repository / ".git" / "refs" / "heads" / "main").read_text().strip()
    (repository / ".git" / "refs" / "heads" / "main").write_text(git_commit[::-1] + "\n")
    assert check(first.rows).rows == (), "another commit is another question"
