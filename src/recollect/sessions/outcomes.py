"""How a session ended: the last finished statement about the work, with the commits and pull requests made.

What somebody is about to do, asks or offers is no outcome. Sentences are read by their first words and their verbs; in
a language that is not known here, whatever the assistant said last stands, as long as it is no question.
"""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.sessions.committed import committed
from recollect.text.cutting import cut_short
from recollect.text.language.order_words import NOUNS, VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from recollect.model.sessions import ToolUse, Turn

LONGEST = 300
MOST_SENTENCES = 3
SHORTEST_WORDS = 3  # fewer are a name or a greeting
SHORTEST_REQUEST = 15  # characters; whoever typed less, and had nothing run, said hello
MOST_COMMITS = 3

_FENCE = re.compile(r"```.*?(?:```|\Z)|<{5,9} SEARCH.*?(?:>{5,9} REPLACE|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARKS = re.compile(
    r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|\[(?=[^\]\n]*\]\()|(?<=\])\([^)\s]*\)|(?<=\w)\](?=\()"
)
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\s]*\)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'“(\[]?[A-Z0-9À-ÖØ-Þ✅✓])|(?<=[。！？])\s*|\n+")
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+|^\s*\|")
_HEADING = re.compile(r"^\s*#{1,6}\s|^\s*\*\*[^*]+\*\*:?\s*$|^\s*[-=_]{3,}\s*$")

