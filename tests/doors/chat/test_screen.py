"""What is shown while a prompt comes and goes: nothing is drawn into it, and nothing is lost."""

from __future__ import annotations

import pytest

from recollect.doors.chat.screen import Screen


def test_what_is_shown_while_a_prompt_is_being_drawn_waits_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    asked: list[str] = []
    screen.hold()
    screen.show("before the prompt is there")
    assert not capsys.readouterr().out
    screen.write_above(lambda: asked.append("write"))
    screen.show("while it is there")
    assert asked == ["write"], "once for both"
    assert not capsys.readouterr().out
    screen.write()
    assert capsys.readouterr().out == "before the prompt is there\nwhile it is there\n"


def test_what_a_prompt_did_not_get_to_write_is_written_when_it_is_gone(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    screen.hold()
    screen.write_above(lambda: None)
    screen.show("as it left")
    screen.release()
    screen.show("afterwards")
    assert capsys.readouterr().out == "as it left\nafterwards\n"


def test_the_rest_of_a_long_line_stands_under_its_beginning(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Screen().show("  ▶ change it, then run the tests\n- and a list of things\n\n    code = 1")
    assert capsys.readouterr().out.splitlines() == [
        "  ▶ change it, then",
        "    run the tests",
        "- and a list of",
        "  things",
        "",
        "    code = 1",
    ]
