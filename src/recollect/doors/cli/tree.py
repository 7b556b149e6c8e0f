"""The tree of commands. A command's module is imported when it is called, so that help and version come at once."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

from recollect.doors.cli.options import common_options, require_command, write_example

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# By heading: name, where it is defined, and what its help says in one line.
SECTIONS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Start": (
        ("up", "up:up", "Import past sessions of every agent, keep what matters, then summarise it."),
        ("chat", "chat:chat", "Talk to an agent that has this memory, in the terminal or with -p in a pipe."),
    ),
    "Remember and recall": (
        ("remember", "writing:remember", "Store one entry."),
        ("recall", "recalling:recall", "Show what an agent would get for this text."),
        ("why", "recalling:why", "Show which memories a turn got, why, and what was left out."),
        ("preview", "recalling:preview", "Show exactly what an agent would get, and why."),
        ("correct", "writing:correct", "Say what is right, in your own words; it replaces what was wrong."),
    ),
    "See and change entries": (
        ("list", "reading:list_entries", "List entries, newest first."),
        ("show", "reading:show", "Show everything about one entry."),
        ("history", "reading:history", "Show the history of an entry, from its first version."),
        ("conflicts", "reading:conflicts", "Show contradictions, and how to settle them."),
        ("edit", "writing:edit", "Change what an entry says or how it is labelled."),
        ("vote", "writing:vote", "Say that an entry was useful (up) or wrong (down), and why."),
        ("forget", "retiring:forget", "Retire an entry, or erase every trace of it."),
        ("restore", "retiring:restore", "Bring back a retired, replaced or inactive entry."),
        ("undo", "retiring:undo", "Undo a change."),
    ),
    "Profile and work": (
        ("profile", "profile:profile", "Show and change the profile (L0)."),
        ("task", "tasks:task", "Manage tasks and their working state."),
        ("project", "projects:project", "Manage projects, which group tasks and entries."),
    ),
    "Memory of a project": (
        ("memory", "memory:memory", "Show, rebuild and clear this project's memory of past sessions."),
        ("read", "memory:read", "Read a memory:// address."),
        ("board", "board:board", "Show and change the context board of this repository and branch."),
        ("agents", "agents:agents", "Show background agents, and trust those of a repository."),
    ),
    "Past sessions": (
        ("import", "sessions:import_", "Import session logs; safe to repeat."),
        ("session", "sessions:session", "List, show, replay and rewind past sessions."),
        ("blame", "blame:blame", "Show the sessions, turns, decisions and commits behind a line."),
        ("report", "sessions:report", "Report what was done, by day and task."),
    ),
    "Waiting for your review": (
        ("review", "review:review", "Decide what is waiting for you, one item at a time."),
        ("pending", "pending:pending", "Show what is waiting for your review."),
        ("approve", "pending:approve", "Approve something that is waiting; it is applied exactly as proposed."),
        ("reject", "pending:reject", "Reject something that is waiting; it is not proposed again."),
        ("permissions", "permissions:permissions", "Show and change what agents may change without asking."),
    ),
    "Customization files": (
        ("suggest", "suggest:suggest", "Turn what was learned into reviewed edits of your customization files."),
        ("check", "check:check", "Check that what customization files and shared facts refer to still exists."),
    ),
    "Long conversations": (
        ("compact", "context:compact", "Replace the older part of a conversation with a summary."),
        ("truncate", "context:truncate", "Drop older material from a request until it fits."),
    ),
    "Hosts": (
        ("install", "install:install", "Connect coding agents: hooks and the MCP server."),
        ("uninstall", "install:uninstall", "Remove Recollect from coding agents."),
        ("hook", "hook:hook", "Answer a host's hook call: JSON on stdin, JSON on stdout, always exit 0."),
        ("acp", "acp:acp", "Give an editor memory over the Agent Client Protocol, on stdin and stdout."),
        ("mcp", "mcp:mcp", "Serve this memory to an MCP client, on stdin and stdout or over HTTP."),
        ("serve", "serve:serve", "Serve the panel, the HTTP API and MCP on one port, and do background work."),
        ("token", "token:token", "Show and change which programs may use the service."),
    ),
    "This home": (
        ("status", "status:status", "Show the state of this home at a glance."),
        ("doctor", "doctor:doctor", "Check everything that could be wrong, and say how to fix it."),
        ("worker", "worker:worker", "Do the background work that hooks queue."),
        ("models", "models:models", "Show, test and choose the model for each role."),
        ("settings", "settings:settings", "Show and change settings, and where each value comes from."),
        ("completion", "completing:completion", "Print the script that completes commands in your shell."),
        ("export", "transfer:export", "Export everything as JSON or Markdown."),
        ("load", "transfer:load", "Load an export."),
    ),
}
OVERVIEW = "overview"  # what runs without the name of a command; not one that anybody types
COMMANDS = {name: (place, line) for rows in SECTIONS.values() for name, place, line in rows}
PLACES = {**{name: place for name, (place, _) in COMMANDS.items()}, OVERVIEW: "status:overview"}


class Tree(click.Group):
    """The root: knows every command by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported."""
        if cmd_name not in PLACES:
            return None
        module, _, attribute = PLACES[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(f"recollect.doors.cli.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the nearest name for one that does not exist."""
        if args[0] != OVERVIEW:
            require_command(args[0], COMMANDS, ctx.command_path)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names that fit, without importing a command."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        return [CompletionItem(name, help=line) for name, (_, line) in COMMANDS.items() if name.startswith(incomplete)]

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
    context = click.get_current_context()
    overview = cli.get_command(context, OVERVIEW) if context.invoked_subcommand is None else None
    if overview:
        context.invoke(overview, as_json=False)


cli = Tree(
    name="recollect",
    callback=_root,
    help=_root.__doc__,
    invoke_without_command=True,
    params=[
        click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version."
        ),
        *common_options(),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
