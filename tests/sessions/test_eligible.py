"""Which past sessions are due for extraction, and which never are."""

from __future__ import annotations

from typing import Any

from recollect.model.asking import FOLDER
from recollect.model.sessions import PRIVATE, Session
from recollect.sessions.eligible import eligible
from recollect.settings_table import Memories

NOW = 1_790_000_000.0
HOUR = 3_600.0


def session(name: str = "s_1", hours: float = 24, **more: Any) -> Session:
    """A session that ended so many hours ago."""
    place = {"cwd": "/home/ada/shop", "repository": "github.com/ada/shop", **more}
    return Session(name, "codex", f"native-{name}", started=NOW - hours * HOUR - 60, ended=NOW - hours * HOUR, **place)


def due(*sessions: Session, settings: Memories = Memories(), **more: Any) -> list[str]:  # noqa: B008 - frozen
    return [one.session_id for one in eligible(sessions, now=NOW, settings=settings, **more)]


def test_sessions_that_are_idle_long_enough_and_not_too_old_come_newest_first() -> None:
    hours = {"busy": 11.9, "new": 12, "middle": 100, "old": 30 * 24, "ancient": 30 * 24 + 1}
    assert due(*(session(name, at) for name, at in hours.items())) == ["new", "middle", "old"]


def test_one_startup_takes_only_so_many() -> None:
    many = [session(f"s_{number}", 20 + number) for number in range(70)]
    assert due(*many) == [f"s_{number}" for number in range(64)]
    assert due(*many, settings=Memories({"max_rollouts_per_startup": 1})) == ["s_0"]


def test_what_was_processed_comes_again_only_when_it_has_grown() -> None:
    one = session()
    assert due(one, processed={"s_1": one.ended}) == []
    assert due(one, processed={"s_1": one.ended - 1}) == ["s_1"]


def test_a_session_that_goes_on_is_left_however_short_the_wait() -> None:
    at_once = Memories({"min_rollout_idle_hours": 0})
    assert due(session(hours=0), settings=at_once) == ["s_1"]
    assert due(session(hours=0), settings=at_once, active={"native-s_1"}) == []


def test_sub_agents_private_sessions_excluded_and_temporary_folders_and_our_own_questions_are_skipped() -> None:
    assert due(session(agent="explorer")) == []
    assert due(session(privacy=PRIVATE)) == []
    assert due(session(), exclude=["/home/ada/*"]) == []
    assert due(session(cwd=f"/home/ada/{FOLDER}")) == []
    for folder in ("/tmp", "/tmp/try", "/private/var/folders/x/T/try"):
        assert due(session(cwd=folder, repository=f"path:{folder}")) == []
    # A clone in a temporary folder is work on the repository; a folder of that name elsewhere is not temporary.
    assert due(session(cwd="/tmp/clone")) == ["s_1"]
    assert due(session(cwd="/tmpfiles", repository="path:/tmpfiles")) == ["s_1"]
