"""The tree of commands. A command's module is imported when it is called, so that help and version come at once."""

from __future__ import annotations

import importlib
from typing import Any

import click

from recollect.doors.cli.options import common_options, write_example

# By heading: name, where it is defined, and what its help says in one line.
SECTIONS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Start": (
        ("up", "up:up", "Import past sessions of every agent, keep what matters, then summarise it."),
        ("chat", "chat:chat", "Talk to an agent that has this memory, in the terminal or with -p in a pipe."),
    ),
    "Remember and recall": (
        ("remember", "writing:remember", "Store one entry."),
        ("recall", "recalling:recall", "Show what a turn with this text would get."),
        ("why", "recalling:why", "Show which memories a turn got, why, and what was left out."),
        ("correct", "writing:correct", "Say what is right, in your own words; what it corrects is superseded."),
    ),
    "See and change entries": (
        ("list", "reading:list_entries", "List entries, newest first."),
        ("show", "reading:show", "Show everything about one entry."),
        ("history", "reading:history", "Show the trail of an entry, from its first version on."),
        ("conflicts", "reading:conflicts", "Show contradictions, and how to settle them."),
        ("edit", "writing:edit", "Change what an entry says or how it is labelled."),
        ("vote", "writing:vote", "Say that an entry was useful (up) or wrong (down), and why."),
        ("forget", "retiring:forget", "Retire an entry, or erase every trace of it."),
        ("restore", "retiring:restore", "Bring a retired, superseded or sleeping entry back."),
        ("undo", "retiring:undo", "Take a change back."),
    ),
    "Profile and work": (
        ("profile", "profile:profile", "Show and change the profile (L0)."),
        ("task", "tasks:task", "Keep tasks and their working state."),
        ("project", "projects:project", "Keep projects that tasks and entries belong to."),
    ),
    "Memory of a project": (
        ("memory", "memory:memory", "Show, rebuild and clear what past sessions of this project left."),
        ("read", "memory:read", "Read what stands at a memory:// address."),
        ("board", "board:board", "Show and change the context board of this repository and branch."),
        ("agents", "agents:agents", "Show background agents, and trust those of a repository."),
    ),
    "Past sessions": (
        ("import", "sessions:import_", "Import session logs, as often as you like."),
        ("session", "sessions:session", "List, show, replay and rewind past sessions."),
        ("blame", "blame:blame", "Show the sessions, turns, decisions and commits behind a line."),
        ("report", "sessions:report", "Tell what was done, by day and task."),
        ("review", "review:review", "Decide what waits for you, one thing at a time."),
        ("pending", "pending:pending", "Show what waits for you."),
        ("approve", "pending:approve", "Accept what waits; it is done as it was asked for."),
        ("reject", "pending:reject", "Reject what waits; it is not offered again."),
        ("permissions", "permissions:permissions", "Show and change what agents may change without asking."),
    ),
    "Customization files": (
        ("suggest", "suggest:suggest", "Turn what was learned into reviewed edits of your customization files."),
        ("check", "check:check", "Check that what customization files and shared facts name is still there."),
    ),
    "Long conversations": (
        ("compact", "context:compact", "Replace the past of a conversation by a summary."),
        ("truncate", "context:truncate", "Drop older material from a request until it fits."),
    ),
    "Hosts": (
        ("install", "install:install", "Connect coding agents: hooks and the MCP server."),
        ("uninstall", "install:uninstall", "Take Recollect out of coding agents."),
        ("hook", "hook:hook", "Answer a hook of a host: JSON on stdin, JSON on stdout, always exit 0."),
        ("mcp", "mcp:mcp", "Serve this memory to an MCP client, on stdin and stdout or over HTTP."),
    ),
    "This home": (
        ("status", "status:status", "Show the state of this home at a glance."),
        ("doctor", "doctor:doctor", "Look at everything that could be wrong, and say what helps."),
        ("worker", "worker:worker", "Do the work that hooks leave behind."),
        ("models", "models:models", "Show which model each role asks, try it, choose another."),
        ("settings", "settings:settings", "Show and change settings, and where each value comes from."),
        ("export", "transfer:export", "Write everything out, as JSON or Markdown."),
        ("load", "transfer:load", "Bring an export back."),
    ),
}
COMMANDS = {name: (place, line) for rows in SECTIONS.values() for name, place, line in rows}


class Tree(click.Group):
    """The root: knows every command by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"recollect.doors.cli.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the nearest name for one that does not exist."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean `recollect {near[0]}`?" if near else "`recollect --help` lists them all."
            raise click.UsageError(f"There is no command {name!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under their headings, without importing any of them."""
        for heading, rows in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(10), line) for name, _, line in rows])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """An example, as every command has one."""
        write_example('recollect remember "This repository uses pnpm, not npm."', formatter)


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from recollect.version import __version__

        click.echo(f"recollect {__version__}")
        context.exit()


def _root(**_: Any) -> None:
    """One local memory for every coding agent you use."""


cli = Tree(
    name="recollect",
    callback=_root,
    help=_root.__doc__,
    no_args_is_help=True,
    params=[
        click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version."
        ),
        *common_options(),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
