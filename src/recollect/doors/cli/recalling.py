"""Commands about what turns get: recall, why, preview."""

from __future__ import annotations

from functools import partial

import click

from recollect.doors.cli.opening import joined, opened, say_if_off
from recollect.doors.cli.options import A_PROJECT, A_REPOSITORY, LAYERS, WORDS, Command, json_option, since_option
from recollect.doors.cli.printing.previews import print_preview
from recollect.doors.cli.printing.recalls import print_elsewhere, print_how_to_see, print_recall, print_why
from recollect.errors import NotFound, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app import Recollect


@click.command("recall", cls=Command, example='recollect recall "how do I install the dependencies?"')
@click.argument("query", metavar="QUERY", nargs=-1, required=True, type=WORDS)
@click.option("--k", metavar="N", type=click.IntRange(min=0), help="Maximum entries.  [default: recall.max_entries]")
@click.option("--tokens", metavar="N", type=click.IntRange(min=0), help="Maximum tokens.  [default: recall.max_tokens]")
@click.option(
    "--layer",
    "layers",
    metavar="L1,L2",
    type=LAYERS,
    default=(),
    help="Only these layers: L1 is knowledge, L2 the archive.",
)
@click.option("--repository", metavar="R", type=WORDS, help=f"As if inside this repository: {A_REPOSITORY}.")
@since_option
@click.option(
    "--tag",
    "tags",
    metavar="T",
    multiple=True,
    type=WORDS,
    help="Only with this tag; if repeated, one match is enough.",
)
@click.option("--project", metavar="P", default="", type=WORDS, help=f"Only in this project: {A_PROJECT}.")
@click.option("--all", "everywhere", is_flag=True, help="In every repository.")
@json_option
def recall(
    query: tuple[str, ...],
    k: int | None,
    tokens: int | None,
    layers: tuple[str, ...],
    repository: str | None,
    since: float,
    tags: tuple[str, ...],
    project: str,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Show what an agent would get for this text."""
    text = joined(query)
    if not text.strip():
        raise UsageError('Type what to recall, such as `recollect recall "how do I run the tests?"`.')
    with opened() as memory:
        say_if_off(memory)
        answer = memory.recall(
            text,
            k=k,
            tokens=tokens,
            layers=layers,
            repository=repository,
            since=since,
            tags=tags,
            project=project,
            everywhere=everywhere,
        )
        print_recall(answer.found, answer.receipt, as_json=as_json)
        if not (as_json or everywhere or repository):
            elsewhere = memory.entries.count_elsewhere(text, layers=layers, since=since, tags=tags, project=project)
            print_elsewhere(elsewhere)


@click.command("why", cls=Command, example="recollect why")
@click.option("--session", metavar="S", default="", type=WORDS, help="The last turn of this session.")
@click.option("--turn", metavar="N", type=click.IntRange(min=0), help="This turn of the session.")
@click.option("--receipt", "receipt_id", metavar="R", default="", type=WORDS, help="The receipt with this id.")
@json_option
def why(session: str, turn: int | None, receipt_id: str, as_json: bool) -> None:
    """Show which memories a turn got, why, and what was left out.

    By default, the latest turn.
    """
    with opened() as memory:
        receipt = memory.why(session=session, turn=turn, receipt_id=receipt_id)
        print_why(receipt, memory, as_json=as_json)
        if not as_json and receipt.query and receipt.repository == memory.repository.repository:
            told = [str(one.get("id")) for one in (*receipt.entries, *receipt.left_out)]
            elsewhere = memory.entries.count_elsewhere(receipt.query, seen=told)
            print_how_to_see(receipt, elsewhere, partial(_is_here, memory=memory))


def _is_here(entry_id: str, memory: Recollect) -> bool:
    """Does an entry hold where we are?"""
    try:
        return memory.entries.get(entry_id).repository in ("", memory.repository.repository)
    except NotFound:
        return True


@click.command("preview", cls=Command, example='recollect preview "how do I install the dependencies?"')
@click.argument("prompt", metavar="[PROMPT]", nargs=-1, type=WORDS)
@click.option(
    "--host", metavar="H", default="", type=WORDS, help="The agent it is for.  [default: the first one connected]"
)
@json_option
def preview(prompt: tuple[str, ...], host: str, as_json: bool) -> None:
    """Show exactly what an agent would get, and why.

    Prints, byte for byte, what the next session here starts with and what PROMPT as its first prompt would get. Tokens
    and reasons go to stderr. Nothing is stored, and nothing counts as given.
    """
    from recollect.flows.views.preview import preview as make_preview

    with opened() as memory:
        print_preview(make_preview(memory.opened, joined(prompt), host=host), as_json=as_json)
