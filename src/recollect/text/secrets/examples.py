"""Does a text carry a key, token or password, or an example of one? `find` leaves examples alone, because nobody can
use them; a file that is shared should have neither."""

from __future__ import annotations

from recollect.text.patterns import IGNORECASE, lazy
from recollect.text.secrets.names import classify
from recollect.text.secrets.redacting import kind_in
from recollect.text.secrets.values import MARKER, is_type

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
    r"(?=[\w.…*-]{0,200}(?:\d{3}|[xX]{3}|\.\.|…|\*\*|your|example|placeholder))[\w.…*-]{4,}"
)
# A name that is longer is none: whatever stands here, the search goes on behind it in a bounded number of steps.
_NAMED = r"(?P<before>[A-Za-z]\w{0,63}+[ -])?(?P<name>[A-Za-z][\w.-]{0,127}+)[\"'`*]{0,3}"
_ASSIGNED = lazy(r"(?<![A-Za-z0-9])" + _NAMED + r"(?:=|\s{0,8}:\s|\s=\s)\s{0,80}(?P<value>[\"'`]?[^\s\"'`,;)]+)")
_TOLD = lazy(
    r"(?<![A-Za-z0-9])" + _NAMED + r" (?:is|was|to|of|as|should be|must be) "
    r"(?P<value>[\"'`][^\s\"'`]+[\"'`]|[^\s\"'`]+?)(?=[.,;)]?(?:\s|$))",
    IGNORECASE,
)
_USED_AS = lazy(
    r"(?<![^\s(\"'`])(?P<value>[^\s(\"'`]++)[\"'`]? (?P<use>as|for) (?:(?:the|an?|your|its|our|my|any) )?" + _NAMED,
    IGNORECASE,
)
_LOGIN = lazy(
    r"(?<![\w/.-])(admin|root|guest|test|postgres|demo|user)[/:](?:\1|password|passwd|changeme|secret|1234?\d*)(?![\w/-]|\.\w)",
    IGNORECASE,
)
_FARTHER = lazy(
    r"\b(?:password|passphrase|token|secret|api key)s?\b[^.;:=]{1,80} (?:is|are) "
    r"[\"'`]?(?P<value>\S+?)[\"'`]?(?=[.,;)]{0,8}(?:\s|$))",
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


def _named(text: str) -> Iterator[tuple[str, str]]:
    """Every value beside the name of a secret, and how it stands there: "assigned" (in a file), "told", "as", "for"."""
    for pattern, assigned in ((_ASSIGNED, True), (_TOLD, False), (_USED_AS, False)):
        for match in pattern.finditer(text):
            before, name = (match["before"] or "").rstrip(" -"), match["name"].rstrip(".")
            # Behind "as the" the name comes first, and the sentence may go on.
            begun = pattern is _USED_AS and (classify(before) or (before or name).lower() == _BARE)
            if begun or classify(name, before):
                use = match["use"].lower() if pattern is _USED_AS else ""
                yield match["value"], "assigned" if assigned and "=" in match[0] else use or "told"


def _is_example(value: str, how: str) -> bool:
    """Could it be a credential, real or made up, and not where one is kept, a kind of one, or a word about it?"""
    bare = value.strip("\"'`.,;*")
    if len(bare) < 3 or _REFERENCE.match(bare):
        return False
    low = bare.lower()
    if how == "assigned" or low in _WEAK or low.rstrip("0123456789") in _WEAK or _MASK.search(bare):
        return True
    # Argon2 is for passwords, and so is whatever else has a digit in its name.
    mixed = any(map(str.isdigit, bare)) and any(map(str.isalpha, bare)) and not bare[0].isdigit()
    return mixed and how != "for" and not is_type(bare)
