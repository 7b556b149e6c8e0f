"""Kept answers: a request that carries a key and is made again is answered again, and not done again."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from recollect.errors import UsageError
from recollect.model.access import KeptAnswer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recollect.flows.opened import Opened

LONGEST_KEY = 200


class OtherRequest(UsageError):
    """That key was used for another request; use a new one."""


def answer_once(
    asker: str, key: str, request: object, do: Callable[[], tuple[int, Any]], *, memory: Opened
) -> tuple[int, Any]:
    """Do it and keep the answer under the key, in one transaction; what was done before is answered as it was then."""
    if not 0 < len(key) <= LONGEST_KEY:
        raise UsageError(f"A key has 1 to {LONGEST_KEY} characters.")
    digest = hashlib.sha256(json.dumps(request, sort_keys=True, default=str).encode()).hexdigest()
    tokens = memory.store.tokens
    memory.take_in()
    with memory.store.write():
        kept = tokens.answer(asker, key)
        if kept is not None:
            if kept.request != digest:
                raise OtherRequest
            return kept.status, json.loads(kept.answer)
        status, answer = do()
        tokens.keep_answer(asker, key, KeptAnswer(digest, status, json.dumps(answer)), now=memory.now)
        return status, answer
