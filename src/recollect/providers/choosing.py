"""From what the settings say to whoever answers: the one place where a provider is made."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from recollect.errors import ProviderError
from recollect.model.messages import ToolCall
from recollect.model.record import Record
from recollect.providers.command import CommandProvider, found, words_of
from recollect.providers.rules import RulesProvider
from recollect.providers.sampling import SamplingProvider
from recollect.providers.scripted import Scripted, ScriptedProvider
from recollect.providers.specs import CLIS, COMMAND, SAMPLING, SCRIPTED, VENDORS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.model.messages import Message
    from recollect.ports import Prompt, Provider
    from recollect.providers.command import Scratch
    from recollect.providers.sampling import Sample
    from recollect.providers.scripted import Fixed
    from recollect.providers.specs import Spec


class Means(Record):
    """What providers need of this process."""

    environ: Mapping[str, str]
    scratch: Scratch
    keys: Mapping[str, str]  # by vendor: the variable that holds its key
    sample: Sample | None = None  # while an MCP client waits for an answer of ours


def choose(spec: Spec, means: Means) -> Provider:
    """The provider that a spec names. ProviderError, with a remedy, when something that it needs is missing."""
    require_ready(spec, means)
    if spec.provider in VENDORS:
        from recollect.providers.vendors import VendorProvider  # asyncio, which few need

        key = means.environ.get(means.keys[spec.provider], "")
        return VendorProvider(spec.provider, spec.model, address=spec.address, key=key)
    if spec.provider in CLIS:
        return CommandProvider(spec.provider, model=spec.model, environ=means.environ, scratch=means.scratch)
    if spec.provider == COMMAND:
        return CommandProvider(line=spec.model, environ=means.environ, scratch=means.scratch)
    if spec.provider == SAMPLING and means.sample is not None:
        return SamplingProvider(means.sample)
    if spec.provider == SCRIPTED:
        return ScriptedProvider([script(spec.model)])
    return RulesProvider()


def require_ready(spec: Spec, means: Means) -> None:
    """Raises ProviderError when something is missing; nobody is asked anything."""
    if spec.provider in VENDORS:
        from recollect.providers.vendors import require_installed

        require_installed(spec.provider)
        variable = means.keys[spec.provider]
        # A local server wants no key.
        if not means.environ.get(variable) and not spec.address:
            raise ProviderError(f"{spec.provider} needs a key.", remedy=f"Run: export {variable}=... with your key")
    elif spec.provider in CLIS:
        found(spec.provider, means.environ)
    elif spec.provider == COMMAND:
        found(words_of(spec.model)[0], means.environ)
    elif spec.provider == SAMPLING and means.sample is None:
        raise ProviderError(
            "The model of an MCP client can only be asked while the client waits for an answer.",
            remedy="Choose a model that is always there: `recollect models use NAME`.",
        )


def script(path: str) -> Callable[[Prompt], Fixed]:
    """Answers from a file, for tests of whole programs: a JSON list of {"when": text in the prompt, "say": answer}.

    The first that matches answers, every time; without `when` it always matches, and `last` must be in the last
    message. `pieces` streams a text, `seconds` is the time before each piece, `calls` are [tool, arguments], and with
    `until` it says nothing before that file is there. {"fail": why} fails."""
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
    except (OSError, ValueError) as error:
        raise ProviderError(f"The script {path} cannot be read: {error}") from error

    def answer(prompt: Prompt) -> Fixed:
        said = [_text_of(message) for message in prompt.messages]
        asked = "\n".join([prompt.system, *said])
        for row in rows:
            if row.get("when", "") in asked and row.get("last", "") in said[-1]:
                if "fail" in row:
                    raise ProviderError(str(row["fail"]))
                return _scripted(row, len(said)) if row.keys() & {"pieces", "calls", "seconds", "until"} else row["say"]
        raise ProviderError("The script has no answer to this question.")

    return answer


def _scripted(row: dict[str, Any], number: int) -> Scripted:
    calls = tuple(
        ToolCall(f"call-{number}-{at}", name, json.dumps(arguments))
        for at, (name, arguments) in enumerate(row.get("calls", ()))
    )
    said = [row["say"]] if "say" in row else []
    made = Scripted(tuple(row.get("pieces", said)), calls, float(row.get("seconds", 0.0)))
    return made._replace(is_ready=lambda: os.path.exists(row["until"])) if "until" in row else made


def _text_of(message: Message) -> str:
    """What stands in a message, results of tools included."""
    printed = [getattr(part, "text", "") for result in message.results for part in result.parts]
    return "\n".join([message.text, *printed])
