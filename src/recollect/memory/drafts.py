"""From what somebody wants stored to an entry: redacted, tidied, checked."""

from __future__ import annotations

from recollect.errors import Refused, TextMissing
from recollect.memory.profile import united_tags
from recollect.memory.rank import CORRECTION_TAG
from recollect.model.drafts import Draft
from recollect.model.entries import LAYERS, ORIGINS, SCOPES, SHELF_TAG, SOURCES, Entry
from recollect.permissions import is_users_own
from recollect.text.language.frames import frame_of
from recollect.text.language.lexicon import GROUPS, groups_of
from recollect.text.patterns import lazy
from recollect.text.secrets.redacting import redact
from recollect.text.sections import SECTION_TAG
from recollect.text.similarity import features
from recollect.text.subjects import guessed_subject, without_marks
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NewType

    from recollect.model.entries import Citation, Origin

    Prepared = NewType("Prepared", Draft)  # `prepare` made it: it can be stored, and nobody prepares it again

CONFIDENCE = {"user": 0.9, "agent": 0.7, "system": 0.5}
_ALLOWED = (("layer", LAYERS), ("scope", SCOPES), ("source", SOURCES), ("origin", ORIGINS))
LONGEST = {"L0": 1_000, "L1": 4_000, "L2": 40_000}
LONGEST_NAME = 120
LONGEST_REASON = 1_000
MOST_LABELS = 32
MOST_CITATIONS = 32
# A section that an agent may name: a heading of a few words, and no sentence.
_SECTION = lazy(rf"{SECTION_TAG}[^\W_][\w&/+-]*(?: [\w&/+-]+){{0,2}}")


def prepare(draft: Draft, *, guess_subject: bool = True, redacted: Callable[[str], str] = redact) -> Prepared:
    """The draft without secrets, tidied and complete; Refused when it cannot be an entry."""
    if not isinstance(draft.content, str):
        raise Refused(f"An entry must be text, not {type(draft.content).__name__}.")
    # What nobody sees goes first: a secret in pieces is a secret, and a text is what it looks like.
    content = redacted(visible(draft.content)).strip()
    _validate(draft, content)
    subject = without_marks(_tidy(" ".join(draft.subject.split()))) if draft.subject else ""
    if not subject and guess_subject:
        subject = guessed_subject(content)
    # By place, and so is an entry: of these many are made at once.
    return Draft(  # type: ignore[return-value]  # the one place where a draft becomes a prepared one
        content,
        draft.layer,
        draft.scope,
        "" if draft.scope == "user" else draft.repository,
        subject[:LONGEST_NAME],
        _names(draft.aliases) if draft.aliases else (),
        _tidy(draft.reason)[:LONGEST_REASON] if draft.reason else "",
        tuple(_clean(citation) for citation in draft.citations[:MOST_CITATIONS]) if draft.citations else (),
        _labels(draft.tags) if draft.tags else (),
        draft.source,
        draft.origin,
        draft.confidence or CONFIDENCE[draft.source],
        *draft[12:],
    )


def _validate(draft: Draft, content: str) -> None:
    for name, allowed in _ALLOWED:
        if getattr(draft, name) not in allowed:
            raise Refused(f"{name} must be one of {', '.join(allowed)}, not {getattr(draft, name)!r}.")
    if not (isinstance(draft.confidence, (int, float)) and 0 <= draft.confidence <= 1):
        raise Refused(f"confidence must be between 0 and 1, not {draft.confidence!r:.60}.")
    if not content:
        raise TextMissing("There is no text; write a sentence or two.")
    if len(content) > LONGEST[draft.layer]:
        raise Refused(
            f"An {draft.layer} entry may have at most {LONGEST[draft.layer]:,} characters; this has {len(content):,}."
            " Store the facts one by one."
        )
    if draft.layer == "L0" and draft.scope != "user":
        raise Refused("The profile (L0) is the user's in every repository: its scope is user, not repository.")
    if draft.scope == "repository" and not draft.repository:
        raise Refused("There is no repository here; use --scope everywhere, or run this inside one.")
    if draft.layer == "L0" and draft.origin in ("tool", "document"):
        raise Refused("What a tool or a document said is never part of the profile.")


def _tidy(text: str) -> str:
    return redact(visible(text)).strip()


def _labels(labels: tuple[str, ...]) -> tuple[str, ...]:
    tidy = (_tidy(" ".join(label.split()))[:LONGEST_NAME] for label in labels[:MOST_LABELS])
    return tuple(dict.fromkeys(label for label in tidy if label))


def _names(aliases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(without_marks, _labels(aliases)))))


def own_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """The tags that mean something to Recollect itself; who relabels an entry does not lose them."""
    return tuple(tag for tag in tags if tag == CORRECTION_TAG or tag.startswith((SECTION_TAG, SHELF_TAG)))


