"""Messages of every shape: nothing is lost on the way in and back, and little on the way to another."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import (
    BinaryContent,
    BinaryImage,
    CachePoint,
    CompactionPart,
    DocumentUrl,
    FilePart,
    ImageUrl,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    RetryFeedbackPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

import recollect
from recollect.context.shapes import SHAPES, detect, parse, render
from recollect.context.shapes.media import facts_of
from recollect.errors import UsageError
from recollect.model.messages import Media, Message, Text, Thinking, ToolCall, ToolResult

JSON_SHAPES = [shape for shape in SHAPES if shape != "pydantic_ai"]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="

texts = st.text(max_size=12)
ids = st.text("abc_0123", min_size=1, max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
# Keys that providers add, keys that our own readers give a meaning to, and keys nobody has heard of.
KEYS = [
    "cache_control",
    "name",
    "id",
    "type",
    "kind",
    "redacted",
    "part",
    "message",
    "form",
    "place",
    "function",
    "is_error",
]
extras = st.dictionaries(st.sampled_from(KEYS) | texts, values, max_size=2)


def block(**fields: st.SearchStrategy):
    """A block with these fields and possibly more; a field may be anything now and then."""
    fixed = st.fixed_dictionaries({name: st.one_of(field, field, field, values) for name, field in fields.items()})
    return st.builds(lambda more, known: {**more, **known}, extras, fixed)


def contents(blocks: st.SearchStrategy):
    return texts | st.none() | st.lists(blocks | values, max_size=4) | values


def messages(*kinds: st.SearchStrategy):
    return st.lists(st.one_of(*kinds), max_size=6)


just = st.just
MEDIA_SOURCE = st.fixed_dictionaries({"type": st.sampled_from(["base64", "url", "file", "text"]), "data": texts})
anthropic_blocks = st.one_of(
    block(type=just("text"), text=texts, citations=values),
    block(type=just("thinking"), thinking=texts, signature=texts),
    block(type=just("redacted_thinking"), data=texts),
    block(type=st.sampled_from(["tool_use", "server_tool_use"]), id=ids, name=texts, input=values),
    block(type=st.sampled_from(["image", "document"]), source=MEDIA_SOURCE),
    block(type=st.sampled_from(["compaction", "web_search_tool_result"]), content=values),
)
anthropic_results = block(
    type=just("tool_result"), tool_use_id=ids, content=contents(anthropic_blocks), is_error=st.booleans()
)
anthropic_messages = messages(
    block(role=st.sampled_from(["user", "assistant"]), content=contents(anthropic_blocks | anthropic_results)),
    block(
        role=st.sampled_from(["user", "assistant", "system", "tool"]), content=st.lists(anthropic_results, max_size=3)
    ),
)

chat_blocks = st.one_of(
    block(type=just("text"), text=texts),
    block(type=just("refusal"), refusal=texts),
    block(type=just("image_url"), image_url=values),
    block(type=st.sampled_from(["input_audio", "file"]), input_audio=values, file=values),
)
chat_calls = st.one_of(
    block(id=ids, type=just("function"), function=block(name=texts, arguments=texts)),
    block(id=ids, type=just("custom"), custom=block(name=texts, input=texts)),
)
chat_messages = messages(
    block(role=st.sampled_from(["system", "developer", "user", "assistant"]), content=contents(chat_blocks)),
    block(
        role=just("assistant"),
        content=contents(chat_blocks),
        tool_calls=st.lists(chat_calls, max_size=3),
        refusal=texts,
    ),
    block(role=just("assistant"), function_call=block(name=texts, arguments=texts), audio=values),
    block(role=st.sampled_from(["tool", "function"]), tool_call_id=ids, content=contents(chat_blocks)),
)

responses_blocks = st.one_of(
    block(type=st.sampled_from(["input_text", "output_text", "text"]), text=texts, annotations=values),
    block(type=just("refusal"), refusal=texts),
    block(type=st.sampled_from(["input_image", "input_file", "input_audio", "computer_screenshot"]), file_id=texts),
)
CALL_TYPES = [
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "computer_call",
    "web_search_call",
    "tool_search_call",
]
responses_items = messages(
    block(
        role=st.sampled_from(["user", "assistant", "system", "developer", "tool"]), content=contents(responses_blocks)
    ),
    block(type=just("message"), role=just("assistant"), content=contents(responses_blocks), phase=texts),
    block(
        type=just("reasoning"),
        id=ids,
        summary=st.lists(block(text=texts), max_size=2),
        encrypted_content=texts | st.none(),
    ),
    block(type=st.sampled_from(CALL_TYPES), call_id=ids, name=texts, arguments=texts, input=texts, action=values),
    block(
        type=st.sampled_from([kind + "_output" for kind in CALL_TYPES]), call_id=ids, output=contents(responses_blocks)
    ),
    block(type=st.sampled_from(["compaction", "item_reference", "mcp_approval_response"]), encrypted_content=texts),
)

pydantic_contents = st.one_of(
    texts,
    block(kind=just("text-content"), content=texts),
    block(kind=st.sampled_from(["image-url", "audio-url", "document-url", "video-url"]), url=texts),
    block(kind=just("binary"), data=texts, media_type=st.sampled_from(["image/png", "application/pdf", "audio/wav"])),
    block(kind=just("cache-point"), ttl=texts),
)
request_parts = st.one_of(
    block(
        part_kind=st.sampled_from(["system-prompt", "user-prompt", "retry-feedback"]),
        content=contents(pydantic_contents),
    ),
    block(
        part_kind=st.sampled_from(["tool-return", "retry-prompt"]),
        tool_call_id=ids,
        tool_name=texts,
        content=contents(pydantic_contents),
        outcome=texts,
    ),
    block(part_kind=st.sampled_from(["speech", "instruction-delta"]), transcript=texts),
)
response_parts = st.one_of(
    block(part_kind=just("text"), content=texts),
    block(part_kind=just("thinking"), content=texts, signature=texts | st.none()),
    block(
        part_kind=st.sampled_from(["tool-call", "builtin-tool-call"]), tool_name=texts, tool_call_id=ids, args=values
    ),
    block(part_kind=st.sampled_from(["file", "speech", "compaction"]), content=pydantic_contents, transcript=texts),
)
pydantic_messages = messages(
    block(kind=just("request"), parts=st.lists(request_parts | values, max_size=4), instructions=texts | st.none()),
    block(kind=just("response"), parts=st.lists(response_parts | values, max_size=4), usage=values),
)
LISTS = {
    "anthropic": anthropic_messages,
    "openai_chat": chat_messages,
    "openai_responses": responses_items,
    "pydantic_ai_json": pydantic_messages.filter(lambda found: all(isinstance(message, dict) for message in found)),
}


def exact(value: object) -> str:
    """JSON text: tells 1 from 1.0 and from true, which == does not."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("shape", JSON_SHAPES)
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_whatever_a_list_holds_it_comes_back_as_it_was(shape, data):
    given_messages = data.draw(LISTS[shape])
    before = exact(given_messages)
    assert exact(render(parse(given_messages, shape), shape)) == before
    assert exact(given_messages) == before


