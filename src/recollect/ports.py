"""Seams: small protocols that state their promise. Nothing on the hook's path imports this at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from recollect.model.drafts import Outcome
    from recollect.model.entries import Origin, Scope
    from recollect.model.messages import Json, Message, ToolCall
    from recollect.model.permissions import Answer, Question
    from recollect.model.recall import Analysed, Budget, Frequencies, Wanted
    from recollect.model.turn_search import AnalysedTurn, MatchedTurns, TurnBudget, TurnKey


class OfferedTool(Record):
    """A tool that the model may call. It is never run here: the call comes back in the reply."""

    name: str
    description: str
    arguments_schema: Json


class Prompt(Record):
    """One question to a model: a conversation, what may be called, and how long the answer may take."""

    role: str  # default | smol
    system: str
    messages: Sequence[Message]
    headers: Mapping[str, str] = {}
    max_output_tokens: int = 4_096
    tools: Sequence[OfferedTool] = ()
    schema: Json | None = None  # JSON Schema of the answer; the reply's `value` fits it
    limit_seconds: float = 0.0  # from the call until the whole reply is there; 0 sets no limit
    cancelled: Callable[[], bool] = bool  # asked again and again while the model works; `bool()` is False


class Usage(Record):
    """What a reply took. Counts that the provider does not report are estimated, and `estimated` says so."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0  # of the input: what the provider had in its cache
    cost_usd: float | None = None  # None when nobody knows
    estimated: bool = False


class Reply(Record):
    """A whole answer: a message of the assistant, with text, thinking and tool calls."""

    message: Message
    usage: Usage = Usage()
    value: Any = None  # the answer as JSON, checked against the schema that the prompt gave
    request_id: str = ""
    model: str = ""
    context_edits: tuple[Json, ...] = ()  # what the provider says that it compacted or edited itself

    @property
    def text(self) -> str:
        """What the model said."""
        return self.message.text

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """What the model wants done."""
        return self.message.calls


class Provider(Protocol):
    """Answers one prompt, whole or not at all.

    `on_piece` is given the text as it comes; when the request fails after that, what was given is void. Raises
    ReplyInvalid for an answer that is not what was asked for, RequestCancelled or RequestTimedOut soon after the
    prompt says so, and ProviderError for everything else.
    """

    window_tokens: int

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply: ...


class Models(Protocol):
    """The one place that is asked for a model. Raises ProviderError when there is no whole answer.

    What is sent carries no secret, keeps to the ceilings, and is written down with what it took."""

    def is_on(self, role: str = "default") -> bool:
        """Does a model answer for this role? Without one, rules do the work."""
        ...

    def ask(self, prompt: str, schema: Json, role: str = "default") -> Reply:
        """One question; the reply's `value` fits the schema."""
        ...

    def provider(self, role: str = "default") -> Provider:
        """Whoever answers for this role, for conversations and streams."""
        ...


class Spending(Protocol):
    """The tokens of a day and of a pass. They are taken before a call, from an estimate, and put right after it."""

    def take(self, tokens: int) -> None:
        """Raises CeilingReached, with nothing taken, when there are not so many left."""
        ...

    def put_right(self, taken: int, used: int) -> None:
        """A call that was estimated at `taken` tokens used this many."""
        ...


class Ask(Protocol):
    """Puts a question to a person; the answer is `nobody` when none can be reached. It never comes from an agent."""

    def __call__(self, question: Question) -> Answer: ...


class NewMemory(Record):
    """One fact for a strategy to keep: redacted and valid."""

    subject: str
    fact: str
    citations: tuple[str, ...]
    reason: str
    scope: Scope
    source: str = ""  # which agent wrote it
    origin: Origin = "assistant"


class ToolWords(Record):
    """A tool as a service describes it; what it leaves empty stays as we say it."""

    description: str = ""
    version: str = ""
    arguments_schema: Json | None = None


class PromptMemory(Record):
    """What a strategy has to say at the start of a session, and what its tools can do."""

    text: str = ""
    counts: Mapping[str, int] = {}
    store_instructions: str = ""
    can_vote: bool = False
    tools: Mapping[str, ToolWords] = {}  # by name: how the service itself describes its tools


class Strategy(Protocol):
    """Where store_memory and vote_memory lead. Whatever goes wrong is an Outcome with its reason, never an error."""

    name: str

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where a fact can hold."""
        ...

    @property
    def can_vote(self) -> bool: ...

    @property
    def why_off(self) -> str:
        """Why this memory cannot be used now; empty when it can."""
        ...

    def store(self, memory: NewMemory) -> Outcome: ...

    def vote(self, fact: str, direction: str, reason: str) -> Outcome: ...

    def prompt(self) -> PromptMemory:
        """What the model is told at the start; empty when there is nothing or the strategy is out of reach."""
        ...

    def close(self) -> None:
        """Finish what waits; calling it twice changes nothing."""
        ...


class EntrySearch(Protocol):
    """Answers one question about the entries of some places. Whatever it searches, it answers the same."""

    @property
    def name_heads(self) -> AbstractSet[str] | None:
        """How the names of entries begin, their first NAME_HEAD characters; None when that is not known."""
        ...

    def frequencies(self, wanted: Sequence[str]) -> Frequencies:
        """In how many entries each of these occurs, of all entries that there are."""
        ...

    def spelled_like(self, prefix: str, shortest: int, longest: int) -> list[str]:
        """Tokens that begin with the prefix and have between shortest and longest characters."""
        ...

    def count_here(self, token: str) -> int:
        """In how many entries of these places it occurs, as far as that tells how rare it is."""
        ...

    def best(self, wanted: Wanted, budget: Budget) -> list[Analysed]:
        """The best entries for what is wanted, oldest first: those that can reach the floor, or else any."""
        ...


class TurnSearch(Protocol):
    """Answers questions about the turns of some repositories, or of all."""

    def frequencies(self, wanted: Sequence[str]) -> Frequencies:
        """In how many turns each of these terms and marks occurs, of all turns that there are."""
        ...

    def best(self, wanted: Sequence[str], frequencies: Frequencies, budget: TurnBudget) -> MatchedTurns:
        """The turns that match best. Another repository's may be among them: each says where it belongs."""
        ...

    def turns(self, keys: Sequence[TurnKey]) -> list[AnalysedTurn]:
        """These turns, oldest first."""
        ...

    def turns_at(self, places: Sequence[tuple[str, int]]) -> list[AnalysedTurn]:
        """The turns at these places, session and number, in their order."""
        ...

    def shown_texts(self, keys: Sequence[TurnKey]) -> dict[TurnKey, tuple[str, str]]:
        """What was typed and what was said in these turns."""
        ...

    def session_count(self) -> int: ...

    def session_lengths(self, session_ids: Sequence[str]) -> dict[str, int]:
        """How many turns each of these sessions has, the oldest session first."""
        ...
