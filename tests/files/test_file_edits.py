"""Planned edits: applied once, only to the file they were planned for, and undone to the same bytes."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.errors import FileError
from recollect.files.edits.file_edits import (
    Applied,
    FileEdit,
    TargetChanged,
    apply_edit,
    apply_undo,
    forget_undo,
    keep_undo,
    plan_edit,
    plan_undo,
)

LINES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=8), max_size=5)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A file as somebody's editor left it."""
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + newline.join(draw(LINES)) + draw(st.sampled_from(["", newline, newline * 2]))


TO_DISK = settings(deadline=None, max_examples=25)  # each example syncs files
MAYBE = st.one_of(st.none(), texts())


class Place:
    """A file, plain or behind a link, in a folder that may not be there yet, and a folder for what is kept."""

    def __init__(self, root: Path, text: str | None, *, linked: bool) -> None:
        self.root, self.kept = root, str(root / "kept")
        self.real = root / "theirs" / "deep" / "AGENTS.md"
        self.path = str(root / "link.md") if linked else str(self.real)
        if linked:
            os.symlink(self.real, self.path)
        if text is not None:
            self.real.parent.mkdir(parents=True)
            self.real.write_bytes(text.encode())
            self.real.chmod(0o640)

    def seen(self) -> dict[str, tuple[int, bytes]]:
        """Everything there is but for what we keep: modes, links and bytes."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            if "kept" not in path.parts:
                state = os.lstat(path)
                body = os.fsencode(os.readlink(path)) if path.is_symlink() else b""
                body = path.read_bytes() if stat.S_ISREG(state.st_mode) else body
                found[str(path)] = (state.st_mode, body)
        return found

    @property
    def text(self) -> str | None:
        return self.real.read_bytes().decode() if self.real.exists() else None


@contextmanager
def place(text: str | None, *, linked: bool) -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as folder:
        yield Place(Path(os.path.realpath(folder)), text, linked=linked)


@TO_DISK
@given(MAYBE, texts(), st.booleans())
def test_plan_apply_undo_gives_the_same_bytes(before, after, linked):
    with place(before, linked=linked) as there:
        seen = there.seen()
        edit = plan_edit(there.path, after)
        undo = keep_undo(edit, there.kept)
        assert there.seen() == seen, "planning writes nothing"
        assert apply_edit(edit) == Applied(there.path)
        assert there.text == after
        assert apply_undo(undo, there.kept) == Applied(there.path)
        assert there.seen() == seen
        assert apply_undo(undo, there.kept) == Applied(there.path), "two undos are one"
        assert there.seen() == seen
        forget_undo(undo, there.kept)
        assert list(Path(there.kept).glob("*")) == []


@TO_DISK
@given(texts(), st.booleans())
def test_a_file_that_an_edit_removed_comes_back(before, linked):
    with place(before, linked=linked) as there:
        edit = plan_edit(there.path, None)
        undo = keep_undo(edit, there.kept)
        assert apply_edit(edit) == Applied(there.path)
        assert there.text is None
        assert os.path.islink(there.path) == linked, "the link is the user's and stays"
        assert apply_undo(undo, there.kept) == Applied(there.path)
        assert there.text == before


@TO_DISK
@given(MAYBE, MAYBE, st.booleans())
def test_two_applies_are_one(before, after, linked):
    with place(before, linked=linked) as there:
        edit = plan_edit(there.path, after)
        assert apply_edit(edit) == Applied(there.path)
        once = there.seen()
        assert apply_edit(edit) == Applied(there.path)
        assert there.seen() == once


@TO_DISK
@given(MAYBE, texts(), texts(), st.booleans())
def test_a_file_that_changed_after_the_plan_is_left_alone_and_that_is_said(before, after, theirs, linked):
    with place(before, linked=linked) as there:
        edit = plan_edit(there.path, after)
        there.real.parent.mkdir(parents=True, exist_ok=True)
        there.real.write_bytes(theirs.encode())
        seen = there.seen()
        outcome = apply_edit(edit)
        if theirs in (before, after):
            assert outcome == Applied(there.path)
        else:
            assert outcome == TargetChanged(there.path)
            assert there.seen() == seen


@TO_DISK
@given(MAYBE, texts(), texts())
def test_a_file_that_changed_after_the_edit_is_not_undone_and_that_is_said(before, after, theirs):
    with place(before, linked=False) as there:
        edit = plan_edit(there.path, after)
        undo = keep_undo(edit, there.kept)
        apply_edit(edit)
        there.real.write_bytes(theirs.encode())
        if theirs not in (before, after):
            assert apply_undo(undo, there.kept) == TargetChanged(there.path)
            assert there.text == theirs


def test_an_undo_whose_kept_text_was_damaged_or_lost_changes_nothing(tmp_path):
    there = Place(tmp_path, "mine\n", linked=False)
    edit = plan_edit(there.path, "ours\n")
    undo = keep_undo(edit, there.kept)
    apply_edit(edit)
    (Path(there.kept) / undo.backup).write_text("something else\n")
    assert apply_undo(undo, there.kept) == TargetChanged(there.path)
    (Path(there.kept) / undo.backup).unlink()
    assert plan_undo(undo, there.kept) is None
    assert there.text == "ours\n"


def test_folders_made_for_a_file_stay_when_somebody_else_uses_them(tmp_path):
    there = Place(tmp_path, None, linked=False)
    edit = plan_edit(there.path, "ours\n")
    undo = keep_undo(edit, there.kept)
    apply_edit(edit)
    (there.real.parent / "theirs.txt").write_text("x")
    assert apply_undo(undo, there.kept) == Applied(there.path)
    assert [path.name for path in there.real.parent.iterdir()] == ["theirs.txt"]


def test_a_new_file_is_its_owners_alone_unless_a_project_shares_it(tmp_path):
    apply_edit(plan_edit(str(tmp_path / "own"), "x"))
    apply_edit(plan_edit(str(tmp_path / "shared"), "x", private=False))
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) & 0o077 for name in ("own", "shared")] == [0, 0o044]


def test_what_is_not_text_is_refused_before_anything_is_planned(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0")
    with pytest.raises(FileError, match="not UTF-8"):
        plan_edit(str(tmp_path / "binary"), "x")
    with pytest.raises(FileError, match="not a regular file"):
        plan_edit(str(tmp_path), "x")


def test_an_edit_that_changes_nothing_is_not_needed():
    assert not FileEdit("a", "x", "x").is_needed
    assert FileEdit("a", None, "").is_needed
    assert FileEdit("a", "x", "y").reverse == FileEdit("a", "y", "x")
