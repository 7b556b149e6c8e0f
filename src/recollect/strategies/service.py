"""Memory in a service: facts and votes go there, and what it knows comes back at the start of a session.

No request is repeated. What fails is written to the log, and memory is off for that build; the session goes on."""

from __future__ import annotations

from urllib.parse import quote

from recollect.model.drafts import Outcome
from recollect.ports import PromptMemory, ToolWords
from recollect.strategies.gates import SERVICE
from recollect.strategies.requests import ServiceError
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recollect.model.entries import Scope
    from recollect.ports import NewMemory
    from recollect.strategies.prompts import Answer, Prompts
    from recollect.strategies.requests import Service

LONGEST_TEXT = 100_000
LONGEST_INSTRUCTIONS = 1_000  # they stand in the description of a tool
LONGEST_SCHEMA = 4_000
TOOLS = ("store_memory", "vote_memory")
STORED = ("stored", "duplicate", "staged", "refused")


class ServiceMemory:
    """The service's memory of one repository, and of the user where that is switched on."""

    name = SERVICE

    def __init__(
        self,
        service: Service,
        prompts: Prompts,
        *,
        repository: str,
        user_scope: bool,
        log: Callable[[str], None],
    ) -> None:
        self._service = service
        self._prompts = prompts
        self._repository = repository
        self._user_scope = user_scope
        self._log = log
        self._answer: Answer | None = None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where a fact can hold."""
        found: list[Scope] = ["repository"] if self._repository else []
        return (*found, "user") if self._user_scope else tuple(found)

    @property
    def can_vote(self) -> bool:
        """Does the service say that it counts votes?"""
        return self.prompt().can_vote

    @property
    def why_off(self) -> str:
        """Why this memory cannot be used now; empty when it can."""
        self.prompt()
        return self._answer.why_off if self._answer else ""

    def prompt(self) -> PromptMemory:
        """What the service says at the start; asked once a build, whatever comes of it."""
        if self._answer is None:
            self._answer = self._prompts.get(self._place, self._load, ServiceError)
            if self._answer.why_off:
                self._log(f"memory is off for this build: {self._answer.why_off}")
        return self._answer.prompt

    def store(self, memory: NewMemory) -> Outcome:
        """Send one fact."""
        fields = memory._asdict()
        del fields["scope"]
        try:
            said = _object(self._service.request("POST", f"{self._path(memory.scope)}/memories", fields))
        except ServiceError as error:
            return self._failed(error)
        self._prompts.forget()
        status = said.get("status", "stored")
        if status not in STORED:
            return self._failed(ServiceError("the memory service answered with an unknown status"))
        return Outcome(status, str(said.get("id", ""))[:100], why=str(said.get("why", ""))[:500])

    def vote(self, fact: str, direction: str, reason: str) -> Outcome:
        """Send a vote on the memory with exactly this text."""
        try:
            for scope in self.scopes:
                found = self._service.request("GET", f"{self._path(scope)}/memories?fact={quote(fact, safe='')}")
                for one in found if isinstance(found, list) else []:
                    if isinstance(one, dict) and statement_key(str(one.get("content", ""))) == statement_key(fact):
                        memory_id = str(one.get("id", ""))
                        path = f"/v1/memories/{quote(memory_id, safe='')}/votes"
                        said = _object(self._service.request("POST", path, {"direction": direction, "reason": reason}))
                        waits = said.get("status") == "staged"
                        return Outcome(
                            "staged" if waits else "voted", memory_id[:100], why=str(said.get("why", ""))[:500]
                        )
        except ServiceError as error:
            return self._failed(error)
        return Outcome("invalid", why="No memory in the service says exactly that.")

    def close(self) -> None:
        """Nothing waits here."""

    @property
    def _place(self) -> str:
        return self._repository or "user"

    def _path(self, scope: str) -> str:
        return "/v1/user" if scope == "user" else f"/v1/repositories/{quote(self._repository, safe='')}"

    def _load(self) -> PromptMemory:
        said = _object(
            self._service.request("GET", f"{self._path('repository' if self._repository else 'user')}/prompt")
        )
        text, counts, tools = said.get("text", ""), said.get("counts", {}), said.get("tools", {})
        if not isinstance(text, str) or not isinstance(counts, dict) or not isinstance(tools, dict):
            raise ServiceError("the memory service answered in an unexpected format")
        store = tools.get("store_memory")
        instructions = store.get("instructions", "") if isinstance(store, dict) else ""
        return PromptMemory(
            text[:LONGEST_TEXT],
            {str(name): count for name, count in counts.items() if isinstance(count, int)},
            instructions[:LONGEST_INSTRUCTIONS] if isinstance(instructions, str) else "",
            isinstance(tools.get("vote_memory"), dict),
            {name: _words(tools[name]) for name in TOOLS if isinstance(tools.get(name), dict)},
        )

    def _failed(self, error: ServiceError) -> Outcome:
        self._log(str(error))
        return Outcome("failed", why=f"Nothing was stored: {error}.")


def _words(told: dict[str, Any]) -> ToolWords:
    """How the service describes a tool. A schema that does not describe an object is passed over."""
    description, version, schema = told.get("description"), told.get("version"), told.get("schema")
    fits = isinstance(schema, dict) and schema.get("type") == "object" and isinstance(schema.get("properties"), dict)
    return ToolWords(
        description[:LONGEST_INSTRUCTIONS] if isinstance(description, str) else "",
        str(version)[:40] if isinstance(version, (str, int)) else "",
        schema if fits and len(str(schema)) <= LONGEST_SCHEMA else None,
    )


def _object(said: Any) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise ServiceError("the memory service answered in an unexpected format")
    return said
