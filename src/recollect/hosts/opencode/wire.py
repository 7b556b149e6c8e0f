"""What the plugin for opencode says to the hook and takes from it: the protocol of hosts/shims.py."""

from __future__ import annotations

from recollect.hosts import shims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.model.hooks import HookCall


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words."""
    call = shims.parse("opencode", said)
    return call._replace(prompt=as_typed(call.prompt))


def as_typed(prompt: str) -> str:
    """A prompt without the pair of quotes that `opencode run "..."` puts around an argument that has a space in it."""
    inside = prompt[1:-1]
    if len(prompt) < 2 or prompt[0] != '"' or prompt[-1] != '"' or " " not in inside:
        return prompt
    # It escapes the quotes inside, and nothing else: where one is left, these are somebody's own.
    return prompt if '"' in inside.replace('\\"', "") or inside.endswith("\\") else inside.replace('\\"', '"')


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    return shims.answer(call, text)
