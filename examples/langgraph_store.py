"""A graph of LangGraph with a store that outlives it. `answer` stands for a model."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, TypedDict

from recollect.adapters.langgraph import RecollectStore  # first: it says what to install

# isort: split
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect import Recollect


class State(TypedDict):
    """One question of one user."""

    user: str
    question: str
    answer: str


def graph(memory: Recollect, answer: Callable[[str, list[str]], str]) -> Any:
    """A graph that remembers every question and gives the model those that have to do with this one."""

    def respond(state: State, *, store: BaseStore) -> dict[str, str]:
        place = ("questions", state["user"])
        found = store.search(place, query=state["question"], limit=3)
        known = [item.value["text"] for item in found if item.score is not None]
        store.put(place, str(len(store.search(place, limit=1_000))), {"text": state["question"]})
        return {"answer": answer(state["question"], known)}

    built = StateGraph(State)
    built.add_node("respond", respond)
    built.add_edge(START, "respond")
    built.add_edge("respond", END)
    return built.compile(store=RecollectStore(memory, name="support"))


def main() -> None:
    """Ask two questions about one thing, with a stand-in for the model."""
    from recollect import Recollect

    with tempfile.TemporaryDirectory() as home, Recollect.open(home) as memory:
        built = graph(memory, lambda question, known: f"Asked before: {known}")
        for question in ("Where is the office?", "How do I get to the office?"):
            print(built.invoke({"user": "7", "question": question, "answer": ""})["answer"])


if __name__ == "__main__":
    main()
