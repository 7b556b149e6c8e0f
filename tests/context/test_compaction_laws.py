"""The laws of compaction, over conversations made by chance and over real ones."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.context import Counter, compact, fit
from recollect.context.events import compaction_complete
from recollect.context.replacement import TAG, replay_compaction
from recollect.context.requests import is_request, is_system
from recollect.model.messages import Message
from tests.histories import assistant, histories, is_whole, laws_ran_on, long_session, real_sessions, said, user
from tests.paths import ROOT

WINDOWS = st.sampled_from([200, 1_000, 4_000, 20_000])
LAWS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
FEWER = settings(LAWS, max_examples=50)


def squeeze(messages, window: int, **more):
    return compact(messages, counter=Counter(), window=window, **more)


def check(messages, outcome) -> None:
    """Laws one to three, and what each status means."""
    assert is_whole(outcome.messages)
    system = [message for message in messages if is_system(message)]
    assert [message for message in outcome.messages if is_system(message)] == system
    requests = [message for message in messages if is_request(message) and not message.text.startswith(f"<{TAG} goal")]
    if requests:
        kept = [part for message in outcome.messages for part in message.parts]
        wanted = [part for part in requests[-1].parts if type(part).__name__ in ("Text", "Media")]
        assert all(part in kept for part in wanted)
    counter = Counter()
    assert counter.count(outcome.messages).total <= counter.count(messages).total
    if outcome.compacted:
        assert outcome.tokens_after < outcome.tokens_before
        assert outcome.tokens_after == counter.count(outcome.messages).total
    else:
        assert outcome.why
        if is_whole(messages):
            assert list(outcome.messages) == list(messages)


@LAWS
@given(histories(), WINDOWS)
def test_promise_10_compaction_never_breaks_or_bloats_a_conversation_and_can_be_applied_again(history, window) -> None:
    outcome = squeeze(history, window)
    check(history, outcome)
    again = replay_compaction(history, compaction_complete(outcome, trigger="manual").data)
    assert tuple(again) == (outcome.messages if outcome.compacted else tuple(history))
    if not outcome.compacted:
        return
    if is_whole(history):
        tail = history[outcome.boundary :]
        assert list(outcome.messages[len(outcome.messages) - len(tail) :]) == tail, "word for word behind the boundary"
    second = squeeze(outcome.messages, window)
    assert second.status == "unchanged", "a second compaction straight away does nothing"
    assert second.messages == outcome.messages


@FEWER
@given(st.lists(histories(least=2, most=10), min_size=2, max_size=5), WINDOWS)
def test_compaction_after_compaction_keeps_every_law(pieces, window) -> None:
    messages: list[Message] = []
    for piece in pieces:
        messages = [*messages, *piece]
        outcome = squeeze(messages, window)
        check(messages, outcome)
        messages = list(outcome.messages)


@FEWER
@given(histories(), WINDOWS)
def test_what_fits_the_window_is_whole_and_says_so_when_it_cannot_fit(history, window) -> None:
    fitted = fit(history, window=window)
    assert is_whole(fitted.messages)
    assert fitted.tokens == Counter().count(fitted.messages).total
    assert fitted.fits == (fitted.tokens <= window)
    assert fitted.tokens <= Counter().count(history).total


@FEWER
@given(histories(least=4), WINDOWS, st.lists(st.text(min_size=1, max_size=40), max_size=3))
def test_pinned_lines_survive_every_compaction_verbatim(history, window, pinned) -> None:
    outcome = squeeze(history, window, pinned=pinned)
    if outcome.compacted:
        assert all(line in outcome.summary for line in pinned)


@pytest.mark.parametrize("window", [8_000, 64_000])
def test_the_laws_hold_on_real_sessions(window: int) -> None:
    for _, messages in real_sessions():
        outcome = squeeze(messages, window)
        check(messages, outcome)
        if outcome.compacted:
            assert squeeze(outcome.messages, window).status == "unchanged"
            grown = [*outcome.messages, *messages[-40:], user("and now?"), assistant("x " * window)]
            check(grown, squeeze(grown, window))


def test_a_real_session_compacted_ten_times_on_its_way_still_knows_its_first_rules() -> None:
    messages = long_session(60)
    kept = messages[:1]
    compactions = 0
    for message in messages[1:]:
        kept.append(message)
        outcome = squeeze(kept, 6_000) if Counter().count(kept).total > 5_000 else None
        if outcome and outcome.compacted:
            compactions += 1
            kept = list(outcome.messages)
    assert compactions >= 8
    text = said(kept)
    assert "src/app/module_0.py" in text
    assert "Now write the changelog." in text
    assert is_whole(kept)


def test_a_run_of_the_tests_says_which_sessions_the_laws_ran_on() -> None:
    environment = {**os.environ, "RECOLLECT_TEST_SESSIONS": "logs"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--collect-only",
        "-p",
        "no:cacheprovider",
        "tests/context/__init__.py",
    ]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert "The laws of compaction ran on the real sessions below logs." in done.stdout
    assert "ran on the sample, not on real sessions" in laws_ran_on("")
