"""Gemini CLI."""

from __future__ import annotations

from tests.hosts_live.real_host import RealHost

SETTINGS = """\
{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "ui": { "hideBanner": true }
}
"""


class GeminiCli(RealHost):
    name = "gemini-cli"

    def files(self) -> dict[str, str]:
        return {".gemini/settings.json": SETTINGS}

    def environ(self) -> dict[str, str]:
        return {"GEMINI_API_KEY": "nobody", "GOOGLE_GEMINI_BASE_URL": self.address}

    def version(self) -> list[str]:
        return ["gemini", "--version"]

    def prompt(self, text: str) -> list[str]:
        return ["gemini", "--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-p", text]
