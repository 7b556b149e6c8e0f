"""Configuration files as people have them: JSON with comments and odd spacing, TOML with everything in it."""

from __future__ import annotations

import json

from hypothesis import strategies as st

NAMES = st.sampled_from(
    ["hooks", "mcpServers", "servers", "mcp", "model", "a b", "ключ", "env", "SessionStart", "Stop"]
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x7f"), max_size=12)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**6), 10**6), TEXTS)
OTHERS_HOOK = {"hooks": [{"type": "command", "command": "other-tool --flag"}]}
OTHERS_GROUPS = st.lists(
    st.sampled_from([OTHERS_HOOK, {"matcher": "Bash", **OTHERS_HOOK}, {"command": "x"}]), max_size=3
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.one_of(NAMES, TEXTS), inner, max_size=3)),
    max_leaves=8,
)
EVENTS = st.sampled_from(
    ["SessionStart", "UserPromptSubmit", "Stop", "sessionStart", "stop", "BeforeAgent", "preCompact", "PostToolUse"]
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, object]:
    """Settings with hooks and servers of other tools, or without, among whatever else."""
    document = draw(
        st.dictionaries(st.one_of(st.sampled_from(["model", "env", "permissions", "x y"]), TEXTS), VALUES, max_size=4)
    )
    for key in ("hooks", "mcpServers", "servers", "mcp", "version"):
        document.pop(key, None)
    if draw(st.booleans()):
        document["hooks"] = draw(st.dictionaries(EVENTS, OTHERS_GROUPS, max_size=3))
    for key in draw(st.lists(st.sampled_from(["mcpServers", "servers", "mcp"]), unique=True, max_size=2)):
        document[key] = draw(
            st.dictionaries(st.sampled_from(["github", "db"]), st.just({"command": "npx"}), max_size=2)
        )
    order = draw(st.permutations(list(document)))
    return {key: document[key] for key in order}


@st.composite
def json_texts(draw: st.DrawFn) -> str:
    """A document as somebody's editor left it."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    document = draw(documents())
    how = draw(st.sampled_from(["odd", "compact", "two", "four", "tab"]))
    if how == "odd":
        text = draw(_written(document, newline))
    else:
        indent = {"compact": None, "two": 2, "four": 4, "tab": "\t"}[how]
        text = json.dumps(document, indent=indent, ensure_ascii=False).replace("\n", newline)
    before = draw(st.sampled_from(["", "", "// settings" + newline, newline]))
    after = draw(st.sampled_from(["", newline, newline * 2, " "]))
    return draw(st.sampled_from(["", "", "\ufeff"])) + before + text + after


@st.composite
def _written(draw: st.DrawFn, value: object, newline: str) -> str:
    """A value with blanks and comments wherever they may stand."""
    gap = st.sampled_from(["", " ", newline, newline + "  ", "\t", f" // note {newline}", " /* ] } , */ ", newline * 2])
    if isinstance(value, dict):
        parts = [
            json.dumps(key, ensure_ascii=False) + draw(gap) + ":" + draw(gap) + draw(_written(inner, newline))
            for key, inner in value.items()
        ]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        parts = [draw(_written(inner, newline)) for inner in value]
        opening, closing = "[", "]"
    else:
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    text = opening
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        comma = "," if not last or draw(st.booleans()) else ""
        text += draw(gap) + part + draw(gap) + comma
    return text + draw(gap) + closing


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """A config.toml with tables, comments, odd spacing and strings over several lines."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    root = [
        "# mine",
        'model = "gpt"   # fast',
        "flag=true",
        'note = """',
        "[not.a.table]",
        '"""',
        "list = [",
        "  1, # one",
        "  2,",
        "]",
    ]
    pieces = draw(
        st.lists(st.sampled_from(["root", "tui", "server", "dotted", "array", "state", "comment"]), unique=True)
    )
    lines: list[str] = []
    if "root" in pieces:
        lines += root
    if "dotted" in pieces:
        lines += ['profiles.fast.model = "x"']
    for piece in pieces:
        lines += {
            "tui": ["", "[tui]", "theme = 'dark'"],
            "server": [
                "",
                "[mcp_servers.github] # mine",
                'command = "npx"',
                "args = []",
                "",
                "[mcp_servers.github.env]",
                'TOKEN = "x"',
            ],
            "array": ["[[rules]]", "name='a'", "[[rules]]", "name='b'"],
            "state": ["", '[hooks.state."/x/hooks.json:stop:0:0"]', 'trusted_hash = "sha256:1"'],
            "comment": ["# the end", ""],
        }.get(piece, [])
    end = draw(st.sampled_from(["", newline, newline * 3]))
    return draw(st.sampled_from(["", "\ufeff"])) + newline.join(lines) + end
