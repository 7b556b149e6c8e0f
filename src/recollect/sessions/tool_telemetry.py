"""Counters of the memory tools as OpenTelemetry metrics, for a program that has set up where those go."""

from __future__ import annotations

import sys
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCOPE = "recollect"
OUTCOMES, PERMISSIONS = "recollect.memory_tools.outcomes", "recollect.memory_tools.permissions"


def measure(strategy: str, what: str, *, is_permission: bool) -> None:
    """Count one call. Who has not loaded OpenTelemetry measures nothing, and does not pay for loading it."""
    metrics: Any = sys.modules.get("opentelemetry.metrics")
    if metrics is None:
        return
    name, kind = (PERMISSIONS, "permission") if is_permission else (OUTCOMES, "outcome")
    _counter(metrics.get_meter_provider(), name).add(1, {"recollect.strategy": strategy, f"recollect.{kind}": what})


@lru_cache(maxsize=8)
def _counter(provider: Any, name: str) -> Any:
    return provider.get_meter(SCOPE).create_counter(name, unit="{call}")
