"""Claude Code."""

from __future__ import annotations

from tests.hosts_live.dialects import Json, Step
from tests.hosts_live.real_host import RealHost

TOOLS = "mcp__recollect__"


class ClaudeCode(RealHost):
    name = "claude-code"

    def files(self) -> dict[str, str]:
        hooks = '"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}'
        return {".claude/settings.json": '{\n    "includeCoAuthoredBy": false,\n    ' + hooks + "\n}"}

    def environ(self) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": self.address,
            "ANTHROPIC_API_KEY": "sk-ant-nobody",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def version(self) -> list[str]:
        return ["claude", "--version"]

    def prompt(self, text: str) -> list[str]:
        return ["claude", "-p", "--allowedTools", f"{TOOLS}*", "--", text]

    def calls(self, tool: str, arguments: Json) -> list[Step]:
        return [Step(tool=TOOLS + tool, arguments=arguments)]
