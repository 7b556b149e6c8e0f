"""Settings: what a person writes, where, and what holds in the end."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.errors import FileError, SettingsError
from recollect.files.config import load_settings, read_values, set_value
from recollect.files.home import FOLDERS, Home, ensure_home, home_directory
from recollect.settings import FileValues, coerce, environment, find, load
from recollect.settings_table import ROWS, Row, Settings
from tests.paths import ROOT, SOURCE

DOCS = ROOT / "docs" / "settings.md"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return ensure_home(str(tmp_path / "home"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def write(path: str | Path, text: str) -> None:
    Path(path).write_bytes(text.encode())


def later() -> float:
    """A clock far enough from the last write for the cache to trust what it saw."""
    return time.time() + 60


# The value


def test_defaults_hold_when_nothing_is_set():
    assert load({}) == Settings.default()
    assert Settings.default().recall.max_entries == 8
    assert Settings.default().get("recall.max_entries") == 8
    assert Settings.default().origin("recall.max_entries") == "default"


def test_every_row_has_a_valid_default_and_is_an_attribute_of_the_settings():
    for name, row in ROWS.items():
        assert coerce(row, row.default) == row.default
        value: object = Settings.default()
        for part in name.split("."):
            value = getattr(value, part)
        assert value == row.default == Settings.default().get(name)


def test_settings_cannot_be_changed_in_place():
    held = load({})
    with pytest.raises(AttributeError):
        held.recall.max_entries = 1
    with pytest.raises(AttributeError):
        del held.enabled
    assert held == load({})
    assert hash(held) == hash(load({}))
    assert held != load({}, flags={"recall.max_entries": 1})


def test_a_name_that_is_no_setting_is_a_key_error():
    with pytest.raises(KeyError):
        Settings.default().get("recall.nothing")


# Sources


def test_later_sources_win_and_each_value_tells_where_it_comes_from(home: Home, tree: Path):
    write(home.config, "[recall]\nmax_entries = 7\nmax_tokens = 700\nmax_archive = 1\n\n[receipts]\nkeep = 5\n")
    write(tree / ".recollect.toml", "recall.max_entries = 6\nrecall.max_tokens = 600\nrecall.max_archive = 0\n")
    environ = {"RECOLLECT_RECALL__MAX_ENTRIES": "5", "RECOLLECT_RECALL__MAX_TOKENS": "500"}
    held = load_settings(environ, home, working_tree=str(tree), flags={"recall.max_entries": 4, "enabled": None})
    assert (held.recall.max_entries, held.origin("recall.max_entries")) == (4, "flag")
    assert held.recall.max_tokens == 500
    assert held.origin("recall.max_tokens") == "environment variable RECOLLECT_RECALL__MAX_TOKENS"
    assert held.recall.max_archive == 0
    assert held.origin("recall.max_archive") == f"{tree / '.recollect.toml'} line 3"
    assert (held.receipts.keep, held.origin("receipts.keep")) == (5, f"{home.config} line 7")
    assert held.origin("enabled") == "default"
    assert held.warnings == ()


@pytest.mark.parametrize("word", ["true", "1", "yes", "ON", " True "])
def test_words_for_yes_turn_a_switch_on(word: str):
    assert load({"RECOLLECT_ENABLED": word}, user=FileValues("f", (("enabled", False, 1),))).enabled is True


@pytest.mark.parametrize("word", ["false", "0", "no", "Off"])
def test_words_for_no_turn_a_switch_off(word: str):
    assert load({"RECOLLECT_ENABLED": word}).enabled is False


def test_a_list_in_the_environment_has_commas_or_is_json():
    assert load({"RECOLLECT_EXCLUDE": "~/a/*, b"}).exclude == ("~/a/*", "b")
    assert load({"RECOLLECT_EXCLUDE": '["a,b", "c"]'}).exclude == ("a,b", "c")
    assert load({"RECOLLECT_EXCLUDE": "[ab]*/x"}).exclude == ("[ab]*/x",)


def test_an_empty_variable_counts_as_not_set():
    assert load({"RECOLLECT_RECALL__FLOOR": "", "RECOLLECT_ENABLED": ""}) == Settings.default()


def test_the_home_variable_and_other_programs_variables_are_left_alone():
    assert load({"RECOLLECT_HOME": "/somewhere", "PATH": "/bin", "RECOLLECTION": "x"}) == Settings.default()


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("RECOLLECT_RECAL__MAX_ENTRIES", "RECOLLECT_RECALL__MAX_ENTRIES"),
        ("RECOLLECT_RECALL_MAX_ENTRIES", "RECOLLECT_RECALL__MAX_ENTRIES"),
        ("RECOLLECT_ENABLE", "RECOLLECT_ENABLED"),
    ],
)
def test_an_unknown_variable_of_ours_is_refused_with_the_nearest_name(variable: str, nearest: str):
    with pytest.raises(SettingsError, match=f"{variable}; did you mean '{nearest}'"):
        load({variable: "1"})


def test_a_variable_that_is_like_none_of_ours_gets_no_guess():
    with pytest.raises(SettingsError, match="RECOLLECT_NOSUCH; `recollect settings list` shows them all"):
        load({"RECOLLECT_NOSUCH": "1"})


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("RECOLLECT_ENABLED", "maybe"),
        ("RECOLLECT_RECALL__MAX_ENTRIES", "eight"),
        ("RECOLLECT_RECALL__MAX_ENTRIES", "8.5"),
        ("RECOLLECT_RECALL__MAX_ENTRIES", "101"),
        ("RECOLLECT_RECALL__MAX_ENTRIES", "9" * 5000),
        ("RECOLLECT_RECALL__FLOOR", "nan"),
        ("RECOLLECT_RECALL__FLOOR", "-1"),
        ("RECOLLECT_EXCLUDE", "[1, 2]"),
        ("RECOLLECT_REPOSITORY__IDENTITY", "\udcff"),
    ],
)
def test_a_variable_of_the_wrong_type_or_out_of_range_is_refused_by_name(variable: str, value: str):
    with pytest.raises(SettingsError, match=f"environment variable {variable}: .* must be ") as caught:
        load({variable: value})
    assert len(str(caught.value)) < 300


def test_a_flag_may_be_text_or_a_value_and_a_bad_one_is_refused():
    assert load({}, flags={"recall.floor": "2", "exclude": ["a"]}).recall.floor == 2.0
    with pytest.raises(SettingsError, match=r"flag: unknown setting 'recall.flor'; did you mean 'recall.floor'\?"):
        load({}, flags={"recall.flor": 2})
    with pytest.raises(SettingsError, match=r"flag: 'recall.max_entries' must be a whole number .*, not True"):
        load({}, flags={"recall.max_entries": True})


def test_other_spellings_of_a_name_are_accepted(monkeypatch: pytest.MonkeyPatch):
    aliases = ("chat.memory.relevanceFloor", "COPILOT_RECALL_FLOOR")
    monkeypatch.setitem(ROWS, "recall.floor", ROWS["recall.floor"]._replace(aliases=aliases))
    assert find("recall.maxEntries") is find("recall.max-entries") is ROWS["recall.max_entries"]
    assert find("chat.memory.relevanceFloor") is ROWS["recall.floor"]
    assert load({"COPILOT_RECALL_FLOOR": "3"}).recall.floor == 3.0
    assert load({"COPILOT_RECALL_FLOOR": "3", "RECOLLECT_RECALL__FLOOR": "4"}).recall.floor == 4.0
    assert load({}, user=FileValues("f", (("chat.memory.relevanceFloor", 5, 1),))).recall.floor == 5.0


def test_a_setting_with_choices_takes_only_those():
    row = Row("mode", "manual", "", 0, 0, ("manual", "eager"), "", (), files_only=False)
    assert coerce(row, "eager") == "eager"
    with pytest.raises(SettingsError, match="'mode' must be one of manual, eager, not 'often'"):
        coerce(row, "often")


# The user's file


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "# mine\n[recal]\nmax_entries = 3\n",
            3,
            "unknown setting 'recal.max_entries'; did you mean 'recall.max_entries'?",
        ),
        ("[recall]\nmax_entries = 3\n\n[recal]\n", 4, "unknown setting 'recal'; did you mean"),
        ("\nrecal.max_entries = 3\n", 2, "unknown setting 'recal.max_entries'"),
        ("recall = { max_entries = 3,\tmax_tokns = 1 }\n", 1, "did you mean 'recall.max_tokens'?"),
        ('exclude = [\n  "a",\n  "b # ]",\n]\nenabled = 1\n', 5, "'enabled' must be true or false, not 1"),
        ('[repository]\nidentity = """\n[x]\n"""\n[recall]\nfloor = "1"\n', 6, "'recall.floor' must be a number from"),
        ('"recall.max_entries" = 3\n\n[recall]\n"max_entries" = 4\n', 4, "was already set on line 1"),
        ("enabled = true\nrecall = 3\n", 2, "'recall' is a section; set one of its keys, such as 'recall.max_entries'"),
        ("[[recall]]\nfloor = 1\n", 1, "'recall' is a section"),
        ("enabled = true\nexclude = [1]\n", 2, "'exclude' must be a list of strings, not [1]"),
        ("enabled = true\r\n\r\nexclude = 2020-01-01\r\n", 3, "'exclude' must be a list of strings"),
        ("a.b.c.d.e.f = 1\n", 1, "unknown setting 'a.b.c.d'"),
        ("enabled = true\nrecall max_entries\n", 2, "not valid TOML"),
        ('enabled = true\nexclude = ["a",\n', 3, "not valid TOML"),
    ],
)
def test_a_mistake_is_refused_with_its_file_and_line(home: Home, text: str, line: int, message: str):
    write(home.config, text)
    with pytest.raises(SettingsError) as caught:
        load_settings({}, home)
    assert str(caught.value).startswith(f"{home.config} line {line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_that_are_not_text_are_refused_with_their_line(home: Home):
    Path(home.config).write_bytes(b"enabled = true\n# \xff\n")
    with pytest.raises(SettingsError, match=r"config.toml line 2: is not UTF-8"):
        load_settings({}, home)


def test_a_file_from_a_windows_editor_is_read(home: Home):
    write(home.config, "\ufeffenabled = false\r\n[recall]\r\nmax_entries = 3\r\n")
    held = load_settings({}, home)
    assert (held.enabled, held.recall.max_entries) == (False, 3)
    assert held.origin("recall.max_entries") == f"{home.config} line 3"


def test_a_settings_file_that_is_no_file_or_far_too_large_is_refused(home: Home):
    os.mkdir(home.config)
    with pytest.raises(SettingsError, match="not a regular file"):
        load_settings({}, home)
    os.rmdir(home.config)
    write(home.config, "# " + "x" * 70_000)
    with pytest.raises(SettingsError, match="larger than"):
        load_settings({}, home)


@settings(deadline=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(str.encode),
        st.text(alphabet="ar.=[]{}\"'\\#,\n 1-t\u00e9", max_size=60).map(str.encode),
    )
)
@example(b"a = " + b"[" * 10_000)
@example(b"a = " + b"{a = " * 10_000)
@example(b".".join([b"a"] * 3_000) + b" = 1")
@example(b"a = " + b"9" * 10_000)
@example(b"a = 0x" + b"9" * 10_000)
@example(b"recall.floor = 0x" + b"9" * 10_000)
@example(b"exclude = [{" + b".".join([b"a"] * 3_000) + b" = 1}]")
@example(b"\xef\xbb\xbf")
def test_garbage_in_the_file_is_a_settings_error_and_nothing_else(data: bytes):
    with tempfile.TemporaryDirectory() as folder:
        home = ensure_home(folder)
        Path(home.config).write_bytes(data)
        try:
            held = load_settings({}, home, clock=later)
        except SettingsError as problem:
            said = str(problem)
        else:
            said = home.config
            assert held == load_settings({}, home)
        assert said.startswith(home.config)
        with contextlib.suppress(SettingsError):
            set_value(home.config, "hook.wait_milliseconds", 7)
            assert "7" in Path(home.config).read_text()
        assert load_settings_from_repository(folder, data).get("hook.limit_milliseconds") == 300


def load_settings_from_repository(folder: str, data: bytes) -> Settings:
    (Path(folder) / ".recollect.toml").write_bytes(data)
    return load_settings({}, Home(os.path.join(folder, "no such home")), working_tree=folder)


# A repository's file


def test_a_repository_may_make_recollect_do_less_and_never_more(home: Home, tree: Path):
    write(home.config, "[recall]\nmax_entries = 5\n")
    write(tree / ".recollect.toml", "enabled = false\n[recall]\nmax_entries = 6\nmax_tokens = 100\nfloor = 0.5\n")
    held = load_settings({}, home, working_tree=str(tree))
    assert held.enabled is False
    assert (held.recall.max_entries, held.recall.max_tokens, held.recall.floor) == (5, 100, 0.8)
    path = tree / ".recollect.toml"
    assert held.warnings == (
        f"{path} line 3: a repository's file may not set 'recall.max_entries' above 5 (ignored)",
        f"{path} line 5: a repository's file may not set 'recall.floor' below 0.8 (ignored)",
    )


def test_a_repository_cannot_turn_on_what_its_user_turned_off(home: Home, tree: Path):
    write(home.config, "enabled = false\n")
    write(tree / ".recollect.toml", "enabled = true\n")
    held = load_settings({}, home, working_tree=str(tree))
    assert held.enabled is False
    assert "may not turn on 'enabled'" in held.warnings[0]


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not row.repository])
def test_a_repository_cannot_touch_what_could_harm(home: Home, tree: Path, name: str):
    write(tree / ".recollect.toml", f"{name} = {json.dumps(ROWS[name].default)}\n")
    held = load_settings({}, home, working_tree=str(tree))
    assert held.origin(name) == "default"
    assert held.warnings == (f"{tree / '.recollect.toml'} line 1: a repository's file may not set '{name}' (ignored)",)


def test_the_settings_a_repository_may_never_touch_include_identity_excludes_and_time_limits():
    closed = {name for name, row in ROWS.items() if not row.repository}
    assert {"repository.identity", "exclude", "hook.limit_milliseconds", "memory.forget_after_days"} <= closed


@pytest.mark.parametrize("text", ["recal.x = 1\n", "enabled = 3\n", "what is this", "# " + "x" * 9_000])
def test_a_strangers_broken_file_warns_and_never_stops_the_user(home: Home, tree: Path, text: str):
    write(tree / ".recollect.toml", text)
    held = load_settings({}, home, working_tree=str(tree))
    assert held == Settings.of({}, origins={}, warnings=held.warnings)
    assert len(held.warnings) == 1
    assert ".recollect.toml" in held.warnings[0]


def test_a_link_or_a_pipe_in_place_of_the_repositorys_file_is_not_opened(home: Home, tree: Path):
    (tree / "real.toml").write_text("enabled = false\n")
    (tree / ".recollect.toml").symlink_to(tree / "real.toml")
    held = load_settings({}, home, working_tree=str(tree))
    assert held.enabled
    assert "not a regular file" in held.warnings[0]
    (tree / ".recollect.toml").unlink()
    os.mkfifo(tree / ".recollect.toml")
    assert load_settings({}, home, working_tree=str(tree)).enabled


@pytest.mark.parametrize("folder", ["/no/such/folder", "bad\0name"])
def test_a_working_tree_that_is_not_there_has_no_say(home: Home, folder: str):
    assert load_settings({}, home, working_tree=folder) == Settings.default()


def test_a_file_made_to_be_slow_is_still_read_in_a_moment(home: Home, tree: Path):
    header = "[" + ".".join(["a"] * 2_000) + "]\n"
    write(tree / ".recollect.toml", (header + "".join(f"k{n}=1\n" for n in range(480)))[:7_999])
    began = time.process_time()
    load_settings({}, home, working_tree=str(tree))
    assert time.process_time() - began < 20


# The cache


def test_a_second_reader_needs_no_toml(home: Home, tree: Path, monkeypatch: pytest.MonkeyPatch):
    write(home.config, '[recall]\nmax_entries = 3\nfloor = 2\n\n[repository]\nidentity = "é"\n')
    write(tree / ".recollect.toml", "recall.max_entries = 1\nexclude = []\n")
    first = load_settings({}, home, working_tree=str(tree), clock=later)
    monkeypatch.setattr(tomllib, "loads", None)
    assert load_settings({}, home, working_tree=str(tree)) == first
    assert first.recall.max_entries == 1
    assert first.warnings


def test_a_file_that_may_still_change_in_the_same_instant_is_not_cached(home: Home):
    write(home.config, "enabled = true\n")
    load_settings({}, home)
    assert not os.path.exists(home.config_cache)


@pytest.mark.parametrize(
    "cached",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"\xff",
        b'{"version": "0"}',
        b"[" * 100_000,
        b'{"version": "VERSION"}',
        b'{"version": "VERSION", "files": []}',
        b'{"version": "VERSION", "files": {"PATH": 3}}',
        b'{"version": "VERSION", "files": {"PATH": {"stamp": STAMP}}}',
        b'{"version": "VERSION", "files": {"PATH": {"stamp": STAMP, "items": [1]}}}',
        b'{"version": "VERSION", "files": {"PATH": {"stamp": STAMP, "items": [["enabled", true]]}}}',
        b'{"version": "VERSION", "files": {"PATH": {"stamp": STAMP, "items": [["enabled", true, null]]}}}',
        b'{"version": "VERSION", "files": {"PATH": {"stamp": [1, 2, 3, 4], "items": [["enabled", true, 1]]}}}',
        b'{"version": "OTHER", "files": {"PATH": {"stamp": STAMP, "items": [["enabled", true, 1]]}}}',
    ],
)
def test_a_broken_or_foreign_cache_is_ignored(home: Home, cached: bytes):
    from recollect import __version__

    write(home.config, "enabled = false\n")
    status = os.stat(home.config)
    stamp = json.dumps([status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino])
    for word, value in {b"VERSION": __version__, b"PATH": home.config, b"STAMP": stamp}.items():
        cached = cached.replace(word, value.encode())
    Path(home.config_cache).write_bytes(cached)
    assert load_settings({}, home, clock=later).enabled is False


def test_a_cache_that_cannot_be_written_is_only_slower(home: Home):
    os.mkdir(home.config_cache)
    write(home.config, "enabled = false\n")
    assert load_settings({}, home, clock=later).enabled is False


def test_the_cache_keeps_a_bounded_number_of_repositories(home: Home, tmp_path: Path):
    for number in range(60):
        folder = tmp_path / str(number)
        folder.mkdir()
        write(folder / ".recollect.toml", "enabled = false\n")
        assert load_settings({}, home, working_tree=str(folder), clock=later).enabled is False
    cached = json.loads(Path(home.config_cache).read_bytes())
    assert len(cached["files"]) == 50
    assert str(tmp_path / "59" / ".recollect.toml") in cached["files"]


def test_the_hook_reads_settings_without_the_modules_it_may_not_load(home: Home, tree: Path):
    write(home.config, "[recall]\nmax_entries = 3\n")
    write(tree / ".recollect.toml", "recall.max_tokens = 10\n")
    load_settings({}, home, working_tree=str(tree), clock=later)
    script = (
        "import sys\n"
        "from recollect.settings import environment\n"
        "from recollect.files.home import Home, home_directory\n"
        "from recollect.files.config import load_settings\n"
        "held = load_settings(environment(), Home(home_directory(environment())), working_tree=sys.argv[1])\n"
        "print(held.recall.max_entries, held.recall.max_tokens, *sys.modules)\n"
    )
    environ = {"RECOLLECT_HOME": home.root, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # -S: what an editable install adds to the start of Python is not ours.
    command = [sys.executable, "-S", "-c", script, str(tree)]
    printed = subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout.split()
    assert printed[:2] == ["3", "10"]
    forbidden = {"tomllib", "pathlib", "typing", "dataclasses", "logging", "subprocess", "asyncio", "difflib"}
    assert not forbidden & set(printed)


# Writing one setting


def valid_values(row: Row) -> st.SearchStrategy[object]:
    texts = st.text(max_size=20)
    if isinstance(row.default, bool):
        return st.booleans()
    if isinstance(row.default, int):
        return st.integers(int(row.low), int(row.high))
    if isinstance(row.default, float):
        return st.floats(row.low, row.high)
    if row.choices:
        return st.sampled_from(row.choices)
    return st.lists(texts, max_size=4).map(tuple) if isinstance(row.default, tuple) else texts


MAPPINGS = st.fixed_dictionaries({}, optional={name: valid_values(row) for name, row in ROWS.items()})
STARTS = st.sampled_from(
    [
        "",
        "\ufeff",
        "# only a comment",
        "# about recall\n[recall]  # here\nmax_entries = 3 # three\n\n# end",
        "recall = {}\nhook = { limit_milliseconds = 20 }  # inline\n",
        "recall.floor = 3.5\r\nexclude = [ # why\r\n  'a', # ]\r\n]\r\n\r\n[hook]\r\n",
        '[ "recall" ]\nmaxTokens = 9\n[ memory . "more" ]\nx = """a\n[recall]\n"""""\n[receipts]\n',
        "unknown = nan\n[[list]]\na = {b = [{c = '}'}]}\n[[list]]\n",
    ]
)


@settings(deadline=None, max_examples=12)
@given(STARTS, MAPPINGS, st.randoms(use_true_random=False))
def test_what_is_set_reads_back_and_the_cache_agrees_with_the_file(start, mapping, random):
    with tempfile.TemporaryDirectory() as folder:
        home = ensure_home(folder)
        write(home.config, start)
        names = list(mapping)
        random.shuffle(names)
        for name in names:
            assert set_value(home.config, name, mapping[name]) == mapping[name]
        said = {row.name: value for key, value, _ in read_values(home.config).items if (row := find(key))}
        for name, value in mapping.items():
            assert said[name] == (list(value) if isinstance(value, tuple) else value)
        if "unknown" not in start and "more" not in start:
            parsed = load_settings({}, home, clock=later)
            assert os.path.exists(home.config_cache) == bool(os.path.exists(home.config))
            assert load_settings({}, home) == parsed
            assert {name: parsed.get(name) for name in mapping} == mapping


@settings(deadline=None, max_examples=8)
@given(st.lists(st.tuples(MAPPINGS, st.booleans()), min_size=1, max_size=4))
def test_the_cache_and_the_file_agree_after_every_change(steps):
    with tempfile.TemporaryDirectory() as folder:
        home = ensure_home(folder)
        for mapping, settled in steps:
            for name, value in mapping.items():
                set_value(home.config, name, value)
            through_cache = load_settings({}, home, clock=later if settled else time.time)
            fresh = read_values(home.config) if os.path.exists(home.config) else None
            assert through_cache == load({}, user=fresh)


@settings(deadline=None, max_examples=12)
@given(STARTS, st.sampled_from(sorted(ROWS)), st.data())
def test_setting_a_value_changes_one_place_and_setting_it_again_changes_nothing(start, name, data):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.toml")
        write(path, start)
        set_value(path, name, data.draw(valid_values(ROWS[name])))
        second = data.draw(valid_values(ROWS[name]))
        set_value(path, name, second)
        after = Path(path).read_bytes().decode()
        set_value(path, name, second)
        assert Path(path).read_bytes().decode() == after
        for line in start.split("\n"):
            if "exclude" not in line and "'a'" not in line and "=" not in line:
                assert line in after


@pytest.mark.parametrize(
    ("before", "name", "value", "after"),
    [
        ("", "recall.max_entries", 3, "[recall]\nmax_entries = 3\n"),
        ("", "enabled", False, "enabled = false\n"),
        ("enabled = true", "recall.floor", 2.5, "enabled = true\n\n[recall]\nfloor = 2.5\n"),
        (
            "# mine\n\n# recall\n[recall]\nmax_entries = 3 # few\n\n[hook]\n",
            "enabled",
            False,
            "# mine\n\nenabled = false\n\n# recall\n[recall]\nmax_entries = 3 # few\n\n[hook]\n",
        ),
        (
            "[recall]\nmax_entries = 3 # few\n\n[hook]\n",
            "recall.floor",
            2,
            "[recall]\nmax_entries = 3 # few\nfloor = 2.0\n\n[hook]\n",
        ),
        ("[recall]\nmax_entries  =  3\t# few\n", "recall.max_entries", 4, "[recall]\nmax_entries  =  4\t# few\n"),
        ("[recall]\nmaxEntries = 3\n", "recall.max_entries", 4, "[recall]\nmaxEntries = 4\n"),
        ("recall.floor = 1\n[hook]\n", "recall.max_entries", 4, "recall.floor = 1\nrecall.max_entries = 4\n[hook]\n"),
        ("recall = {floor = 1} # x\n", "recall.max_entries", 4, "recall = {floor = 1, max_entries = 4} # x\n"),
        ("recall = {floor = 1} # x\n", "recall.floor", 4, "recall = {floor = 4.0} # x\n"),
        ("recall = {}\n", "recall.floor", 4, "recall = { floor = 4.0 }\n"),
        (
            "enabled = true\r\n",
            "hook.wait_milliseconds",
            9,
            "enabled = true\r\n\r\n[hook]\r\nwait_milliseconds = 9\r\n",
        ),
        ("exclude = [\n  'a', # ]\n]\n", "exclude", ["b", 'c"'], 'exclude = ["b", "c\\""]\n'),
        ("", "exclude", "a, b", 'exclude = ["a", "b"]\n'),
        ("\ufeff[hook]\n", "enabled", "off", "\ufeffenabled = false\n\n[hook]\n"),
    ],
)
def test_a_setting_is_written_where_a_person_would_write_it(tmp_path: Path, before, name, value, after):
    path = tmp_path / "config.toml"
    if before:
        write(path, before)
    set_value(str(path), name, value)
    assert path.read_bytes().decode() == after


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("recall.max_entries", 101, "must be a whole number from 0 to 100, not 101"),
        ("recall.max_entries", "many", "must be a whole number from 0 to 100, not 'many'"),
        ("recall.floor", math.inf, "must be a number from 0 to 100, not inf"),
        ("exclude", ["\ud800"], "must be a list of strings"),
        ("recall.entries", 1, "did you mean 'recall.max_entries'"),
        ("recall", 1, "is a section"),
    ],
)
def test_a_bad_name_or_value_never_reaches_the_file(tmp_path: Path, name: str, value: object, message: str):
    with pytest.raises(SettingsError, match=re.escape(message)):
        set_value(str(tmp_path / "config.toml"), name, value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("not toml", "enabled"),
        ("recall = 3\n", "recall.floor"),
        ("[[recall]]\nfloor = 1\n", "recall.floor"),
        ("recall.floor = 1\nrecall.Floor = 2\n", "recall.floor"),
    ],
)
def test_a_file_that_cannot_take_the_setting_is_left_as_it_is(tmp_path: Path, text: str, name: str):
    path = tmp_path / "config.toml"
    write(path, text)
    with pytest.raises(SettingsError):
        set_value(str(path), name, "1")
    assert path.read_text() == text


def test_a_linked_config_stays_a_link(tmp_path: Path):
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "recollect.toml"
    target.write_text("# mine\n")
    (tmp_path / "config.toml").symlink_to(target)
    set_value(str(tmp_path / "config.toml"), "enabled", False)
    assert (tmp_path / "config.toml").is_symlink()
    assert target.read_text() == "# mine\nenabled = false\n"


# The home


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"HOME": "/h"}, "/h/.local/share/recollect"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "/data"}, "/data/recollect"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "relative"}, "/h/.local/share/recollect"),
        ("darwin", {"HOME": "/h", "XDG_DATA_HOME": "/data"}, "/h/Library/Application Support/recollect"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/recollect"),
        ("win32", {"USERPROFILE": "/h"}, "/h/AppData/Local/recollect"),
        ("linux", {"HOME": "/h", "RECOLLECT_HOME": "/r/"}, "/r"),
        ("linux", {"HOME": "/h", "RECOLLECT_HOME": "~/r"}, "/h/r"),
        ("linux", {"HOME": "/h", "RECOLLECT_HOME": "~"}, "/h"),
        ("linux", {"HOME": "/h", "RECOLLECT_HOME": ""}, "/h/.local/share/recollect"),
    ],
)
def test_the_home_is_where_the_platform_keeps_data_unless_it_is_moved(platform, environ, expected):
    assert home_directory(environ, platform=platform) == expected


def test_a_relative_home_is_made_absolute_and_a_user_without_home_variable_is_looked_up(tmp_path: Path):
    assert home_directory({"RECOLLECT_HOME": "here"}) == str(Path.cwd() / "here")
    assert os.path.isabs(home_directory({}))


def test_a_home_is_created_for_its_owner_only_and_a_folder_that_exists_keeps_its_permissions(tmp_path: Path):
    home = ensure_home(str(tmp_path / "deep" / "home"))
    for folder in (home.root, *(os.path.join(home.root, name) for name in FOLDERS)):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert {home.logs, home.sessions, home.projects, home.backups, home.bin, home.spool} == {
        os.path.join(home.root, name) for name in FOLDERS
    }
    assert (os.path.basename(home.database), os.path.basename(home.config)) == ("recollect.db", "config.toml")
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    assert ensure_home(str(shared)) == Home(str(shared))
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755


def test_a_home_that_cannot_be_created_says_what_to_do(tmp_path: Path):
    write(tmp_path / "file", "")
    with pytest.raises(FileError, match="with --home or RECOLLECT_HOME"):
        ensure_home(str(tmp_path / "file" / "home"))


def test_only_the_settings_module_reads_the_environment():
    source = SOURCE
    readers = re.compile(r"\bos\.(environ|getenv|expandvars)\b")
    found = {path.relative_to(source).as_posix() for path in source.rglob("*.py") if readers.search(path.read_text())}
    # git gets the environment it is started in, less what would point it at another repository.
    assert found - {"files/git/process.py"} == {"settings.py"}
    assert environment() is os.environ


# The docs


def documented_rows() -> list[str]:
    moves = {"": "no", "lower": "lower it", "raise": "raise it", "add": "add to it"}
    switches = {"": "no", "lower": "turn it off", "raise": "turn it on"}
    rows = []
    for row in ROWS.values():
        move = (switches if isinstance(row.default, bool) else moves)[row.repository]
        default = json.dumps(row.default)
        rows.append(f"| `{row.name}` | `{default}` | {row.allowed} | {move} | {row.meaning} |")
    return rows


def test_the_docs_have_every_setting_with_its_default_and_no_other():
    in_docs = [line for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    assert in_docs == documented_rows(), "the table in docs/settings.md should be:\n" + "\n".join(documented_rows())


def test_the_examples_in_the_docs_work(home: Home):
    text = DOCS.read_text()
    for example_file in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
        write(home.config, example_file)
        load_settings({}, home)
    pairs = re.findall(r"^(RECOLLECT_\w+)='?(.*?)'?$", text, re.MULTILINE)
    assert len(pairs) == 3
    assert load(dict(pairs)).recall.max_entries == 5
