"""What a host says to a hook, and what a hook gives back, in words that are the same for every host."""

from __future__ import annotations

from recollect.model.record import Record

# The events that mean something to us; whatever else a host sends is answered with an empty object.
SESSION_START, PROMPT, BEFORE_TOOL, PRE_COMPACT, STOP, SESSION_END, OTHER = (
    "session_start", "prompt", "before_tool", "pre_compact", "stop", "session_end", "other",
)  # fmt: skip


class HookCall(Record):
    """One call of a hook. Texts that a host does not send are empty."""

    host: str
    event: str = OTHER
    host_event: str = ""  # as the host spells it; some answers must repeat it
    session: str = ""  # the host's own id
    cwd: str = ""
    prompt: str = ""
    source: str = ""  # why a session starts: startup, resume, clear, compact...
    typed: bool = True  # did a person type the prompt? Not when a timer or another agent did
    transcript: str = ""
    whole: str = ""  # the prompt as it will be sent, where a host lets us replace it
    paths: str = ""  # the files that a tool is about to touch, one a line
    turn_id: str = ""  # the host's own name for this turn: two calls with the same one are the same call
    takes_text: bool = True  # can the answer to this call carry memory?
    has_tools: bool = True  # can the agent call our tools? Not in a host without MCP


class Ability(Record):
    """What one host can do with memory."""

    name: str  # as in commands and data
    title: str  # for people
    injects_at_start: bool = True
    injects_at_prompt: bool = True
    injects_by_file: bool = False  # does it take memory before a tool runs?
    instructs_compaction: bool = False
    shows_messages: bool = False  # does it show a person what a hook calls a system message?
    keeps_start: bool = False  # is what a session was given at its start still there when it is resumed?
    max_characters: int = 8_000  # the host's own ceiling, or ours
    max_tokens: int = 2_000
    start_characters: int = 8_000  # what it takes whole at the start of a session
    start_tokens: int = 2_000
    note: str = ""  # what a user of this host should know