@pytest.mark.parametrize(
    ("shape", "system", "inside"),
    [
        ("anthropic", "system", "messages"),
        ("openai_responses", "instructions", "input"),
        ("openai_chat", "", "messages"),
    ],
)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_whole_request_comes_back_with_everything_beside_its_list(shape, system, inside, data):
    beside = data.draw(st.dictionaries(st.sampled_from(["model", "tools", "max_tokens"]), values, max_size=2))
    context = data.draw(st.just({}) | st.fixed_dictionaries({system: contents(anthropic_blocks)})) if system else {}
    request = {**beside, **context, inside: data.draw(LISTS[shape])}
    assert exact(render(parse(request, shape), shape)) == exact(request)


@pytest.mark.parametrize("shape", JSON_SHAPES)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_any_list_can_be_written_in_any_other_shape(shape, data):
    neutral = parse(data.draw(LISTS[shape]), shape)
    for other in JSON_SHAPES:
        json.dumps(render(neutral, other))


# A conversation that every shape can say.
said = st.text(min_size=1, max_size=20)
arguments = st.dictionaries(texts, values, max_size=2).map(lambda value: json.dumps(value, sort_keys=True))
pictures = st.just(
    Media("image", {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}})
)


@st.composite
def conversations(draw) -> list[Message]:
    out = [Message("system", (Text(draw(said)),))] if draw(st.booleans()) else []
    for turn in range(draw(st.integers(1, 3))):
        asked = draw(st.lists(st.builds(Text, said) | pictures, min_size=1, max_size=3))
        out.append(Message("user", tuple(asked)))
        calls = [
            ToolCall(f"call_{turn}_{place}", draw(ids), draw(arguments)) for place in range(draw(st.integers(0, 3)))
        ]
        out.append(Message("assistant", (Text(draw(said)), *calls)))
        out += [Message("tool", (ToolResult(call.call_id, (Text(draw(said)),)),)) for call in calls]
    return out


