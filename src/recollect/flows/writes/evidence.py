"""Evidence: what an agent's write rests on, by what it cites, what the user typed and what tools printed."""

from __future__ import annotations

from recollect.errors import FileError, OutsideRoot, UsageError
from recollect.files.trees import read_cited
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.writes.find_typed import typed_correction, was_taken_back, was_typed
from recollect.flows.writes.printed import printed_in, printed_lately
from recollect.memory.checks import make_citation
from recollect.memory.lifted import is_lifted
from recollect.memory.origins import Cited, files_of, origin_of, read_citations
from recollect.permissions import risk_of_removal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypedDict

    from recollect.flows.opened import Opened
    from recollect.model.entries import Citation, Entry, Origin
    from recollect.permissions import Risk
    from recollect.store.store import Store

    class Here(TypedDict):
        """Where and when something was typed, if it was."""

        store: Store
        session: str
        repository: str
        now: float


class Evidence:
    """What the writes of one session rest on."""

    def __init__(self, session: str, memory: Opened) -> None:
        self._session = session
        self._memory = memory

    def given(self, citations: Sequence[str]) -> Cited:
        """Citations as an agent gives them: paths that are there, and words."""
        return read_citations(citations, make=self._citation, read=self._read, session=self._session)

    def known(self, citations: tuple[Citation, ...]) -> Cited:
        """Citations that were made before."""
        return Cited(citations, files=files_of(citations, self._read))

    def origin(self, text: str, cited: Cited | None = None) -> Origin:
        """What a statement rests on: what the user typed, what a tool printed, a document, or the agent itself."""
        self._take_in()
        if was_typed(text, **self._here()):
            return "typed"
        return origin_of(text, cited, printed=self._was_printed(text))

    def correction(self, old: Entry, new: str) -> str:
        """The typed sentence that changes an entry's value to this; empty when there is none."""
        return typed_correction(old.content, new, **self._here())

    def removal_risk(self, entry: Entry) -> Risk:
        """The risk of retiring an entry, or of voting it down."""
        self._take_in()
        return risk_of_removal(entry, typed=was_taken_back(entry, **self._here()))

    def _here(self) -> Here:
        memory = self._memory
        return {
            "store": memory.store,
            "session": self._session,
            "repository": memory.repository.repository,
            "now": memory.now,
        }

    def _was_printed(self, text: str) -> bool:
        """Was it lifted from what a tool printed, in this session or in any that is still going on?"""
        sessions = self._sessions()
        stored = printed_in(self._memory.store, sessions[:1] if self._session else [])
        return is_lifted(text, stored) or is_lifted(text, printed_lately(self._memory, sessions))

    def _sessions(self) -> list[str]:
        """The host's own ids of the sessions that this may be, as far as hooks and the agent tell."""
        receipts = self._memory.store.receipts
        last = (receipts.last(repository=self._memory.repository.repository), receipts.last())
        return list(dict.fromkeys(filter(None, (self._session, *(one.session for one in last if one)))))

    def _take_in(self) -> None:
        # What was typed a moment ago tells whether the user said so.
        take_in_spool(self._memory.store, spool_folder=self._memory.home.spool)

    def _citation(self, given: str) -> Citation | None:
        try:
            return make_citation(given, root=self._memory.root, cwd=self._memory.folder)
        except OutsideRoot:
            raise
        except (UsageError, FileError):
            return None

    def _read(self, path: str) -> str | None:
        return read_cited(self._memory.root, path)
