"""What the plugin for pi says to the hook and takes from it: the protocol of hosts/shims.py."""

from __future__ import annotations

from recollect.hosts import shims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.model.hooks import HookCall


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words."""
    return shims.parse("pi", said)


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    return shims.answer(call, text)
