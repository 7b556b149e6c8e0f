"""Edits of TOML files: whatever is written there, no byte but those of the edit changes."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.files.edits.toml_edit import NotToml, find_lines, remove_table, set_table
from recollect.files.edits.toml_settings import set_key
from recollect.files.toml_lines import key_lines
from tests.configs import toml_texts

TABLE = ("mcp_servers", "recollect")
VALUES = {"command": "/home/u/bin/recollect-mcp", "args": []}
ODD = {
    "comments": "# top\n\na = 1   # why\n# [not.a.header]\n\n[x] # here\n# inside\ny = 2\n\n# end",
    "Windows line ends": "a = 1\r\n\r\n[x]\r\n  y = 'z'\t# c\r\n",
    "odd spacing": '  a=1\n\t[ x . "y z" ]  \n   k   =   [ 1,2 ,\n\n 3 ] \n\n\n',
    "dotted keys": "x.a = 1\nb = 2\nx.c.d = 3\n[t]\nu.v = 1\n'q'.\"r\" = 2\n",
    "inline tables": "x = { a = 1 , b = { c = [ 1 ] } }\ny={}\n",
    "arrays of tables": "[[r]]\nn = 1\n[[r.s]]\nm = 2\n[[r]]\n[r.t]\no = 3\n",
    "tables that stand apart": "[x.a]\nk = 1\n[[r]]\nn = 1\n[x.b]\nk = 2\n[y]\n[x.c]\nk = 3\n",
    "texts that look like tables": 'a = """\n[x]\n"""""\nb = \'\'\'\n[[y]]\n\'\'\'\nc = [\n["d"]\n]\n',
    "a mark at the beginning": "\ufeffa = 1\n[x]\ny = 2\n",
    "nothing": "",
}


def is_cut_from(text: str, edited: str) -> bool:
    """Is the edited text the old one with something put in at one place?"""
    same = next((at for at, (old, new) in enumerate(zip(text, edited, strict=False)) if old != new), len(text))
    return edited.endswith(text[same:])


@pytest.mark.parametrize("what", ODD)
def test_a_table_comes_and_goes_and_every_other_byte_stays(what):
    text = ODD[what]
    edited = set_table(text, TABLE, VALUES)
    assert edited.startswith(text)
    assert remove_table(edited, TABLE) in (text, text + "\n"), "only a missing last line end may come of it"
    later = edited + "\n# mine\n[later]\nz = 1\n"
    assert remove_table(later, TABLE).startswith(text)
    assert remove_table(later, TABLE).endswith("\n# mine\n[later]\nz = 1\n")


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("name", ["enabled", "recall.floor"])
def test_a_new_key_is_put_in_and_every_other_byte_stays(what, name):
    text = ODD[what]
    edited = set_key(text, name, 1, is_mine=lambda path: ".".join(path) == name)
    assert is_cut_from(text, edited)
    assert tomllib.loads(edited.removeprefix("\ufeff"))
    newline = "\r\n" if "\r\n" in text else "\n"
    assert edited.count("\n") == edited.count(newline)


@pytest.mark.parametrize("what", ODD)
def test_a_value_is_replaced_where_it_stands_and_every_other_byte_stays(what):
    text = ODD[what]
    for line in find_lines(text):
        for path in line.inline if line.is_inline else () if line.is_header else (line.path,):
            if text.startswith("[[") or (path[0] == "r" and "[[r]]" in text):
                continue  # which of the list is not said by a name
            edited = set_key(text, "unused", 77, is_mine=path.__eq__)
            before, after = text[: line.start], text[line.end :]
            assert edited.startswith(before)
            assert edited.endswith(after)
            changed = edited[len(before) : len(edited) - len(after)]
            assert "77" in changed
            assert changed.split("=")[0] == text[line.start : line.end].split("=")[0]


def test_a_key_in_a_list_of_tables_is_not_guessed_at():
    with pytest.raises(NotToml, match="list of tables"):
        set_key("[[recall]]\nfloor = 1\n", "recall.floor", 2, is_mine=lambda path: path == ("recall", "floor"))


@given(toml_texts(), st.sampled_from(sorted(ODD)))
def test_every_line_that_is_found_is_on_the_line_that_messages_name(text, what):
    for one in (text, ODD[what]):
        named = key_lines(one, deepest=9)
        for line in find_lines(one):
            if line.path not in named:
                pytest.fail(f"{line.path} has no line")
            assert named[line.path] <= one.count("\n", 0, line.start) + 1
        first = {line.path: one.count("\n", 0, line.start) + 1 for line in reversed(find_lines(one))}
        assert all(named[path] <= number for path, number in first.items())


def test_reading_settings_does_not_load_tomlkit(tmp_path):
    (tmp_path / "config.toml").write_text("[recall]\nfloor = 1\n")
    code = (
        "import sys; from recollect.files.config import load_settings; from recollect.files.home import Home\n"
        f"load_settings({{}}, Home({str(tmp_path)!r})); print('tomlkit' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
