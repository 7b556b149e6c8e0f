"""How models look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import (
    counted,
    on_terminal,
    put,
    put_done,
    put_json,
    put_lacking,
    put_row,
    put_text,
)
from recollect.doors.cli.printing.program import as_called, command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.flows.models.asking import AskedModels, Ready
    from recollect.flows.models.found import Found
    from recollect.flows.models.testing import Trial
    from recollect.settings import Settings

ROLES = ("default", "smol")
ASKED = {
    "durable": "worth keeping or not",
    "kind": "which of seven kinds",
    "quote": "exact quotes",
    "scope": "where it holds",
    "replaces": "what it replaces",
}


def print_models(models: AskedModels, settings: Settings, found: Sequence[Found], *, as_json: bool) -> None:
    """JSON, a page, or lines with tabs."""
    roles = [_role(models, role) for role in ROLES]
    ceilings = {
        name: settings.get(name) for name in ("models.day_tokens", "models.pass_tokens", "models.limit_seconds")
    }
    spent = models.ledger.spent_today()
    if as_json:
        listed = [one._asdict() for one in found]
        put_json({"roles": roles, "found": listed, "tokens_today": spent, "ceilings": ceilings})
    elif on_terminal():
        _page(roles, found, f"{spent:,} of {ceilings['models.day_tokens']:,} tokens used today")
    else:
        for role in roles:
            put_row(("role", role["role"], role["model"], "ready" if role["ready"] else role["why"], role["remedy"]))
        for one in found:
            put_row(("found", one.name, one.where, command(f"models use {one.use}")))
        put_row(("today", spent, ceilings["models.day_tokens"]))


def _role(models: AskedModels, role: str) -> dict[str, Any]:
    ready = models.ready(role)
    last = models.ledger.last_call(role)
    failed = last if ready.ok and last is not None and last.why and last.spec == str(ready.spec) else None
    return {
        "role": role,
        "model": str(ready.spec),
        "ready": ready.ok,
        "why": as_called(ready.why),
        "remedy": as_called(failed.remedy if failed else ready.remedy),
        "passed": models.has_passed(role),
        "last_failure": failed.why if failed else "",
    }


def _page(roles: Sequence[dict[str, Any]], found: Sequence[Found], today: str) -> None:
    from rich.text import Text

    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    rows = []
    for role in roles:
        state = Text("rules, no model" if role["model"] == "rules" else role["model"])
        for line in (role["why"], role["last_failure"]):
            if line:
                state.append(f"\n{line}", style="red")
        if role["remedy"]:
            state.append(f"\n→ {role['remedy']}", style="yellow")
        if role["passed"]:
            state.append("\npassed `recollect models test`", style="green")
        rows.append((Text(role["role"], style="bold"), state))
    page.table(rows)
    page.line()
    if found:
        page.line("Found on this machine", "bold")
        page.table(
            [(Text(one.name), Text(one.where, style="dim"), Text(command(f"models use {one.use}"))) for one in found]
        )
    else:
        page.line("No CLI, key or local server was found on this machine.", "dim")
    page.line()
    page.line(today, "dim")


def print_trial(trial: Trial, *, as_json: bool) -> None:
    """What came of a trial."""
    usage = trial.usage
    if as_json:
        document = {
            "role": trial.role,
            "spec": trial.spec,
            "model": trial.model,
            "seconds": round(trial.seconds, 2),
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "estimated": usage.estimated,
            "cost_usd": usage.cost_usd,
            "cases": trial.cases,
            "right": {name: {"right": right, "of": total} for name, (right, total) in trial.right.items()},
            "passed": trial.passed,
        }
        put_json(document)
        return
    about = "about " if usage.estimated else ""
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    put_text(f"{trial.spec} answered in {trial.seconds:.1f} s: {about}{usage.input_tokens:,} tokens in, "
             f"{about}{usage.output_tokens:,} out, {cost}.")  # fmt: skip
    for name, (right, total) in trial.right.items():
        put(f"  {right} of {total}  {ASKED[name]}")
    if trial.passed:
        put_text("Passed: it is trusted with phrasing, scope and corrections.")
    else:
        put_text(
            f"Failed: it got too many of {counted(trial.cases, 'case')} wrong. Its kinds and quotes are still used."
        )


def print_used(ready: Ready, *, as_json: bool) -> None:
    """What the role asks now, and what is missing."""
    if as_json:
        put_json(
            {"role": ready.role, "model": str(ready.spec), "ready": ready.ok, "why": ready.why, "remedy": ready.remedy}
        )
        return
    asks = "now uses no model" if str(ready.spec) == "rules" else f"now uses {ready.spec}"
    if not ready.ok:
        put_lacking(f"The role {ready.role} {asks}, but it cannot be asked yet: {ready.why}", ready.remedy)
    elif str(ready.spec) == "rules":
        put_done(f"The role {ready.role} {asks}.")
    else:
        role = f" --role {ready.role}" if ready.role != "default" else ""
        put_done(f"The role {ready.role} {asks}.", f"Test it with `recollect models test{role}`.")
