"""What every command has in common: help with an example, where the home is, and the kinds of values it takes."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, ClassVar

import click

from recollect.doors.cli.printing.program import use_home
from recollect.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    Texts = click.ParamType[str]
    Moments = click.ParamType[float]
    Lists = click.ParamType[tuple[str, ...]]
    Choices = click.Choice[str]
else:  # older versions of click have no type to fill in
    Texts = Moments = Lists = click.ParamType
    Choices = click.Choice

NEEDS_PERSON = "Only you can run this, in your own terminal. Agents and scripts cannot."
COMPLETION_VARIABLE = "_RECOLLECT_COMPLETE"  # a shell that asks what fits; see `completing`
HELD = "\N{NO-BREAK SPACE}"  # stands for a space where no line may end
_COMMAND = re.compile(r"`[^`\n]{1,40}`")
SCREENFUL = 50  # of a list on a terminal, unless told otherwise; a pipe gets all of it
HOME = "recollect.home"  # the name under which click's context carries --home


def _remember_home(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value:
        context.meta[HOME] = value
        use_home(value)


def common_options() -> list[click.Parameter]:
    """Accepted before and after the name of a command alike."""
    return [
        click.Option(
            ["--home"],
            metavar="DIR",
            expose_value=False,
            callback=_remember_home,
            help="Use this home instead of RECOLLECT_HOME.",
        ),
        click.Option(["--debug"], is_flag=True, expose_value=False, help="Show where an error comes from."),
    ]


class Help(click.HelpFormatter):
    """Help whose lines never end inside a command that it names."""

    def write_text(self, text: str) -> None:
        """A paragraph."""
        super().write_text(_held(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        """Names with what they are."""
        super().write_dl([(name, _held(text)) for name, text in rows], *args, **kwargs)

    def getvalue(self) -> str:
        """All of it."""
        return super().getvalue().replace(HELD, " ")


def _held(text: str) -> str:
    return _COMMAND.sub(lambda found: found[0].replace(" ", HELD), text)


class Context(click.Context):
    """Where a command is called, with help of ours."""

    formatter_class = Help


class Command(click.Command):
    """A command whose help ends with an example, and says whether it needs a person at a terminal."""

    context_class = Context

    def __init__(self, *args: Any, example: str, needs_person: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.needs_person = needs_person
        self.params += common_options()

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it does, and who can run it."""
        super().format_help_text(ctx, formatter)
        if self.needs_person:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(NEEDS_PERSON)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example, unwrapped, so that it can be copied."""
        write_example(self.example, formatter)


class Group(click.Group):
    """A group of commands; without the name of one it runs its default."""

    context_class = Context

    def __init__(self, *args: Any, example: str, default: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.default = default
        self.params += common_options()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`recollect profile --json` is `recollect profile show --json`."""
        if ctx.resilient_parsing:  # a shell asks what fits; there is no command to run
            return super().parse_args(ctx, args)
        if not args or (args[0].startswith("-") and args[0] != "--help"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the nearest name for one that does not exist."""
        require_command(args[0], self.commands, ctx.command_path)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with the first sentence of its help, whole."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(one.help or "")) for name, one in commands if one])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example, unwrapped, so that it can be copied."""
        write_example(self.example, formatter)


def require_command(name: str, known: Iterable[str], path: str) -> None:
    """Wrong usage, with the nearest name, when there is no such command; what starts with a dash is an option."""
    if name in known or name.startswith("-"):
        return
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean `{path} {near[0]}`?" if near else f"`{path} --help` lists them all."
    typed = f"{path} {name}".removeprefix("recollect ")
    raise click.UsageError(f"There is no command {typed!r}; {hint}")


def first_sentence(text: str) -> str:
    """The first paragraph of a help on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())


def write_example(example: str, formatter: click.HelpFormatter) -> None:
    """One line under its own heading."""
    with formatter.section("Example"):
        formatter.write(f"  {example}\n")


class Words(Texts):
    """Text that a person typed; bytes that are no text are replaced, as nothing could store them."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text, storable."""
        return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class Since(Moments):
    """A time: `7d`, `12h`, `yesterday`, `last monday`, or a date such as 2026-01-31."""

    name = "when"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Seconds since the epoch."""
        if isinstance(value, float):
            return value
        from recollect.text.times import parse_time

        now = time.time()
        try:
            moment = parse_time(str(value), now=now)
        except UsageError as error:
            self.fail(str(error), param, ctx)
        if moment > now:
            self.fail(f'"{value}" is in the future.', param, ctx)
        return moment


class Layers(Lists):
    """Layers with commas between them: `L1,L2`."""

    name = "layers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The layers, each once."""
        if isinstance(value, tuple):
            return value
        layers = tuple(dict.fromkeys(part.strip().upper() for part in str(value).split(",") if part.strip()))
        if not layers or not set(layers) <= {"L0", "L1", "L2"}:
            self.fail(f"{value!r} is not a list of layers; write L1, L2 or L1,L2.", param, ctx)
        return layers


class Places(Texts):
    """Where an entry holds: `here` (in this repository) or `everywhere`; scripts also say `repository` and `user`."""

    name = "where"
    KNOWN: ClassVar = {"here": "repository", "repository": "repository", "everywhere": "user", "user": "user"}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The scope."""
        if str(value) not in self.KNOWN:
            self.fail(f"{value!r} is not a place; write `here` or `everywhere`.", param, ctx)
        return str(self.KNOWN[str(value)])


class Shapes(Choices):
    """The format of a message list; scripts may also say `openai_responses`."""

    KNOWN: ClassVar = {"openai": "openai_chat", "responses": "openai_responses", "anthropic": "anthropic"}

    def __init__(self) -> None:
        super().__init__(list(self.KNOWN))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name that conversations know it by."""
        said = "responses" if value == "openai_responses" else value
        return str(self.KNOWN[super().convert(said, param, ctx)])


WORDS, SINCE, LAYERS, PLACES, SHAPES = Words(), Since(), Layers(), Places(), Shapes()
WHEN = "7d, yesterday, 2026-01-31"  # examples of a time, for the help
WHERE = "`here` (the same as `repository`) or `everywhere` (the same as `user`)"
A_REPOSITORY = "its name, its folder or its identity"
A_PROJECT = "its title or id"

since_option = click.option(
    "--since", metavar="WHEN", type=SINCE, default=0.0, help=f"Only what was said or stored since then: {WHEN}."
)
limit_option = click.option(
    "--limit", metavar="N", type=click.IntRange(min=0), help=f"At most N; 0: all.  [default: {SCREENFUL} on a terminal]"
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
yes_option = click.option("--yes", is_flag=True, help="Do it without asking.")
id_argument = click.argument("entry_id", metavar="ID", type=WORDS)
