"""What doctor says of models: one line a role. Nobody is asked anything: the last call tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import RecollectError, SettingsError
from recollect.flows.models.asking import means_of, ready_for
from recollect.flows.models.ledger import Ledger
from recollect.model.findings import Finding
from recollect.providers.specs import ROLES, RULES, SAMPLING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.home import Home
    from recollect.settings import Settings
    from recollect.store.store import Store

CHECK = "model"
AGAIN = "Fix that, then run `recollect models test`."


def examine_models(
    store: Store | None, home: Home, settings: Settings, environ: Mapping[str, str], *, now: float
) -> list[Finding]:
    """How each role stands; smol only where it has a model of its own."""
    ledger = Ledger(store, home, day_tokens=settings.models.day_tokens, clock=lambda: now) if store else None
    roles = [role for role in ROLES if role != "smol" or settings.models.smol]
    try:
        found = [_role(role, ledger, settings, environ) for role in roles]
        return list(dict.fromkeys(found))  # without any model both say the same
    except RecollectError:
        return []  # the database has its own line


def _role(role: str, ledger: Ledger | None, settings: Settings, environ: Mapping[str, str]) -> Finding:
    try:
        ready = ready_for(role, settings, means_of(settings, environ))
    except SettingsError as error:
        return Finding(CHECK, False, f"{role}: {error}", "Choose one with `recollect models use NAME`.")
    if ready.spec.provider == RULES:
        return Finding(CHECK, True, "none; rules do the work")
    if not ready.ok and ready.spec.provider != SAMPLING:
        return Finding(CHECK, False, f"{role} ({ready.spec}): {ready.why}", ready.remedy)
    last = ledger.last_call(role) if ledger else None
    if last is not None and last.why and last.spec == str(ready.spec):
        return Finding(CHECK, False, f"{role} ({ready.spec}): {last.why}", last.remedy or AGAIN)
    spent = ledger.spent_today() if ledger else 0
    return Finding(CHECK, True, f"{role}: {ready.spec}; {spent:,} of {settings.models.day_tokens:,} tokens used today")
