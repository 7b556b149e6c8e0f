"""Copilot CLI."""

from __future__ import annotations

from tests.hosts_live.real_host import RealHost


class CopilotCli(RealHost):
    name = "copilot-cli"

    def files(self) -> dict[str, str]:
        return {".copilot/mcp-config.json": '{"mcpServers": {}}'}

    def environ(self) -> dict[str, str]:
        return {
            "COPILOT_PROVIDER_BASE_URL": f"{self.address}/v1",
            "COPILOT_PROVIDER_API_KEY": "nobody",
            "COPILOT_MODEL": "m",
            "COPILOT_OFFLINE": "true",
        }

    def version(self) -> list[str]:
        return ["copilot", "--version"]

    def prompt(self, text: str) -> list[str]:
        return ["copilot", "--allow-all-tools", "--no-color", "-p", text]
