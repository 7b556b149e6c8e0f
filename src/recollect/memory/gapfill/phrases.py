"""The phrases and word classes that signs are read from: closed-class patterns over lower-case words. Data."""

from __future__ import annotations

import re

from recollect.text.language import grammar as g

STANDING = re.compile(
    r"\b(?:from (?:now|here|this point|today) on(?:wards?)?|going forwards?|moving forwards?"
    r"|for (?:the )?future(?= *$| *,| *:| run| use| ref)"
    r"|in (?:the )?future(?= *$| *,| please)|at all times|as a (?:general )?rule|in general|by convention"
    r"|remember that|(?:keep|bear) in mind|(?:do not|never) forget that|never forget|under no circumstances?"
    r"|no matter (?:what|how))\b"
)
EACH_TIME = re.compile(r"\b(?:each|every|next) ?time\b|\bwhenever\b")
ENDED = re.compile(r"\b(?:no longer|any ?more)\b")
TOLD = re.compile(
    r"\b(?:i (?:have )?(?:already |just )?(?:told|asked) you|(?:like|as) i (?:have )?(?:already )?(?:said|told"
    r"|mentioned|"
    r"asked)|how many times|we (?:have )?(?:already )?(?:agreed|decided|settled)|you (?:always|again))\b"
)
KEEPS = re.compile(r"\byou (?:keep|kept) \w+ing\b")
WOULD_RATHER = re.compile(r"\b(?:i|we) would (?:\w+ )?(?:prefer|rather|like (?:it|them)|only want)\b")
PREFERS = re.compile(
    r"\b(?:i|we) (?:do |would )?(?:really |strongly |always |usually |generally |personally |much )*"
    r"(?:(?<!would )(?:prefer|hate|dislike)|only want)\b|\b(?:my|our) preference\b|\bi (?:do not|never) (?:like"
    r"|want) (?:it when|when|to see|any)\b"
    r"|\bi do not like (?!the|this|that|it\b|how|these|those|your|where|what)\w+"
    r"|\bi (?:really |always )?like (?:it when|when|my|our|to have|\w+ (?:more|better) than)\b"
)
MEMORY = re.compile(
    r"\b(?:remember|memori[sz]e|note|save|store|record|add|put|write|document|log|keep)\b.{0,60}?\b(?:memory"
    r"|memories|learnings?"
    r"|next (?:time|session)s?|future (?:sessions?|reference))\b|\bremember (?:this|that|to|:)|\bmemori[sz]e\b"
)
NO_NEED = re.compile(r"\bno need for (?!a |an |the |this|that|it\b|now)")
ACCESS = re.compile(
    r"\byou (?:do not |now |already |also |should |still )*(?:have|can|could|are|cannot)\b.{0,40}?\b(?:access"
    r"|permissions?|rights"
    r"|credentials?|keys?|yourself|internet|network|sudo|root|sandbox(?:ed)?|able|allowed)\b"
)
OVER = re.compile(r"\b(?:instead of|rather than)\b|\bnot \S+ but\b")
WORK = (
    "writing committing pushing testing coding editing refactoring implementing creating making reviewing"
    " debugging deploying"
    " answering responding replying explaining generating finishing working fixing changing touching merging"
    " planning naming"
).replace(" ", "|")
PROCESS = re.compile(
    rf"^(?:when|whenever) (?:ever )?(?:you (?!are|have|finish|complete)|(?:{WORK})\b|i (?:say|ask|tell|type|mention)\b)"
)
CONSENT = re.compile(
    r"\b(?:without|unless|before)\b.*\b(?:asking|permission|approval|consent|(?:i|me) (?:say|tell|ask"
    r"|approve|confirm|told))\b"
    r"|^ask (?:[\w.-]+ ){0,3}?(?:first|before)\b|\bask (?:me )?(?:first|before)\b"
    r"|\b(?:without|before) (?:checking|talking) (?:with|to) me\b"
    r"|\bno need to ask\b"
)
SYMPTOM = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure|ures)?|broken?|breaks|bugs?|bugged|crash(?:es|ed|ing)?|wrong|weird"
    r"|issues?|stuck|missing"
    r"|slow|conflicts?|flaky|problems?|warnings?|exceptions?|hangs?|freezes?|regression)\b"
)
FORBIDDEN = re.compile(r"\b(?:is|are) not (?:allowed|permitted)\b|\b(?:forbidden|prohibited|off limits|mandatory)\b")
DEFINITE = frozenset("the this that these those it them him her".split())
THINGS = frozenset("the our my name plural all other".split())
OF_THE_MOMENT = frozenset(
    "issue problem question bug error idea goal reason point thing thinking assumption task plan result fix next"
    " suggestion option way answer pr branch commit terminal browser screen session container change changes concern"
    " step screenshot trace stacktrace traceback log logs message line"
    " build page button modal menu here there above below output row rows".split()
)
SELF = frozenset(
    "use prefer work deploy host maintain own speak live manage avoid hate dislike favor favour develop"
    " review approve".split()
)
CHOICES = frozenset("use prefer run install switch stick deploy write choose pick keep adopt migrate".split())


