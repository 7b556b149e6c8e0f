"""Whether a text speaks for the user: says what they allowed, approved, agreed to, want or said.

Only the person can say that. Strict and simple: it is enough that a word for the person stands near a word of consent
or speech, or that something is called approved at all. A fact that is caught by mistake waits for a person; nothing is
lost.
"""

from __future__ import annotations

from unicodedata import normalize

from recollect.text.patterns import lazy
from recollect.text.unseen import visible

NEAR_WORDS = 12

_PERSONS = frozenset(
    "user human person owner operator maintainer boss he she i me my mine myself"
    # German, French, Spanish, Portuguese, Italian, Dutch, Russian
    " benutzer nutzer anwender utilisateur l'utilisateur usuario usuário utente l'utente gebruiker пользователь".split()
)
_SAID = frozenset(
    "approve approves approving approval approvals allow allows allowed allowing permit permits permitted permission"
    " permissions consent consents agree agrees agreed agreement confirm confirms confirmed confirmation authorise"
    " authorises authorised authorize authorizes authorized authorisation authorization grant grants granted accept"
    " accepts accepted okay okays okayed ok ok'd fine happy comfortable mind minds blessing blessed go-ahead"
    " waives waiver trusts trusted delegated endorsed endorses vouched say says said saying tell tells told ask asks"
    " asked want wants wanted wish wishes wished requested instruct instructs instructed instruction instructions"
    " ordered demand demands demanded insist insists insisted stated mentioned explained"
    " promised decides decided declared indicated replied answered typed wrote word words lets let gave given"
    # the same in other languages
    " erlaubt erlaubte genehmigt genehmigte zugestimmt gesagt sagt sagte wollte approuvé autorisé permis dit veut"
    " aprobó aprobado autorizó autorizado permitió permitido dijo quiere aprovou autorizou permitiu disse quer"
    " approvato autorizzato permesso detto vuole goedgekeurd toegestaan gezegd одобрил разрешил сказал хочет".split()
)
_APPROVED = frozenset(
    "approved preapproved pre-approved consented okayed greenlit green-lit greenlighted green-lighted waived".split()
)
_CJK_PERSON = lazy("用户|用戶|使用者|ユーザー?|사용자")
_CJK_SAID = lazy("批准|准许|准許|允许|允許|同意|承認|許可|授权|授權|说|說|言|要求|승인|허락|허용|동의|말")
_EDGES = "'\"“”„«».,:;!?*_`~()[]{}<>-–—…"


def speaks_for_user(text: str) -> bool:
    """Does this text say what the user allowed, wants or said?"""
    plain = normalize("NFKC", visible(text)).replace("’", "'").casefold()
    if not plain.isascii() and _CJK_PERSON.search(plain) and _CJK_SAID.search(plain):
        return True
    person = said = -1
    for at, raw in enumerate(plain.split()):
        word = raw.strip(_EDGES).removesuffix("'s")
        if word in _APPROVED:
            return True
        person = at if word in _PERSONS else person
        said = at if word in _SAID else said
        if min(person, said) >= 0 and abs(person - said) <= NEAR_WORDS:
            return True
    return False