_FILLER = (
    r"(?:(?:ok(?:ay)?|great|good|perfect|excellent|nice|wonderful|now|next|first|second|then|alright|right|so|oops"
    r"|hmm|wait|oh"
    r"|oh no|ah|aha|got it|sure|understood|thanks|thank you|finally|also|and|but|actually|absolutely|certainly"
    r"|of course"
    r"|sorry|apologies|yes|no|done|one moment|since [^,]{1,60}|before [^,]{1,60}|after [^,]{1,60}|with [^,]{1,60}"
    r"|as [^,]{1,60}|to [^,]{1,80})\b[,.!:;—–-]*\s+)*"
)
# Any word that says what somebody is at; "nothing" and the like say what there is.
_DOING = (
    r"(?!(?:noth|everyth|someth|anyth|dur|remain|exist|miss|follow|includ|accord|regard|us|warn|str|see|concern|barr"
    r"|spr|th)ing\b)"
    r"(?:re-?)?[a-z]+ing"
)
_ORDER = (
    r"(?:(?:fetch|verify|rerun|grep|inspect|investigate|explore|wait for|look at|read|dispatch|proceed|delegate"
    r"|review)\b(?!:)"
    r"|(?:check|run|commit|push|update|write|create|start|launch|spawn|continue|confirm|find|apply|build|test|fix"
    r"|add|lint|use)"
    r" (?:the|a|an|all|this|these|that|those|it|everything|both|now|what|whether|if|any|how|again|and|whenever)\b)"
)
# What the speaker is about to do, wherever it stands first in a sentence.
_INTENT = re.compile(
    rf"^{_FILLER}(?:let me(?! know)|let['’]s|let us|i(?:['’]ll| will| shall|['’]d (?:like|suggest|recommend)"
    rf"| would (?:like|suggest)"
    rf"| need to| want to| plan to| have to| should| must| can (?:now )?(?:see|try|start|proceed|check)| also need)"
    rf"|i(?:['’]m| am) (?:now |also |just |still |currently |then |first )?(?:going to|about to|{_DOING})"
    rf"|we(?:['’]ll| will| need to| should| must| have to|['’]re going to| can (?:now|then))|(?:going|time|about"
    rf"|ready) to"
    rf"|{_DOING}\b|{_ORDER}|here(?:['’]s| is| are) (?:the|my|a|an|how|what) (?:plan|approach|idea|proposal|change"
    rf"|changes|code|steps?|edits?|updated?|"
    r"modif\w+|implementation|diff|new|full|complete)"
    r"|(?:my|the) (?:plan|next step)|next(?: step)?s?[,:]|to (?:do|fix|address|implement|solve|make|add|achieve"
    r"|resolve|create) [^.]*,"
    r"|you (?:can|could|should|need|will|may|might)|please\b|make sure|try (?:to|the|this|it|again)"
    r"|(?:make|change|update|add|modify|replace) (?:the|these|those|this|your|a)\b)",
    re.IGNORECASE,
)
# The same behind something else: "..., then I'll push".
_INTENT_LATER = re.compile(
    rf"\b(?:i|we)['’]ll\b|\bi(?:['’]m| am) (?:now |still |then |also )?(?:going to|{_DOING})\b|\blet me (?!know)"
    rf"|\bbefore i \w+"
    r"|\b(?:still|now) (?:running|building|waiting|in progress)\b|\bnow (?:let|i need)\b|\bcoming next\b|\bnext,? i\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    rf"^{_FILLER}(?:if you(?:['’]d| would| want| like| prefer| need)|want me to|would you|do you|shall i|should i"
    rf"|let me know|happy to|feel free"
    r"|just (?:say|let)|say the word|i can (?:also )?|i could |is there anything|anything else|tell me|which (?:one"
    r"|of)|what would)",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"^(?:you(?:['’]re| are) (?:welcome|right|absolutely|correct)|no problem|glad|good (?:question|catch|point|call"
    r"|idea)|great (?:question|idea)"
    r"|sounds good|understood|got it|thanks?|sorry|i apologi[sz]e|my apologies|i (?:see|understand)|hello|hi\b|hey\b"
    r"|as an ai|ok(?:ay)?[.!]?$"
    r"|sure[.!]?$|certainly[.!]?$|yes[.!]?$|no[.!]?$|👍)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:done|finish\w*|complet(?:ed?|ely)|fix(?:ed|es)|add(?:ed|s)|remov(?:ed|es)|delet(?:ed|es)|renam(?:ed|es)"
    r"|creat(?:ed|es)|updat(?:ed|es)"
    r"|implement(?:ed|s)|chang(?:ed|es)|mov(?:ed|es)|merg(?:ed|es)|pushed|committed|opened|closed|published|released"
    r"|deployed|installed"
    r"|configured|refactored|replac(?:ed|es)|wired|resolv(?:ed|es)|landed|pass(?:es|ed)?|green|works?|working"
    r"|verified|confirmed|in place"
    r"|now (?:[a-z]+s|have|are)|no longer|is (?:clean|gone|live|up|set)"
    r"|are (?:clean|gone|live|up|set)|all set|reverted|rebased|wrote|written|killed|sent|recorded|documented"
    r"|validated|failed|fails|blocked|could(?: not|n['’]t)"
    r"|found|built|shipped|switched|split|extracted|converted|bumped|tagged|cherry-picked|set up|succe\w+|applied"
    r"|posted|replied|commented|answered|reviewed|amended|squashed|rewrote|rewritten|made|kept|left|turned|already"
    r"|dropped"
    r"|cleaned|restored|enabled|disabled|stopped|started|tested|ran|were|was|has been|have been)\b"
    r"|しました|ました|完了|済み|できました|已|完成|修复了|添加了|terminé|ajouté|corrigé|hinzugefügt|erledigt|behoben|añadid|corregid|готово"
    r"|исправлен|добавлен",
    re.IGNORECASE,
)
_NOW_ORDER = re.compile(
    r"^now,? (?!(?:uses?|has|have|is|are|supports?|reads?|handles?|returns?|shows?|runs?|accepts?|that|only|also"
    r"|all)\b)[a-z]+",
    re.IGNORECASE,
)
_ENDS_NOW = re.compile(r"\bnow[.:!]*$", re.IGNORECASE)
# What only says something together with the sentence before it.
_LEANS = re.compile(r"(?:it|they|its|their|the rest|the others?|otherwise)\b", re.IGNORECASE)
# How somebody begins who is through with something.
_OPENER = re.compile(
    r"^(?:✅|✓|🎉)?\s*(?:all )?(?:done|fixed|finished|completed?|implemented|committed|pushed|posted|merged|created"
    r"|published|opened"
    r"|deployed|released|resolved|shipped|landed|added|updated|removed|all set|summary|built|cleaned up|rebased"
    r"|reverted"
    r"|i(?:['’]ve| have) (?:now |also )?(?!got\b|been\b)[a-z]+(?:ed|en|ut|de|lt|ne)\b|i (?:added|fixed|updated"
    r"|created|removed|changed|implemented|pushed)"
    r"|(?:draft )?pr (?:is |was )?(?:created|opened|updated|merged))\b",
    re.IGNORECASE,
)
# How a report calls the part that says what came of it, as a heading or in front of a sentence.
_CONCLUDES = re.compile(
    r"^[#*\s]*(?:summary|conclusions?|verdict|(?:my )?recommendation|bottom line|tl;?dr|overall|in short"
    r"|(?:risk )?assessment)\b[^.\n]{0,30}?(?:[:*—–]|$)",
    re.IGNORECASE | re.MULTILINE,
)
_PLANNED = re.compile(r"(?:します|ましょう|でしょうか|ください|してみます|将|让我|我会|我来)[。.！!]?$")
_PULL_REQUEST = re.compile(r"https?://[\w.-]+/[\w.-]+/[\w.-]+/(?:pull|-/merge_requests|pull-requests)/(\d+)\b")
_CREATES_REQUEST = re.compile(
    r"(?:^|[;&|(\n])\s*(?:gh pr create|glab mr create|gh api\b.*\bpulls)\b|create_pull_request|create_merge_request"
)
_MERGES_REQUEST = re.compile(r"\bgh pr merge\b(?:[^\n&|;]*?\s(?:#|https?://\S+/)?(\d+)\b)?")


_TROUBLE = re.compile(
    r"\b(?:issue|problem|error|errors|bug|wrong|unfortunately|oops|trying|hasn['’]t|haven['’]t|expected|remaining"
    r"|seems?|looks like)\b",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"\b(?:should|must|would|could(?! not)|needs? to|has to|have to|ought to|to be|might|may)\b", re.IGNORECASE
)
# An address alone, courtesies, and what a host counts.
_ADDRESS = re.compile(
    r"^\S*https?://\S+$|.*\b(?:feel free|let me know|happy to help|here to (?:help|assist)|glad to help)\b"
    r"|(?:tokens|cost): [\d$]|use --no-stream|.*\d+ characters \.\.\.\]",
    re.IGNORECASE,
)


class Outcome(Record):
    """What was said at the end of the work, and what was left of it in git."""

    says: str = ""
    commits: tuple[str, ...] = ()  # their subjects, oldest first
    requests: tuple[str, ...] = ()  # numbers of pull requests that were opened
    merged: tuple[str, ...] = ()  # and of those merged

    def lines(self) -> list[str]:
        """For people: the statement, then what can be looked up."""
        more = len(self.commits) - MOST_COMMITS
        kept = [f"“{subject}”" for subject in self.commits[-MOST_COMMITS:]]
        committed = f"Committed {', '.join(kept)}" + (f" and {more} more" if more > 0 else "") if kept else ""
        asked = f"Opened pull request {', '.join(f'#{one}' for one in self.requests)}" if self.requests else ""
        merged = f"Merged pull request {', '.join(f'#{one}' for one in self.merged)}" if self.merged else ""
        return [*filter(None, (self.says, "; ".join(filter(None, (committed, asked, merged)))))]


def outcome(turns: Sequence[Turn], cwd: str = "") -> Outcome:
    """How these turns ended. Of the turns with work in them the last that says what was done; without any, the last
    answer. Commits of other repositories than the one of `cwd` do not count."""
    commits = tuple(committed(turns, cwd))
    requests = tuple(dict.fromkeys(_requests(turns)))
    merged = tuple(dict.fromkeys(_merged(turns)))
    return Outcome(_statement(turns), commits, requests, merged)


def _statement(turns: Sequence[Turn]) -> str:
    if not any(turn.tools for turn in turns) and sum(len(turn.user) for turn in turns) < SHORTEST_REQUEST:
        return ""
    told = [(turn, finished(turn.assistant)) for turn in turns]
    tries: tuple[list[str], ...] = (
        [says for turn, says in told if says and _has_work(turn) and _is_done(says)],
        [says for _, says in told if says and _is_done(says)],
        [says for _, says in told if says],
    )
    return next((found[-1] for found in tries if found), "")


def _has_work(turn: Turn) -> bool:
    return any(tool.kind in ("change", "command") and tool.ok is not False for tool in turn.tools)


def finished(text: str) -> str:
    """What a text says at its end that is finished: its last message without plans, questions and offers; while
    somebody is still at it, the last thing that was done."""
    paragraphs = _paragraphs(text)
    start = _last_message(paragraphs)
    statements = [one for part in paragraphs[start:] for one in _statements(part)]
    done = [number for number, one in enumerate(statements) if _is_done(one)]
    if statements:
        by_itself = (number for number in done if not _LEANS.match(statements[number]))
        return _joined(statements[next(by_itself, done[0] if done else 0) :])
    # Nothing but work in progress: whatever was done last.
    last = [one for part in paragraphs for one in _statements(part) if _is_done(one) and not _TROUBLE.search(one)]
    return _joined(last[-1:])


def last_sentences(text: str) -> list[str]:
    """The sentences of the last message of a text."""
    paragraphs = _paragraphs(text)
    return [one for part in paragraphs[_last_message(paragraphs) :] for one in _sentences(part)]


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", _FENCE.sub("\n\n", text)) if part.strip()]


def _last_message(paragraphs: Sequence[str]) -> int:
    """Where the last message begins: behind the last paragraph that says what somebody is about to do; if somebody then
    says that they are through, there."""
    start = 0
    for number in range(len(paragraphs) - 1, -1, -1):
        part = paragraphs[number]
        if not _BULLET.match(part) and not _HEADING.match(part) and any(map(_is_intent, _sentences(part))):
            start = number + 1
            break
    through = next((number for number in range(start, len(paragraphs)) if _is_through(paragraphs[number])), -1)
    return through if through >= 0 else max(start, _conclusion(paragraphs))


def _conclusion(paragraphs: Sequence[str]) -> int:
    """Where a report begins to say what came of it; 0 if it has no such part."""
    for number in range(len(paragraphs) - 1, 0, -1):
        if _CONCLUDES.match(paragraphs[number]) and any(_statements(one) for one in paragraphs[number:]):
            return number
    return 0


def _is_through(part: str) -> bool:
    """Does it begin as somebody does who is through with it? The head of a list ("Added scope:") says nothing yet."""
    first = _sentences(part)[0]
    return _OPENER.match(first) is not None and not first.endswith((":", "："))


def _statements(part: str) -> list[str]:
    """The sentences of a paragraph that state something; of a list only what was done."""
    found = []
    for line in part.splitlines():
        if _HEADING.match(line) or line.lstrip().startswith(("|", ">")):
            continue
        listed = _BULLET.match(line)
        for sentence in _sentences(_BULLET.sub("", line)):
            if _states(sentence) and (not listed or _is_done(sentence)):
                found.append(sentence)
    return found


def _states(sentence: str) -> bool:
    is_short = sentence.isascii() and len(sentence.split()) < SHORTEST_WORDS and not _OPENER.match(sentence)
    if is_short or sentence.endswith((":", "：", "?", "？")):
        return False
    if any(aside.match(sentence) for aside in (_OFFER, _CHATTER, _ADDRESS)):
        return False
    return not _is_intent(sentence) and not _is_advice(sentence)


def _is_done(text: str) -> bool:
    """Does it say that something was done, and not only that it should be?"""
    return any(_DONE.search(one) and not _WISHED.search(one) for one in _sentences(text))


def _is_intent(sentence: str) -> bool:
    if _OPENER.match(sentence) and not _INTENT_LATER.search(sentence):
        return False
    if _INTENT.match(sentence) or _INTENT_LATER.search(sentence) or _PLANNED.search(sentence):
        return True
    return bool(_NOW_ORDER.match(sentence) or (_ENDS_NOW.search(sentence) and not _is_done(sentence)))


def _is_advice(sentence: str) -> bool:
    """Does it begin with what the reader is to do: "Replace the calls ...", "Run it again"?"""
    first, _, rest = sentence.partition(" ")
    return bool(rest) and first.lower() in VERBS and first.lower() not in NOUNS


def _sentences(text: str) -> list[str]:
    plain = _MARKS.sub("", _LINK.sub(r"\1", text))
    return [" ".join(part.split()) for part in _SENTENCE.split(plain) if part and part.strip()] or [""]


def _joined(sentences: Sequence[str]) -> str:
    """The first of these that fit, as one text."""
    text = ""
    for sentence in sentences[:MOST_SENTENCES]:
        ended = sentence if sentence[-1] in ".!?。！？" else f"{sentence}."
        if text and len(text) + 1 + len(ended) > LONGEST:
            break
        text = f"{text} {ended}".strip()
    return cut_short(text, LONGEST)


def _commands(turns: Iterable[Turn]) -> Iterator[ToolUse]:
    return (tool for turn in turns for tool in turn.tools if tool.ok is not False)


def _requests(turns: Iterable[Turn]) -> Iterator[str]:
    for tool in _commands(turns):
        if _CREATES_REQUEST.search(tool.target if tool.kind == "command" else tool.name):
            yield from _PULL_REQUEST.findall(tool.output)[-1:]


def _merged(turns: Iterable[Turn]) -> Iterator[str]:
    for tool in _commands(turns):
        if tool.kind == "command" and tool.ok:
            yield from filter(None, _MERGES_REQUEST.findall(tool.target))
