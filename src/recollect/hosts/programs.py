"""Which coding agent a command line belongs to, by the name of its program."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Command-line agents alone: an editor's own terminal is a person's, though the editor has an agent in it.
PROGRAMS = {
    "claude": "Claude Code",
    "codex": "Codex",
    "copilot": "Copilot",
    "gemini": "Gemini CLI",
    "cursor-agent": "Cursor",
    "opencode": "opencode",
    "goose": "goose",
    "cline": "Cline",
    "amp": "Amp",
    "qwen": "Qwen Code",
    "aider": "Aider",
    "auggie": "Augment",
    "crush": "Crush",
    "droid": "Droid",
    "kiro-cli": "Kiro",
    "openhands": "OpenHands",
}
SCRIPTS = {**PROGRAMS, "pi": "pi", "omp": "pi"}
PACKAGES = {
    "/@anthropic-ai/claude-code/": "Claude Code",
    "/@openai/codex/": "Codex",
    "/@github/copilot/": "Copilot",
    "/@google/gemini-cli/": "Gemini CLI",
    "/opencode-ai/": "opencode",
}
# Editors with an agent in them, by the file that runs; their servers for remote windows run below such a folder.
EDITORS = ("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "zed", "zed-editor", "idea", "pycharm")
EDITOR_FOLDERS = ("/.vscode-server/", "/.cursor-server/", "/.windsurf-server/", "/.vscode-server-insiders/")
INTERPRETERS = ("node", "nodejs", "bun", "deno")
ENDINGS = (".js", ".mjs", ".cjs", ".exe")


def agent_of(command_lines: Iterable[Sequence[str]]) -> str:
    """The first coding agent among these command lines, or an empty text."""
    return next((name for words in command_lines if (name := _agent(words))), "")


def is_editor(program: str) -> bool:
    """Is this file an editor that a person sits at? By its path, which a process cannot choose as it does its name."""
    path = program.replace("\\", "/")
    return _name(path) in EDITORS or any(folder in path for folder in EDITOR_FOLDERS)


def _agent(words: Sequence[str]) -> str:
    program = _name(words[0]) if words else ""
    if program in PROGRAMS:
        return PROGRAMS[program]
    if program not in INTERPRETERS and not program.startswith("python"):
        return ""
    script = next((word for word in words[1:] if not word.startswith("-")), "")
    inside = script.replace("\\", "/")
    package = next((name for part, name in PACKAGES.items() if part in inside), "")
    return package or SCRIPTS.get(_name(script), "")


def _name(path: str) -> str:
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    return next((name[: -len(end)] for end in ENDINGS if name.endswith(end)), name)
