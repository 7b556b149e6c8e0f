"""What the API takes and gives. Fields may be added here, never renamed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints

LONGEST_TEXT = 20_000
MOST_LABELS = 50

Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]
SomeText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Labels = Annotated[list[Label], Field(max_length=MOST_LABELS)]
Layer = Literal["L0", "L1", "L2"]
Scope = Literal["user", "repository"]


class NewMemory(BaseModel):
    """A fact to be stored. Whose word it is, is found out here: fields that claim it are passed over."""

    fact: SomeText
    subject: Annotated[str, StringConstraints(max_length=200)] = ""
    citations: Annotated[list[SomeText], Field(max_length=MOST_LABELS)] = Field(
        default=[],
        description="What it rests on: path, path:10-20, path#symbol, or words. Needs a subject and a reason.",
    )
    reason: Text = ""
    layer: Literal["L0", "L1"] = "L1"
    tags: Labels = []


class MemoryChange(BaseModel):
    """What of a memory should be different; what is not named stays."""

    model_config = ConfigDict(extra="forbid")

    content: SomeText | None = Field(
        default=None, validation_alias=AliasChoices("content", "fact"), description="What it says; `fact` is the same."
    )
    subject: Annotated[str, StringConstraints(max_length=200)] | None = None
    aliases: Labels | None = None
    reason: Text | None = None
    tags: Labels | None = None


class NewVote(BaseModel):
    """Was a memory useful, and why?"""

    direction: Literal["up", "down", "upvote", "downvote"]
    reason: SomeText


class Written(BaseModel):
    """What became of a write."""

    id: str
    status: Literal["stored", "duplicate", "staged", "refused"]
    why: str
    conflicts: list[str] = []
    superseded: list[str] = []
    version: str = Field(default="", description="What the ETag says; empty for what waits.")


class Retired(Written):
    """What became of retiring a memory."""

    status: Literal["removed", "staged"]  # type: ignore[assignment]


class Votes(BaseModel):
    """How often a memory was found useful or wrong."""

    model_config = ConfigDict(extra="allow")

    up: int
    down: int


class StoredMemory(BaseModel):
    """A memory as a list shows it."""

    id: str
    layer: Layer
    scope: Scope
    repository: str
    subject: str
    content: str
    source: str
    origin: str
    status: str
    tags: list[str]
    check: str
    recall_count: int
    votes: Votes
    created: str | None
    updated: str | None


class MemoryDetails(StoredMemory):
    """Everything about a memory."""

    aliases: list[str]
    reason: str
    citations: list[dict[str, Any]]
    history: list[dict[str, Any]]
    replaced: list[str]
    chain: list[dict[str, Any]]
    superseded_by: str
    receipts: list[dict[str, Any]]
    confidence: float
    project: str
    task: str
    session: str
    last_used: str | None


class Question(BaseModel):
    """What a turn would get for this text."""

    query: SomeText
    k: Annotated[int, Field(ge=1, le=50)] | None = None
    tokens: Annotated[int, Field(ge=50, le=8_000)] | None = None
    layers: Annotated[list[Layer], Field(max_length=3)] = []
    tags: Labels = []
    since: Annotated[str, StringConstraints(max_length=40)] = Field(default="", description="7d, 2w, 12h or 2026-01-31")


class Recalled(BaseModel):
    """What a turn would get."""

    query: str
    receipt: str
    tokens: int
    floor: float
    entries: list[dict[str, Any]]
    left_out: list[dict[str, Any]]


class ToolDefinition(BaseModel):
    """How a tool is offered to a model."""

    model_config = ConfigDict(populate_by_name=True)

    description: str
    version: str
    instructions: str = ""
    arguments: dict[str, Any] = Field(serialization_alias="schema")


class Tools(BaseModel):
    """The tools for writing to this memory."""

    store_memory: ToolDefinition
    vote_memory: ToolDefinition


class Prompt(BaseModel):
    """What a session is told at its start."""

    text: str
    counts: dict[str, int]
    tools: Tools


class Session(BaseModel):
    """A session, without its turns."""

    model_config = ConfigDict(extra="allow")

    id: str
    host: str
    repository: str
    branch: str
    title: str
    started: str | None


class SessionDetails(Session):
    """A session with its turns and sub-agents."""

    turns: list[dict[str, Any]]
    subagents: list[dict[str, Any]]


class NewItem(BaseModel):
    """An item for the context board."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)] = Field(
        description="Lower-case words with dashes: run-tests."
    )
    description: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    content: Annotated[str, StringConstraints(min_length=1, max_length=4_000)]


class ListedItem(BaseModel):
    """An item of the context board as a list shows it."""

    src: Literal["user", "agent"]
    name: str
    description: str
    read_count: int
    count: int


class BoardItem(ListedItem):
    """An item of the context board with what it says."""

    content: str
    origin: str
    made_by: str
    session: str
    repository: str
    branch: str


class Suggested(BaseModel):
    """A change of a customization file that waits for a person, or what became of it."""

    model_config = ConfigDict(extra="allow")

    id: str
    fact: str
    target_type: str
    target: str
    action: str
    confidence: float
    status: str
    citations: list[dict[str, Any]]
    diff: str


class Decided(BaseModel):
    """What became of what a person decided."""

    model_config = ConfigDict(extra="allow")

    id: str
    status: str


class Given(BaseModel):
    """A receipt: what a turn was given and why."""

    receipt: str
    session: str
    turn: int
    host: str
    repository: str
    at: str | None
    query: str
    entries: list[dict[str, Any]]
    left_out: list[dict[str, Any]]
    tokens: int


class Waiting(BaseModel):
    """Something that waits for a person."""

    model_config = ConfigDict(extra="allow")

    id: str
    kind: str
    what: str
    why: str
    expires: str | None


class AccessToken(BaseModel):
    """A program that may use the service."""

    id: str
    name: str
    scope: str
    created: str | None
    last_used: str | None


class ChangeMade(BaseModel):
    """Who did what, when."""

    id: int
    action: str
    actor: str
    at: str | None
    undone_by: int
    entries: list[str]


class Health(BaseModel):
    """Is the service there, and can it read its database?"""

    status: Literal["ok"]
    version: str