def told(messages) -> list[object]:
    """What a conversation says, whichever way its messages are cut."""
    out: list[object] = []
    for message in messages:
        speaker = "system" if message.role == "developer" else message.role
        for part in message.parts:
            match part:
                case Text(text=text):
                    out.append((speaker, text))
                case Media():
                    facts = facts_of(part)
                    out.append((speaker, facts.kind, facts.media_type, facts.data))
                case ToolCall(call_id=call_id, name=name, arguments=words):
                    out.append(("call", call_id, name, exact(json.loads(words))))
                case ToolResult(call_id=call_id, parts=parts):
                    out.append(("result", call_id, tuple(inner.text for inner in parts if isinstance(inner, Text))))
    return out


@given(conversations())
@settings(max_examples=40, deadline=None)
def test_a_conversation_says_the_same_after_a_journey_through_every_shape(conversation):
    neutral: list[Message] | tuple[Message, ...] = conversation
    for shape in [*JSON_SHAPES, *reversed(JSON_SHAPES), "pydantic_ai"]:
        neutral = parse(render(neutral, shape), shape)
        assert told(neutral) == told(conversation), shape


NOW = datetime(2025, 1, 1, tzinfo=UTC)


def test_objects_of_pydantic_ai_come_back_equal():
    history: list[ModelMessage] = [
        ModelRequest(
            [
                SystemPromptPart("be brief", timestamp=NOW),
                UserPromptPart(
                    [
                        "look",
                        ImageUrl("https://x/y.png"),
                        CachePoint(),
                        BinaryContent(b"\xff\xfe%PDF", media_type="application/pdf"),
                        DocumentUrl("https://x/d.pdf"),
                    ],
                    timestamp=NOW,
                ),
            ],
            instructions="always test",
            timestamp=NOW,
        ),
        ModelResponse(
            [
                ThinkingPart("hm", signature="sig", provider_name="anthropic"),
                TextPart("I will"),
                ToolCallPart("read", {"path": "a.py"}, "c1"),
                ToolCallPart("read", '{"path": "b.py"}', "c2"),
                FilePart(BinaryImage(b"\x89PNG", media_type="image/png")),
                CompactionPart("so far", provider_name="anthropic"),
            ],
            timestamp=NOW,
            model_name="m",
        ),
        ModelRequest(
            [
                ToolReturnPart("read", {"lines": [1, 2.0, None]}, "c1", timestamp=NOW),
                ToolReturnPart("read", ["text", ImageUrl("https://x/z.png")], "c2", timestamp=NOW, outcome="failed"),
                UserPromptPart("go on", timestamp=NOW),
            ],
            timestamp=NOW,
        ),
        ModelRequest([], timestamp=NOW),
    ]
    assert detect(history) == "pydantic_ai"
    neutral = parse(history)
    assert render(neutral, "pydantic_ai") == history
    stored = ModelMessagesTypeAdapter.dump_python(history, mode="json")
    assert render(parse(stored), "pydantic_ai_json") == stored
    assert [message.role for message in neutral] == [
        "system",
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
        "user",
    ]
    assert neutral[5].results[0].is_error


def test_feedback_of_the_library_is_not_taken_for_the_users_words():
    part = {"part_kind": "retry-feedback", "content": "try again"}
    assert RetryFeedbackPart.part_kind == part["part_kind"]
    assert [message.role for message in parse([{"kind": "request", "parts": [part]}])] == ["tool"]


def test_instructions_survive_when_the_request_that_held_them_is_gone():
    history = [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "a"}], "instructions": "always test"}
    ]
    apart, _ = parse(history)
    fresh = Message("user", (Text("b"),))
    assert render([apart, fresh], "pydantic_ai_json")[-1]["instructions"] == "always test"


def test_results_and_the_words_beside_them_are_told_apart_and_put_together_again():
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
    original = [{"role": "user", "content": [result, {"type": "text", "text": "and now?"}]}]
    neutral = parse(original, "anthropic")
    assert [(message.role, message.joined) for message in neutral] == [("tool", False), ("user", True)]
    assert neutral[1].text == "and now?"
    assert render(neutral, "anthropic") == original


