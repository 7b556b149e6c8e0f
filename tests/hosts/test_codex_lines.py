"""Codex: what is told from the bytes of a line is what its parsing would have told."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.hosts.codex.logs import read

HEAD = {"timestamp": "2026-03-01T09:00:00.000Z", "type": "session_meta", "payload": {"id": "t1", "cwd": "/w"}}
TEXTS = st.text(st.sampled_from(list('ab "\\}]{,:\n\té😀\u2028n')), max_size=12) | st.sampled_from(
    ['"}]', 'a\\"}]', '\\"', '","phase":"x', "\ud83d half", "<memory-context>old</memory-context>", ""]
)
COUNTS = st.fixed_dictionaries(
    {"input_tokens": st.integers(0, 9), "output_tokens": st.integers(0, 9), "total_tokens": st.integers(0, 18)},
    optional={"reasoning_output_tokens": st.integers(0, 9), "note": st.text(max_size=3)},
)


def line(second: int, kind: str, payload: dict[str, object]) -> dict[str, object]:
    return {"timestamp": f"2026-03-01T09:00:{second:02d}.000Z", "type": kind, "payload": payload}


def shown(text: str) -> tuple[str, dict[str, object]]:
    return "event_msg", {"type": "agent_message", "message": text, "phase": "commentary"}


def kept(text: str) -> tuple[str, dict[str, object]]:
    content = [{"type": "output_text", "text": text}]
    return "response_item", {"type": "message", "role": "assistant", "content": content, "phase": "commentary"}


def told(role: str, text: str) -> tuple[str, dict[str, object]]:
    content = [{"type": "input_text", "text": text}]
    return "response_item", {"type": "message", "role": role, "content": content}


def counted(total: dict[str, object], last: dict[str, object]) -> tuple[str, dict[str, object]]:
    info = {"total_token_usage": total, "last_token_usage": last, "model_context_window": 9}
    return "event_msg", {"type": "token_count", "info": info, "rate_limits": None}


def output(text: str) -> tuple[str, dict[str, object]]:
    return "response_item", {
        "type": "function_call_output",
        "call_id": text,
        "output": f"Exit code: 1\nOutput:\n{text}",
    }


RECORDS = st.one_of(
    TEXTS.map(shown),
    TEXTS.map(kept),
    st.builds(told, st.sampled_from(["user", "developer", "assistant"]), TEXTS),
    st.builds(counted, COUNTS, COUNTS),
    TEXTS.map(output),
)


@given(
    st.lists(st.one_of(RECORDS.map(lambda one: [one]), TEXTS.map(lambda text: [shown(text), kept(text)])), max_size=8)
)
@settings(max_examples=60, deadline=None)
def test_a_log_spelled_with_spaces_gives_the_same_events(tmp_path_factory, groups) -> None:
    records = [HEAD, *(line(at, *one) for at, one in enumerate(one for group in groups for one in group))]
    folder = tmp_path_factory.mktemp("codex")
    dense, wide = folder / "dense.jsonl", folder / "wide.jsonl"
    for path, separators, ascii_only in ((dense, (",", ":"), False), (wide, (", ", ": "), True)):
        lines = [json.dumps(one, separators=separators, ensure_ascii=ascii_only) for one in records]
        path.write_bytes("".join(f"{one}\n" for one in lines).encode("utf-8", "replace"))
    halves = [str(one).replace("?", "\ufffd") for one in read(str(dense))]
    assert halves == [str(one).replace("?", "\ufffd") for one in read(str(wide))]
