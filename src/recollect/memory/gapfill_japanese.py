"""The same signs in Japanese, where the end of the sentence carries mood, tense and politeness."""

from __future__ import annotations

import re

_KANA = re.compile(r"[\u3041-\u30fa]")
_END = r"(?:[。！!、,\s]|$)"
_REQUEST = re.compile(
    rf"(?:て|で)(?:ください|下さい|ほしい|欲しい|くれ|ね|おいて)(?:です)?{_END}|お願いします|ようにして|べき(?:です|だ)?{_END}"
    rf"|(?:する|した|すること|こと){_END}|して{_END}|使って{_END}"
)
_FORBIDS = re.compile(
    r"ないで(?:ください|下さい|ほしい|欲しい|くれ|ね|。|$)|ないように|ないこと|禁止|厳禁|やめて(?:ください|下さい|ほしい|欲しい|くれ|ね|。|$)"
    r"|ては(?:いけない|いけません|だめ|ダメ|ならない|なりません)|ちゃ(?:だめ|ダメ)|べきではな"
)
_QUESTION = re.compile(r"(?:か|の|かな)[？?。]*$|[？?]")
_PAST = re.compile(rf"(?:ました|でした|だった|った|した){_END}*$")
_PRESENT = re.compile(r"(?:です|ます|ません|である|だ|いる|ある|ない|する|使う|なる|れる)[。！!]*$")
_REASON = re.compile(r"(?:ので|ため|から)[、,\s]|(?:ため|から)(?:です)?[。]?$")

_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("hedged", re.compile(r"かも|たぶん|多分|おそらく|恐らく|と思|気がする|でしょうか")),
    (
        "deictic",
        re.compile(
            r"今回|とりあえず|一旦|いったん|今は|さっき|先ほど|この(?:PR|件|コミット|ブランチ)|現時点|まずは|今から"
        ),
    ),
    (
        "symptom",
        re.compile(r"エラー|失敗|バグ|動かな|動きません|おかしい|落ち[たて]|表示されな|できない|できません|壊れ"),
    ),
    ("contrast", re.compile(r"(?:では|じゃ|で)なく")),
    ("memory", re.compile(r"覚えて|覚えといて|記憶して|忘れないで|メモリに|次回(?:以降|から)")),
    ("prefers", re.compile(r"(?:ほう|方)が(?:好き|いい|良い)です|が好き|が嫌い|嫌いです|好みです")),
    (
        "speech",
        re.compile(
            r"(?:日本語|英語|中国語|韓国語|敬語|簡潔|短く|簡単).{0,6}?(?:回答|返答|返信|返事|答え|説明|書い)|(?:回答|返答|返信|返事|説明)は.{0,6}(?:簡潔|短く|日本語|英語"
            r"|敬語)"
        ),
    ),
    (
        "corrects",
        re.compile(
            r"^(?:いや|いえ|違う|違います|ちがう|そうじゃな|そうではな|間違って)[、,。\s].*(?:です|ます|だ|である|いる|ある)[。！!]*$"
        ),
    ),
    ("called", re.compile(r"という(?:名前|意味)(?:です|だ)|と呼(?:んで|びます|ぶ)")),
    ("identity", re.compile(r"(?:私|僕|俺|自分|うち)の?.{0,20}?(?:は|が).{1,40}(?:です|だ|ます|ている|てる)[。！!]*$")),
    ("ended", re.compile(r"もう(?:使って|使い|使わ|使用し|必要)[^。]{0,6}(?:ない|ません)|廃止|非推奨|使わなくな")),
    ("located", re.compile(r"は.{1,60}(?:に(?:あります|ある|置いて|配置して|格納|保存されて)|で(?:動いて|稼働して))")),
    (
        "habit_we",
        re.compile(
            r"を(?:使って|使用して|採用して|利用して)(?:い?る|い?ます)|で(?:管理|運用|統一)して(?:い?る|い?ます)"
        ),
    ),
    (
        "forbidden",
        re.compile(
            r"ないこと[。！!]*$|方針(?:です|で(?:いき|行き|お願い|進め)|として)|(?:ルール|規約)です|に統一(?:する|して|し)|(?:は|の).{0,12}(?:禁止|厳禁)"
        ),
    ),
)
_ALWAYS = re.compile(r"必ず|絶対|常に|毎回|いつも|つねに|原則|基本的に|一切")
_STANDING = re.compile(r"今後|これから(?:は|も)|以降は|次回(?:から|以降)|今度から|から(?:は)?ずっと")


def is_japanese(text: str) -> bool:
    """Kana stand in it."""
    return _KANA.search(text) is not None


def japanese_signs(sentence: str) -> tuple[frozenset[str], bool]:
    """The signs of a sentence, and whether it asks something of the reader."""
    asked = _QUESTION.search(sentence) is not None
    request, forbids = _REQUEST.search(sentence) is not None, _FORBIDS.search(sentence) is not None
    stated = request or forbids or _PRESENT.search(sentence) is not None
    found = {name for name, pattern in _SIGNS if pattern.search(sentence)}
    if asked:
        found.add("asked")
        found -= {"habit_we", "located", "forbidden", "prefers", "ended"}
    elif _STANDING.search(sentence) and stated:
        found.add("standing")
    if _ALWAYS.search(sentence) and stated and not asked:
        found.add("ever_order" if request or forbids else "ever_claim")
    if forbids and not asked:
        found.add("no_because" if _REASON.search(sentence) else "general_no")
    if _PAST.search(sentence) and not (request or forbids):
        found.add("past")
    return frozenset(found), request or forbids
