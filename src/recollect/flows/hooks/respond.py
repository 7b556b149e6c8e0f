"""Respond to a host: what it said -> whose words these are -> the call -> the answer in the host's own words."""

from __future__ import annotations

import sys
import time

from recollect.flows.hooks.answer_hook import HookAnswer, answer_hook
from recollect.hosts.callers import FOLDERS, calling_host
from recollect.model.record import Record
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    from recollect.files.home import Home
    from recollect.flows.hooks.answer_hook import Clock
    from recollect.model.hooks import HookCall

    class Wire(Protocol):
        """What every hosts/*/wire.py offers."""

        def parse(self, said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall: ...
        def answer(self, call: HookCall, text: str) -> dict[str, object] | str: ...


EMPTY = b"{}\n"
NOT_UNDERSTOOD = "not understood"


class Reply(Record):
    """What goes to the host, and what is done once it is there."""

    data: bytes = EMPTY
    call: HookCall | None = None
    answered: HookAnswer = HookAnswer()


def respond(
    words: Sequence[str],
    data: bytes,
    *,
    home: Home,
    environ: Mapping[str, str],
    clock: Clock,
    now: float | None = None,
    limit: Callable[[int], None] = lambda milliseconds: None,
) -> Reply:
    """The answer to what a host said, without reading or writing anything but the home."""
    try:
        said = loads(data)
    except (ValueError, RecursionError):
        return Reply(answered=HookAnswer(outcome=NOT_UNDERSTOOD))
    if not isinstance(said, dict):
        return Reply(answered=HookAnswer(outcome=NOT_UNDERSTOOD))
    wire = _wire(calling_host(words, said, environ))
    call = _clean(wire.parse(said, environ))
    answered = answer_hook(
        call, home=home, environ=environ, clock=clock, now=time.time() if now is None else now, limit=limit
    )
    answer = wire.answer(call, answered.text)
    if answered.notice and isinstance(answer, dict):
        answer = {**answer, "systemMessage": answered.notice}
    if isinstance(answer, str):
        return Reply(_line(answer) if answer else b"", call, answered)
    return Reply(_line(dumps(answer, ensure_ascii=False)) if answer else EMPTY, call, answered)


def _line(text: str) -> bytes:
    return text.encode("utf-8", "replace") + b"\n"


def _wire(host: str) -> Wire:
    """The module that knows how this host speaks."""
    name = f"recollect.hosts.{FOLDERS[host]}.wire"
    __import__(name)
    wire: Wire = sys.modules[name]
    return wire


def _clean(call: HookCall) -> HookCall:
    """The call without halves of characters, which JSON can say and nothing can store."""
    cleaned = {
        name: value.encode("utf-8", "replace").decode()
        for name, value in call._asdict().items()
        if isinstance(value, str) and not value.isascii()
    }
    return call._replace(**cleaned) if cleaned else call  # type: ignore[arg-type]
