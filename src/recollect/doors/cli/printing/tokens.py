"""Tokens of the service, in words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.doors.access_shapes import token_json
from recollect.doors.cli.printing.output import on_terminal, put, put_done, put_json, put_row, say
from recollect.doors.cli.printing.times import ago
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.access import Token


def print_added(token: Token, secret: str, *, as_json: bool) -> None:
    """The token, this once."""
    if as_json:
        put_json({**token_json(token), "token": secret})
        return
    say(f"recollect: {token.name} has the scope {token.scope}. Copy the token now: it is not shown again.")
    put(secret)


def print_tokens(tokens: Sequence[Token], *, as_json: bool) -> None:
    """Every token, newest first."""
    if as_json:
        put_json([token_json(one) for one in tokens])
        return
    if not tokens:
        say("No tokens. Add one with `recollect token add NAME`.")
        return
    now = time.time()
    used = {one.token_id: f"used {ago(one.last_used, now=now)}" if one.last_used else "never used" for one in tokens}
    if on_terminal():
        from recollect.doors.cli.printing.terminal import Page

        Page().table([(one.name, one.scope, used[one.token_id], short_id(one.token_id)) for one in tokens])
        return
    for one in tokens:
        put_row((one.token_id, one.name, one.scope, used[one.token_id]))


def print_revoked(token: Token, *, as_json: bool) -> None:
    """Who is refused from now on."""
    if as_json:
        put_json(token_json(token))
    elif on_terminal():
        put_done(f"Revoked {token.name}. Programs that use it are refused from now on.")
    else:
        put_row((f"revoked {token.name}",))
