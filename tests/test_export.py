"""Everything out, everything back, the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import RecollectError, UsageError
from recollect.memory.exports import parse, to_json, to_markdown
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
    task = memory.work.add_task("Port it", state="half")
    memory.work.add_project("Checkout")
    memory.work.complete_task(task.task_id)
    return memory


@pytest.mark.parametrize("render", [to_json, to_markdown])
def test_a_load_of_an_export_gives_the_same_export(
    memory: Recollect, repository, open_memory: OpenMemory, render
) -> None:
    document = _filled(memory, repository).export()
    assert {"version", "entries", "audit", "board", "sessions", "suggestions", "tasks", "projects", "settings"} <= set(
        document
    )
    other = open_memory(repository, home="other")
    loaded = other.load(parse(render(document)))
    assert loaded.entries == len(document["entries"])
    assert other.export() == json.loads(to_json(document))
    assert other.load(parse(render(document))).entries == 0
    assert other.export() == json.loads(to_json(document))


def test_what_was_loaded_can_be_recalled_and_undone(memory: Recollect, repository, open_memory: OpenMemory) -> None:
    document = _filled(memory, repository).export()
    other = open_memory(repository, home="other")
    other.load(document)
    found, _ = other.recall("what is the deploy target?")
    assert [one.entry.content for one in found.entries] == ["The deploy target is Render."]
    assert other.undo()


def test_settings_travel_with_an_export(open_memory: OpenMemory, tmp_path) -> None:
    first = open_memory()
    (tmp_path / "home" / "config.toml").write_text("[recall]\nmax_entries = 5\n")
    first = open_memory()
    document = first.export()
    assert document["settings"] == {"recall.max_entries": 5}
    open_memory(home="other").load(document)
    assert open_memory(home="other").settings.recall.max_entries == 5


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{}", '{"version": 99}', '{"version": 1, "entries": 3}', '{"version": 1, "entries": [{}]}', "[1]",
     '{"version": 1, "entries": [{"id": "e_1"}]}', "<!-- recollect document {\"version\": 1} -->\n<!-- recollect entry x -->"],
)  # fmt: skip
def test_what_is_no_export_is_refused_with_one_sentence_and_nothing_is_loaded(memory: Recollect, text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        memory.load(parse(text))
    assert "\n" not in str(refusal.value)
    assert memory.entries(everywhere=True) == []


STATEMENTS = st.lists(st.text(min_size=1, max_size=80).filter(str.strip), max_size=5)


@given(statements=STATEMENTS, tags=st.lists(st.text(max_size=10), max_size=3))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_export_and_load_hold_for_any_text(statements: list[str], tags: list[str], tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("any")
    environ = {"HOME": str(folder)}
    with Recollect.open(str(folder / "a"), folder=str(folder), environ=environ) as memory:
        for statement in statements:
            try:
                memory.remember(statement, scope="user", tags=tags)
            except RecollectError:
                continue
        document = memory.export()
    for number, render in enumerate((to_json, to_markdown)):
        with Recollect.open(str(folder / f"b{number}"), folder=str(folder), environ=environ) as other:
            other.load(parse(render(document)))
            assert other.export() == document
            for stored in other.store.entries.listed({}):
                [analysed] = other.store.database.rows(
                    "SELECT analysed FROM entries WHERE entry_row = ?", (stored.entry_row,)
                )[0]
                assert analysed.split()[1:] == analysed_text(stored.entry, 1).split()[1:]
