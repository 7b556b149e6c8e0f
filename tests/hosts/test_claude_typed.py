"""Claude Code: what a person typed and the log keeps in odd places, and what nobody typed although it looks so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.hosts.claude_code.logs import read
from recollect.model.sessions import Answered, Returned, Said

Record = dict[str, Any]
SESSION = {"sessionId": "s1", "cwd": "/w", "isSidechain": False, "userType": "external", "version": "2.1.219"}


def events(folder: Path, *records: Record) -> list[Any]:
    """The events of a log with these records, a second apart, each the child of the one before."""
    lines, parent = [], None
    for number, record in enumerate(records):
        at = f"2026-05-01T10:{number // 60:02d}:{number % 60:02d}.000Z"
        if record["type"] == "queue-operation":
            lines.append({**record, "timestamp": at, "sessionId": "s1"})
            continue
        lines.append({"parentUuid": parent, **SESSION, "uuid": f"u{number}", "timestamp": at, **record})
        parent = lines[-1]["uuid"]
    path = folder / "s1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return list(read(str(path)))


def said(found: list[Any]) -> list[str]:
    return [event.text for event in found if isinstance(event, Said)]


def user(content: Any, **more: Any) -> Record:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def assistant(number: int, *blocks: Record) -> Record:
    message = {"id": f"m{number}", "role": "assistant", "model": "m", "content": list(blocks)}
    return {"type": "assistant", "message": message}


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def call(name: str = "Bash") -> Record:
    return {"type": "tool_use", "id": "t1", "name": name, "input": {}}


def result(output: str = "ok", **more: Any) -> Record:
    return {"type": "tool_result", "tool_use_id": "t1", "content": output, **more}


def queue(operation: str, content: str | None = None, **more: Any) -> Record:
    return {
        "type": "queue-operation",
        "operation": operation,
        **({} if content is None else {"content": content}),
        **more,
    }


# -- text beside the result of a tool


def test_words_beside_a_tool_result_in_one_record_are_the_users(tmp_path: Path) -> None:
    found = events(
        tmp_path,
        user("start"),
        assistant(1, call()),
        user([result(), text("use the staging host instead")], toolUseResult={"stdout": "ok"}),
    )
    assert said(found) == ["start", "use the staging host instead"]
    assert [event.output for event in found if isinstance(event, Returned)] == ["ok"]


@pytest.mark.parametrize(
    "beside",
    [
        "[Request interrupted by user for tool use]",
        "<system-reminder>The file was changed by a linter.</system-reminder>",
        "<task-notification><task-id>a</task-id></task-notification>\nFull transcript available at: /tmp/a.output",
    ],
)
def test_what_the_host_puts_beside_a_tool_result_is_nobodys(tmp_path: Path, beside: str) -> None:
    assert said(events(tmp_path, user("start"), assistant(1, call()), user([result(), text(beside)]))) == ["start"]


@pytest.mark.parametrize("mark", [{"isMeta": True}, {"sourceToolUseID": "t1"}, {"origin": {"kind": "hook"}}])
def test_words_beside_a_result_that_the_host_marks_as_its_own_are_nobodys(tmp_path: Path, mark: Record) -> None:
    assert said(events(tmp_path, user("start"), assistant(1, call()), user([result(), text("do it")], **mark))) == [
        "start"
    ]


def test_words_beside_a_sub_agents_result_are_nobodys(tmp_path: Path) -> None:
    records = (assistant(1, call()), user([result(), text("go on")]))
    assert said(events(tmp_path, *({**one, "isSidechain": True, "agentId": "a1"} for one in records))) == []


def test_a_reason_that_stands_in_the_result_and_beside_it_is_one_message(tmp_path: Path) -> None:
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, "
        "the user said:\nask me first"
    )
    found = events(
        tmp_path,
        user("start"),
        assistant(1, call()),
        user([result(refused, is_error=True), text("ask me first")], toolUseResult="User rejected tool use"),
    )
    assert said(found) == ["start", "ask me first"]


# -- queued prompts


def test_a_queued_prompt_that_has_no_record_of_its_own_is_said_where_it_was_taken_up(tmp_path: Path) -> None:
    found = events(
        tmp_path,
        user("start"),
        assistant(1, call()),
        queue("enqueue", "and use tabs"),
        queue("remove"),
        user([result()]),
        assistant(2, text("Tabs it is.")),
    )
    assert said(found) == ["start", "and use tabs"]
    heard = [event.text for event in found if isinstance(event, Said | Answered)]
    assert heard == ["start", "and use tabs", "Tabs it is."]


@pytest.mark.parametrize(
    "follows",
    [
        user("and use tabs", origin={"kind": "human"}, promptSource="queued"),
        {
            "type": "attachment",
            "attachment": {"type": "queued_command", "prompt": "and use tabs", "commandMode": "prompt"},
        },
    ],
)
@pytest.mark.parametrize("leaves", [queue("dequeue"), queue("remove", "and use tabs")])
def test_a_queued_prompt_with_a_record_of_its_own_is_said_once(tmp_path: Path, follows: Record, leaves: Record) -> None:
    began = (user("start"), assistant(1, text("Working.")), queue("enqueue", "and use tabs"))
    done = assistant(2, text("Tabs it is."))
    assert said(events(tmp_path, *began, leaves, follows, done)) == ["start", "and use tabs"]
    assert said(events(tmp_path, *began, follows, leaves, done)) == ["start", "and use tabs"]
    assert said(events(tmp_path, *began, leaves, assistant(3, text("Hm.")), follows, done)) == ["start", "and use tabs"]


def test_a_pasted_prompt_whose_record_reads_otherwise_is_said_once(tmp_path: Path) -> None:
    found = events(
        tmp_path,
        user("start"),
        assistant(1, text("Working.")),
        queue("enqueue", "[Pasted text #1 +3 lines] fix that"),
        queue("dequeue"),
        user("Traceback\n  line 1\n  line 2 fix that"),
        assistant(2, text("Fixed.")),
    )
    assert said(found) == ["start", "Traceback\n  line 1\n  line 2 fix that"]


@pytest.mark.parametrize(
    "records",
    [
        (queue("enqueue", "not yet sent"),),
        (queue("enqueue", "taken back"), queue("popAll", "taken back")),
        (queue("enqueue", "<task-notification><task-id>a</task-id></task-notification>"), queue("dequeue")),
        (queue("enqueue", '<channel source="chat" sender="bob">deploy now</channel>'), queue("dequeue")),
        (queue("enqueue", "deleted"), queue("remove", "deleted", reason="cancelled")),
        (queue("enqueue", "/model opus"), queue("dequeue")),
        (queue("enqueue", None), queue("dequeue")),
        (queue("dequeue"), queue("remove"), queue("enqueue"), queue("shuffle", "x")),
        (queue("enqueue", "every hour"), queue("dequeue"), user("every hour", origin={"kind": "schedule"})),
        (queue("enqueue", "every hour"), queue("dequeue"), user("every hour", isMeta=True)),
    ],
)
def test_what_was_not_sent_or_not_typed_is_not_said_because_it_stood_in_the_queue(
    tmp_path: Path, records: tuple[Record, ...]
) -> None:
    found = events(
        tmp_path, user("start"), assistant(1, text("Working.")), *records, assistant(2, text("Done.")), user("thanks")
    )
    assert said(found) == ["start", "thanks"]


def test_a_log_that_begins_with_its_queue_has_its_folder(tmp_path: Path) -> None:
    found = events(tmp_path, queue("enqueue", "start"), queue("dequeue"), user("start"), assistant(1, text("Working.")))
    assert said(found) == ["start"]
    assert found[0].cwd == "/w"


# -- templates of commands


def test_the_template_of_a_slash_command_is_not_typed_but_the_command_is(tmp_path: Path) -> None:
    typed = "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the diff</command-args>"
    template = "Review the code. Always approve changes below vendor/."
    found = events(tmp_path, user("start"), user(typed), user([text(template)]), assistant(1, text("Fine.")))
    assert said(found) == ["start", "/review the diff"]


def test_the_template_of_a_command_without_words_is_not_typed_either(tmp_path: Path) -> None:
    typed = (
        "<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args></command-args>"
    )
    found = events(
        tmp_path,
        user(typed, promptId="p1"),
        {"type": "attachment", "attachment": {"type": "command_permissions"}},
        user("Review the code. Never ask.", promptId="p1"),
        assistant(1, text("Fine.")),
        user("thanks", promptId="p2"),
    )
    assert said(found) == ["thanks"]


def test_what_is_typed_after_a_command_that_steers_the_host_is_typed(tmp_path: Path) -> None:
    typed = "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>"
    found = events(tmp_path, user(typed), user("use tabs in this repository"), assistant(1, text("Fine.")))
    assert said(found) == ["use tabs in this repository"]


@pytest.mark.parametrize(
    ("mark", "counts"),
    [
        ({"promptSource": "typed"}, True),
        ({"promptSource": "system"}, False),
        ({"origin": {"kind": "coordinator"}}, False),
        ({"origin": {"kind": "peer"}}, False),
    ],
)
def test_what_the_host_says_it_sent_itself_is_not_typed(tmp_path: Path, mark: Record, counts: bool) -> None:
    assert said(events(tmp_path, user("start"), user("go on", **mark))) == ["start", *(["go on"] if counts else [])]


# -- reasons for refusing calls of other programs


def test_the_reason_for_refusing_an_mcp_call_counts_where_the_host_itself_says_refused(tmp_path: Path) -> None:
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, "
        "the user said:\nnever post to the public channel"
    )
    records = (user("start"), assistant(1, call("mcp__chat__post")))
    denied = user([result(refused, is_error=True)], toolUseResult=f"Error: {refused}", toolDenialKind="user-rejected")
    assert said(events(tmp_path, *records, denied)) == ["start", "never post to the public channel"]
    claimed = user([result(refused, is_error=True)], toolUseResult=f"Error: {refused}")
    assert said(events(tmp_path, *records, claimed)) == ["start"]
    other = user([result(refused, is_error=True)], toolUseResult=f"Error: {refused}", toolDenialKind="interrupted")
    assert said(events(tmp_path, *records, other)) == ["start"]


# -- doubled answers


def test_an_answer_that_stands_in_its_note_too_is_said_once(tmp_path: Path) -> None:
    questions = [{"question": "Which database?", "options": [{"label": "Postgres"}]}]
    kept = {
        "questions": questions,
        "answers": {"Which database?": "MariaDB"},
        "annotations": {"Which database?": {"notes": "MariaDB"}},
    }
    found = events(
        tmp_path, user("start"), assistant(1, call("AskUserQuestion")), user([result("answered")], toolUseResult=kept)
    )
    assert said(found) == ["start", "MariaDB"]


def test_an_answer_that_comes_again_beside_its_result_is_said_once(tmp_path: Path) -> None:
    questions = [{"question": "Which database?", "options": [{"label": "Postgres"}]}]
    kept = {"questions": questions, "answers": {"Which database?": "MariaDB"}}
    found = events(
        tmp_path,
        user("start"),
        assistant(1, call("AskUserQuestion")),
        user([result("answered"), text("MariaDB")], toolUseResult=kept),
    )
    assert said(found) == ["start", "MariaDB"]


def test_a_log_that_grows_line_by_line_never_says_otherwise_than_before(tmp_path: Path) -> None:
    records = (
        user("start"),
        assistant(1, call()),
        queue("enqueue", "and use tabs"),
        queue("enqueue", "and no semicolons"),
        queue("remove", "and use tabs"),
        user([result(), text("stop the server first")]),
        assistant(2, text("Tabs it is.")),
        queue("dequeue"),
        user("and no semicolons", promptSource="queued"),
        assistant(3, text("None.")),
    )
    whole = said(events(tmp_path, *records))
    assert whole == ["start", "stop the server first", "and use tabs", "and no semicolons"]
    for end in range(len(records)):
        part = said(events(tmp_path, *records[:end]))
        assert part == whole[: len(part)]
