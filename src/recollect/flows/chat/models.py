"""The model of a chat: whoever the settings name now, so that a switch holds from the next request on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ProviderError, SettingsError
from recollect.flows.models.asking import AskedModels
from recollect.flows.opened import settings_at
from recollect.providers.specs import CONVERSING, ROLES, RULES, spec_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.opened import Opened
    from recollect.ports import Prompt, Reply
    from recollect.providers.specs import Spec

WINDOW_TOKENS = 128_000
WITHOUT = "Without one, the interactive chat offers /memory, /profile, /review and /why."
NO_MODEL = (
    "No model is configured yet, so nothing can answer. Choose one:\n"
    "`recollect models use anthropic:claude-sonnet-4-5` (or openai:MODEL@ADDRESS)\n" + WITHOUT
)
OFF = "Recollect is switched off (enabled = false). Run `recollect settings set enabled true`."


class ChatModel:
    """ports.Provider. Each request is a pass of its own; the ceiling of the day holds for all of them."""

    def __init__(self, memory: Opened, role: str = "default") -> None:
        self.window_tokens = WINDOW_TOKENS
        self._memory = memory
        self._role = role

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply:
        """The whole answer."""
        return AskedModels(self._memory, purpose="chat").provider(self._role).complete(prompt, on_piece)


def spec_in_use(memory: Opened) -> Spec:
    """The model that answers now."""
    return memory.models.spec()


def why_silent(memory: Opened) -> str:
    """Why nobody would answer, with what to do about it; empty when somebody would."""
    if not memory.settings.enabled:
        return OFF
    spec = spec_in_use(memory)
    if spec.provider == RULES:
        return NO_MODEL
    if spec.provider not in CONVERSING:
        return (
            f"{spec.provider} answers single questions and cannot hold a conversation with tools.\n"
            "Choose one that can: `recollect models use anthropic:MODEL` (or openai:...)\n" + WITHOUT
        )
    ready = memory.models.ready()
    return "" if ready.ok else f"{ready.why} {ready.remedy}".strip()


def require_conversing(name: str) -> Spec:
    """The model that a text names. ProviderError when it cannot hold a conversation."""
    spec = spec_of(name)
    if spec.provider not in CONVERSING:
        raise ProviderError(
            f"{spec.provider} cannot hold a conversation with tools; use anthropic:MODEL or openai:MODEL@ADDRESS."
        )
    return spec


def choices(memory: Opened) -> list[Spec]:
    """The models to choose from: the one in use, and what the settings name, as far as it can hold a conversation."""
    named = [spec_in_use(memory), *(memory.models.spec(role) for role in ROLES if memory.models.ready(role).ok)]
    file = settings_at(memory.folder, memory.home, memory.environ).models.default
    found = [spec for spec in (*named, spec_of(file)) if spec.provider in CONVERSING]
    return list(dict.fromkeys(found))


def take_settings(memory: Opened) -> None:
    """Settings as the files say now: a chat may be open for days. The model of the conversation stays, because another
    one may have a smaller window; where there was none, one that was chosen meanwhile is taken."""
    model = memory.settings.models.default
    flags = {"models.default": model, **memory.flags} if model != RULES else memory.flags
    try:
        memory.settings = settings_at(memory.folder, memory.home, memory.environ, flags=flags)
    except SettingsError:
        return  # somebody is writing the file; what held goes on holding


def use_from_now(memory: Opened, spec: Spec) -> None:
    """Ask this model from now on, in this process."""
    memory.flags["models.default"] = str(spec)
    memory.settings = settings_at(memory.folder, memory.home, memory.environ, flags=memory.flags)


def window_name(spec: Spec) -> str:
    """The name under which a model's window is known."""
    return spec.model or spec.provider
