"""Does a text carry a key, token or password, or an example of one? `find` leaves examples alone, because nobody can
use them; a file that is shared should have neither."""

from __future__ import annotations

from recollect.text.patterns import IGNORECASE, lazy
from recollect.text.secrets.names import classify
from recollect.text.secrets.redacting import kind_in
from recollect.text.secrets.values import MARKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# How keys start that nothing else is called, and what may follow: an example is often cut off or masked.
_KEY = lazy(
    r"(?<![\w-])(?:[rs]k[-_](?:live|test|proj|prod|ant|admin|svcacct)[-_]|gh[oprsu]_|github_pat_|glpat-|xox[abcdeoprs]-"
    r"|whsec_|shp(?:at|ca|pa|ss)_|do[opr]_v1_|rcl_|AIza|A[KS]IA(?=[A-Z0-9.…*]))[\w.…*-]{4,}"
)
# These also start other names: only digits, a mask or a word of a stand-in tells.
_LIKELY_KEY = lazy(
    r"(?<![\w-])(?:sk-|pk_(?:live|test)_|hf_|npm_|pypi-|SG\.|hvs\.|eyJ)"
    r"(?=[\w.…*-]*(?:\d{3}|[xX]{3}|\.\.|…|\*\*|your|example|placeholder))[\w.…*-]{4,}"
)
_NAMED = r"(?P<before>[A-Za-z]\w*[ -])?(?P<name>[A-Za-z][\w.-]*)[\"'`*]{0,3}"
_ASSIGNED = lazy(_NAMED + r"(?:=|\s*:\s|\s=\s)\s*(?P<value>[\"'`]?[^\s\"'`,;)]+)")
_TOLD = lazy(
    _NAMED + r" (?:is|was|to|of|as|should be|must be) (?P<value>[\"'`][^\s\"'`]+[\"'`]|[^\s\"'`]+?)(?=[.,;)]?(?:\s|$))",
    IGNORECASE,
)
_USED_AS = lazy(r"(?P<value>[^\s(\"'`]+)[\"'`]? (?:as|for) (?:(?:the|an?|your|its|our|my|any) )?" + _NAMED, IGNORECASE)
_LOGIN = lazy(
    r"(?<![\w/.-])(admin|root|guest|test|postgres|demo|user)[/:](?:\1|password|passwd|changeme|secret|1234?\d*)(?![\w/-]|\.\w)",
    IGNORECASE,
)
_FARTHER = lazy(
    r"\b(?:password|passphrase|token|secret|api key)s?\b[^.;:=]{1,80} (?:is|are) "
    r"[\"'`]?(?P<value>\S+?)[\"'`]?(?=[.,;)]*(?:\s|$))",
    IGNORECASE,
)
_BARE = "key"  # too common a name to tell alone, but not behind "as the"
_WEAK = frozenset(
    "admin changeme changeit demo dummy example foobar guest hunter2 letmein password passw0rd postgres qwerty root "
    "secret swordfish test tester welcome xxx xxxx xxxxx abc123".split()
)
_MASK = lazy(
    r"[xX]{4}|\*{3}|\.{3}|…|_here\b|-here\b|(?:^|[^a-z])your[^a-z]|change_?-?me|placeholder|example", IGNORECASE
)
_REFERENCE = lazy(r"[$%@{]|\w+[.(:]\w|(?:none|null|true|false|required|optional|unset|empty)\b", IGNORECASE)


def carries_credential(text: str) -> bool:
    """Is a secret in it, what was left where one was taken out, or an example of one?"""
    if MARKER in text or kind_in(text) or _KEY.search(text) or _LIKELY_KEY.search(text) or _LOGIN.search(text):
        return True
    told = any(match["value"].lower() in _WEAK for match in _FARTHER.finditer(text))
    return told or any(_is_example(*found) for found in _named(text))


def _named(text: str) -> Iterator[tuple[str, bool]]:
    """Every value that stands beside the name of a secret; and whether it was assigned, as in a file or a command."""
    for pattern, assigned in ((_ASSIGNED, True), (_TOLD, False), (_USED_AS, False)):
        for match in pattern.finditer(text):
            before, name = (match["before"] or "").rstrip(" -"), match["name"].rstrip(".")
            # Behind "as the" the name comes first, and the sentence may go on.
            begun = pattern is _USED_AS and (classify(before) or (before or name).lower() == _BARE)
            if begun or classify(name, before):
                yield match["value"], assigned and "=" in match[0]


def _is_example(value: str, assigned: bool) -> bool:
    """Could it be a credential, real or made up, and not where one is kept, or a word about it?"""
    bare = value.strip("\"'`.,;*")
    if len(bare) < 3 or _REFERENCE.match(bare):
        return False
    low = bare.lower()
    mixed = any(map(str.isdigit, bare)) and any(map(str.isalpha, bare)) and not bare[0].isdigit()
    return assigned or low in _WEAK or mixed or _MASK.search(bare) is not None
