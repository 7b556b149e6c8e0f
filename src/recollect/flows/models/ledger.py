"""What models took today and how the last calls went: kept in the home, so that all processes share one ceiling."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from recollect.errors import CeilingReached, StoreBusy
from recollect.files.logs.model_log import log
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.errors import ProviderError
    from recollect.files.home import Home
    from recollect.providers.guarding import Call
    from recollect.store.store import Store

DAY, LAST, PASSED = "models.day", "models.last", "models.passed"


class LastCall(Record):
    """How the last call of a role went; `why` is empty when it went well."""

    at: float
    spec: str
    why: str = ""
    remedy: str = ""
    is_ceiling: bool = False  # then it is over with the day


class Ledger:
    """The ledger of a home."""

    def __init__(self, store: Store, home: Home, *, day_tokens: int, clock: Callable[[], float]) -> None:
        self._store = store
        self._home = home
        self._most = day_tokens
        self._clock = clock

    def spent_today(self) -> int:
        """The tokens that models took today, with what is being asked right now."""
        day, _, tokens = self._store.home_value(DAY).partition(" ")
        return int(tokens) if day == self._today() else 0

    def take(self, tokens: int) -> None:
        """Take so many of today's tokens, or raise CeilingReached."""
        store, most = self._store, self._most
        with store.write():
            spent = self.spent_today()
            if spent + tokens > most:
                raise CeilingReached(
                    f"About {tokens:,} tokens are needed, and {max(most - spent, 0):,} of today's {most:,} are left.",
                    remedy="Wait until tomorrow, or run `recollect settings set models.day_tokens NUMBER`.",
                )
            store.set_home_value(DAY, f"{self._today()} {spent + tokens}")

    def put_right(self, taken: int, used: int) -> None:
        """A call for which so many were taken used this many."""
        store = self._store
        with store.write():
            store.set_home_value(DAY, f"{self._today()} {max(self.spent_today() - taken + used, 0)}")

    def keep(self, call: Call, spec: str, purpose: str) -> None:
        """Write a call down: a line in the log, and how the role stands."""
        now = self._clock()
        error = call.error
        why = str(error) if error else ""
        usage = call.usage._asdict()
        log(
            self._home,
            "failed" if error else "answered",
            now=now,
            role=call.role,
            spec=spec,
            model=call.model,
            purpose=purpose,
            seconds=round(call.seconds, 3),
            tries=call.tries,
            why=why,
            **usage,
        )
        if call.context_edits:
            log(self._home, "context edited by the provider", now=now, spec=spec, edits=list(call.context_edits))
        self._keep_last(call.role, _last(now, spec, error))

    def keep_failure(self, role: str, spec: str, error: ProviderError) -> None:
        """Write down that a model could not even be asked."""
        now = self._clock()
        log(self._home, "failed", now=now, role=role, spec=spec, why=str(error))
        self._keep_last(role, _last(now, spec, error))

    def tell(self, purpose: str, spec: str, expected_tokens: int) -> None:
        """Write down what a pass will cost, before it begins."""
        log(
            self._home,
            "begins",
            now=self._clock(),
            spec=spec,
            purpose=purpose,
            expected_tokens=expected_tokens,
        )

    def last_call(self, role: str) -> LastCall | None:
        """How the last call of a role went; a ceiling of yesterday is forgotten."""
        found = self._read(LAST).get(role)
        last = LastCall(**found) if isinstance(found, dict) else None
        return None if last and last.is_ceiling and _day(last.at) != self._today() else last

    def grade(self, spec: str) -> dict[str, object]:
        """How a model did in the shipped cases; empty when it was not asked them."""
        found = self._read(PASSED).get(spec)
        return found if isinstance(found, dict) else {}

    def has_passed(self, spec: str) -> bool:
        """Did a model pass `recollect models test`? Only then is more trusted than kinds and quotes."""
        return self.grade(spec).get("passed") is True

    def keep_grade(self, spec: str, grade: dict[str, object]) -> None:
        """Keep how a model did."""
        with self._store.write():
            self._store.set_home_value(PASSED, json.dumps({**self._read(PASSED), spec: grade}))

    def _keep_last(self, role: str, last: LastCall) -> None:
        try:
            with self._store.write():
                self._store.set_home_value(LAST, json.dumps({**self._read(LAST), role: last._asdict()}))
        except StoreBusy:
            return  # the log has it, and whoever asked is to hear of the model, not of the database

    def _read(self, name: str) -> dict[str, object]:
        found = json.loads(self._store.home_value(name) or "{}")
        return found if isinstance(found, dict) else {}

    def _today(self) -> str:
        return _day(self._clock())


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))


def tomorrow(now: float) -> float:
    """When the next day begins, with a ledger of its own."""
    year, month, day, *_ = time.localtime(now)
    return time.mktime((year, month, day + 1, 0, 0, 0, 0, 0, -1))


def _last(now: float, spec: str, error: ProviderError | None) -> LastCall:
    if error is None:
        return LastCall(now, spec)
    return LastCall(now, spec, str(error), error.remedy, isinstance(error, CeilingReached))


class Budget:
    """ports.Spending: the tokens of one pass, and of the day."""

    def __init__(self, ledger: Ledger, *, pass_tokens: int) -> None:
        self._ledger = ledger
        self._most = pass_tokens
        self._spent = 0

    def take(self, tokens: int) -> None:
        """Take so many of both, or raise CeilingReached."""
        if self._spent + tokens > self._most:
            left = max(self._most - self._spent, 0)
            raise CeilingReached(
                f"About {tokens:,} tokens are needed, and {left:,} of the {self._most:,} for one pass are left.",
                remedy="Run `recollect settings set models.pass_tokens NUMBER`.",
            )
        self._ledger.take(tokens)
        self._spent += tokens

    def put_right(self, taken: int, used: int) -> None:
        """Correct both."""
        self._spent += used - taken
        self._ledger.put_right(taken, used)
