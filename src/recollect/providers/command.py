"""A command that the user already has and pays for: a coding agent's CLI, or any line that takes a prompt on stdin.

It runs in an empty folder, with its tools off as far as it can switch them off, and with our own hooks off."""

from __future__ import annotations

import shlex
import shutil
from typing import TYPE_CHECKING

from recollect.errors import ProviderError, ReplyInvalid
from recollect.model.asking import MARK
from recollect.model.messages import Message, Text
from recollect.ports import Reply, Usage
from recollect.providers.answers import check_schema, checked
from recollect.providers.children import run_child
from recollect.providers.clis import CLI, plain
from recollect.providers.patience import Patience
from recollect.providers.sampling import split
from recollect.settings import AGENT_VARIABLES, SESSION_VARIABLES
from recollect.text.clean import clean
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from recollect.ports import Prompt
    from recollect.providers.clis import Cli, Printed

    # Makes an empty folder, and files beside it: gives the folder, and the path of each file by its name.
    Scratch = Callable[[Mapping[str, str]], AbstractContextManager[tuple[str, dict[str, str]]]]

WINDOW_TOKENS = 128_000
SWITCH = "RECOLLECT_ENABLED"  # false in the child's environment: a hook of ours that it runs answers with nothing
PRIVATE = ("RECOLLECT_TOKEN",)
LONGEST_SHOWN = 300


class CommandProvider:
    """ports.Provider over a child process. `name` is a CLI that is known here, or empty for `line`, any other one.

    There is no stream and no schema: the text is given in one piece, and a schema is asked for in words."""

    def __init__(
        self,
        name: str = "",
        *,
        model: str = "",
        line: str = "",
        environ: Mapping[str, str],
        scratch: Scratch,
        window_tokens: int = WINDOW_TOKENS,
    ) -> None:
        self.window_tokens = window_tokens
        self._cli: Cli | None = CLI[name] if name else None
        self._name = name or words_of(line)[0]
        self._model = model
        self._line = line
        self._environ = environ
        self._scratch = scratch

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply:
        """The whole answer."""
        check_schema(prompt.schema)
        if prompt.tools:
            raise ProviderError("Commands run with their tools off, so no tools can be offered.")
        patience = Patience(prompt)
        patience.check()
        question = question_of(prompt)
        printed = self._printed(question, patience)
        own = self._cli.own_tokens if self._cli else 0
        usage = printed.usage or Usage(own + estimate_tokens(question), estimate_tokens(printed.text), estimated=True)
        parts = (Text(printed.text),) if printed.text else ()
        reply = checked(prompt, Reply(Message("assistant", parts), usage, model=printed.model or self._model))
        if on_piece is not None:
            on_piece(reply.text)
        return reply

    def _printed(self, question: str, patience: Patience) -> Printed:
        program = found(self._name, self._environ)
        files = self._cli.files if self._cli else {}
        with self._scratch(files) as (folder, paths):
            words = self._cli.line(self._model, paths) if self._cli else words_of(self._line)
            environ = {**child_environ(self._environ), **(self._cli.variables(paths) if self._cli else {})}
            ended = run_child([program, *words[1:]], stdin=question, folder=folder, environ=environ, patience=patience)
        if ended.code:
            # Some say what is wrong in their own JSON, on stdout.
            raise self._failed(self._said(ended.out) or ended.err or f"it exited with {ended.code}")
        printed = self._cli.read(ended.out) if self._cli else plain(ended.out)
        if printed.error:
            raise self._failed(printed.error)
        return printed

    def _said(self, out: str) -> str:
        try:
            return self._cli.read(out).error if self._cli else ""
        except ReplyInvalid:
            return ""

    def _failed(self, why: str) -> ProviderError:
        last = clean(why).strip().splitlines()[-1:] or ["it gave no reason"]
        remedy = f"Run `{self._name}` once by hand, and see whether it is logged in."
        return ProviderError(f"{self._name} failed: {last[0][:LONGEST_SHOWN]}", remedy=remedy)


def found(name: str, environ: Mapping[str, str]) -> str:
    """Where a program is. ProviderError when it is nowhere."""
    program = shutil.which(name, path=environ.get("PATH", ""))
    if program is None:
        raise ProviderError(
            f"{name} was not found.", remedy=f"Install {name}, or choose another model: `recollect models`."
        )
    return program


def child_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child: not inside the agent that we may run inside of, and without our own hooks."""
    dropped = {*AGENT_VARIABLES, *SESSION_VARIABLES, *PRIVATE}
    return {**{name: value for name, value in environ.items() if name not in dropped}, SWITCH: "false"}


def question_of(prompt: Prompt) -> str:
    """Everything on stdin: a command line can be seen by others. The mark tells an import that nobody typed this."""
    system, turns = split(prompt)
    said = turns[0][1] if len(turns) == 1 else "\n\n".join(f"[{role}]\n{text}" for role, text in turns)
    return "\n\n".join(part for part in (MARK, system, said) if part) + "\n"


def words_of(line: str) -> list[str]:
    """The words of a command line, as a shell would divide them."""
    return shlex.split(line)
