"""What every command has in common: help with an example, where the home is, and the kinds of values it takes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar

import click

from recollect.doors.cli.printing.program import use_home
from recollect.errors import UsageError

if TYPE_CHECKING:
    Texts = click.ParamType[str]
    Moments = click.ParamType[float]
    Lists = click.ParamType[tuple[str, ...]]
else:  # older versions of click have no type to fill in
    Texts = Moments = Lists = click.ParamType

NEEDS_PERSON = "Only you can run this, in your own terminal. Agents and scripts cannot."
COMPLETION_VARIABLE = "_RECOLLECT_COMPLETE"  # a shell that asks what fits; see `completing`
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


class Command(click.Command):
    """A command whose help ends with an example, and says whether it needs a person at a terminal."""

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with the first sentence of its help, whole."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(one.help or "")) for name, one in commands if one])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example, unwrapped, so that it can be copied."""
        write_example(self.example, formatter)


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

        try:
            return parse_time(str(value), now=time.time())
        except UsageError as error:
            self.fail(str(error), param, ctx)


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


WORDS, SINCE, LAYERS, PLACES = Words(), Since(), Layers(), Places()

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
yes_option = click.option("--yes", is_flag=True, help="Do it without asking.")
id_argument = click.argument("entry_id", metavar="ID", type=WORDS)