DECIDED = frozenset("use adopt support drop switch migrate move keep stick rely deploy host target require".split())
TALKING = frozenset(
    "explain summarize summarise apologise apologize repeat suggest offer recommend praise thank".split()
)
BOOKS = frozenset("guidelines guideline rules conventions memory memories learnings instructions".split())
SPEAKING = frozenset("reply respond answer speak talk be write explain".split())
NOT_A_NAME = g.PREPOSITIONS | g.ADVERBS | frozenset("twice once wrong wrongly again when after before . ,".split())
SHOWN_NOW = frozenset("this that these those it option first second third latter former".split())

WHOLES = frozenset("project repo repository codebase team company monorepo".split())
OWNERS = frozenset("team company group department vendor client customer".split())

GROUND_THINGS = g.GROUND - g.PRACTICE - OF_THE_MOMENT | frozenset("service api module library package".split())
MISBEHAVES = frozenset("twice too double again still anymore correctly properly today now suddenly".split())
FEW = frozenset("nothing none time two three four five six this that these those".split())
NOT_CHOSEN = DEFINITE | {"a", "an", "your"}
DEGREES = frozenset("bit little lot tad touch few couple while tiny".split())  # a bit unclear: a mood, not a kind
AUDIENCE = frozenset("users customers people visitors players clients members".split())
OWN_WORK = frozenset("code function file script class query test app input output page".split())
TROUBLE = frozenset("problem issue reason bug trouble thing error symptom".split())
ANAPHORS = frozenset("it this that them these those".split())
VERSED = frozenset("new used familiar unfamiliar experienced fluent".split())
OFFICES = frozenset("only lead main maintainer owner author admin administrator founder".split())

# Combined once: these stand in tests that every clause pays for.
AFTERTHOUGHTS = g.CONDITIONS - {"if", "once"}
REASONS = g.REASONS - {"so"}
SHOWN_OR_THEM = SHOWN_NOW | {"them"}
NO_OBJECT = DEFINITE | {"to", "you"}
HABITUAL = g.FREQUENCY | {"only", "still"}
PRONOUNS = DEFINITE - {"the"}
STATES = g.STATES - {"called", "named"}
UNIVERSAL_VERBS = (g.STATE_VERBS | g.STATES | {"have", "need"}) - {"work", "works"}
AGAINST = frozenset("not no instead rather but".split())
ASKING = frozenset("ask asking permission approval consent unless until without before".split())
# Without one of these an order, a question or a fragment has nothing to say beyond its moment.
TELLING = (
    AGAINST
    | ASKING
    | g.MANNER
    | SPEAKING
    | TALKING
    | frozenset(
        "never always ever use prefer stop avoid quit remember memorize memorise memory memories learnings"
        " session sessions"
        " reference now here forward forwards future time times anytime rule general convention next mind forget matter"
        " circumstances circumstance possible default whenever why told said keep kept your forbidden prohibited"
        " mandatory"
        " allowed permitted no again".split()
    )
)
THIS_TIME = re.compile(
    r"\bat the moment\b|\bthis (?:time|change|pr|branch|commit|task|ticket|feature|release|sprint|week|session"
    r"|one|file)\b"
    r"|\bby (?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day\b"
)
EVALUATIONS = frozenset(
    "mess disaster problem nightmare joke pain one shame pity good bad bit lot little must great".split()
)