def test_parallel_calls_of_responses_become_one_chat_message_before_its_results():
    items = [
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x"},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "b", "name": "apply_patch", "input": "*** Begin"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {
            "type": "custom_tool_call_output",
            "call_id": "b",
            "output": [
                {"type": "input_text", "text": "2"},
                {"type": "input_image", "image_url": "data:image/png;base64," + PNG},
            ],
        },
    ]
    chat = render(parse(items, "openai_responses"), "openai_chat")
    assert [message["role"] for message in chat] == ["assistant", "tool", "tool", "user"]
    assert [call["type"] for call in chat[0]["tool_calls"]] == ["function", "custom"]
    assert chat[3]["content"][0]["type"] == "image_url"
    anthropic = render(parse(items, "openai_responses"), "anthropic")
    assert [message["role"] for message in anthropic] == ["assistant", "user"]
    assert anthropic[0]["content"][1]["input"] == {"input": "*** Begin"}


def test_older_function_calls_get_an_id_that_their_result_shares():
    original = [
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "1"},
        {"role": "assistant", "content": None, "function_call": {"name": "g", "arguments": "{}"}},
        {"role": "function", "name": "g", "content": "2"},
    ]
    neutral = parse(original, "openai_chat")
    calls = [call.call_id for message in neutral for call in message.calls]
    assert calls == [result.call_id for message in neutral for result in message.results]
    assert len(set(calls)) == 2
    assert render(neutral, "openai_chat") == original


def test_sealed_reasoning_travels_through_pydantic_ai_and_back_to_its_provider_only():
    original = [
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "text", "text": "yes"},
            ],
        }
    ]
    through = parse(render(parse(original, "anthropic"), "pydantic_ai_json"))
    assert render(through, "anthropic") == original
    assert [
        part
        for message in parse(render(through, "openai_responses"))
        for part in message.parts
        if isinstance(part, Thinking)
    ] == []


def test_the_summary_of_a_compaction_block_arrives_as_text():
    original = [{"role": "assistant", "content": [{"type": "compaction", "content": "we fixed the parser"}]}]
    assert render(parse(original, "anthropic"), "openai_chat") == [
        {"role": "assistant", "content": "we fixed the parser"}
    ]


def test_media_that_a_shape_cannot_take_are_named_in_a_text():
    sound = [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}]}]
    assert render(parse(sound, "openai_chat"), "anthropic") == [{"role": "user", "content": "[audio: audio/wav]"}]


def test_system_messages_become_the_system_context_of_anthropic():
    chat = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hi"},
        {"role": "developer", "content": "no tabs"},
    ]
    request = render(parse(chat, "openai_chat"), "anthropic")
    assert request == {
        "system": [{"type": "text", "text": "be brief"}, {"type": "text", "text": "no tabs"}],
        "messages": [{"role": "user", "content": "hi"}],
    }


def test_a_new_message_between_old_ones_is_written_as_its_neighbours_are():
    fresh = Message("user", (Text("summary"),))
    assert render([*parse([{"role": "assistant", "content": "a"}], "anthropic"), fresh], "anthropic")[1] == {
        "role": "user",
        "content": "summary",
    }
    assert render([fresh], "openai_responses") == [
        {"role": "user", "content": [{"type": "input_text", "text": "summary"}]}
    ]
    assert render([fresh], "pydantic_ai_json") == [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "summary"}]}
    ]


@given(conversations())
@settings(max_examples=30, deadline=None)
def test_a_shape_is_recognised_from_what_only_it_has(conversation):
    marked = [
        *conversation,
        Message("assistant", (ToolCall("c", "f", "{}"),)),
        Message("tool", (ToolResult("c", (Text("r"),)),)),
    ]
    for shape in SHAPES:
        assert detect(render(marked, shape)) == shape


def test_what_is_no_list_of_messages_is_refused_in_words():
    with pytest.raises(UsageError, match="not messages"):
        detect({"text": 1})
    with pytest.raises(UsageError, match="openai_chat"):
        parse([], "markdown")
    with pytest.raises(UsageError, match="'messages'"):
        parse({"system": "x"}, "anthropic")


def logged(host: str) -> list[list[dict[str, object]]]:
    """The provider's own messages in the sample logs of a host, by session."""
    sessions = []
    for path in sorted((Path(recollect.__file__).parent / "sample" / host).rglob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        if host == "codex":
            sessions.append([line["payload"] for line in lines if line.get("type") == "response_item"])
        else:
            sessions.append([line["message"] for line in lines if line.get("type") in ("user", "assistant")])
    return [session for session in sessions if session]


@pytest.mark.parametrize(("host", "shape"), [("claude", "anthropic"), ("codex", "openai_responses")])
def test_the_messages_in_logs_of_agents_come_back_as_they_were(host, shape):
    sessions = logged(host)
    assert sessions
    for session in sessions:
        assert exact(render(parse(session, shape), shape)) == exact(session)
