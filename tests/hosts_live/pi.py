"""pi, in a version without MCP."""

from __future__ import annotations

import json

from tests.hosts_live.real_host import RealHost


class Pi(RealHost):
    name = "pi"
    has_tools = False

    def files(self) -> dict[str, str]:
        cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        model = {
            "id": "m",
            "name": "M",
            "reasoning": False,
            "input": ["text"],
            "contextWindow": 128_000,
            "maxTokens": 4_096,
            "cost": cost,
        }
        provider = {"baseUrl": f"{self.address}/v1", "api": "openai-completions", "apiKey": "nobody", "models": [model]}
        return {".pi/agent/models.json": json.dumps({"providers": {"loopback": provider}}, indent=2)}

    def version(self) -> list[str]:
        return ["pi", "--version"]

    def prompt(self, text: str) -> list[str]:
        return ["pi", "--provider", "loopback", "--model", "m", "-p", text]
