"""Shell completion: the script that a shell reads, and the answers that it asks for."""

from __future__ import annotations

import click

from recollect.doors.cli.options import COMPLETION_VARIABLE, Command
from recollect.doors.cli.printing.output import put

NAME = "recollect"
ZSH_FIRST = f"#compdef {NAME}\n"
# A .zshrc that loads no completion yet gets it here; without -i zsh would ask about folders that others can write to.
ZSH_READY = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }\n"


@click.command("completion", cls=Command, example="recollect completion bash")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that completes commands in your shell.

    bash: add `eval "$(recollect completion bash)"` to ~/.bashrc. zsh: the same with zsh, in ~/.zshrc. fish: write it
    to ~/.config/fish/completions/recollect.fish.
    """
    from click.shell_completion import get_completion_class

    from recollect.doors.cli.tree import cli

    found = get_completion_class(shell)
    assert found is not None
    put(found(cli, {}, NAME, COMPLETION_VARIABLE).source().replace(ZSH_FIRST, ZSH_FIRST + ZSH_READY))


def answer_shell(instruction: str) -> int:
    """What fits what was typed so far, as the script asks for it; returns the exit code."""
    from click.shell_completion import shell_complete

    from recollect.doors.cli.tree import cli

    return shell_complete(cli, {}, NAME, COMPLETION_VARIABLE, instruction)
