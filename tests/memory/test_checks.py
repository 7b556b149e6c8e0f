"""What an entry cites is checked against the files: verified, changed or gone."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import OutsideRoot, UsageError
from recollect.memory.checks import (
    ABSENT,
    CachedCheck,
    Checked,
    check_cached,
    check_text,
    citation_key,
    cited_lines,
    combine,
    make_citation,
)
from recollect.memory.symbols import find_symbol
from recollect.memory.verifying import check_now
from recollect.model.entries import CHECKS, Citation
from recollect.model.repositories import Repository

PYTHON = '''\
import os

LIMIT = 3


def first():
    return 1


class Store:
    """Keeps."""

    @property
    def size(self):
        return LIMIT

    @size.setter
    def size(self, value):
        pass

    def close(self):
        return "closed"


def last():
    return 9
'''


def cite(root: Path, spec: str) -> Citation:
    return make_citation(spec, root=str(root), cwd=str(root), commit="c0ffee")


def now(root: Path, *citations: Citation, **arguments):
    repository = arguments.pop("repository", Repository("r", root=str(root)))
    arguments.setdefault("deadline", time.monotonic() + 5)
    return check_now(citations, repository=repository, now=1.0, **arguments)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(PYTHON)
    return tmp_path / "a.py"


# Citing


def test_a_file_lines_and_a_symbol_can_be_cited(tmp_path, source):
    assert cite(tmp_path, "a.py")[:5] == ("file", "a.py", 0, 0, "")
    assert cite(tmp_path, "a.py:3")[1:5] == ("a.py", 3, 3, "")
    assert cite(tmp_path, str(source) + ":6-7")[1:5] == ("a.py", 6, 7, "")
    assert cite(tmp_path, "a.py#L6-L7") == cite(tmp_path, "a.py:6-7")
    assert cite(tmp_path, "a.py#Store.close")[1:5] == ("a.py", 21, 22, "Store.close")
    assert cite(tmp_path, "a.py:3").commit == "c0ffee"
    assert len(cite(tmp_path, "a.py").sha256) == 64


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("b.py", "There is no file b.py."),
        ("b.py:3", "There is no file b.py."),
        ("a.py:99", "a.py has 26 lines; there is no line 99."),
        ("a.py:20-27", "a.py has 26 lines; there is no line 27."),
        ("a.py:0", "count from 1"),
        ("a.py:7-3", "the first before the last"),
        ("a.py#missing", "a.py does not define missing."),
        ("folder", "folder is a folder; cite a file in it."),
        ("image.png", "cannot be cited"),
        ("", "Name a file"),
        (":3", "There is no file :3."),
        ("a\0b", "Name a file"),
    ],
)
def test_a_citation_that_cannot_be_is_refused_with_a_clear_sentence(tmp_path, source, spec, sentence):
    (tmp_path / "folder").mkdir()
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0")
    with pytest.raises(UsageError) as raised:
        cite(tmp_path, spec)
    assert sentence in str(raised.value)


def test_a_citation_never_leaves_the_root(tmp_path, source):
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "link.py").symlink_to(source)
    for spec in ("../a.py", str(source), "link.py", "C:/x.py/../../a.py"):
        with pytest.raises((OutsideRoot, UsageError)):
            cite(tmp_path / "root", spec)


def test_names_with_colons_numbers_and_hashes_are_still_files(tmp_path):
    for name in ("C:10", "notes#1.md", "a:b.txt"):
        (tmp_path / name).write_text("x\n")
        assert cite(tmp_path, name).path == name
    assert cite(tmp_path, "a:b.txt:1").start == 1


# Checking


def test_promise_3_a_cited_fact_is_verified_changed_or_gone_by_path_symbol_and_hash(tmp_path, source):
    path, lines_, symbol = (cite(tmp_path, spec) for spec in ("a.py", "a.py:6-7", "a.py#Store.close"))
    assert [verdict.check for verdict in now(tmp_path, path, lines_, symbol).verdicts] == ["verified"] * 3
    source.write_text(PYTHON.replace("return 1", "return 2").replace("def close", "def shut"))
    assert [verdict.check for verdict in now(tmp_path, path, lines_, symbol).verdicts] == ["changed", "changed", "gone"]
    source.unlink()
    after = now(tmp_path, path, lines_, symbol).verdicts
    assert [(verdict.check, verdict.gone_everywhere) for verdict in after] == [("gone", True)] * 3


def test_what_is_unchanged_is_verified(tmp_path, source):
    for spec in ("a.py", "a.py:3", "a.py:6-7", "a.py#Store", "a.py#Store.size", "a.py#LIMIT"):
        assert check_text(cite(tmp_path, spec), PYTHON).check == "verified"


def test_a_cited_line_that_moved_is_still_verified(tmp_path, source):
    citation = cite(tmp_path, "a.py:6-7")
    moved = check_text(citation, "# a licence\n" * 40 + PYTHON)
    assert (moved.check, moved.where) == ("verified", "a.py:46-47")
    assert "moved from line 6" in moved.detail
    shortened = "\n".join(PYTHON.split("\n")[4:])
    assert check_text(citation, shortened).where == "a.py:2-3"


def test_a_cited_line_that_was_edited_has_changed(tmp_path, source):
    assert check_text(cite(tmp_path, "a.py:6-7"), PYTHON.replace("return 1", "return 2")).check == "changed"
    assert check_text(cite(tmp_path, "a.py"), PYTHON + "x = 1\n").check == "changed"
    assert check_text(cite(tmp_path, "a.py:6-7"), "").check == "changed"


def test_line_ends_and_trailing_blanks_are_no_change(tmp_path, source):
    for spec in ("a.py", "a.py:6-7", "a.py#Store"):
        assert check_text(cite(tmp_path, spec), PYTHON.replace("\n", "  \r\n")).check == "verified"


def test_a_function_that_was_edited_has_changed_and_one_that_moved_has_not(tmp_path, source):
    citation = cite(tmp_path, "a.py#first")
    body = "def first():\n    return 1\n"
    assert check_text(citation, PYTHON.replace(body, "") + body).check == "verified"
    assert check_text(citation, PYTHON.replace("return 1", "return 2")).check == "changed"


def test_a_deleted_file_or_function_is_gone(tmp_path, source):
    assert check_text(cite(tmp_path, "a.py:3"), None).check == "gone"
    gone = check_text(cite(tmp_path, "a.py#first"), PYTHON.replace("first", "renamed"))
    assert (gone.check, gone.detail) == ("gone", "a.py no longer defines first")


def test_code_that_does_not_parse_just_now_is_still_read(tmp_path, source):
    citation = cite(tmp_path, "a.py#Store.close")
    assert check_text(citation, PYTHON + "\ndef half(:\n").check == "verified"


def test_what_others_cite_without_a_hash_is_checked_by_quote_symbol_or_path():
    text = "def run():\n    limit = 5\n"
    expected = {
        Citation("file", path="a.py"): "verified",
        Citation("file", path="a.py", quote="limit = 5"): "verified",
        Citation("file", path="a.py", quote="limit = 6"): "changed",
        Citation("file", path="a.py", symbol="run"): "verified",
        Citation("file", path="a.py", symbol="walk"): "gone",
        Citation("file", path="a.py", start=1, end=2): "unchecked",
        Citation("file", path="a.py", start=9, end=9): "changed",
        Citation("turn", session="s_1", turn=3): "unchecked",
    }
    assert {citation: check_text(citation, text).check for citation in expected} == expected


def test_an_entry_is_as_good_as_its_worst_file_and_gone_only_when_all_are(cli, repository):
    files = {"a.py": PYTHON, "b.py": "LIMIT = 3\n"}

    def verdict(**there: str | None) -> str:
        for name, text in there.items():
            path = repository / f"{name}.py"
            path.unlink(missing_ok=True) if text is None else path.write_text(text)
        return str(cli("show", entry, "--json").json["check"])

    for name, text in files.items():
        (repository / name).write_text(text)
    entry = cli("remember", "LIMIT is 3.", "--cite", "a.py:3", "--cite", "b.py", "--json").json["id"]
    assert verdict(a=PYTHON, b="LIMIT = 3\n") == "verified"
    assert verdict(a=PYTHON, b="LIMIT = 4\n") == "changed"
    assert verdict(a=PYTHON, b=None) == "changed"
    assert verdict(a=None, b=None) == "gone"
    assert cli("show", cli("remember", "Tests are quick.", "--json").json["id"], "--json").json["check"] == "unchecked"


def test_an_entry_is_gone_everywhere_only_when_all_its_files_are():
    here, everywhere = Checked("gone"), Checked("gone", gone_everywhere=True)
    assert combine([everywhere, everywhere]).gone_everywhere
    assert not combine([here, everywhere]).gone_everywhere
    assert combine([everywhere, Checked("verified")]) == Checked("changed")
    assert combine([Checked("unchecked"), Checked("verified")]).check == "unchecked"


lines = st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=8), max_size=12)


@given(lines, st.data())
def test_a_citation_is_verified_right_after_it_is_made(tmp_path_factory, parts, data):
    root = tmp_path_factory.getbasetemp()
    text = "\n".join(parts).replace("\0", "")
    (root / "any.txt").write_text(text, encoding="utf-8", newline="")
    count = len(cited_lines(text))
    whole = cite(root, "any.txt")
    assert check_text(whole, text).check == "verified"
    if count:
        start = data.draw(st.integers(1, count))
        end = data.draw(st.integers(start, count))
        citation = cite(root, f"any.txt:{start}-{end}")
        assert check_text(citation, text).check == "verified"
        assert check_text(citation, "new\n" + text).check == "verified"


@given(
    st.builds(
        Citation,
        kind=st.sampled_from(["file", "turn"]),
        path=st.sampled_from(["a.py", "a.ts", "a.md", "a.yaml", ""]),
        start=st.integers(-3, 50),
        end=st.integers(-3, 50),
        symbol=st.text(max_size=6),
        sha256=st.sampled_from(["", "0" * 64, "junk"]),
        quote=st.text(max_size=4),
    ),
    st.one_of(st.none(), st.text()),
)
def test_no_citation_and_no_text_ever_raises(citation, text):
    assert check_text(citation, text).check in CHECKS


# Symbols of other languages

SOURCES = {
    "a.ts": (
        "import x from 'y'\n\nexport const limit = 5;\n\nexport async function load(id: string) {\n"
        '  if (id) { return "}" }\n  return load2(id)\n}\n\nexport class Store<T> extends Base {\n'
        "  private items = {};\n\n  get(key: string): T {\n    return this.items[key]\n  }\n}\n\n"
        "const handler = async (e) => {\n  load(e)\n}\n",
        {"limit": (3, 3), "load": (5, 8), "Store": (10, 16), "Store.get": (13, 15), "handler": (18, 20)},
    ),
    "a.go": (
        "package a\n\ntype Server struct {\n\tport int\n}\n\nfunc (s *Server) Start() error {\n\treturn nil\n}\n\n"
        "func New() *Server {\n\treturn &Server{}\n}\n",
        {"Server": (3, 5), "Start": (7, 9), "Server.Start": (7, 9), "New": (11, 13)},
    ),
    "a.rs": (
        "pub struct Pool {\n    size: usize,\n}\n\nimpl Pool {\n    pub fn take(&mut self) -> Option<u8> {\n"
        "        None\n    }\n}\n",
        {"Pool": (1, 3), "Pool::take": (6, 8)},
    ),
    "A.java": (
        "public class A {\n    private final int x;\n\n    public static int parse(String s)\n            throws E\n"
        "    {\n        return parse2(s);\n    }\n}\n",
        {"A": (1, 9), "A.parse": (4, 8)},
    ),
    "a.rb": ("class A\n  def run(x)\n    x\n  end\n\n  def stop\n  end\nend\n", {"run": (2, 4), "A": (1, 8)}),
    "a.yaml": ("on: push\njobs:\n  test:\n    steps: []\n  lint:\n    steps: []\n", {"jobs.test": (3, 4)}),
    "a.toml": ('[tool.x]\na = 1\n\n[project]\nname = "n"\n', {"name": (5, 5)}),
    "Makefile": ("test: a\n\tpytest\n\nlint:\n\truff\n", {"test": (1, 2), "lint": (4, 5)}),
    "a.sh": ("run() {\n  echo '}'\n}\nrun\n", {"run": (1, 3)}),
    "a.sql": ("CREATE TABLE IF NOT EXISTS users (\n  id int\n);\n", {"users": (1, 3)}),
    "a.md": ("# Top\n\n## Set up\n\n```\n# no heading\n```\ntext\n\n## Use\n", {"Set up": (3, 9), "use": (10, 10)}),
}


@pytest.mark.parametrize("path", SOURCES)
def test_symbols_of_other_languages_are_found_by_their_shape(path):
    text, symbols = SOURCES[path]
    assert {symbol: find_symbol(path, text.removesuffix("\n"), symbol) for symbol in symbols} == symbols
    assert find_symbol(path, text, "nothing_of_that_name") is None


def test_python_symbols_are_found_by_parsing():
    text = PYTHON + "\ntry:\n    import fast\nexcept ImportError:\n    def slow():\n        pass\n"
    assert find_symbol("a.py", text, "Store.size") == (13, 19)
    assert find_symbol("a.py", text, "close") == (21, 22)
    assert find_symbol("a.py", text, "LIMIT") == (3, 3)
    assert find_symbol("a.py", text, "slow") == (31, 32)
    assert find_symbol("a.py", text, "Store.first") is None


# With a deadline, and from the cache


def test_a_check_reads_the_files_and_gives_rows_to_keep(tmp_path, source):
    citations = [cite(tmp_path, "a.py:3"), cite(tmp_path, "a.py#first"), Citation("turn", session="s", turn=1)]
    done = now(tmp_path, *citations)
    assert [verdict.check for verdict in done.verdicts] == ["verified", "verified", "unchecked"]
    state = source.stat()
    key = citation_key(citations[0])
    assert done.rows[0] == CachedCheck(
        str(tmp_path), "a.py", key, state.st_mtime_ns, state.st_size, "verified", False, 1.0
    )
    assert len(done.rows) == 2


def test_what_is_not_reached_in_time_is_unchecked(tmp_path, source):
    (tmp_path / "b.py").write_text("b = 1\n")
    ticks = iter([0.0] * 4 + [0.03] * 9)
    citations = [cite(tmp_path, spec) for spec in ("a.py:1", "b.py", "a.py:6")]
    done = now(tmp_path, *citations, deadline=0.02, clock=lambda: next(ticks))
    assert [verdict.check for verdict in done.verdicts] == ["verified", "unchecked", "unchecked"]
    assert done.verdicts[1].detail == "b.py takes longer to check than a turn may take"
    assert len(done.rows) == 1


def test_a_file_that_became_too_large_or_a_root_that_is_away_is_unchecked_not_gone(tmp_path, source):
    citation = cite(tmp_path, "a.py:3")
    source.write_bytes(b"\0" * 100)
    assert now(tmp_path, citation).verdicts[0].check == "unchecked"
    assert now(tmp_path / "unmounted", citation).verdicts[0].check == "unchecked"
    assert now(tmp_path / "unmounted", citation).rows == ()


def test_the_hook_trusts_the_cache_only_for_the_very_same_file(tmp_path, source):
    citation = cite(tmp_path, "a.py:3")
    row = now(tmp_path, citation).rows[0]
    stat = (row.mtime_ns, row.size)
    assert check_cached(citation, stat=stat, cached=row).check == "verified"
    assert check_cached(citation, stat=(row.mtime_ns + 1, row.size), cached=row).check == "unchecked"
    assert check_cached(citation, stat=(row.mtime_ns, row.size + 1), cached=row).check == "unchecked"
    assert check_cached(citation, stat=stat, cached=None).check == "unchecked"
    assert check_cached(citation, stat=None, cached=row) == Checked("gone", "a.py is no longer there")
    assert check_cached(Citation("turn"), stat=None, cached=None).check == "unchecked"


def known(*rows: CachedCheck):
    by_place = {row[:3]: row for row in rows}
    return lambda *place: by_place.get(place)


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.email=a@example.com", "-c", "user.name=A")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", *who, *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def test_gone_here_only_is_told_from_gone_on_the_default_branch_too(tmp_path):
    (tmp_path / "a.py").write_text(PYTHON)
    (tmp_path / "b.py").write_text("b = 1\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "one")
    git(tmp_path, "checkout", "-q", "-b", "topic")
    file, symbol = cite(tmp_path, "b.py"), cite(tmp_path, "a.py#first")
    (tmp_path / "b.py").unlink()
    (tmp_path / "a.py").write_text(PYTHON.replace("first", "renamed"))
    repository = Repository(
        "r", root=str(tmp_path), common_directory=str(tmp_path / ".git"), branch="topic", default_branch="main"
    )
    here = now(tmp_path, file, symbol, repository=repository)
    assert [(verdict.check, verdict.gone_everywhere) for verdict in here.verdicts] == [("gone", False)] * 2

    git(tmp_path, "commit", "-q", "-a", "-m", "two")
    git(tmp_path, "branch", "-f", "main", "topic")
    both = now(tmp_path, file, symbol, repository=repository)
    assert [(verdict.check, verdict.gone_everywhere) for verdict in both.verdicts] == [("gone", True)] * 2
    rows = {row.key: row for row in both.rows if row.root == str(tmp_path)}
    row = rows[citation_key(file)]
    assert (row.mtime_ns, row.size) == ABSENT
    assert check_cached(file, stat=None, cached=row).gone_everywhere
    late = now(tmp_path, file, repository=repository, deadline=0.0, clock=lambda: -0.001, known=known(row))
    assert late.verdicts[0].gone_everywhere, "what was known before holds while there is no time to ask again"
    row = rows[citation_key(symbol)]
    assert check_cached(symbol, stat=(row.mtime_ns, row.size), cached=row).gone_everywhere
    unknown = now(tmp_path, file, repository=repository._replace(default_branch="trunk"))
    assert not unknown.verdicts[0].gone_everywhere
    assert unknown.rows == ()  # no answer must not overwrite the one above


def test_a_search_for_moved_lines_in_a_huge_file_is_bounded(tmp_path):
    text = "".join(f"line {number}\n" for number in range(100_000))
    citation = Citation("file", path="a.txt", start=50_000, end=50_400, sha256="0" * 64)
    started = time.perf_counter()
    assert check_text(citation, text).check == "changed"
    assert time.perf_counter() - started < 20
