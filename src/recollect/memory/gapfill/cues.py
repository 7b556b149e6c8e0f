"""Cues of one sentence: small closed lists of words that say how it is meant, whatever it is about.

None of them decides anything. The scorer learns what each is worth, alone and beside another one.
"""

from __future__ import annotations

import re

_CUES = {
    # for how long
    "now": r"\b(?:today|tonight|tomorrow|yesterday|this (?:time|round|run|morning|afternoon|evening|week|once"
    r"|step|session"
    r"|pr|branch|commit|demo|one)|(?:for|right|just|until|till) now|at the moment|meanwhile|just once"
    r"|in (?:an? )?(?:minute|moment|bit|hour)|(?:on|by) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\d{4}-\d\d)"
    r"|after lunch|until|till|(?:don'?t|do not) [^.,;]{2,40} (?:yet|now)"
    r"|for this (?!repo|project|code ?base|app\b|team|reason)\w+"
    r"|just for (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)"
    r"|as of now|hoy|mañana|ahora|heute|morgen|jetzt|aujourd'hui|maintenant|demain)\b|今回|今は",
    "again": r"\b(?:again|still|yet|any ?more|already|back|another|next|first|then)\b",
    "for_good": r"\b(?:from (?:now|here) on|in (?:the )?future|going forward|in general|generally|as a rule|by default"
    r"|(?:every|each|any|next) ?time|whenever|here and elsewhere|everywhere|long term|for good|permanently|ab jetzt"
    r"|in zukunft|à l'avenir|a partir de ahora|immer|siempre|toujours|sempre|всегда)\b"
    r"|以后|今后|每次|总是|一律|統一|统一|今後|常に|必ず|毎回|方針",
    "ever": r"\b(?:always|never|ever|mustn't|must not)\b|絶対",
    # how it is meant
    "must": r"\b(?:must|ha(?:s|ve) to|needs? to|should|shall|supposed to|required|mandatory|hay que|muss|müssen"
    r"|doit|deve"
    r"|debe)\b|必须|应该|需要|こと$",
    "forbid": r"\b(?:do(?:es)? not|don'?t|doesn't|not allowed|forbidden|no longer|avoid|stop \w+ing|without|rather than"
    r"|instead of|neither|nicht|kein\w*|nunca|non)\b|不要|不能|不用|禁止|ないで|ません",
    "only": r"\b(?:only|exclusively|nothing else|just)\b",
    "every": r"\b(?:every|each|all|any|anything|everything|everyone|nobody|whoever|both)\b",
    "prefer": r"\b(?:prefer\w*|rather|like (?:it|to|my|when|short|the)|love|hate|fan of|easier|usually|tend to|favou?r"
    r"|spare me|please always|mag|lieber|prefiero)\b",
    "want": r"\b(?:i|we)(?:'d| would)? (?:want|like|need|wish)\b"
    r"|\b(?:quiero|necesito|ich möchte|je veux|voglio)\b|我想|希望|ほしい",
    "suppose": r"\b(?:what if|suppose|imagine|pretend|if we|if i|would|could|might|wonder\w*|hypothetically|were to"
    r"|if only|one day"
    r"|someday)\b",
    "doubt": r"\b(?:maybe|perhaps|think|thought|heard|hopefully|apparently|guess|probably|seems?|likely|not sure"
    r"|unsure|feel|suggest|propose|hm+)\b",
    "joke": r"\b(?:lol|ha(?:ha)+|lmao|phew|wow|ugh|damn|funny|joke|fun)\b|[:;]-?\)|😂|🤣",
    "reported": r"\b(?:says?|said|wrote|writes|told (?:me|us)|asked|quoted?|according to|(?:read|saw) somewhere)\b",
    "ask": r"\b(?:can|could|would|will) (?:you|u|we|i)\b|\b(?:how (?:do|can|to|about)|what(?:'s| is| are"
    r"| about)|why|where"
    r"|which|is there|are there|do you|does|is it|should (?:i|we))\b|ますか|吗|嗎",
    "please": r"\b(?:please|pls|plz|por favor|bitte|s'il)\b|请|ください|お願い",
    "agree": r"^\W*(?:yes|yep|yeah|ok|okay|sure|good|great|nice|perfect|thanks|go ahead|do it|fine|cool|right|exactly"
    r"|love it)\b",
    "object": r"^\W*(?:no|nope|nah|not quite|wrong|wait|hold on|actually|but|stop)\b",
    "tell": r"\b(?:btw|by the way|fyi|for (?:the record|your information|reference|context|future reference)"
    r"|good to know"
    r"|note that|note:|keep in mind|be aware|remember|heads up|important|just so you know|did you know|mind you"
    r"|as (?:i|a) (?:said|reminder)|remind you|(?:i )?told you)\b",
    "write_down": r"\b(?:remember (?:this|that)|memor\w+|agents?\.md|claude\.md|guidelines?|conventions?|polic(?:y|ies)"
    r"|rules?|standards?|principles?|instructions)\b",
    "reason": r"\b(?:because|since|otherwise|or else|so that|so the|that's why|by design|due to|as it|as we|as i|porque"
    r"|weil|car|parce que)\b|因为",
    "contrast": r",\s*(?:not|no|never)\b|\bnot (?:the|a|an|in|on|with|from)\b|\binstead\b|\bno longer\b",
    "when": r"\b(?:when|whenever|if|unless|before|after|once|as soon as|while|wenn|cuando|si|quand)\b|时|如果|たら",
    "order": r"^\W*(?:please |now |then |ok |okay |and |also )*(?:add|fix|make|create|change|update|remove"
    r"|delete|run|try"
    r"|use|put|show|write|implement|move|rename|check|look|explain|tell|give|help|let'?s|continue|proceed|commit|push"
    r"|test|refactor|generate|set|install|build|edit|replace|keep|do|go|start|stop|open|read|review|find|analy[sz]e)\b",
    # who and what
    "we": r"\b(?:we|we're|we've|our|us|wir|unser\w*|nosotros|tenemos|nous)\b|我们",
    "i": r"\b(?:i|i'm|im|i've|i'd|i'll|my|me|mine|ich|mein\w*|yo|mi|je|mon|ma)\b|我|私",
    "you": r"\b(?:you|your|you're|u|ur)\b|你",
    "it": r"\b(?:it|this|that|these|those|them|there|the one|both)\b|これ|その",
    "is_a": r"\b(?:is|are|it's|this is|es|ist|est)\s+(?:an?|the|un|una|ein|eine|une|our|my)\b",
    "is_at": r"\b(?:is|are|lives?|sits?|goes|go|stored|located|found|placed|kept|belongs?|resides?|runs?"
    r"|deployed|hosted"
    r"|comes?|va|van|está|se trova|liegt)\s+(?:in|on|at|under|from|to|into|inside|behind|en|dentro|auf)\b"
    r"|在|にあります",
    "is_called": r"\b(?:called|named|means|stands for|refers? to|known as|equals?|consists? of|follows?|heißt"
    r"|se llama)\b",
    "uses": r"\b(?:we|i|it|they|project|app|repo\w*|codebase|team|here) (?:are |am |is )?(?:use[sd]?|using|run|running"
    r"|deploy\w*|rely|work\w*|have|has|keep|store|build)\b|使っ",
    "moved": r"\b(?:moved|migrated|switched|replaced|renamed|dropped|deprecated|obsolete|outdated|removed|no longer"
    r"|not used|used to|pivoted|retired|superseded|changed to)\b",
    "decided": r"\b(?:decided|agreed|decision|settled|chose|chosen|plan is|goal is|idea is|aim\w*|purpose"
    r"|intended|meant to"
    r"|vision|direction|strategy|value proposition)\b",
    "project": r"\b(?:this|the|our|my) (?:project|repo|repository|app|application|code ?base|system|product"
    r"|site|website"
    r"|tool|library|package|server|database|machine|vm|company|team|bot|game|plugin)\b|项目|系统|プロジェクト|リポジトリ",
    "building": r"\b(?:i am|i'm|we are|we're|trying to|want to|going to|will be) (?:making|building|creating|developing"
    r"|working on|make|build|create|develop|deploy\w*|learning)\b|开发|架构",
    "owner": r"\b(?:owns?|owner|maintain\w*|responsible|in charge|reviews?|reviewer|approv\w+|users? (?:is|are)"
    r"|customers?"
    r"|clients?|legal|auditors?|admin)\b",
    "platform": r"\b(?:ubuntu|linux|mac|macos|windows|wsl|docker|vercel|aws|gcp|azure|vm|vps|postgres|sqlite|mysql"
    r"|supabase|kubernetes|node|python|server|production|prod|staging|localhost|port|version|domain)\b",
    "screen": r"\b(?:button|page|modal|dropdown|table|column|field|icon|header|footer|menu|sidebar|screen"
    r"|colou?r|text|image"
    r"|form|label|layout|width|height|popup|tab|card|click\w*|display\w*|show\w*|title|progress bar|animation)\b",
    "answers": r"\b(?:answers?|repl(?:y|ies)|respon\w+|explain\w*|explanations?|comments?|summar\w+|concise|short|brief"
    r"|verbose|diffs?|english|language|tone|emojis?|bullet\w*|format|step by step|one step)\b",
    "workflow": r"\b(?:commits?|push\w*|branch\w*|pull requests?|prs?|merge\w*|tests?|deploy\w*|release\w*|migrations?"
    r"|lint\w*|format\w*|secrets?|keys?|env|dependenc\w+|packages?)\b",
    "trouble": r"\b(?:errors?|fail\w*|broken|breaks?|crash\w*|bugs?|issues?|problems?|wrong|(?:doesn't|does not) work"
    r"|(?:not|isn't) working|stuck|hangs?|missing|weird|unable|can't|cannot|couldn't|didn't|nothing happens"
    r"|not (?:showing|found|loading)|undefined|exception)\b|エラー|クラッシュ",
    # tense and shape
    "past": r"\b(?:was|were|did|had|got|went|tried|ran|made|added|updated|changed|fixed|created|saw|noticed|deleted)\b",
    "ended": r"\b\w+ed\b",
    "perfect": r"\b(?:have|has|i've|we've|you've) (?:been|\w+ed|done|made|set|got)\b",
    "progressive": r"\b(?:am|is|are|i'm|we're|it's) \w+ing\b",
    "will": r"\b(?:will|won't|i'll|we'll|gonna|going to)\b",
    "measure": r"\b\d+(?:[.,]\d+)?\s?(?:ms|s|h|kb|mb|gb|px|%|days?|hours?|minutes?|weeks?|months?|spaces|digits|lines"
    r"|characters)\b",
    "colon": r":\s*$",
    "dash": r";|—|–",
}
_PATTERNS = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _CUES.items()]


def cues_of(sentence: str) -> tuple[str, ...]:
    """The names of the cues in a sentence."""
    return tuple([name for name, pattern in _PATTERNS if pattern.search(sentence)])
