"""A session of any host, as a stream of neutral events and as the turns they make.

A reader in `hosts/*/logs.py` turns a host's own records into these events, in the order in which they happened; a
session begins with its `Began`. One log may hold several sessions. Times are seconds since the epoch, 0 when unknown.
"""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Event: TypeAlias = (
        "Began | Said | Answered | Called | Returned | Compacted | Titled | Spent | Voted | Moved | Skipped"
    )


DETACHED = "detached"
PRIVATE = "private"


class Began(Record):
    """A session, or a sub-agent's part of one, begins. What a host does not record stays empty."""

    host: str
    native_id: str  # the host's own id of the session
    at: float = 0.0
    cwd: str = ""
    branch: str = ""
    remote: str = ""  # address or owner/name of the repository, as the log has it
    title: str = ""
    version: str = ""  # of the host
    model: str = ""
    parent: str = ""  # native id of the session that started this one as a sub-agent, or that it was forked from
    agent: str = ""  # id or name of the sub-agent; empty for the person's own session
    mode: str = ""  # DETACHED when it runs without whoever started it


class Said(Record):
    """The user typed this. Never a tool result, a wrapper, an environment block or a sub-agent's prompt."""

    text: str
    at: float = 0.0
    record_id: str = ""  # the host's own id of the record; the same one again is the same message
    cwd: str = ""
    branch: str = ""
    attachments: int = 0
    mark: str = ""  # message_sources.TERMINAL or HEARD for what was typed at our own terminal


class Answered(Record):
    """The assistant said this. Pieces of one message carry the same record_id and are joined."""

    text: str
    at: float = 0.0
    record_id: str = ""
    model: str = ""


class Called(Record):
    """The assistant called a tool."""

    call_id: str
    name: str  # as the host calls it
    arguments: dict[str, object]
    at: float = 0.0


class Returned(Record):
    """A tool answered. `ok` is None when the log does not say."""

    call_id: str
    output: str
    ok: bool | None = None
    exit_code: int | None = None
    at: float = 0.0
    paths: tuple[str, ...] = ()  # files the result says were changed


class Compacted(Record):
    """The conversation was compacted; the summary is the model's, not the user's."""

    summary: str = ""
    at: float = 0.0
    trigger: str = ""  # manual | auto
    record_id: str = ""


class Titled(Record):
    """The session got a name."""

    title: str


class Spent(Record):
    """Tokens that a request cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    record_id: str = ""  # one count a message, however many lines repeat it


class Voted(Record):
    """The user voted on the answer."""

    up: bool


class Moved(Record):
    """The working directory or the branch changed."""

    cwd: str = ""
    branch: str = ""
    at: float = 0.0


class Skipped(Record):
    """What a reader could not read: a broken line, or a file that is not what it seemed."""

    path: str
    why: str
    line: int = 0


class ToolUse(Record):
    """One tool call with its outcome, as a turn keeps it."""

    name: str
    kind: str  # command | read | change | search | other
    target: str = ""  # the command line, the path, the pattern
    output: str = ""
    ok: bool | None = None
    exit_code: int | None = None
    paths: tuple[str, ...] = ()  # files changed


class Turn(Record):
    """A user message and all that followed until the next one."""

    number: int
    user: str
    assistant: str = ""
    tools: tuple[ToolUse, ...] = ()
    at: float = 0.0
    ended: float = 0.0
    record_id: str = ""
    model: str = ""
    cwd: str = ""
    branch: str = ""
    compactions: tuple[str, ...] = ()  # summaries made during it
    input_tokens: int = 0
    output_tokens: int = 0
    mark: str = ""  # as of the message it begins with
    vote: int = 0  # the user's on the answer: 1 up, -1 down


COMMITS = ":commit"  # among what a turn touched: one of its commands speaks of a commit


class Touch(Record):
    """What a turn touched."""

    session_id: str
    number: int
    at: float
    names: frozenset[str]  # of the files that were changed, without their folders; COMMITS


class Session(Record):
    """One conversation in a host, without its turns."""

    session_id: str
    host: str
    native_id: str
    repository: str = ""
    cwd: str = ""
    branch: str = ""
    title: str = ""
    started: float = 0.0
    ended: float = 0.0
    version: str = ""
    model: str = ""
    parent: str = ""  # native id of the session that started it as a sub-agent, or that it was forked from
    agent: str = ""
    path: str = ""  # the log it came from
    mode: str = ""  # DETACHED, or empty
    privacy: str = ""  # PRIVATE when nothing may be learned from it, or empty
