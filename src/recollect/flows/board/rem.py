"""rem: evidence -> a model or rules -> add and prune calls -> all of them checked -> all done, or none."""

from __future__ import annotations

from recollect.autonomous.raw import unsaid
from recollect.board.calls import ADD, SCHEMA, Call, calls_of, problems
from recollect.board.distilling import RULES, planned
from recollect.board.evidence import board_text, checkpoint_text, turns_text
from recollect.errors import ProviderError
from recollect.flows.board.board import ContextBoard
from recollect.flows.board.learned import learned_at, still_said
from recollect.flows.sidekicks.definitions import find_agent, is_flag_on, system_prompt
from recollect.flows.writes.other_deeds import note_deed
from recollect.model.board import AGENT, BRANCH, BoardItem, BoardPlace
from recollect.model.record import Record
from recollect.prompts import render
from recollect.sessions.eligible import kept_out
from recollect.text.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.opened import Opened
    from recollect.model.sessions import Session
    from recollect.sidekicks.definitions import AgentDefinition

PURPOSE = "consolidation of the board"
AGENT_NAME = "rem-agent"
OUTPUT_TOKENS = 4_096


class Consolidated(Record):
    """What came of a consolidation: names that were added or changed, names that went, and why nothing was done."""

    added: tuple[str, ...] = ()
    pruned: tuple[str, ...] = ()
    made_by: str = RULES
    why: str = ""

    @property
    def sentence(self) -> str:
        """The same for a person."""
        if self.why:
            return f"The board is as it was: {self.why}"
        changed = [*(f"+ {name}" for name in self.added), *(f"- {name}" for name in self.pruned)]
        return f"The board is up to date: {', '.join(changed) or 'nothing to change'}."


class Rem:
    """The worker that keeps the board. It reads history; it opens no file and follows nothing that it reads."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._board = memory.store.board

    def consolidate(self, session: Session, *, require_ours: Callable[[], None] = lambda: None) -> Consolidated:
        """Bring the board of a session's repository and branch up to date with it, as the definition of rem-agent says
        it. As often as one likes."""
        agent = find_agent(AGENT_NAME, self._memory)
        if agent is None or not is_flag_on(agent.feature_flag, self._memory):
            return Consolidated(why=f"{AGENT_NAME} is switched off")
        if why := kept_out(session, self._memory.settings.exclude):
            return Consolidated(why=why)
        place, role = self.place_of(session), agent.model
        if not self._memory.models.is_there(role):
            return self._apply(self._by_rules(place), place, RULES, require_ours)
        try:
            calls = self._by_model(session, place, agent)
        except ProviderError as error:
            if not self._memory.settings.memories.fallback:
                return Consolidated(made_by=str(self._memory.models.spec(role)), why=str(error))
            return self._apply(self._by_rules(place), place, RULES, require_ours)
        return self._apply(calls, place, str(self._memory.models.spec(role)), require_ours)

    def consolidate_here(self, *, dry_run: bool = False) -> Consolidated:
        """Bring the board of this folder up to date, by rules: with what all its past sessions prove."""
        place = ContextBoard(self._memory).place
        calls = self._by_rules(place)
        if dry_run:
            return _told(calls, RULES)
        done = self._apply(calls, place, RULES, lambda: None)
        if done.added or done.pruned:
            did = "update the board from past sessions, which has no undo; see it with `recollect board list`"
            note_deed(did, self._memory.store, now=self._memory.now)
        return done

    def place_of(self, session: Session) -> BoardPlace:
        """The board of a session: strictly of the branch that it was on."""
        default = self._memory.repository.default_branch or BRANCH
        return BoardPlace(session.repository or session.cwd, session.branch or default)

    def evidence(self, session: Session, place: BoardPlace, refused: Sequence[str] = ()) -> str:
        """What a model is shown: bounded, redacted, and marked as history."""
        store = self._memory.store
        latest = [one for one in store.checkpoints.of_session(session.session_id) if one.in_effect][-1:]
        again = "\n".join(f"- {one}" for one in refused)
        return render(
            "board/rem_evidence",
            board=board_text(self._board.items(place)),
            checkpoint=checkpoint_text(latest[0].summary if latest else ""),
            turns=turns_text(store.sessions.turns(session.session_id)),
            problems=f"\nYour last answer was refused as a whole:\n{again}" if again else "",
        )

    def _by_rules(self, place: BoardPlace) -> list[Call]:
        learned = [
            one._replace(description=clean(one.description), content=clean(one.content).strip())
            for one in learned_at(place, self._memory)
        ]
        held = still_said(place, self._memory)
        return planned(self._board.items(place), learned, self._board.pruned(place), now=self._memory.now, held=held)

    def _by_model(self, session: Session, place: BoardPlace, agent: AgentDefinition) -> list[Call]:
        """What a model answers. What is refused is told once; ProviderError when the next answer is no better."""
        models, role = self._memory.models, agent.model
        system = system_prompt(agent, self._memory)
        refused: list[str] = []
        evidence = self.evidence(session, place)
        expected = models.expected_tokens(evidence, SCHEMA, system=system, answer=OUTPUT_TOKENS // 4)
        begun = models.begin(PURPOSE, expected_tokens=expected, role=role)
        for _ in range(2):
            asked = self.evidence(session, place, refused)
            reply = begun.ask(asked, SCHEMA, role, system=system, max_output_tokens=OUTPUT_TOKENS)
            calls = calls_of(reply.value, session=session.session_id)
            refused = [
                *problems(calls, self._board.items(place), self._board.pruned(place)),
                *_invented(calls, evidence),
            ]
            if not refused:
                return calls
        raise ProviderError(f"rem's calls were refused and none was done: {' '.join(refused)}")

    def _apply(
        self, calls: Sequence[Call], place: BoardPlace, made_by: str, require_ours: Callable[[], None]
    ) -> Consolidated:
        """Do all calls in one step, or none; what somebody changed meanwhile is looked at again first."""
        store, now = self._memory.store, self._memory.now
        with store.write():
            require_ours()
            items = self._board.items(place)
            refused = problems(calls, items, self._board.pruned(place))
            if refused:
                return Consolidated(made_by=made_by, why=f"Refused, and nothing was done: {' '.join(refused)}")
            for call in calls:
                if call.command == ADD:
                    text, content = clean(call.description), clean(call.context)
                    self._board.save(
                        BoardItem(*place, AGENT, call.name, text, content, origin=call.origin, made_by=made_by,
                                  session=call.session, created=now, updated=now)
                    )  # fmt: skip
                else:
                    found = self._board.item(place, AGENT, call.name)
                    if found is not None:
                        self._board.remove(found, by=AGENT, now=now)
        return _told(calls, made_by)


def _told(calls: Sequence[Call], made_by: str) -> Consolidated:
    added = tuple(call.name for call in calls if call.command == ADD)
    return Consolidated(added, tuple(call.name for call in calls if call.command != ADD), made_by)


def _invented(calls: Sequence[Call], evidence: str) -> list[str]:
    """Numbers, paths and names in an item that the evidence does not hold: a model may shorten, never invent."""
    found = []
    for call in calls:
        names = unsaid(f"{call.description} {call.context}", evidence) if call.command == ADD else []
        if names:
            found.append(f"{call.name!r} names {', '.join(repr(one) for one in names[:3])}, which nothing here says.")
    return found
