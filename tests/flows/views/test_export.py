"""Everything out, everything back, the same."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import RecollectError, Refused, UsageError
from recollect.memory.exports import LISTS, parse, to_json, to_markdown
from recollect.memory.loading import checked
from recollect.store.index import analysed_text
from tests.conftest import OpenMemory


def _filled(memory: Recollect, repository: Path) -> Recollect:
    (repository / "a.py").write_text("X = 1\n")
    memory.remember("The user's name is Ada.", layer="L0")
    wrong = memory.remember("The deploy target is Fly.io.", cite=["a.py:1"], tags=["ops"], aliases=["hosting"])
    memory.correct("The deploy target is Render.")
    memory.remember("We indent with tabs.")
    memory.remember("We indent with spaces -->\n<!-- recollect entry {} -->\n- two lines")
    memory.vote(wrong.entry_id, "down", "no longer true")
    memory.remember("We use tabs in Makefiles.", scope="user")
    memory.undo()
    task = memory.tasks.add_task("Port it", state="half")
    memory.tasks.add_project("Checkout")
    memory.tasks.complete_task(task.task_id)
    return memory


@pytest.mark.parametrize("render", [to_json, to_markdown])
def test_a_load_of_an_export_gives_the_same_export(
    memory: Recollect, repository, open_memory: OpenMemory, render
) -> None:
    document = _filled(memory, repository).transfer.export()
    assert {"version", "entries", "audit", "board", "sessions", "suggestions", "tasks", "projects", "settings"} <= set(
        document
    )
    other = open_memory(repository, home="other")
    loaded = other.transfer.load(parse(render(document)))
    assert loaded.entries == len(document["entries"])
    assert other.transfer.export() == json.loads(to_json(document))
    assert other.transfer.load(parse(render(document))).entries == 0
    assert other.transfer.export() == json.loads(to_json(document))


def test_what_was_loaded_can_be_recalled_and_undone(memory: Recollect, repository, open_memory: OpenMemory) -> None:
    document = _filled(memory, repository).transfer.export()
    other = open_memory(repository, home="other")
    other.transfer.load(document)
    found = other.recall("what is the deploy target?").found
    assert [one.entry.content for one in found.entries] == ["The deploy target is Render."]
    assert other.undo()


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.97])
def test_an_export_that_was_cut_off_is_refused_whole(memory: Recollect, open_memory: OpenMemory, share: float) -> None:
    memory.remember("The port is 3000.")
    memory.correct("The port is 4000.")
    memory.tasks.add_task("Write the importer", state="Half done.")
    memory.tasks.add_project("Rework the tools")
    text = to_markdown(memory.transfer.export())
    assert "- Write the importer (active)\n  Half done.\n" in text
    before = memory.transfer.export()
    with pytest.raises(UsageError):
        memory.transfer.load(parse(text[: int(len(text) * share)]))
    assert memory.transfer.export() == before
    assert parse(text) == before


def test_settings_travel_with_an_export(open_memory: OpenMemory, tmp_path) -> None:
    first = open_memory()
    (tmp_path / "home" / "config.toml").write_text("[recall]\nmax_entries = 5\n")
    first = open_memory()
    document = first.transfer.export()
    assert document["settings"] == {"recall.max_entries": 5}
    open_memory(home="other").transfer.load(document)
    assert open_memory(home="other").settings.recall.max_entries == 5


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{}", '{"version": 99}', '{"version": 1, "entries": 3}', '{"version": 1, "entries": [{}]}', "[1]",
     '{"version": 1, "entries": [{"id": "e_1"}]}', "<!-- recollect document {\"version\": 1} -->\n<!-- recollect entry x -->"],
)  # fmt: skip
def test_what_is_no_export_is_refused_with_one_sentence_and_nothing_is_loaded(memory: Recollect, text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        memory.transfer.load(parse(text))
    assert "\n" not in str(refusal.value)
    assert memory.entries.list(everywhere=True) == []


def _entry(**fields: object) -> dict[str, object]:
    return {"id": "e_1", "layer": "L1", "scope": "user", "content": "The port is 3000.", **fields}


DAMAGED: dict[str, list[object]] = {
    "version": [True, "1", None, 1.5],
    "entries": [
        5, {}, [5], [_entry(layer="L9")], [_entry(status="zombie")], [_entry(content=5)], [_entry(content=" ")],
        [_entry(id="")], [_entry(id="e 1")], [_entry(created="yesterday")], [_entry(created=float("nan"))],
        [_entry(created=1e300)], [_entry(recall_count=1.5)], [_entry(confidence=True)], [_entry(tags="abc")],
        [_entry(tags=[1])], [_entry(citations=[{"path": 5}])], [_entry(citations=[{"kind": "file", "start": "1"}])],
        [_entry(scope="repository")], [_entry(repository="somewhere")], [_entry(votes=[5])],
        [_entry(votes=[{"direction": "sideways", "reason": "", "actor": "", "created": 1}])], [_entry(), _entry(source=1)],
    ],
    "audit": [[{}], [{"change_id": 1, "action": "x", "actor": "y", "created": 1, "undone_by": 0, "entries": [{"id": "e_1",
        "before": {"status": "zombie"}, "after": {}}]}], [{"change_id": 1, "action": "x", "actor": "y", "created": 1,
        "undone_by": 0, "entries": [{"id": "e_1", "before": {"tags": "{}"}, "after": {"nope": 1}}]}]],
    "tasks": [[{"task_id": "t_1"}], [{"task_id": "t_1", "title": "x", "status": "lost"}], [{"task_id": "", "title": "x"}]],
    "projects": [[{"project_id": "p_1", "title": " "}], ["p_1"]],
    "conflicts": [[{"newer": 1, "older": 2}]],
    "repositories": [[{"repository": "x"}]],
    "sessions": [[{}], [{"session_id": "s_1", "host": "codex", "native_id": "n", "digested": 0, "turns": [{"number": "1"}]}]],
    "settings": [[], {"nope": 1}, {"recall.max_entries": "many"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"), [pytest.param(name, one, id=f"{name}-{n}") for name in DAMAGED for n, one in enumerate(DAMAGED[name])]
)  # fmt: skip
def test_a_damaged_export_changes_nothing_and_is_told_where(memory: Recollect, name: str, value: object) -> None:
    before = memory.transfer.export()
    with pytest.raises(RecollectError) as refusal:
        memory.transfer.load({"version": 1, "entries": [_entry(id="e_0")], name: value})
    assert "\n" not in str(refusal.value)
    assert memory.transfer.export() == before
    assert memory.entries.list(everywhere=True) == []


def test_an_export_by_hand_may_leave_out_what_has_a_default_and_add_what_nobody_knows(memory: Recollect) -> None:
    loaded = memory.transfer.load({"version": 1, "entries": [_entry(colour="blue")], "moods": [1]})
    assert loaded.entries == 1
    assert memory.entries.get("e_1").status == "active"


def test_nothing_invisible_and_no_secret_comes_in_with_an_export(memory: Recollect) -> None:
    hidden = _entry(content="The port is\u200b 3000.", tags=["a\u2060b"], reason="password=hunter2hunter2")
    memory.transfer.load({"version": 1, "entries": [hidden]})
    entry = memory.entries.get("e_1")
    assert (entry.content, entry.tags) == ("The port is 3000.", ("ab",))
    assert "hunter2" not in entry.reason


def test_an_export_whose_profile_has_no_room_here_is_refused(open_memory: OpenMemory) -> None:
    first = open_memory()
    first.remember("a" * 600, layer="L0")
    other = open_memory(home="other")
    other.remember("b" * 600, layer="L0")
    with pytest.raises(Refused, match="of 1,000 characters"):
        other.transfer.load(first.transfer.export())
    assert len(other.profile.show().entries) == 1
    assert open_memory(home="third").transfer.load(first.transfer.export()).entries == 1


def test_where_somebody_merely_was_is_no_part_of_an_export(
    open_memory: OpenMemory, repository, tmp_path, clock
) -> None:
    memory = open_memory(repository)
    memory.remember("The port is 3000.")
    (tmp_path / "elsewhere").mkdir()
    open_memory(tmp_path / "elsewhere")
    document = memory.transfer.export()
    assert [one["repository"] for one in document["repositories"]] == ["github.com/owner/app"]
    clock.pass_days(1)
    other = open_memory(repository, home="other")
    other.transfer.load(document)
    assert other.transfer.export() == document


@pytest.mark.parametrize("command", ["load", "import"])
def test_what_is_no_file_is_named_and_not_waited_for(cli, tmp_path, command) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, kind in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device")):
        done = cli(command, str(path))
        assert (done.code, done.out) == (1, "")
        assert f"is {kind}. Name a file, or" in done.err
        assert done.err.count("\n") == 1


def test_a_pipe_inside_a_folder_of_logs_is_passed_over(cli, tmp_path) -> None:
    (tmp_path / "logs").mkdir()
    os.mkfifo(tmp_path / "logs" / "x.jsonl")
    done = cli("import", str(tmp_path / "logs"), "--host", "codex", "--json")
    assert [one["why"] for one in done.json["skipped"]] == ["it cannot be read"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_export_is_read_in_the_encoding_that_a_shell_gave_it(cli, tmp_path, encoding) -> None:
    (tmp_path / "export.json").write_text(json.dumps({"version": 1, "entries": [_entry(content="Über.")]}), encoding)
    assert cli("load", str(tmp_path / "export.json"), "--json").json["entries"] == 1
    assert cli("show", "e_1", "--json").json["content"] == "Über."


def test_a_load_tells_which_settings_it_set(cli, tmp_path) -> None:
    (tmp_path / "export.json").write_text(json.dumps({"version": 1, "settings": {"recall.max_entries": 5}}))
    assert "recall.max_entries" in cli("load", str(tmp_path / "export.json")).err
    assert cli("settings", "get", "recall.max_entries").out.startswith("5")


@given(document=st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(("version", "id", "layer", "scope", "content", *LISTS, "settings")), inner, max_size=6),
    max_leaves=20,
))  # fmt: skip
def test_any_document_is_an_export_or_a_sentence(document: object) -> None:
    with contextlib.suppress(UsageError):
        assert checked(document)["version"] == 1


STATEMENTS = st.lists(st.text(min_size=1, max_size=80).filter(str.strip), max_size=5)


@given(statements=STATEMENTS, tags=st.lists(st.text(max_size=10), max_size=3))
@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_export_and_load_hold_for_any_text(statements: list[str], tags: list[str], tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("any")
    environ = {"HOME": str(folder)}
    with Recollect.open(str(folder / "a"), folder=str(folder), environ=environ) as memory:
        for statement in statements:
            try:
                memory.remember(statement, scope="user", tags=tags)
            except RecollectError:
                continue
        document = memory.transfer.export()
    for number, render in enumerate((to_json, to_markdown)):
        with Recollect.open(str(folder / f"b{number}"), folder=str(folder), environ=environ) as other:
            other.transfer.load(parse(render(document)))
            assert other.transfer.export() == document
            for stored in other.opened.store.entries.listed({}):
                [analysed] = other.opened.store.database.rows(
                    "SELECT analysed FROM entries WHERE entry_row = ?", (stored.entry_row,)
                )[0]
                assert analysed.split()[1:] == analysed_text(stored.entry, 1).split()[1:]
