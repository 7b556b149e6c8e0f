"""Laws of the edits: nothing but our own entries changes, and taking them out again leaves what was there."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.files.edits.jsonc import NotJson, comments, parse
from recollect.files.edits.jsonc_edit import append_item, remove_part, set_key
from recollect.files.edits.managed_block import BEGIN, END, BlockBroken, remove_block, set_block
from recollect.files.edits.toml_edit import NotToml, read_table, remove_table, set_table
from recollect.hosts.installing import Entry, Wanted, put, strip
from tests.configs import json_texts, toml_texts

HANDLER = {"type": "command", "command": "/home/u/bin/recollect-hook", "timeout": 10}
HOOKS = Wanted(
    "claude-code",
    "settings.json",
    "hooks",
    entries=tuple(Entry("item", ("hooks", event), {"hooks": [HANDLER]}) for event in ("SessionStart", "Stop")),
)
SERVER = Wanted(
    "claude-code",
    ".mcp.json",
    "MCP server",
    entries=(Entry("key", ("mcpServers", "recollect"), {"command": "/home/u/bin/recollect-mcp", "args": []}),),
)
TABLE = ("mcp_servers", "recollect")
VALUES = {"command": "/home/u/bin/recollect-mcp", "args": []}


def value_of(text: str) -> object:
    node = parse(text)
    return node.value() if node else None


def comments_of(text: str) -> list[str]:
    """Every comment of a text; a string that looks like one is none."""
    found = []
    at = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|//[^\n\r]*|/\*.*?\*/', text, re.DOTALL):
        assert token.start() >= at
        if token[0].startswith("/"):
            found.append(token[0])
    return found


@given(json_texts())
def test_a_file_is_read_as_what_it_says(text: str) -> None:
    node = parse(text)
    assert node is not None
    plain = re.sub(
        r'("(?:[^"\\]|\\.)*")|//[^\n\r]*|/\*.*?\*/', lambda m: m[1] or "", text.lstrip("\ufeff"), flags=re.DOTALL
    )
    plain = re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda m: m[1] or "", plain)
    assert node.value() == json.loads(plain)


@settings(max_examples=60)
@given(json_texts(), st.sampled_from([HOOKS, SERVER]))
def test_an_install_adds_our_entries_and_changes_nothing_else(text: str, wanted: Wanted) -> None:
    edited, _ = put(text, wanted)
    assert comments_of(edited) == comments_of(text)
    before, after = value_of(text), value_of(edited)
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    # Each byte of the old file is still there, in its order.
    rest = iter(edited)
    assert all(character in rest for character in text)
    for entry in wanted.entries:
        inner = after
        for key in entry.path[:-1]:
            inner = inner[key]
        last = inner[entry.path[-1]]
        assert (last[-1] if entry.how == "item" else last) == entry.value
    assert list(before) == list(after)[: len(before)]


@settings(max_examples=60)
@given(json_texts(), st.sampled_from([HOOKS, SERVER]))
def test_a_second_install_changes_nothing(text: str, wanted: Wanted) -> None:
    edited, _ = put(text, wanted)
    assert put(edited, wanted) == (edited, [])


@settings(max_examples=60)
@given(json_texts(), st.sampled_from([HOOKS, SERVER]))
def test_taking_our_entries_out_leaves_what_the_file_said_and_its_comments(text: str, wanted: Wanted) -> None:
    edited, made = put(text, wanted)
    left = strip(edited, wanted, made)
    assert value_of(left) == value_of(text)
    assert comments_of(left) == comments_of(text)


@given(st.sampled_from([2, 4, "\t"]), st.booleans(), st.sampled_from(["", "\n"]), json_texts())
def test_taking_our_entries_out_of_a_tidy_file_is_exact_without_any_record_of_its_bytes(indent, crlf, end, odd) -> None:
    text = json.dumps(value_of(odd), indent=indent, ensure_ascii=False) + end
    text = text.replace("\n", "\r\n") if crlf else text
    for wanted in (HOOKS, SERVER):
        edited, made = put(text, wanted)
        assert strip(edited, wanted, made) == text


def edits(text: str) -> list[str]:
    """What a user may do to the file meanwhile, by its JSON."""
    added, _ = set_key(text, ("theme",), "dark")
    hooked, _ = append_item(text, ("hooks", "SessionStart"), {"hooks": [{"type": "command", "command": "later"}]})
    return [added, hooked, "// mine\n" + text.removeprefix("\ufeff"), text.replace("\n", "\n\n")]


@settings(max_examples=40)
@given(json_texts(), st.integers(0, 3))
def test_after_an_edit_by_the_user_only_our_entries_go(text: str, which: int) -> None:
    edited, made = put(text, HOOKS)
    theirs = edits(edited)[which]
    left = strip(theirs, HOOKS, made)
    wanted = value_of(edits(text)[which])
    assert value_of(left) == wanted
    assert "recollect-hook" not in left


def test_a_hook_of_another_tool_in_our_group_stays() -> None:
    text, made = put("{}", HOOKS)
    node = parse(text)
    assert node is not None
    group = node.find(("hooks", "Stop"))
    assert group is not None
    array = group.items[0].member("hooks")
    assert array is not None
    theirs = text[: array.value.start + 1] + '{"type": "command", "command": "mine"}, ' + text[array.value.start + 1 :]
    assert value_of(strip(theirs, HOOKS, made)) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}
    }


def test_a_stale_command_is_replaced_where_it_stands() -> None:
    old = '{\n  "hooks": {\n    "Stop": [\n      {"hooks": [{"type": "command", "command": "/old/recollect-hook"}]}, // ours\n      {"hooks": []}\n    ]\n  }\n}\n'
    edited, _ = put(old, Wanted("x", "x", "hooks", entries=(Entry("item", ("hooks", "Stop"), {"hooks": [HANDLER]}),)))
    assert edited.count("recollect-hook") == 1
    assert "/home/u/bin/recollect-hook" in edited
    assert edited.index("recollect-hook") < edited.index("// ours")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "the file ends before a closing }"),
        ("{1: 2}", "key"),
        ('{"a": 1 "b": 2}', "comma"),
        ('{"a": tru}', "does not belong there"),
        ("[1]", "not an object"),
        ('{"hooks": []}', "not an object"),
        ('{"hooks": {"Stop": {}}}', "not a list"),
        ('{"a": "\\q"}', "escape"),
        ("{} {}", "after the end"),
        ("[" * 3000, "deeply"),
        ('{"a": /* never closed }', "a comment is not closed"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(NotJson, match=why):
        put(text, HOOKS)


def test_removing_the_only_part_keeps_the_comments_in_it() -> None:
    text = '{\n  // why\n  "a": 1\n}'
    node = parse(text)
    assert node is not None
    left = remove_part(text, node, 0)
    assert value_of(left) == {}
    assert [left[start:end] for start, end in comments(left, 1, len(left) - 1)] == ["// why"]


@given(toml_texts())
def test_a_table_is_added_to_a_toml_file_and_taken_out_again(text: str) -> None:
    edited = set_table(text, TABLE, VALUES)
    assert edited.startswith(text)
    assert read_table(edited, TABLE) == VALUES
    assert set_table(edited, TABLE, VALUES) == edited
    left = remove_table(edited, TABLE)
    assert tomllib.loads(left.lstrip("\ufeff")) == tomllib.loads(text.lstrip("\ufeff"))
    newline = "\r\n" if "\r\n" in text else "\n"
    assert left == text or left == text + newline  # a missing last line end is all that can come of it


@given(toml_texts())
def test_a_table_goes_from_the_middle_of_a_toml_file(text: str) -> None:
    newline = "\r\n" if "\r\n" in text else "\n"
    later = f"{newline}# later{newline}[history]{newline}persistence = 'none'{newline}"
    left = remove_table(set_table(text, TABLE, VALUES) + later, TABLE)
    assert left.endswith(later)
    assert tomllib.loads(left.lstrip("\ufeff")) == tomllib.loads(text.lstrip("\ufeff") + newline + later)


@pytest.mark.parametrize(
    "text", ["mcp_servers = { a = { command = 'x' } }\n", "mcp_servers = 3\n", "a = \n", "[a]\n[a]\n"]
)
def test_a_toml_file_without_room_for_a_table_is_refused(text: str) -> None:
    with pytest.raises(NotToml):
        set_table(text, TABLE, VALUES)


@given(
    st.text(st.characters(codec="utf-8"), max_size=40).filter(lambda t: "<!--" not in t),
    st.sampled_from(["", "\n", "\r\n"]),
)
@example("\r", "")
def test_a_block_comes_and_goes_without_a_trace(text: str, end: str) -> None:
    text = text + end
    edited = set_block(text, "one\ntwo")
    assert text in edited
    assert set_block(edited, "one\ntwo") == edited
    left = remove_block(edited)
    assert left == text or left.rstrip("\r\n") == text.rstrip("\r\n")
    assert set_block(edited, "three").count(BEGIN) == 1


def test_a_block_with_a_missing_mark_is_refused() -> None:
    for text in (BEGIN, END, END + BEGIN, BEGIN + END + BEGIN + END):
        with pytest.raises(BlockBroken):
            set_block(text, "x")
