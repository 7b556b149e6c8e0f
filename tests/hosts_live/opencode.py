"""opencode."""

from __future__ import annotations

import json

from tests.hosts_live.real_host import RealHost


class OpenCode(RealHost):
    name = "opencode"

    def files(self) -> dict[str, str]:
        loopback = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Loopback",
            "options": {"baseURL": f"{self.address}/v1", "apiKey": "nobody"},
            "models": {"m": {"name": "M"}},
        }
        config = {
            "$schema": "https://opencode.ai/config.json",
            "model": "loopback/m",
            "small_model": "loopback/m",
            "provider": {"loopback": loopback},
        }
        return {".config/opencode/opencode.json": json.dumps(config, indent=2)}

    def environ(self) -> dict[str, str]:
        return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}

    def version(self) -> list[str]:
        return ["opencode", "--version"]

    def prompt(self, text: str) -> list[str]:
        return ["opencode", "run", text]
