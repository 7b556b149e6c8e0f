"""The one place that is asked for a model: roles from the settings, and everything that holds for each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ProviderError, UsageError
from recollect.files.scratch import scratch_folder
from recollect.flows.models.ledger import Budget, Ledger
from recollect.model.messages import Message, Text
from recollect.model.record import Record
from recollect.ports import Prompt
from recollect.providers.choosing import Means, choose, require_ready
from recollect.providers.guarding import Guarded, most_tokens, question_tokens
from recollect.providers.rules import RulesProvider
from recollect.providers.specs import ANTHROPIC, OPENAI, ROLES, RULES, SAMPLING, Spec, spec_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.flows.opened import Opened
    from recollect.model.messages import Json
    from recollect.ports import Provider, Reply
    from recollect.providers.guarding import Call
    from recollect.providers.sampling import Sample
    from recollect.settings import Settings

OUTPUT_TOKENS = 4_096


class Ready(Record):
    """Whether a role can be asked; `why` and `remedy` say what is missing."""

    role: str
    spec: Spec
    ok: bool
    why: str = ""
    remedy: str = ""


class AskedModels:
    """ports.Models of an opened memory. One of these is one pass: what it asks counts against one ceiling."""

    def __init__(self, memory: Opened, *, purpose: str = "", sample: Sample | None = None) -> None:
        settings = memory.settings.models
        self._memory = memory
        self._purpose = purpose
        self.ledger = Ledger(memory.store, memory.home, day_tokens=settings.day_tokens, clock=memory.clock)
        self._budget = Budget(self.ledger, pass_tokens=settings.pass_tokens)
        self._means = means_of(memory.settings, memory.environ, sample)

    def begin(self, purpose: str, *, expected_tokens: int = 0, role: str = "default") -> AskedModels:
        """A pass of its own, with its own ceiling. What it is expected to cost, if anything, is written down first."""
        begun = AskedModels(self._memory, purpose=purpose, sample=self._means.sample)
        if expected_tokens and begun.is_on(role):
            self.ledger.tell(purpose, str(self.spec(role)), expected_tokens)
        return begun

    def lent(self, sample: Sample | None) -> AskedModels:
        """The same while an MCP client lends its model."""
        return AskedModels(self._memory, purpose=self._purpose, sample=sample)

    def spec(self, role: str = "default") -> Spec:
        """The model of a role. SettingsError when the settings do not name one that there is."""
        return spec_for(role, self._memory.settings)

    def is_on(self, role: str = "default") -> bool:
        """Does a model answer for this role? Without one, rules do the work."""
        return self.spec(role).provider != RULES

    @property
    def why_none(self) -> str:
        """Why no model is asked, and what to do, where `is_on` says no."""
        if not self._memory.settings.enabled:
            return "No model is asked while memory is switched off. Run `recollect settings set enabled true`."
        return "No model is in use. Choose one with `recollect models use NAME`."

    def is_there(self, role: str = "default") -> bool:
        """Can a model be asked for this role now? That of an MCP client is there only while the client lends it."""
        return self.is_on(role) and (self.spec(role).provider != SAMPLING or self._means.sample is not None)

    def has_passed(self, role: str = "default") -> bool:
        """Has the model of this role passed?"""
        return self.is_on(role) and self.ledger.has_passed(str(self.spec(role)))

    def ready(self, role: str = "default") -> Ready:
        """Whether a role can be asked. Nobody is asked anything."""
        return ready_for(role, self._memory.settings, self._means)

    def ask(
        self,
        prompt: str,
        schema: Json,
        role: str = "default",
        *,
        system: str = "",
        max_output_tokens: int = OUTPUT_TOKENS,
        cancelled: Callable[[], bool] = bool,
    ) -> Reply:
        """One question; the reply's `value` fits the schema. ProviderError when there is no such answer."""
        asked = _prompt(prompt, schema, role, system)
        return self.provider(role).complete(asked._replace(max_output_tokens=max_output_tokens, cancelled=cancelled))

    def expected_tokens(self, prompt: str, schema: Json | None = None, *, system: str = "", answer: int = 0) -> int:
        """What a question will take, about; said before a pass begins."""
        return question_tokens(_prompt(prompt, schema, "default", system)) + answer

    def most_tokens(self, prompt: str, schema: Json, *, answer: int) -> int:
        """What a question will take at most, with the second try after an answer that does not fit."""
        return most_tokens(_prompt(prompt, schema, "default", "")._replace(max_output_tokens=answer))

    def provider(self, role: str = "default") -> Provider:
        """Whoever answers for this role, for conversations and streams."""
        spec = self.spec(role)
        if spec.provider == RULES:
            return RulesProvider()
        try:
            provider = choose(spec, self._means)
        except ProviderError as error:
            self.ledger.keep_failure(role, str(spec), error)
            raise

        def told(call: Call) -> None:
            self.ledger.keep(call._replace(role=role), str(spec), self._purpose)

        limit = self._memory.settings.models.limit_seconds
        return Guarded(provider, self._budget, limit_seconds=limit, told=told)


def spec_for(role: str, settings: Settings) -> Spec:
    """The model of a role, as the settings say. The master switch leaves rules alone."""
    if role not in ROLES:
        raise UsageError(f"{role!r:.60} is not a role; roles are {' and '.join(ROLES)}.")
    if not settings.enabled:
        return Spec()
    named = settings.models.smol if role == "smol" else ""
    return spec_of(named or settings.models.default)


def means_of(settings: Settings, environ: Mapping[str, str], sample: Sample | None = None) -> Means:
    """What providers need of this process."""
    keys = {OPENAI: settings.models.openai_key, ANTHROPIC: settings.models.anthropic_key}
    return Means(environ, scratch_folder, keys, sample)


def ready_for(role: str, settings: Settings, means: Means) -> Ready:
    """Whether a role can be asked."""
    spec = spec_for(role, settings)
    try:
        require_ready(spec, means)
    except ProviderError as error:
        return Ready(role, spec, False, str(error), error.remedy)
    return Ready(role, spec, True)


def _prompt(prompt: str, schema: Json | None, role: str, system: str) -> Prompt:
    return Prompt(role, system, (Message("user", (Text(prompt),)),), schema=schema)
