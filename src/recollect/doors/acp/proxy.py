"""Memory in front of an agent that speaks the Agent Client Protocol: `recollect acp -- AGENT ARGS...`.

Lines pass both ways as they come; what is ours is put in on the way, in a time that is limited, and when anything of
ours fails the line passes as it came."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, cast

from recollect.errors import UsageError
from recollect.files.logs.hook_log import log_call
from recollect.files.worker_process import NOT_STARTED, start_worker
from recollect.flows.acp.passing import HOST, Passing
from recollect.flows.acp.recording import Recorder
from recollect.flows.hooks.answer_hook import TOO_LATE, Clock, HookAnswer, answer_hook
from recollect.flows.opened import KeptStore
from recollect.model.hooks import PROMPT, SESSION_START, HookCall
from recollect.text.clean import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import BinaryIO

    from recollect.files.home import Home
    from recollect.flows.acp.passing import Note

FORWARDED = ("SIGTERM", "SIGINT", "SIGHUP")
LAST_SECONDS = 2.0  # for what an agent that has ended still had to say, and for writing it down


class Proxy:
    """Between a client and an agent, in four streams. It needs no process, so that tests can run thousands of them."""

    def __init__(
        self, home: Home, environ: Mapping[str, str], *, server: str = "", driven_by: str = "", worker: str = ""
    ) -> None:
        self._environ = environ
        self._home = home
        self._worker = worker
        self._notes: SimpleQueue[Note | None] = SimpleQueue()
        self._passing = Passing(
            self._home, environ, answer=self._answer_in_time, tell=self._notes.put, server=server, driven_by=driven_by
        )
        self._recorder = Recorder(self._home, note=self._answer)
        self._recording = Thread(target=self._record, daemon=True)
        self._calls: SimpleQueue[tuple[HookCall, Clock, Future[HookAnswer]] | None] = SimpleQueue()
        self._has_failed = False

    def run(self, client_in: BinaryIO, client_out: BinaryIO, agent_in: BinaryIO, agent_out: BinaryIO) -> Thread:
        """Let everything pass. The thread that comes back ends with the agent's last line."""
        self._recording.start()
        Thread(target=self._remember, daemon=True).start()
        Thread(target=pump, args=(client_in, agent_in, self._to_agent), daemon=True).start()
        answering = Thread(target=pump, args=(agent_out, client_out, self._to_client), daemon=True)
        answering.start()
        return answering

    def finish(self, limit_seconds: float = LAST_SECONDS) -> None:
        """Write down what is still to be written, as long as there is time."""
        self._calls.put(None)
        self._notes.put(None)
        self._recording.join(limit_seconds)

    # -- lines

    def _changed(self, line: bytes, change: Callable[[bytes], bytes]) -> bytes:
        try:
            return change(line)
        except Exception as error:  # noqa: BLE001 whatever happens to us, the traffic flows on
            self._fail(error)
            return line

    def _to_agent(self, line: bytes) -> bytes:
        return self._changed(line, self._passing.to_agent)

    def _to_client(self, line: bytes) -> bytes:
        return self._changed(line, self._noted)

    def _noted(self, line: bytes) -> bytes:
        self._passing.to_client(line)
        return line

    # -- memory

    def _answer_in_time(self, call: HookCall) -> HookAnswer:
        """What memory says to this, if it says so in time."""
        clock, answer = Clock(), Future[HookAnswer]()
        self._calls.put((call, clock, answer))
        while clock.left_seconds > 0:  # the limit is a setting: it may be known only after a while
            try:
                return answer.result(clock.left_seconds)
            except TimeoutError:
                continue
        clock.ring()
        return HookAnswer(outcome="too late", why=TOO_LATE)

    def _remember(self) -> None:
        """In a thread of its own, which keeps the database open: nobody waits for it longer than the limit."""
        stores = KeptStore()
        while asked := self._calls.get():
            call, clock, answer = asked
            if not clock.late():
                answer.set_result(self._answer(call, clock, stores))

    def _answer(self, call: HookCall, clock: Clock | None = None, stores: KeptStore | None = None) -> HookAnswer:
        clock = clock or Clock()

        def limit(milliseconds: int) -> None:
            clock.limit_seconds = milliseconds / 1000

        try:
            answered = answer_hook(
                call,
                home=self._home,
                environ=self._environ,
                clock=clock,
                now=time.time(),
                limit=limit,
                stores=stores,
            )
            if answered.start_worker and self._worker:
                start_worker(self._worker, self._home)
        except NOT_STARTED as error:
            self._fail(error)
            return HookAnswer(outcome="failed")
        except Exception as error:  # noqa: BLE001 whatever happens to us, the traffic flows on
            self._fail(error)
            return HookAnswer(outcome="failed")
        if call.event in (PROMPT, SESSION_START):
            self._log(call, answered, clock.spent_seconds * 1000)
        return answered

    def _record(self) -> None:
        """In a thread of its own: nobody waits for what is written down."""
        while note := self._notes.get():
            try:
                self._recorder.take(note)
            except Exception as error:  # noqa: BLE001 whatever happens to us, the traffic flows on
                self._fail(error)
        try:
            self._recorder.end(time.time())
        except Exception as error:  # noqa: BLE001 the agent has ended well, and so do we
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Say so in the log, once: what is broken is broken at every line."""
        if not self._has_failed:
            self._has_failed = True
            self._log(HookCall(HOST), HookAnswer(outcome="failed", why=f"{type(error).__name__}: {error}"))

    def _log(self, call: HookCall, answered: HookAnswer, milliseconds: float = 0.0) -> None:
        """A line in the log of hooks, never with what was typed."""
        fields: dict[str, object] = {
            "at": round(time.time(), 3),
            "host": HOST,
            "event": call.event,
            "session": call.session[:100],
            "outcome": answered.outcome,
            "characters": len(answered.text),
            "milliseconds": round(milliseconds, 1),
        }
        if answered.why:
            fields["why"] = clean(answered.why)[:500]
        log_call(self._home.logs, fields)


def run_proxy(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Start the agent and stand in front of it until it ends; returns its exit code."""
    agent = _started(command)
    for name in FORWARDED:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, _: agent.send_signal(number))
    # Not sys.stdin and sys.stdout: a thread may still hold them when the interpreter closes them.
    client_in, client_out = open(0, "rb", closefd=False), open(1, "wb", closefd=False)  # noqa: SIM115
    agent_in, agent_out = cast("BinaryIO", agent.stdin), cast("BinaryIO", agent.stdout)
    proxy = _prepared(environ)
    if proxy is None:
        answering = run_pipe(client_in, client_out, agent_in, agent_out)
    else:
        answering = proxy.run(client_in, client_out, agent_in, agent_out)
    code = agent.wait()
    answering.join(LAST_SECONDS)  # a child of the agent may hold its end open for longer
    if proxy is not None:
        proxy.finish()
    return code if code >= 0 else 128 - code


