"""Anthropic's memory tool on Recollect: it answers as the tool's own back end, and what it holds are entries."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.adapters.anthropic_memory import AsyncRecollectMemoryTool, RecollectMemoryTool
from recollect.errors import Refused
from recollect.flows.turns.announcements import announcements
from recollect.memory.passages import PASSAGE_CHARACTERS, divide, join
from recollect.model.permissions import Question
from tests.anthropic_server import serving
from tests.conftest import contents

KEY = "sk-ant-api03-" + "Zx9Yw8Vu7" * 10


def do(tool: Any, command: str, **given: Any) -> str:
    """The result of a command, or the error the model is told."""
    try:
        return str(tool.call({"command": command, **given}))
    except ToolError as error:
        return f"error: {error}"


@pytest.fixture
def tool(memory) -> RecollectMemoryTool:
    return RecollectMemoryTool(memory, client="claude")


# -- as the tool's own back end

paths = st.sampled_from(
    ["/memories/a.md", "/memories/b.md", "/memories/dir/c.md", "/memories/dir/deep/d.md", "/memories/dir", "/memories/.hidden", "/memories/ü b.txt", "/memories"]
)  # fmt: skip
lines = st.sampled_from(["", "one", "two words", "\ttab", "é", "# Heading", "x" * 700, "\r"])
texts = st.lists(lines, max_size=8).map("\n".join) | st.sampled_from(["", "\n", "one\n", "one\n\ntwo\n"])
commands = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": paths, "file_text": texts}),
    st.fixed_dictionaries({"command": st.just("view"), "path": paths, "view_range": st.sampled_from([None, [1, 2], [2, -1], [3, 99], [0, 1]])}),
    st.fixed_dictionaries({"command": st.just("str_replace"), "path": paths, "old_str": st.sampled_from(["one", "two", "x", "\n", "# H"]), "new_str": texts}),
    st.fixed_dictionaries({"command": st.just("insert"), "path": paths, "insert_line": st.integers(-1, 6), "insert_text": texts}),
    st.fixed_dictionaries({"command": st.just("delete"), "path": paths}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": paths, "new_path": paths}),
)  # fmt: skip


def comparable(answer: str) -> str:
    """Without folders that are empty, which ours has not, and without their sizes, which a file system makes up."""
    if not answer.startswith("Here're"):
        return answer
    head, *listed = answer.split("\n")
    kept = [line for line in listed if not (line.endswith("/") and not any(other.startswith(line.split("\t")[1], len(other.split("\t")[0]) + 1) and other != line for other in listed))]  # fmt: skip
    return "\n".join([head, *(re.sub(r"^\S+(?=\t.*/$|\t/memories(/dir|/dir/deep)?$)", "", line) for line in kept)])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given=st.lists(commands, max_size=12))
def test_it_says_what_the_tool_s_own_back_end_says(memory, tmp_path_factory, given) -> None:
    ours = RecollectMemoryTool(memory)
    ours.clear_all_memory()
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path_factory.mktemp("theirs")))
    root = theirs.memory_root
    for command in given:
        if command["command"] in ("create", "rename") and not possible(root, command):
            continue
        assert comparable(do(ours, **command)) == comparable(do(theirs, **command)), command
        for path in sorted(root.rglob("*"), reverse=True):
            if path.is_dir() and not any(path.rglob("*")):
                path.rmdir()
        root.mkdir(exist_ok=True)
    for path in root.rglob("*"):
        if path.is_file():
            seen = do(ours, "view", path=f"/memories/{path.relative_to(root)}").split("\n", 1)[1]
            assert re.sub(r"(?m)^ *\d+\t", "", seen) == path.read_bytes().decode()


def possible(root: Any, command: dict[str, Any]) -> bool:
    """A file cannot be a folder, nor a folder go into itself: there theirs ends with an error of the system."""
    target, source = command.get("new_path", command.get("path", "")), command.get("old_path", "")
    for path in (target, source):
        parts = path.split("/")[2:]
        if any(root.joinpath(*parts[:size]).is_file() for size in range(1, len(parts))):
            return False
    return not (source and target.startswith(source + "/"))


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=400) | st.lists(texts, max_size=6).map("\n\n".join))
def test_a_text_in_passages_is_the_text_and_none_is_long(text) -> None:
    passages = divide(text)
    assert join(passages) == text
    assert all(len(one) <= PASSAGE_CHARACTERS or "\n" not in one.rstrip("\n") for one in passages)


# -- confined

ESCAPES = [
    "/etc/passwd", "memories/a", "/memories/../etc/passwd", "/memories/a/../../b", "/memories/..", "/memoriesx/a", "/memories/%2e%2e/a",
    "/memories/%2E%2E%2fa", "/memories/%252e%252e/a", "/memories/..\\a", "/memories/a\0b", "/memories/a\nb", "", "../memories/a", "/memories/" + "n" * 200,
]  # fmt: skip


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_leaves_memories(tool, path) -> None:
    for command in (
        {"command": "view", "path": path},
        {"command": "create", "path": path, "file_text": "x"},
        {"command": "str_replace", "path": path, "old_str": "a", "new_str": "b"},
        {"command": "insert", "path": path, "insert_line": 0, "insert_text": "x"},
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": path, "new_path": "/memories/x"},
        {"command": "rename", "old_path": "/memories/x", "new_path": path},
    ):
        assert do(tool, **command).startswith("error:")
    assert do(tool, "view", path="/memories").count("\n") == 1


def test_a_command_that_is_incomplete_is_told_so(tool) -> None:
    assert "incomplete" in do(tool, "create", path="/memories/a.md")
    assert "incomplete" in do(tool, "create", path="/memories/a.md", file_text=3)
    assert "must start with" in do(tool, "view", path=7)
    do(tool, "create", path="/memories/a.md", file_text="x")
    assert "insert_line" in do(tool, "insert", path="/memories/a.md", insert_line="first", insert_text="x")


# -- what it holds are entries


def test_a_person_sees_recalls_corrects_and_takes_back_what_the_model_wrote(memory, tool) -> None:
    do(tool, "create", path="/memories/notes.md", file_text="The zeppelin budget is 40 balloons.\n")
    [entry] = memory.entries.list(tag="shelved")
    assert (entry.subject, entry.source, entry.origin, entry.scope) == ("/memories/notes.md", "agent", "assistant", "repository")  # fmt: skip
    assert contents(memory, "what is the zeppelin budget?") == ["The zeppelin budget is 40 balloons.\n"]

    memory.correct("The zeppelin budget is 50 balloons.", entry_id=entry.entry_id)
    assert "50 balloons" in do(tool, "view", path="/memories/notes.md")
    assert "40 balloons" not in do(tool, "view", path="/memories/notes.md")
    memory.undo()
    assert "40 balloons" in do(tool, "view", path="/memories/notes.md")

    do(tool, "delete", path="/memories/notes.md")
    assert "does not exist" in do(tool, "view", path="/memories/notes.md")
    assert contents(memory, "what is the zeppelin budget?") == []
    memory.undo()
    assert "40 balloons" in do(tool, "view", path="/memories/notes.md")
    memory.forget(entry.entry_id, hard=True)
    assert "does not exist" in do(tool, "view", path="/memories/notes.md")


def test_a_long_file_is_recalled_by_the_passage_that_answers(memory, tool) -> None:
    filler = "\n\n".join(
        f"Paragraph {number} speaks of nothing in particular, at some length. " * 8 for number in range(12)
    )
    text = f"# Notes\n\n{filler}\n\nThe staging cluster is called walrus.\n"
    do(tool, "create", path="/memories/long.md", file_text=text)
    assert len(memory.entries.list(tag="shelved")) == 1
    [found] = contents(memory, "what is the staging cluster called?", k=1)
    assert "walrus" in found
    assert len(found) <= PASSAGE_CHARACTERS
    do(tool, "str_replace", path="/memories/long.md", old_str="walrus", new_str="otter")
    assert do(tool, "view", path="/memories/long.md", view_range=[27, 27]).endswith(
        "The staging cluster is called otter."
    )
    memory.undo()
    assert "walrus" in do(tool, "view", path="/memories/long.md")


def test_a_passage_that_a_person_rewrote_stays_in_its_place(memory, tool) -> None:
    paragraphs = [f"Paragraph {number}. " + "Words. " * 150 for number in range(3)]
    do(tool, "create", path="/memories/x.md", file_text="\n\n".join(paragraphs))
    middle = next(entry for entry in memory.entries.list(status="active") if entry.content.startswith("Paragraph 1."))
    memory.edit(middle.entry_id, text="Paragraph 1 is short now.")
    seen = do(tool, "view", path="/memories/x.md")
    assert seen.index("Paragraph 0.") < seen.index("Paragraph 1 is short now.") < seen.index("Paragraph 2.")


def test_secrets_never_reach_the_database(tool, tmp_path) -> None:
    do(tool, "create", path="/memories/a.md", file_text=f"The key is {KEY}.")
    assert do(tool, "view", path="/memories/a.md").endswith("The key is [redacted:anthropic-key].")
    do(tool, "insert", path="/memories/a.md", insert_line=0, insert_text=KEY)
    do(tool, "str_replace", path="/memories/a.md", old_str="The key is", new_str=f"{KEY} or")
    assert "secret" in do(tool, "create", path=f"/memories/{KEY[:90]}", file_text="x")
    for path in (tmp_path / "home").glob("recollect.db*"):
        assert KEY[:40].encode() not in path.read_bytes()


def test_what_else_is_remembered_is_shown_there_and_cannot_be_changed(memory, tool) -> None:
    memory.profile.set_section("Preferences", "Answers in one sentence.")
    memory.remember("The deploy target is Fly.io.")
    listed = do(tool, "view", path="/memories")
    assert "/memories/recollect/knowledge.md" in listed
    assert "/memories/recollect/profile.md" in listed
    assert "Fly.io" in do(tool, "view", path="/memories/recollect/knowledge.md")
    assert "one sentence" in do(tool, "view", path="/memories/recollect/profile.md")
    before = {
        path: do(tool, "view", path=path)
        for path in ("/memories/recollect/knowledge.md", "/memories/recollect/profile.md")
    }
    for command in (
        {"command": "create", "path": "/memories/recollect/mine.md", "file_text": "x"},
        {"command": "insert", "path": "/memories/recollect/profile.md", "insert_line": 0, "insert_text": "x"},
        {"command": "delete", "path": "/memories/recollect"},
        {"command": "rename", "old_path": "/memories/recollect", "new_path": "/memories/mine"},
    ):
        assert "cannot be changed here" in do(tool, **command)
    tool.clear_all_memory()
    assert before == {path: do(tool, "view", path=path) for path in before}


def test_a_note_is_neither_taken_for_a_statement_nor_in_its_way(memory, tool) -> None:
    do(tool, "create", path="/memories/a.md", file_text="Use pnpm, not npm.")
    assert memory.remember("Use pnpm, not npm.", source="agent", origin="assistant").status == "stored"
    do(tool, "create", path="/memories/b.md", file_text="Tests run with vitest.")
    do(tool, "delete", path="/memories/b.md")
    assert memory.remember("Tests run with vitest.", source="system").status == "stored"


# -- permissions


def test_what_a_person_wrote_into_a_file_is_not_overwritten_without_asking(memory, tool) -> None:
    do(tool, "create", path="/memories/a.md", file_text="Deploys run on Monday.")
    memory.edit(memory.entries.list(tag="shelved")[0].entry_id, text="Deploys run on Friday.")
    answer = do(tool, "str_replace", path="/memories/a.md", old_str="Friday", new_str="Sunday")
    assert "waiting for the user" in answer
    assert "Friday" in do(tool, "view", path="/memories/a.md")
    assert "waiting for the user" in do(tool, "delete", path="/memories/a.md")

    asked: list[Question] = []

    def yes(question: Question) -> str:
        asked.append(question)
        return "once"

    asking = RecollectMemoryTool(memory, client="claude", ask=yes)  # type: ignore[arg-type]
    do(asking, "str_replace", path="/memories/a.md", old_str="Friday", new_str="Sunday")
    assert "Sunday" in do(tool, "view", path="/memories/a.md")
    assert "/memories/a.md: Deploys run on Sunday." in asked[0].text


def test_files_for_everywhere_wait_for_the_user(memory, open_memory, tmp_path) -> None:
    everywhere = RecollectMemoryTool(memory, scope="user")
    assert "waiting for the user" in do(everywhere, "create", path="/memories/me.md", file_text="Likes tea.")
    assert "does not exist" in do(everywhere, "view", path="/memories/me.md")
    [staged] = memory.pending.staged()
    memory.pending.approve(staged.staged_id)
    assert "Likes tea." in do(everywhere, "view", path="/memories/me.md")
    (tmp_path / "other").mkdir()
    elsewhere = RecollectMemoryTool(open_memory(tmp_path / "other"), scope="user")
    assert "Likes tea." in do(elsewhere, "view", path="/memories/me.md")
    assert "does not exist" in do(RecollectMemoryTool(memory), "view", path="/memories/me.md")


def test_what_waits_is_dropped_when_the_file_was_changed_meanwhile(memory, tool) -> None:
    do(tool, "create", path="/memories/a.md", file_text="Deploys run on Monday.")
    memory.edit(memory.entries.list(tag="shelved")[0].entry_id, text="Deploys run on Friday.")
    do(tool, "str_replace", path="/memories/a.md", old_str="Friday", new_str="Sunday")
    memory.edit(memory.entries.list(tag="shelved", status="active")[0].entry_id, text="Deploys never run.")
    [staged] = memory.pending.staged()
    with pytest.raises(Refused, match="changed in the meantime"):
        memory.pending.approve(staged.staged_id)
    assert "Deploys never run." in do(tool, "view", path="/memories/a.md")


def test_the_master_switch_stops_writes_and_what_is_shown(open_memory, repository) -> None:
    memory = open_memory(repository, RECOLLECT_ENABLED="false")
    memory.remember("The deploy target is Fly.io.")
    tool = RecollectMemoryTool(memory)
    assert "switched off" in do(tool, "create", path="/memories/a.md", file_text="x")
    assert "recollect" not in do(tool, "view", path="/memories")


def test_a_file_that_was_made_or_deleted_is_announced_with_the_way_back(memory, tool) -> None:
    do(tool, "create", path="/memories/a.md", file_text="One.\n")
    do(tool, "insert", path="/memories/a.md", insert_line=1, insert_text="Two.")
    do(tool, "delete", path="/memories/a.md")
    told = announcements(
        memory.opened.store,
        repository=memory.repository.repository,
        now=memory.entries.list(status="tombstone")[0].updated,
    )
    assert [line.split(" (undo")[0] for line in told] == [
        "An agent stored: a memory file",
        "An agent retired: a memory file",
    ]


# -- several at once


def test_no_edit_is_lost_between_threads(memory) -> None:
    tools = [RecollectMemoryTool(memory), RecollectMemoryTool(memory)]
    do(tools[0], "create", path="/memories/log.md", file_text="start\n")

    def work(number: int) -> None:
        for step in range(5):
            while do(
                tools[number % 2], "insert", path="/memories/log.md", insert_line=1, insert_text=f"{number}.{step}"
            ).startswith("error"):
                pass

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = do(tools[0], "view", path="/memories/log.md")
    assert all(f"{number}.{step}" in seen for number in range(4) for step in range(5))


# -- with the library itself, over HTTP


SCRIPT: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/tea.md", "file_text": "The user drinks tea.\n"},
    {"command": "insert", "path": "/memories/tea.md", "insert_line": 1, "insert_text": "Without milk."},
    {"command": "str_replace", "path": "/memories/tea.md", "old_str": "tea.", "new_str": "green tea."},
    {"command": "rename", "old_path": "/memories/tea.md", "new_path": "/memories/drinks/tea.md"},
    {"command": "delete", "path": "/memories/nothing.md"},
]


@pytest.fixture
def server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    with serving(SCRIPT) as serves:
        yield serves


def results(requests: list[dict[str, Any]]) -> list[tuple[bool, str]]:
    blocks = [request["messages"][-1]["content"][0] for request in requests[1:]]
    return [(bool(block.get("is_error")), block["content"] if isinstance(block["content"], str) else block["content"][0]["text"]) for block in blocks]  # fmt: skip


def check(requests: list[dict[str, Any]], memory: Any) -> None:
    assert requests[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    told = results(requests)
    assert [failed for failed, _ in told] == [False, False, False, False, False, True]
    assert told[1][1] == "File created successfully at: /memories/tea.md"
    assert "     1\tThe user drinks green tea.\n     2\tWithout milk." in told[3][1]
    assert told[5][1] == "The path /memories/nothing.md does not exist"
    [entry] = memory.entries.list(tag="shelved", status="active")
    assert (entry.subject, entry.content) == ("/memories/drinks/tea.md", "The user drinks green tea.\nWithout milk.\n")


def test_the_tool_runner_works_on_it(memory, server) -> None:
    address, requests = server
    client = Anthropic(api_key="none", base_url=address, max_retries=0)
    runner = client.beta.messages.tool_runner(
        model="scripted", max_tokens=100, tools=[RecollectMemoryTool(memory)], messages=[{"role": "user", "content": "I drink tea."}]
    )  # fmt: skip
    assert runner.until_done().content[0].text == "Noted."  # type: ignore[union-attr]
    check(requests, memory)


def test_the_async_tool_runner_works_on_it(memory, server) -> None:
    address, requests = server

    async def run() -> Any:
        async with AsyncAnthropic(api_key="none", base_url=address, max_retries=0) as client:
            tools = [AsyncRecollectMemoryTool(memory)]
            runner = client.beta.messages.tool_runner(model="scripted", max_tokens=100, tools=tools, messages=[{"role": "user", "content": "I drink tea."}])  # fmt: skip
            return await runner.until_done()

    assert asyncio.run(run()).content[0].text == "Noted."
    check(requests, memory)