def names_after(old: Entry, content: str) -> tuple[str, tuple[str, ...]]:
    """The subject and the aliases of what takes an entry's place. Those that somebody gave stay; what came from the old
    text comes from the new one, "" if that does not tell."""
    if old.source == "system" and features(old.content).isdisjoint(features(content)):
        return guessed_subject(content), ()
    if old.subject and old.subject != guessed_subject(old.content):
        return old.subject, old.aliases
    subject = guessed_subject(content)
    if old.subject in GROUPS and subject not in GROUPS and not frame_of(content).subject:
        # "We use bun" may be about four things; in the place of "we use pnpm" it is about one.
        chosen = {group for item in frame_of(content).items for group in groups_of(item.alternative)}
        subject = old.subject if old.subject in chosen else subject
    return subject, old.aliases


def edited(
    entry: Entry,
    *,
    text: str | None = None,
    tags: Sequence[str] | None = None,
    subject: str | None = None,
    aliases: Sequence[str] | None = None,
    reason: str | None = None,
) -> Draft:
    """An entry with some of it changed, as a person's draft."""
    names = (entry.subject, entry.aliases) if text is None else names_after(entry, text)
    return Draft(
        entry.content if text is None else text,
        layer=entry.layer,
        scope="user" if entry.layer == "L0" else entry.scope,
        repository="" if entry.layer == "L0" else entry.repository,
        subject=names[0] if subject is None else subject,
        aliases=names[1] if aliases is None else tuple(aliases),
        reason=entry.reason if reason is None else reason,
        citations=entry.citations,
        tags=entry.tags if tags is None else (*own_tags(entry.tags), *tags),
        project=entry.project,
        task=entry.task,
    )


def agents_draft(draft: Draft, *, origin: Origin, session: str, instead_of: Entry | None = None) -> Draft:
    """A draft as an agent may write it: its own, with none of the tags that mean something to Recollect itself but a
    plain name of a section; in the place of what a person said, with the names that entry has."""
    kept = instead_of.tags if instead_of else ()
    tags = tuple(tag for tag in draft.tags if tag in kept or _may_tag(tag))
    mine = draft._replace(source="agent", origin=origin, session=session, tags=tags)
    if instead_of is None or draft.content == instead_of.content or not is_users_own(instead_of):
        return mine
    subject, aliases = names_after(instead_of, draft.content)
    return mine._replace(subject=subject, aliases=aliases, reason=instead_of.reason, tags=instead_of.tags)


def _may_tag(tag: str) -> bool:
    label = " ".join(tag.split())
    return not own_tags((label,)) or _SECTION.fullmatch(label) is not None


def _clean(citation: Citation) -> Citation:
    return citation._replace(path=_tidy(citation.path), symbol=_tidy(citation.symbol), quote=_tidy(citation.quote))


def draft_of(entry: Entry) -> Draft:
    """An entry as what somebody could want to say."""
    return Draft(
        entry.content,
        entry.layer,
        entry.scope,
        entry.repository,
        entry.subject,
        entry.aliases,
        tags=entry.tags,
        source=entry.source,
        origin=entry.origin,
    )


def to_entry(draft: Draft, *, entry_id: str, now: float) -> Entry:
    """A prepared draft as a new entry."""
    created = draft.created or now
    return Entry(
        entry_id,
        draft.layer,
        draft.scope,
        draft.content,
        draft.repository,
        draft.project,
        draft.task,
        draft.subject,
        draft.aliases,
        draft.reason,
        draft.citations,
        draft.tags,
        draft.source,
        draft.origin,
        draft.confidence,
        "active",
        "",
        created,
        now,
        0.0,
        0,
        0,
        0,
        created,
        0.0,
        draft.session,
    )


def merged(entry: Entry, draft: Draft, *, now: float) -> Entry:
    """An entry that was said again: citations united, the earliest first, and more confidence.

    What a person said is theirs: an agent that repeats it adds no names, reasons or evidence of its own."""
    if draft.source == "agent" and is_users_own(entry):
        if draft.origin != "typed":
            return entry
        draft = draft._replace(citations=(), tags=(), aliases=(), reason="", project="", task="")
    fresh = [citation for citation in draft.citations if citation not in entry.citations]
    return entry._replace(
        citations=(*entry.citations, *fresh)[:MOST_CITATIONS],
        tags=united_tags(entry, draft.tags),
        aliases=tuple(dict.fromkeys((*entry.aliases, *draft.aliases))),
        reason=entry.reason or draft.reason,
        project=entry.project or draft.project,
        task=entry.task or draft.task,
        confidence=round(min(0.99, entry.confidence + (1 - entry.confidence) * draft.confidence * 0.3), 4),
        # A person who says what an agent or the system wrote vouches for it.
        source="user" if draft.source == "user" else entry.source,
        origin="typed" if draft.origin == "typed" else entry.origin,
        updated=now,
    )
