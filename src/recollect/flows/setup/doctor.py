"""Doctor: home, settings, engine, database, hook, hosts, worker, what waits; each with a remedy where it needs one.

Nothing is created, migrated or mended here, so that it tells how things are also when nothing else works."""

from __future__ import annotations

import os
import shutil
import stat
import statistics
import sys
import time
from typing import TYPE_CHECKING

from recollect.errors import RecollectError, SettingsError, StoreTooNew
from recollect.files import spool
from recollect.files.config import load_settings
from recollect.files.launchers.hook_launcher import launcher_path, launcher_state
from recollect.files.launchers.trial import is_executable, try_launcher
from recollect.files.logs.hook_log import read_log
from recollect.files.repositories import identify
from recollect.files.serving_mark import is_serving
from recollect.flows.models.health import examine_models
from recollect.flows.setup.doctor_hosts import examine_hosts
from recollect.flows.setup.doctor_service import examine_service
from recollect.flows.turns.waiting_receipts import last_receipt
from recollect.flows.writes.waiting import what_waits
from recollect.model.findings import Finding
from recollect.model.hooks import PROMPT
from recollect.model.hosts import BY_HAND
from recollect.store import engine
from recollect.store.backups import copies, damaged_copies
from recollect.store.database import CREATED_SUFFIX, SCHEMA_VERSION, Database
from recollect.store.store import Store
from recollect.store.upkeep import check

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.home import Home
    from recollect.settings import Settings

LEAST_FREE_BYTES = 200_000_000
STUCK_SECONDS = 3_600.0
RECENT_CALLS = 200
LATE_SHARE = 0.05
MANY_BYTES = 1_000_000  # of receipts: whoever writes or looks takes them in, so somebody only asks
PREVIEW = "See what the next session will get with `recollect preview`."
ELSEWHERE = "Choose a folder that you can write to, with --home or RECOLLECT_HOME."
MEND = "Run `recollect status`: it saves what can be read into a new file, keeps the old one, and says so."


def examine(home: Home, environ: Mapping[str, str], *, folder: str, now: float) -> list[Finding]:
    """Everything a user could trip over."""
    settings, found = _settings(home, environ, folder)
    found = [*_home(home), *found, *_engine()]
    store, health = _database(home)
    found += health
    calls = read_log(home.logs, last=RECENT_CALLS)
    tree = identify(folder, home=environ.get("HOME"))
    never = settings.never_install if settings else ()
    hosts = examine_hosts(home, environ, project=tree.root, store=store, calls=calls, never=never)
    found += hosts.findings
    if settings is not None:
        found += examine_models(store, home, settings, environ, now=now)
        found += examine_service(home, settings, environ, tree)
    if hosts.connected:
        found += _hook(home, environ, settings, calls, now=now)
    if store is not None:
        try:
            found += [
                *_worker(store, home, now=now),
                *_injection(store, home, calls, hosts.connected),
                *_waiting(store, tree.repository, now=now),
            ]
        except RecollectError as error:
            found.append(Finding("database", False, str(error), MEND))
        finally:
            store.close()
    return found


def _home(home: Home) -> list[Finding]:
    if not os.path.isdir(home.root):
        remedy = "Run `recollect up` to create and fill it." if _can_be_made(home.root) else ELSEWHERE
        return [Finding("home", False, f"{home.root} does not exist yet.", remedy)]
    if not os.access(home.root, os.W_OK | os.X_OK):
        return [
            Finding(
                "home",
                False,
                f"{home.root} cannot be written to.",
                f"Make it yours: chown it, or run: chmod u+rwx {home.root}. Else: {ELSEWHERE}",
            )
        ]
    found = [Finding("home", True, home.root)]
    mode = stat.S_IMODE(os.stat(home.root).st_mode)
    if os.name == "posix" and mode & 0o077:
        can = "change" if mode & 0o022 else "read"
        found = [
            Finding("home", False, f"Other users of this machine can {can} {home.root}.", f"Run: chmod 700 {home.root}")
        ]
    free = shutil.disk_usage(home.root).free
    room = f"{free / 1e9:,.1f} GB free"
    least = LEAST_FREE_BYTES + 2 * _size(home.database)
    remedy = (
        ""
        if free >= least
        else f"Free some space: at least {least / 1e9:,.1f} GB, or move the home with RECOLLECT_HOME."
    )
    return [*found, Finding("disk", free >= least, room, remedy)]


def _can_be_made(folder: str) -> bool:
    """Can the nearest folder above that is there be written to?"""
    above = os.path.dirname(os.path.abspath(folder))
    while not os.path.isdir(above):
        above = os.path.dirname(above)
    return os.access(above, os.W_OK | os.X_OK)