def run_pipe(client_in: BinaryIO, client_out: BinaryIO, agent_in: BinaryIO, agent_out: BinaryIO) -> Thread:
    """Let everything pass, without memory."""
    Thread(target=pump, args=(client_in, agent_in), daemon=True).start()
    answering = Thread(target=pump, args=(agent_out, client_out), daemon=True)
    answering.start()
    return answering


def pump(source: BinaryIO, target: BinaryIO, change: Callable[[bytes], bytes] = lambda line: line) -> None:
    """Pass lines on until one end is closed; then close the other."""
    try:
        while line := source.readline():
            target.write(change(line))
            target.flush()
    except (OSError, ValueError):
        pass  # nobody listens any more
    finally:
        try:
            target.close()
        except OSError:
            pass


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 the user names it
    except OSError as error:
        raise UsageError(f"{command[0]!r} cannot be started: {error.strerror or error}.") from error


def _prepared(environ: Mapping[str, str]) -> Proxy | None:
    """Make what memory needs, while the agent starts: the home, the command of the MCP server, and who sits there."""
    try:
        from recollect.app import Recollect
        from recollect.files.launchers.mcp_launcher import ensure_mcp_launcher
        from recollect.flows.writes.actors import agent_here

        with Recollect.open(environ=environ) as memory:
            server, driven_by = ensure_mcp_launcher(memory.home), agent_here(environ)
            return Proxy(memory.home, environ, server=server, driven_by=driven_by, worker=sys.executable)
    except Exception as error:  # noqa: BLE001 whatever happens to us, the traffic flows on
        sys.stderr.write(f"recollect: {error}; the agent runs without memory.\n")
        return None
