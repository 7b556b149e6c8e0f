"""Files on disk: written whole or not at all, confined, private, locked between processes."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import FileError, OutsideRoot, StoreBusy, StoreFull, UsageError
from recollect.files.git.trees import Blob, blob_at, content_of, default_commits
from recollect.files.trees import (
    read_cited,
    relative,
    stat_cited,
)
from recollect.files.writing import append_line, make_private_directory, write_atomic
from recollect.locks import lock
from recollect.model.repositories import Repository


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


# Writing


def test_a_new_file_is_whole_private_and_in_the_folders_it_needed(tmp_path):
    write_atomic(str(tmp_path), "a/b/c.md", "text\n")
    assert (tmp_path / "a/b/c.md").read_bytes() == b"text\n"
    assert mode_of(tmp_path / "a/b/c.md") == 0o600
    assert os.listdir(tmp_path / "a/b") == ["c.md"]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_every_folder_that_a_private_file_needed_is_private_under_any_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        write_atomic(str(tmp_path), "sessions/s_1/checkpoints/001.md", "text")
        make_private_directory(str(tmp_path / "own" / "s_2" / "inbox"))
    finally:
        os.umask(before)
    made = [path for path in tmp_path.rglob("*") if path.is_dir()]
    assert len(made) == 6
    assert {oct(path.stat().st_mode & 0o777) for path in made} == {"0o700"}


def test_an_existing_file_keeps_its_mode(tmp_path):
    target = tmp_path / "AGENTS.md"
    target.write_text("old")
    target.chmod(0o644)
    write_atomic(str(tmp_path), str(target), b"new")
    assert (target.read_text(), mode_of(target)) == ("new", 0o644)


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "", ".", "..", "out/x", "a\0b"])
def test_nothing_is_written_outside_the_root(tmp_path, path):
    root, out = tmp_path / "root", tmp_path / "out"
    root.mkdir()
    out.mkdir()
    (root / "out").symlink_to(out)
    with pytest.raises(OutsideRoot):
        write_atomic(str(root), path, "x")
    assert not list(out.iterdir())
    assert not (tmp_path / "x").exists()


def test_a_symlink_is_refused_or_written_through_inside_the_root_only(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "real.md").write_text("old")
    (root / "link.md").symlink_to("real.md")
    (tmp_path / "outside.md").write_text("theirs")
    (root / "leak.md").symlink_to(tmp_path / "outside.md")
    with pytest.raises(FileError, match="symlink"):
        write_atomic(str(root), "link.md", "new")
    write_atomic(str(root), "link.md", "new", follow=True)
    assert (root / "real.md").read_text() == "new"
    assert (root / "link.md").is_symlink()
    with pytest.raises(OutsideRoot):
        write_atomic(str(root), "leak.md", "new", follow=True)
    assert (tmp_path / "outside.md").read_text() == "theirs"


def test_a_folder_in_the_way_is_said_clearly_and_leaves_nothing_behind(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(FileError, match="could not be written"):
        write_atomic(str(tmp_path), "taken", "x")
    assert os.listdir(tmp_path) == ["taken"]


def test_text_with_half_a_character_can_still_be_written(tmp_path):
    write_atomic(str(tmp_path), "a.md", "x\ud83dy")
    append_line(str(tmp_path / "log"), "x\ud83dy")
    assert (tmp_path / "a.md").read_text() == "x?y"
    assert (tmp_path / "log").read_text() == "x?y\n"


def test_a_name_as_long_as_the_file_system_allows_can_be_written(tmp_path):
    write_atomic(str(tmp_path), "n" * 255, "x")
    assert (tmp_path / ("n" * 255)).read_text() == "x"


def test_a_full_disk_leaves_the_old_file_and_no_temporary_one(tmp_path):
    (tmp_path / "notes.md").write_text("old")
    code = """
        import resource, sys
        from recollect.errors import StoreFull
        from recollect.files.writing import append_line, write_atomic
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            write_atomic(sys.argv[1], "notes.md", b"x" * 100_000)
        except StoreFull as error:
            print(error)
        try:
            for _ in range(1000):
                append_line(sys.argv[1] + "/log.jsonl", "y" * 100)
        except StoreFull as error:
            print(error)
    """
    out, err = python(code, tmp_path).communicate(timeout=20)
    assert out.count("The disk is full") == 2, err
    assert (tmp_path / "notes.md").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["log.jsonl", "notes.md"]


def test_a_writer_killed_at_any_moment_leaves_the_old_or_the_new_content(tmp_path):
    sizes = {"a": 400_000, "b": 300_000}
    code = """
        import itertools, sys
        from recollect.files.writing import write_atomic
        print("ready", flush=True)
        for letter in itertools.cycle("ab"):
            write_atomic(sys.argv[1], "notes.md", letter * {"a": 400_000, "b": 300_000}[letter])
    """
    seen = set()
    for attempt in range(8):
        process = python(code, tmp_path)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.02 + attempt * 0.013)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if (tmp_path / "notes.md").exists():
            text = (tmp_path / "notes.md").read_text()
            seen.add(text[0])
            assert text == text[0] * sizes[text[0]]
    assert seen


def test_what_killed_writers_left_is_swept_once_it_is_old(tmp_path):
    old = tmp_path / ".notes.md.0123456789ab.recollect-tmp"
    fresh = tmp_path / ".notes.md.ba9876543210.recollect-tmp"
    theirs = tmp_path / ".notes.md.swp"
    for path in (old, fresh, theirs):
        path.write_text("half")
    for path in (old, theirs):
        os.utime(path, (1, 1))
    write_atomic(str(tmp_path), "notes.md", "x")
    assert sorted(os.listdir(tmp_path)) == sorted([fresh.name, theirs.name, "notes.md"])


def test_every_failing_step_of_a_write_leaves_the_old_file(tmp_path, monkeypatch):
    (tmp_path / "notes.md").write_text("old")
    for step in ("write", "fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, _failing)
            with pytest.raises(FileError):
                write_atomic(str(tmp_path), "notes.md", "new")
        assert (tmp_path / "notes.md").read_text() == "old"
        assert os.listdir(tmp_path) == ["notes.md"]


def _failing(*_: object) -> int:
    raise OSError(5, "Input/output error")


# Appending


def test_lines_of_several_processes_never_mix(tmp_path):
    code = """
        import sys
        from recollect.files.writing import append_line
        for number in range(300):
            append_line(sys.argv[1], sys.argv[2] * 500)
    """
    log = tmp_path / "log.jsonl"
    writers = [python(code, log, letter) for letter in "abc"]
    for writer in writers:
        writer.communicate(timeout=30)
    lines = log.read_text().splitlines()
    assert sorted(lines) == sorted(letter * 500 for letter in "abc" for _ in range(300))
    assert mode_of(log) == 0o600


def test_a_torn_last_line_does_not_swallow_the_next(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('{"whole": 1}\n{"tor')
    append_line(str(log), '{"next": 2}\n')
    append_line(str(log), '{"last": 3}')
    assert log.read_text() == '{"whole": 1}\n{"tor\n{"next": 2}\n{"last": 3}\n'


def test_a_line_with_a_break_or_a_symlinked_log_is_refused(tmp_path):
    with pytest.raises(UsageError):
        append_line(str(tmp_path / "log"), "a\nb")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileError):
        append_line(str(tmp_path / "link"), "a")
    assert not (tmp_path / "elsewhere").exists()


def test_a_private_folder_is_only_its_owners(tmp_path):
    make_private_directory(str(tmp_path / "a" / "b"))
    make_private_directory(str(tmp_path / "a" / "b"))
    assert mode_of(tmp_path / "a" / "b") == 0o700
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        make_private_directory(str(tmp_path / "file"))


# Locks


def test_a_second_process_waits_and_then_says_so(tmp_path):
    path = tmp_path / "lock"
    code = """
        import sys, time
        from recollect.locks import lock
        with lock(sys.argv[1], wait_seconds=5):
            print("held", flush=True)
            time.sleep(30)
    """
    holder = python(code, path)
    assert holder.stdout is not None
    holder.stdout.readline()
    started = time.monotonic()
    with pytest.raises(StoreBusy), lock(str(path), wait_seconds=0.05):
        pass
    assert 0.04 < time.monotonic() - started < 10
    holder.kill()
    holder.communicate()
    with lock(str(path), wait_seconds=1):
        assert mode_of(path) == 0o600


def test_a_lock_is_given_back_after_an_error(tmp_path):
    path = str(tmp_path / "lock")
    with pytest.raises(KeyError), lock(path, wait_seconds=0):
        raise KeyError
    with lock(path, wait_seconds=0), pytest.raises(StoreBusy), lock(path, wait_seconds=0):
        pass


def test_only_one_process_at_a_time_is_inside(tmp_path):
    (tmp_path / "count").write_text("0")
    code = """
        import sys
        from recollect.locks import lock
        for _ in range(60):
            with lock(sys.argv[1] + "/lock", wait_seconds=20):
                with open(sys.argv[1] + "/count") as file:
                    count = int(file.read())
                with open(sys.argv[1] + "/count", "w") as file:
                    file.write(str(count + 1))
    """
    for process in [python(code, tmp_path) for _ in range(3)]:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    assert (tmp_path / "count").read_text() == "180"


def test_a_lock_that_cannot_be_opened_is_a_file_error(tmp_path):
    with pytest.raises(FileError), lock(str(tmp_path / "no" / "lock"), wait_seconds=0):
        pass


# Reading cited files


def test_cited_files_are_read_inside_the_root_only(tmp_path):
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    (root / "inside").symlink_to("src/a.py")
    (tmp_path / "secret").write_text("secret")
    (root / "leak").symlink_to(tmp_path / "secret")
    (root / "up").symlink_to(tmp_path)
    assert read_cited(str(root), "src/a.py") == read_cited(str(root), "inside") == "x = 1\r\n"
    state = (root / "src" / "a.py").stat()
    assert stat_cited(str(root), "src/a.py") == (state.st_mtime_ns, state.st_size)
    for path in (
        "leak",
        "up/secret",
        "../secret",
        str(tmp_path / "secret"),
        "src/../../secret",
        "",
        "a\0",
        "src",
        "no",
    ):
        assert read_cited(str(root), path) is None
        assert stat_cited(str(root), path) is None


def test_what_is_large_binary_or_a_pipe_is_not_read(tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 2_000_001)
    (tmp_path / "most").write_bytes(b"x" * 2_000_000)
    (tmp_path / "binary").write_bytes(b"\x89PNG\0")
    os.mkfifo(tmp_path / "pipe")
    assert [read_cited(str(tmp_path), name) for name in ("large", "binary", "pipe")] == [None] * 3
    assert len(read_cited(str(tmp_path), "most") or "") == 2_000_000


def test_what_a_user_types_becomes_a_path_under_the_root(tmp_path):
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root)
    (root / "alias.py").symlink_to("src/a.py")
    for typed, cwd in [
        ("a.py", root / "src"),
        ("src/a.py", root),
        ("../src/./a.py", root / "src"),
        (str(root / "src" / "a.py"), tmp_path),
        (str(tmp_path / "link" / "src" / "a.py"), tmp_path),
        ("a.py", tmp_path / "link" / "src"),
    ]:
        assert relative(str(root), typed, str(cwd)) == "src/a.py"
    assert relative(str(tmp_path / "link"), "alias.py", str(root)) == "alias.py"
    for typed in ("../x", "/etc/passwd", str(tmp_path / "rootless"), ""):
        with pytest.raises(OutsideRoot):
            relative(str(root), typed, str(root))


@given(st.text(max_size=30))
def test_no_path_leads_out(path):
    assert read_cited("/proc/self/fdinfo-none", path) is None
    with contextlib.suppress(OutsideRoot):
        assert not relative("/srv/root", path, "/srv/root").startswith(("../", "/"))


# The default branch


@pytest.fixture
def repository(tmp_path, monkeypatch) -> Repository:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    root = tmp_path / "work"
    root.mkdir()
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("config", "user.email", "a@example.com"),
        ("config", "user.name", "A"),
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    (root / "kept*.py").write_text("x = 1\n")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "one"], cwd=root, check=True)
    return Repository("r", common_directory=str(root / ".git"), root=str(root), default_branch="main")


def test_a_file_deleted_here_is_still_found_on_the_default_branch(repository):
    os.unlink(os.path.join(repository.root, "kept*.py"))
    [commit] = default_commits(repository)
    blob = blob_at(repository.common_directory, commit, "kept*.py", limit_seconds=5)
    assert blob is not None
    assert blob.size == 6
    assert content_of(repository.common_directory, blob, limit_seconds=5) == b"x = 1\n"
    assert blob_at(repository.common_directory, commit, "kept?.py", limit_seconds=5) == Blob()


def test_what_git_cannot_say_is_unknown(repository, tmp_path, monkeypatch):
    assert default_commits(repository._replace(default_branch="none")) == []
    assert default_commits(repository._replace(default_branch="")) == []
    assert default_commits(Repository("path:/x", root="/x")) == []
    [commit] = default_commits(repository)
    assert blob_at(repository.common_directory, commit, "x", limit_seconds=0) is None
    assert blob_at(str(tmp_path / "no"), commit, "x", limit_seconds=5) is None
    assert content_of(str(tmp_path / "no"), Blob("0" * 40, 1), limit_seconds=5) is None
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert blob_at(repository.common_directory, commit, "kept*.py", limit_seconds=5) is None, "git is not installed"


def test_a_full_disk_is_a_store_error_that_says_what_to_do():
    assert "Free some space" in str(StoreFull())
