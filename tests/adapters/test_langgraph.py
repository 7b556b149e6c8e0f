"""A LangGraph store on Recollect behaves as LangGraph's own, and what it holds is an entry like any other."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from recollect import Recollect
from recollect.adapters.langgraph import RecollectStore
from recollect.errors import Refused, UsageError

KEY = "sk-ant-api03-" + "Zx9Yw8Vu7" * 10


@pytest.fixture
def store(memory) -> RecollectStore:
    return RecollectStore(memory)


# -- against LangGraph's own store

labels = st.sampled_from(["users", "docs", "a", "ab", "é", "w x", "*", "/"])
namespaces = st.lists(labels, min_size=1, max_size=3).map(tuple)
keys = st.sampled_from(["1", "note", "a.b", "..", "x/y", "\U0010ffff", ""]) | st.text(max_size=6).filter(
    lambda text: text.isprintable()
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(-5, 5)
    | st.sampled_from(["red", "blue", "dark mode", ""])
)
values = st.dictionaries(
    st.sampled_from(["color", "score", "text", "nested", "list"]),
    scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.sampled_from(["x", "y"]), scalars, max_size=2),
    max_size=4,
)
operators = st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"])
conditions = st.dictionaries(
    st.sampled_from(["color", "score", "nested", "list", "missing"]),
    scalars
    | st.lists(scalars, max_size=2)
    | st.dictionaries(st.sampled_from(["x", "y"]), scalars, max_size=2)
    | st.dictionaries(operators, st.integers(-5, 5), min_size=1, max_size=2),
    min_size=1,
    max_size=2,
)
operations = st.one_of(
    st.builds(PutOp, namespaces, keys, st.none() | values, st.none(), st.none()),
    st.builds(PutOp, namespaces, keys, values, st.none(), st.none()),
    st.builds(GetOp, namespaces, keys),
    st.builds(
        SearchOp, st.lists(labels, max_size=2).map(tuple), st.none() | conditions, st.just(1_000), st.just(0), st.none()
    ),
)


def value_of(store: RecollectStore, key: str, *namespace: str, **options: Any) -> Any:
    item = store.get(namespace, key, **options)
    return item and item.value


def plain(result: Any) -> Any:
    """What was asked for, without times; of a search the set, for stores differ in their order."""
    if isinstance(result, list):
        return sorted((item.namespace, item.key, repr(item.value)) for item in result)
    return result and (result.namespace, result.key, result.value)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(operations, max_size=4), max_size=6), depth=st.none() | st.integers(1, 3), path=st.lists(labels, min_size=1, max_size=2).map(tuple), kind=st.sampled_from(["prefix", "suffix"]))  # fmt: skip
def test_it_answers_as_the_store_that_langgraph_ships(memory, batches, depth, path, kind) -> None:
    numbers = iter(range(10**6))
    ours, theirs = RecollectStore(memory, name=f"laws {id(batches)} {next(numbers)}"), InMemoryStore()
    for item in ours.search((), limit=10_000):
        ours.delete(item.namespace, item.key)
    for batch in batches:
        try:
            expected = theirs.batch(batch)
        except (TypeError, ValueError):  # theirs breaks where something that is no number is compared; ours says no
            for op in batch:
                if isinstance(op, PutOp):
                    theirs.batch([op])
            ours.batch(batch)
            continue
        assert list(map(plain, ours.batch(batch))) == list(map(plain, expected))

    # Theirs goes on listing namespaces that are empty by now.
    fresh = InMemoryStore()
    everything = ours.search((), limit=10_000)
    for item in everything:
        fresh.batch([PutOp(item.namespace, item.key, item.value)])
    listing = ListNamespacesOp((MatchCondition(kind, path),), depth)
    assert ours.batch([listing]) == fresh.batch([listing])
    pages = [item for start in range(0, len(everything) + 2, 2) for item in ours.search((), limit=2, offset=start)]
    assert [(one.namespace, one.key) for one in pages] == [(one.namespace, one.key) for one in everything]


def test_an_item_comes_back_as_it_was_put_and_keeps_the_time_it_was_made(store, clock) -> None:
    value = {"memory": "Will likes AI", "n": 3, "deep": {"list": [1, None, "é😀", "half \ud83d"]}}
    store.put(("users", "7"), "likes", value)
    made = store.get(("users", "7"), "likes")
    clock.pass_days(1)
    store.put(("users", "7"), "likes", {"memory": "Will likes tea"})
    now = store.get(("users", "7"), "likes")
    assert made.value == value
    assert now.value == {"memory": "Will likes tea"}
    assert now.created_at == made.created_at < now.updated_at


def test_wrong_namespaces_are_refused_also_in_a_batch(store) -> None:
    for namespace in [("a.b",), ("",), ("a\0",)]:
        with pytest.raises(InvalidNamespaceError):
            store.batch([PutOp(namespace, "k", {"x": 1})])
    with pytest.raises(InvalidNamespaceError):
        store.put(("langgraph",), "k", {"x": 1})
    store.put(("a",), "k", {"x": 1})
    with pytest.raises(ValueError, match="Unsupported operator"):
        store.search(("a",), filter={"x": {"$like": 1}})
    with pytest.raises(UsageError, match="JSON"):
        store.put(("a",), "k", {"x": object()})


# -- search


def test_a_search_brings_what_the_query_means_first_and_fills_up_with_the_rest(store) -> None:
    store.put(("docs",), "1", {"text": "The deploy target is Fly.io"})
    store.put(("docs",), "2", {"text": "Cats sleep all day"})
    store.put(("docs",), "3", {"text": "Deploys run on Fridays, to staging"})
    store.put(("other",), "4", {"text": "deploy"})
    found = store.search(("docs",), query="where do we deploy?")
    assert {one.key for one in found[:2]} == {"1", "3"}
    assert found[0].score >= found[1].score > 0
    assert (found[2].key, found[2].score) == ("2", None)
    assert [one.key for one in store.search(("docs",), query="cats", limit=1)] == ["2"]
    assert [one.key for one in store.search(("docs",), query="deploy", filter={"text": "Cats sleep all day"})] == ["2"]


def test_only_what_is_to_be_searched_is_searched(memory) -> None:
    store = RecollectStore(memory, fields=["text"])
    store.put(("n",), "by default", {"text": "walrus", "more": "gazelle"})
    store.put(("n",), "by name", {"text": "okapi", "more": {"inner": ["gazelle"]}}, index=["more.inner[*]"])
    store.put(("n",), "never", {"text": "gazelle walrus"}, index=False)

    def scored(query: str) -> set[str]:
        return {one.key for one in store.search(("n",), query=query) if one.score is not None}

    assert scored("walrus") == {"by default"}
    assert scored("gazelle") == {"by name"}
    assert scored("okapi") == set()
    assert value_of(store, "never", "n") == {"text": "gazelle walrus"}


# -- time to live


def test_an_item_expires_after_its_time_unless_it_is_read(memory, clock) -> None:
    store = RecollectStore(memory, ttl={"default_ttl": 60.0, "refresh_on_read": True})
    store.put(("cache",), "read", {"x": 1})
    store.put(("cache",), "left", {"x": 2})
    store.put(("cache",), "for good", {"x": 3}, ttl=None)
    store.put(("cache",), "short", {"x": 4}, ttl=5)
    clock.now += 50 * 60
    assert value_of(store, "read", "cache") == {"x": 1}
    assert value_of(store, "left", "cache", refresh_ttl=False) == {"x": 2}
    assert store.get(("cache",), "short") is None
    clock.now += 50 * 60
    assert {one.key for one in store.search(("cache",))} == {"read", "for good"}
    assert store.list_namespaces() == [("cache",)]
    assert store.sweep_ttl() == 2
    assert store.sweep_ttl() == 0


# -- our own promises


def test_secrets_never_reach_the_database(store, tmp_path) -> None:
    store.put(("users",), "1", {"note": f"the key is {KEY}", "password": "hunter2hunter2", KEY: [KEY]})
    value = value_of(store, "1", "users")
    assert value["note"] == "the key is [redacted:anthropic-key]"
    assert KEY not in str(value)
    assert "hunter2" not in str(value)
    with pytest.raises(Refused, match="secret"):
        store.put(("users",), KEY, {"x": 1})
    for path in (tmp_path / "home").glob("recollect.db*"):
        assert KEY.encode() not in path.read_bytes()


def test_a_person_sees_the_items_and_can_take_a_change_back(memory, store) -> None:
    store.put(("users",), "1", {"likes": "tea"})
    store.put(("users",), "1", {"likes": "coffee"})
    [entry] = memory.entries.list(repository="langgraph:store", status="active")
    assert entry.subject == "users..1"
    assert (entry.source, entry.origin) == ("agent", "document")
    memory.undo(entry.entry_id)
    assert value_of(store, "1", "users") == {"likes": "tea"}
    [entry] = memory.entries.list(repository="langgraph:store", status="active")
    store.delete(("users",), "1")
    assert store.get(("users",), "1") is None
    memory.undo(entry.entry_id)
    assert value_of(store, "1", "users") == {"likes": "tea"}
    memory.edit(entry.entry_id, text="The user likes tea.")
    assert value_of(store, "1", "users") == {"text": "The user likes tea."}


def test_stores_and_projects_do_not_see_each_other(memory, store) -> None:
    other = RecollectStore(memory, name="other")
    store.put(("docs",), "1", {"text": "The zeppelin budget is 40 balloons."})
    assert other.search(()) == []
    assert memory.inject("what is the zeppelin budget?").text == ""
    assert memory.remember("The zeppelin budget is 40 balloons.", source="agent").status == "stored"


def test_an_item_is_still_there_in_another_process_s_memory(memory, open_memory, repository) -> None:
    RecollectStore(memory).put(("a",), "k", {"x": 1})
    assert value_of(RecollectStore(open_memory(repository)), "k", "a") == {"x": 1}


def test_many_threads_and_event_loops_write_at_once(store) -> None:
    def work(number: int) -> None:
        for step in range(5):
            store.put(("t", str(number)), str(step), {"n": step})

        async def later() -> None:
            await asyncio.gather(*(store.aput(("async", str(number)), str(step), {"n": step}) for step in range(5)))
            assert (await store.aget(("async", str(number)), "0")).value == {"n": 0}

        asyncio.run(later())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.search((), limit=1_000)) == 40
    assert len(store.list_namespaces()) == 8


def test_a_graph_reads_and_writes_its_store(memory) -> None:
    class State(TypedDict):
        question: str
        answer: str

    def remember(state: State, *, store: BaseStore) -> State:
        store.put(("facts",), "1", {"text": "The office is in Ulm"})
        [hit] = store.search(("facts",), query=state["question"])
        return {**state, "answer": hit.value["text"]}

    graph = StateGraph(State)
    graph.add_node("remember", remember)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", END)
    done = graph.compile(store=RecollectStore(memory)).invoke({"question": "Where is the office?", "answer": ""})
    assert done["answer"] == "The office is in Ulm"


def test_the_memory_is_a_recollect(store) -> None:
    assert isinstance(store.memory, Recollect)