def _settings(home: Home, environ: Mapping[str, str], folder: str) -> tuple[Settings | None, list[Finding]]:
    try:
        settings = load_settings(environ, home, working_tree=identify(folder, home=environ.get("HOME")).root)
    except SettingsError as error:
        return None, [Finding("settings", False, str(error), "Correct it there; until then no memory is injected.")]
    found = [
        Finding("settings", False, warning, "Correct or remove it; `recollect settings list` shows all settings.")
        for warning in settings.warnings
    ]
    found = found or [Finding("settings", True, home.config if os.path.exists(home.config) else "the defaults")]
    if settings.enabled:
        return settings, [*found, Finding("switch", True, "memory is on")]
    where = settings.origin("enabled")
    off = Finding(
        "switch",
        False,
        f"Memory is switched off ({where}): nothing is injected or kept.",
        "Run `recollect settings set enabled true`."
        if where in ("default", "flag") or where.startswith(home.config)
        else f"Remove it from there: {where}",
    )
    return settings, [*found, off]


def _engine() -> list[Finding]:
    python = ".".join(str(part) for part in sys.version_info[:3])
    detail = f"SQLite {engine.version()}, Python {python}"
    if engine.is_old():
        least = ".".join(str(part) for part in engine.OLDEST)
        return [
            Finding(
                "engine",
                False,
                f"{detail}: too old.",
                f"Install Recollect with a Python that includes SQLite {least} or newer.",
            )
        ]
    if not engine.has_text_search():
        return [
            Finding(
                "engine",
                False,
                f"{detail}: built without FTS5.",
                "Install Recollect with a Python whose SQLite has FTS5, such as one from python.org or uv.",
            )
        ]
    return [Finding("engine", True, detail)]


def _database(home: Home) -> tuple[Store | None, list[Finding]]:
    path = home.database
    if os.path.isdir(home.root) and not os.access(home.root, os.W_OK | os.X_OK):
        return None, []  # the home comes first
    if not os.path.exists(path) or not _size(path):
        if os.path.exists(path + CREATED_SUFFIX):
            return None, [
                Finding(
                    "database",
                    False,
                    f"{path} existed before and is gone.",
                    f"Restore it from {home.backups}, or run `recollect up` to start over.",
                )
            ]
        return None, [Finding("database", True, "none yet; run `recollect up` to create one")]
    if not os.access(path, os.R_OK | os.W_OK):
        return None, [Finding("database", False, f"You cannot read and write {path}.", f"Run: chmod u+rw {path}")]
    try:
        store = Store(Database(path, wait_seconds=2.0))
        version = store.database.schema_version()
        if version != SCHEMA_VERSION:
            store.close()
            return None, [
                Finding(
                    "database",
                    False,
                    f"It has schema {version}; this Recollect uses {SCHEMA_VERSION}.",
                    "Run `recollect status` to upgrade the database.",
                )
            ]
        problems = check(store)
    except StoreTooNew as error:
        return None, [Finding("database", False, str(error), "Upgrade Recollect.")]
    except RecollectError as error:
        return None, [Finding("database", False, str(error), MEND)]
    if problems:
        more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
        return store, [Finding("database", False, f"{problems[0]}{more}", MEND)]
    kept = copies(home.backups)
    copy = f", newest safety copy {os.path.basename(kept[0])}" if kept else ", no safety copy yet"
    return store, [Finding("database", True, f"intact, {_size(path) / 1e6:,.1f} MB{copy}"), *_damaged(home)]


def _damaged(home: Home) -> list[Finding]:
    """A damage is told when it is met, and here for as long as what was kept of it is there."""
    kept = damaged_copies(home.backups)
    if not kept:
        return []
    told = f"was damaged once; the damaged file is kept in {kept[0]}. Delete it if nothing is missing."
    return [Finding("database", True, told)]


def _hook(
    home: Home, environ: Mapping[str, str], settings: Settings | None, calls: list[dict[str, object]], *, now: float
) -> list[Finding]:
    path = launcher_path(home)
    state = launcher_state(home)
    again = "Run `recollect install all` again to rewrite the launcher."
    if state == "missing" or not is_executable(path):
        return [Finding("launcher", False, f"{path} is missing or cannot be started.", again)]
    trial = try_launcher(path, home, environ)
    if trial.why:
        return [Finding("launcher", False, f"{path}: {trial.why}.", again)]
    if state == "stale":
        detail = "It was written for another version or location of Recollect."
        found = [Finding("launcher", False, detail, "Run `recollect status`: any command rewrites it.")]
    else:
        found = [Finding("launcher", True, f"{path} answers in {trial.milliseconds:.0f} ms")]
    return [*found, *_times(calls, settings)]


