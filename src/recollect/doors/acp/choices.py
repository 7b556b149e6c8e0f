"""What an editor can choose for a session: how much is asked, and which model answers. Only what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from acp.schema import SessionConfigOptionSelect, SessionConfigSelectOption, SessionMode, SessionModeState

if TYPE_CHECKING:
    from collections.abc import Sequence

ASK, AWAY, YOLO = "ask", "away", "yolo"
MODE, MODEL = "mode", "model"  # ids of the options
MODES = {
    ASK: ("Ask", "You are asked before anything is changed."),
    AWAY: ("Away", "You are not asked: whatever needs your permission is left undone and noted for you."),
    YOLO: ("Yolo", "You are not asked: everything is allowed."),
}


def modes(current: str) -> SessionModeState:
    """The modes, for a client that knows no options."""
    every = [SessionMode(id=mode, name=name, description=told) for mode, (name, told) in MODES.items()]
    return SessionModeState(current_mode_id=current, available_modes=every)


def options(mode: str, model: str, models: Sequence[str]) -> list[SessionConfigOptionSelect]:
    """Mode and model as options: a client that knows these looks at nothing else. Without `mode` there is no choice."""
    found = []
    if mode:
        told = [SessionConfigSelectOption(value=one, name=MODES[one][0], description=MODES[one][1]) for one in MODES]
        found.append(_option(MODE, "Permissions", mode, told))
    if models:
        found.append(_option(MODEL, "Model", model, [SessionConfigSelectOption(value=one, name=one) for one in models]))
    return found


def _option(name: str, title: str, current: str, choices: list[SessionConfigSelectOption]) -> SessionConfigOptionSelect:
    category: Literal["mode", "model"] = "mode" if name == MODE else "model"
    return SessionConfigOptionSelect(
        id=name, name=title, category=category, type="select", current_value=current, options=choices
    )
