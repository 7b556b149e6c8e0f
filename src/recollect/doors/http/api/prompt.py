"""/v1/prompt: what a session is told at its start, and the tools that write to this memory."""

from __future__ import annotations

from fastapi import APIRouter

from recollect.app import Recollect
from recollect.doors.http.api.models import Prompt, ToolDefinition, Tools
from recollect.doors.http.visitors import Memory, Reader, RepositoryMemory, UserMemory
from recollect.doors.mcp.tools import BY_NAME, STORE, VOTE
from recollect.flows.access.prompt import service_prompt
from recollect.flows.writes.agent_writes import OWN_INSTRUCTIONS

router = APIRouter(tags=["prompt"])

VERSION = "1"  # of the arguments that the tools take
# The service stores in one repository at a time, and knows no projects and tasks of the client.
NOT_HERE = ("project", "task")


@router.get("/v1/prompt")
def prompt(visitor: Reader, memory: Memory) -> Prompt:
    """For a session in the server's folder."""
    return _prompt(memory)


@router.get("/v1/user/prompt")
def user_prompt(visitor: Reader, memory: UserMemory) -> Prompt:
    """For a session outside every repository."""
    return _prompt(memory)


@router.get("/v1/repositories/{repository:path}/prompt")
def repository_prompt(visitor: Reader, memory: RepositoryMemory) -> Prompt:
    """For a session in a repository."""
    return _prompt(memory)


def _prompt(memory: Recollect) -> Prompt:
    told = service_prompt(memory.opened)
    tools = Tools(store_memory=_tool(STORE, OWN_INSTRUCTIONS), vote_memory=_tool(VOTE))
    return Prompt(text=told.text, counts={"repository": told.repository, "user": told.user}, tools=tools)


def _tool(name: str, instructions: str = "") -> ToolDefinition:
    declared = BY_NAME[name]
    fields = {key: value for key, value in declared.takes["properties"].items() if key not in NOT_HERE}
    return ToolDefinition(
        description=declared.description,
        version=VERSION,
        instructions=instructions,
        arguments={**declared.takes, "properties": fields},
    )
