"""The chat at a terminal: the prompt stays at the bottom, everything else goes into the scrollback.

What a model is saying is shown above the prompt and enters the scrollback once it is whole, so that nothing that was
cleared stays on the screen. The turn runs in a thread of its own; keys go on working."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from prompt_toolkit.application import run_in_terminal
from rich.text import Text

from recollect.doors.chat.agents import first_line, new_agent, person_here
from recollect.doors.chat.commands import is_command, run_command
from recollect.doors.chat.prompting import make_prompt
from recollect.doors.chat.screen import Screen, bar, drawn, drawn_question, line
from recollect.doors.cli.printing.output import counted, one_line, plain
from recollect.errors import CompactionRefused, RecollectError
from recollect.flows.chat import happenings as told
from recollect.flows.chat.models import spec_in_use, window_name
from recollect.flows.chat.permits import waited
from recollect.flows.chat.tools.plans import todos_of
from recollect.sessions.events import NOTICE_TAG
from recollect.text.fences import strip_fences
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.app import Recollect
    from recollect.flows.chat.agent import Agent, Options
    from recollect.model.permissions import Answer, Question
    from recollect.providers.specs import Spec

LOOK_SECONDS = 0.05
SETTLE_SECONDS = 0.3  # a question offers its keys a moment after it was shown: the last key was meant for the prompt
JOIN_SECONDS = 10.0
YES_NO: dict[str, tuple[Answer, str]] = {"y": ("once", "Yes."), "n": ("reject", "No.")}
CHOICES: dict[str, tuple[Answer, str]] = {
    "y": ("once", "Allowed once."),
    "s": ("session", "Allowed for this session."),
    "l": ("location", "Allowed in this repository."),
    "n": ("reject", "No."),
}
WORDS = {"y": "y", "yes": "y", "n": "n", "no": "n", "s": "s", "l": "l"}  # what answers a question, with Enter behind it


class Asked:
    """A question that waits for a key. It waits as long as it takes."""

    def __init__(self, words: str, choices: dict[str, tuple[Answer, str]]) -> None:
        self.words = words
        self.choices = choices
        self.is_decided = threading.Event()
        self._key = ""

    def decide(self, key: str) -> None:
        """Answer it."""
        self._key = key
        self.is_decided.set()

    @property
    def answer(self) -> tuple[Answer, str] | None:
        """The answer, and how it is shown; None as long as there is none."""
        return self.choices.get(self._key)


class Chat:
    """One person at one terminal, with one agent at a time."""

    def __init__(self, memory: Recollect, options: Options, *, home: str = "", away: bool = False) -> None:
        self.memory = memory
        self.options = options
        self.screen = Screen()
        self.leaving = False
        self.is_busy = False  # does something run beside the prompt?
        self.live = ""  # what the model is saying
        self.asked: Asked | None = None
        self._home = home
        self._away = away
        self._typed_at = person_here(memory)
        self._usage = told.WindowUsed(0, 0, 0, 0)
        self._state = ""
        self._to_review = 0
        self._thread: threading.Thread | None = None
        self._stop_asking = threading.Event()
        self._handing = threading.Lock()  # a message either reaches what runs, or begins a turn
        self.agent = self._new_agent()
        self.prompt = make_prompt(self)

    # -- from the first to the last line

    def run(self, session: str = "") -> None:
        """Talk until the person leaves."""
        self.use(session)
        while not self.leaving:
            typed = self._read()
            if typed is None:
                break
            if typed.strip():
                self._submit(typed)
        self.cancel()
        self._join()
        self.agent.close()

    def use(self, session: str) -> None:
        """Go on with a session, or begin a new one; the one before is ended for now."""
        agent = self._new_agent()
        if session:
            agent.load(session)
        else:
            agent.start()
        self.agent.close()
        self.agent = agent
        self._usage = agent.usage()
        for message in agent.session.messages():
            if message.role == "user" and (typed := typed_of(message.text)):
                self.prompt.history.append_string(typed)
        self._greet(resumed=bool(session))

    def _greet(self, *, resumed: bool) -> None:
        session = self.agent.session
        self.screen.show(
            line("◆", f"Recollect · {spec_in_use(self.agent.memory)} · {short_id(session.session_id)}", "bold")
        )
        for notice in (*self.agent.notices, self.agent.why_silent()):
            if notice:
                self.say(notice)
        if not resumed:
            given = next((one for one in self.memory.receipts(session.session_id) if one.entries), None)
            if given is not None:
                self.screen.show(line("◆", f"{counted(len(given.entries), 'memory', 'memories')} at the start", "dim"))
            return
        for message in session.messages()[-4:]:
            if message.role in ("user", "assistant") and (said := typed_of(message.text)):
                mark = "›" if message.role == "user" else " "
                self.screen.show(line(mark, said, "dim"))
        todos = todos_of(session.kept.todos)
        self.screen.show(*(drawn(told.TodosChanged(todos)) if todos else ()))
        for what in waited(session):
            self.screen.show(line("?", f"While you were away: {first_line(what)}", "yellow"))

    def _read(self) -> str | None:
        """The next thing that was typed; None when the person leaves."""
        self.screen.hold()
        try:
            return self.prompt.prompt(pre_run=lambda: self.screen.write_above(self._write_soon))
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return None
        finally:
            self.screen.release()

    def _write_soon(self) -> None:
        """Let the prompt's own thread move the prompt aside and write what waits."""
        loop = self.prompt.app.loop
        if loop is not None:
            with suppress(RuntimeError):  # the prompt has just ended: `release` writes it
                loop.call_soon_threadsafe(run_in_terminal, self.screen.write)

    def _submit(self, typed: str) -> None:
        asked, word = self.asked, WORDS.get(typed.strip().lower(), "")
        if asked is not None and word in asked.choices:
            asked.decide(word)
            return
        self.screen.show("", Text("› " + plain(typed).replace("\n", "\n  "), style="bold"))
        if is_command(typed):
            run_command(self, typed)
        elif silent := self.agent.why_silent():
            self.say(silent)
        elif self._is_queued(typed):
            self.say("Queued: the model gets it with its next step.")
        else:
            self.in_background(lambda: self._turn(typed))

    def _is_queued(self, typed: str) -> bool:
        """Give a message to what runs; False when nothing does."""
        with self._handing:
            if self.is_busy:
                self.agent.steer(typed, typed_at=self._typed_at)
            return self.is_busy

    def _next(self) -> str:
        """A message that came during something that is no turn, or too late for one; empty when that was all."""
        with self._handing:
            typed = self.agent.next_waiting()
            self.is_busy = bool(typed)
            return typed

    # -- what runs beside the prompt

    def in_background(self, work: Callable[[], object]) -> None:
        """Run something beside the prompt; one thing at a time."""
        self._join()
        self._stop_asking.clear()
        self.is_busy = True
        self._thread = threading.Thread(target=self._guarded, args=(work,), name="recollect-turn", daemon=True)
        self._thread.start()

    def _guarded(self, work: Callable[[], object]) -> None:
        try:
            work()
            while typed := self._next():
                self.tell(told.Queued(typed))
                self._turn(typed)
            self._to_review = self.memory.pending.count()
        except RecollectError as error:
            self.say(str(error))
        except Exception as error:  # noqa: BLE001 the last place before the person, who gets a sentence instead
            self.say(f"This should not have happened ({type(error).__name__}: {error}). The conversation is kept.")
        finally:
            with self._handing:
                self.live, self.is_busy = "", False
                unsent = self.agent.take_back_waiting()
            for text in unsent:
                self.say(f"Not sent: {one_line(text)}")
            self._redraw()

    def _turn(self, typed: str) -> None:
        done = self.agent.prompt(typed, self.tell, typed_at=self._typed_at)
        unsent = [] if done.status == "done" else self.agent.take_back_waiting()
        for text in unsent:
            self.say(f"Not sent: {one_line(text)}")

    def compact(self, instructions: str) -> None:
        """/compact."""
        states: list[str] = []

        def tell(event: object) -> None:
            if isinstance(event, told.Compaction):
                states.append(event.state)
            self.tell(event)

        try:
            result = self.agent.compact(instructions, tell)
            why = "" if result.compacted else f"Nothing was changed: {result.why or result.status}."
        except CompactionRefused as error:
            why = str(error)
        if why and not states:  # one that had begun has told how it ended
            self.say(why)
        self._usage = self.agent.usage()

    def switch_model(self, spec: Spec) -> None:
        """/model NAME."""
        self.agent.switch_model(spec, ask=self.confirm, on_event=self.tell)
        self._usage = self.agent.usage()
        self.say(f"Now using {spec}, with a window of {self._usage.limit:,} tokens.")

    def tell(self, event: object) -> None:
        """Whoever shows what happens in a turn."""
        match event:
            case told.TextDelta(text=text):
                self.live += plain(text)
            case told.Cleared() | told.Said():
                self.live = ""
            case told.WindowUsed():
                self._usage = event
            case told.Compaction(state=state):
                self._state = {"started": "compacting", "waiting": "waiting for compaction"}.get(state, "")
        self.screen.show(*drawn(event))
        self._redraw()

    def say(self, text: str) -> None:
        """A message of ours."""
        self.screen.show(text)

    def recollect(self, *words: str) -> None:
        """Run a command of `recollect`."""
        from recollect.doors.cli.running import run

        run([*words, *(("--home", self._home) if self._home else ())])

    # -- questions

    def ask(self, question: Question) -> Answer:
        """ports.Ask: the person's answer, however long it takes; nobody when they cancel, leave or are away."""
        if self._away or self._typed_at is None:
            return "nobody"
        self.screen.show(drawn_question(question))
        return self._wait_for(Asked("Allow it?  [y] once  [s] session  [l] this repository  [n] no", CHOICES))

    def confirm(self, question: str) -> bool:
        """A yes or a no."""
        self.screen.show(line("?", question, "yellow"))
        return self._wait_for(Asked("[y] yes  [n] no", YES_NO)) == "once"

    def _wait_for(self, asked: Asked) -> Answer:
        self._stop_asking.wait(SETTLE_SECONDS)
        self.asked = asked
        self._redraw()
        while not asked.is_decided.wait(LOOK_SECONDS) and not self._stop_asking.is_set():
            pass
        self.asked = None
        self._redraw()
        if asked.answer is None:
            return "nobody"
        answer, words = asked.answer
        self.screen.show(line("·", words, "dim"))
        return answer

    def cancel(self) -> None:
        """Esc or Ctrl-C: end what runs, at once."""
        self.agent.cancel()  # first: a question that ends with it was cancelled, and does not wait for anybody
        self._stop_asking.set()

    # -- the status line

    def status(self) -> str:
        """Model, window, compaction, and what waits."""
        used = self._usage
        share = used.total / used.limit if used.limit else 0.0
        parts = [one_line(window_name(spec_in_use(self.agent.memory)))[-32:], f"{bar(share)} {share:.0%}"]
        waiting = len(self.agent.waiting)
        parts += [self._state or ("working" if self.is_busy else "")]
        parts += [f"{waiting} queued" if waiting else "", f"{self._to_review} to review" if self._to_review else ""]
        return " · ".join(filter(None, parts))

    # -- inside

    def _new_agent(self) -> Agent:
        return new_agent(self.memory, ask=self.ask, options=self.options)

    def _redraw(self) -> None:
        app = self.prompt.app
        if app.is_running:
            app.invalidate()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join(JOIN_SECONDS)


def typed_of(text: str) -> str:
    """What was typed of a message, without what memory put before it; nothing of a notice, which nobody typed."""
    return "" if text.startswith(f"<{NOTICE_TAG}>") else strip_fences(text).strip()
