"""What the checks have to know about a real host; each has a module beside this one."""

from __future__ import annotations

from pathlib import Path

from tests.hosts_live.dialects import Json, Step


class RealHost:
    """How one host is set up for the model on loopback, how it is started, and what it can do."""

    name: str  # as in `recollect install`
    has_tools = True  # does it start MCP servers?

    def __init__(self, address: str, repository: Path) -> None:
        self.address = address  # of the model
        self.repository = repository

    def files(self) -> dict[str, str]:
        """What a user of it has below their home before Recollect comes."""
        return {}

    def environ(self) -> dict[str, str]:
        """How it is told where its model is."""
        return {}

    def version(self) -> list[str]:
        """The command that says which version it is."""
        raise NotImplementedError

    def prompt(self, text: str) -> list[str]:
        """The command for one prompt without a terminal."""
        raise NotImplementedError

    def calls(self, tool: str, arguments: Json) -> list[Step]:
        """What its model does to call a tool of ours."""
        return [Step(tool=tool, arguments=arguments)]

    def before_tools(self) -> list[Step]:
        """What its model does first, so that our tools are there."""
        return []