def _times(calls: list[dict[str, object]], settings: Settings | None) -> list[Finding]:
    """How long prompts took, and how many got nothing because of it."""
    limit = settings.hook.limit_milliseconds if settings else 0
    prompts = [call for call in calls if call.get("event") == PROMPT]
    took = [spent for call in prompts if isinstance(spent := call.get("milliseconds"), int | float)]
    if not took:
        return []
    late = sum(call.get("outcome") == "too late" for call in prompts)
    allowed = f", limit {limit} ms" if limit else ""
    detail = f"{statistics.median(took):.0f} ms per prompt (longest {max(took):.0f} ms{allowed})"
    found = []
    if late > LATE_SHARE * len(prompts):
        remedy = f"Run `recollect settings set hook.limit_milliseconds {2 * limit}`, or move the home to a faster disk."
        found.append(
            Finding("hook time", False, f"{detail}; {late} of {len(prompts)} prompts got no memory in time.", remedy)
        )
    else:
        found.append(Finding("hook time", True, detail))
    answered = max((at for at, call in enumerate(calls) if call.get("outcome") == "answered"), default=-1)
    failed = [call for call in calls[answered + 1 :] if call.get("outcome") in ("failed", "no memory")]
    if failed:
        why = str(failed[-1].get("why") or "it gave no reason")
        found.append(
            Finding(
                "hook",
                False,
                f"{len(failed)} of the latest calls returned no memory: {why}",
                "Fix that; this line disappears with the next prompt that gets an answer.",
            )
        )
    return found


def _worker(store: Store, home: Home, *, now: float) -> list[Finding]:
    jobs = store.jobs
    there = jobs.workers(now=now)
    counts = jobs.counts()
    found = []
    oldest = min((job.created for job in jobs.listed("waiting") if job.due <= now), default=now)
    receipts, spooled = spool.waiting(home.spool), spool.waiting(home.spool, name=spool.JOBS)
    late = now - spool.oldest(home.spool, name=spool.JOBS, now=now) > STUCK_SECONDS
    if not there and now - oldest > STUCK_SECONDS:
        found.append(
            Finding(
                "worker",
                False,
                f"{counts['waiting']} jobs have been waiting for {_ago(now - oldest)}.",
                "Run `recollect worker --once`.",
            )
        )
    elif not there and (late or receipts > MANY_BYTES):
        waiting = f"{spooled + receipts:,} bytes are waiting in {home.spool}."
        found.append(Finding("worker", False, waiting, "Run `recollect worker --once`."))
    else:
        doing = (
            "running inside `recollect serve`"
            if is_serving(home)
            else f"running for {_ago(now - there[0].started)}"
            if there
            else "not running; hooks and commands start it when needed"
        )
        found.append(Finding("worker", True, f"{doing}; {counts['waiting']} waiting, {counts['done']} done this week"))
    for path in spool.blocked(home.spool):
        found.append(Finding("spool", False, f"{path} cannot be read.", "Make your user its owner, or delete it."))
    dead = jobs.listed("dead")
    if dead:
        detail = f"{len(dead)} given up after several tries; the last: {dead[-1].key}: {dead[-1].error}"
        found.append(Finding("jobs", False, detail, "Fix what it names, then run `recollect worker --once --retry`."))
    return found


def _injection(store: Store, home: Home, calls: list[dict[str, object]], connected: bool) -> list[Finding]:
    last = last_receipt(store, spool_folder=home.spool)
    if last is not None:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(last.created))
        entries = len(last.entries)
        things = "1 entry" if entries == 1 else f"{entries} entries"
        detail = f"{when}, {last.host or BY_HAND}: {things}, {last.tokens} tokens"
        return [Finding("last injection", True, detail, PREVIEW)]
    if connected and not calls:
        return [Finding("last injection", True, "none yet: start a session in a connected host", PREVIEW)]
    return [Finding("last injection", True, "none yet", PREVIEW)]


def _waiting(store: Store, repository: str, *, now: float) -> list[Finding]:
    waiting = what_waits(store, now=now, repository=repository)
    if not waiting.total:
        return [Finding("waiting", True, "nothing is waiting for you")]
    return [Finding("waiting", True, f"{waiting.said}: `recollect review`")]


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _ago(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    if seconds < 7_200:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3_600:.0f} hours" if seconds < 172_800 else f"{seconds / 86_400:.0f} days"
