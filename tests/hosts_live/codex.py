"""Codex. Its hooks run once a person trusts them; `--dangerously-bypass-hook-trust` stands for that person."""

from __future__ import annotations

from tests.hosts_live.dialects import Step
from tests.hosts_live.real_host import RealHost

CONFIG = """\
# mine
model = "m"   # a comment
model_provider = "loopback"

[model_providers.loopback]
name = "loopback"
base_url = "{address}/v1"
env_key = "LOOPBACK_KEY"
wire_api = "responses"
supports_websockets = false

[projects."{repository}"]
trust_level = "trusted"
"""


class Codex(RealHost):
    name = "codex"

    def files(self) -> dict[str, str]:
        return {".codex/config.toml": CONFIG.format(address=self.address, repository=self.repository)}

    def environ(self) -> dict[str, str]:
        return {"LOOPBACK_KEY": "nobody"}

    def version(self) -> list[str]:
        return ["codex", "--version"]

    def prompt(self, text: str) -> list[str]:
        return ["codex", "exec", "--dangerously-bypass-hook-trust", text]

    def before_tools(self) -> list[Step]:
        # Its first request does not wait for MCP servers.
        return [Step(tool="exec_command", arguments={"cmd": "sleep 4"})]
