"""Signs of Japanese sentences, whose end carries mood, tense and politeness; what most are called matters to nobody."""

from __future__ import annotations

import re

_KANA = re.compile(r"[\u3041-\u30fa]")
_END = r"(?:[。！!、,\s]|$)"
_REQUEST = re.compile(
    rf"(?:て|で)(?:ください|下さい|ほしい|欲しい|くれ|ね|おいて)(?:です)?{_END}|お願いします|ようにして|べき(?:です|だ)?{_END}"
    rf"|(?:する|した|すること|こと){_END}|して{_END}|使って{_END}|[えけせてねべめれんっ][てで]{_END}*$"
)
_FORBIDS = re.compile(
    r"ないで(?:ください|下さい|ほしい|欲しい|くれ|ね|。|$)|ないように|ないこと|禁止|厳禁|やめて(?:ください|下さい|ほしい|欲しい|くれ|ね|。|$)"
    r"|ては(?:いけない|いけません|だめ|ダメ|ならない|なりません)|ちゃ(?:だめ|ダメ)|べきではな"
)
_QUESTION = re.compile(r"(?:か|の|かな)[？?。]*$|[？?]")
_PAST = re.compile(rf"(?:ました|でした|だった|った|した){_END}*$")
_PRESENT = re.compile(r"(?:です|ます|ません|である|だ|いる|ある|ない|する|使う|なる|れる)[。！!]*$")
_REASON = re.compile(r"(?:ので|ため|から)[、,\s]|(?:ため|から)(?:です)?[。]?$")

_WORK = "追加|書く?|変更|修正|実装|コミット|リリース|作成|作|編集|デプロイ|push|レビュー|コード|テスト|マージ|更新"
_ASKS = r"(?:て|で|こと|ください|お願いします|ように)[。！!ね]*$"
_TOPIC = re.compile(
    r"^(?!.*(?:この|その|あの|今回|ここ))[^、。]{1,24}(?:は|の)[^、。]{0,40}(?:ないで|ないように|やめて)"
)
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("hedged", re.compile(r"かも|たぶん|多分|おそらく|恐らく|と思|気がする|でしょうか")),
    (
        "trouble",
        re.compile(r"エラー|失敗|バグ|動かな|動きません|おかしい|落ち[たて]|表示されな|できない|できません|壊れ"),
    ),
    ("standing", re.compile(r"覚えて|覚えといて|記憶して|忘れないで|メモリに|次回(?:以降|から)")),
    ("prefers", re.compile(r"(?:ほう|方)が(?:好き|いい|良い)です|が好き|が嫌い|嫌いです|好みです")),
    (
        "speech",
        re.compile(
            r"(?:コメント|コミット|変数名|関数名|ドキュメント|PR|タイトル|メッセージ|README|説明)[^。、]{0,8}(?:は|を)[^。、]{0,4}"
            r"(?:日本語|英語|中国語|韓国語)で|(?:日本語|英語|中国語|韓国語|敬語|簡潔|短く|簡単).{0,6}?(?:回答|返答|返信|返事|答え|説明|書い)|(?:回答|返答|返信|返事|説明)は.{0,6}(?:簡潔|短く|日本語|英語"
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
    ("identity", re.compile(r"^(?:私|僕|俺|自分|うち)(?:は|の).{1,30}(?:なので|ないので|ですので|だから)[、,\s]")),
    ("identity", re.compile(r"(?:私|僕|俺|自分|うち)の?.{0,20}?(?:は|が).{1,40}(?:です|だ|ます|ている|てる)[。！!]*$")),
    ("ended", re.compile(r"もう(?:使って|使い|使わ|使用し|必要)[^。]{0,6}(?:ない|ません)|廃止|非推奨|使わなくな")),
    (
        "located",
        re.compile(
            r"は.{1,60}(?:に(?:あります|ある|置いてあ|置いてい|配置して|格納|保存されて)|で(?:動いて|稼働して))"
            r"|は.{0,30}[A-Za-z][\w./~-]{2,}[^。、]{0,8}に(?:置いて|入れて|まとめて|配置して|出力し)"
            r"|は.{1,40}(?:に|で)(?:出力|保存|管理|保管|公開|デプロイ|ホスト|生成|まとめ)(?:され|して|て)?(?:い?る|い?ます)[。！!]*$"
        ),
    ),
    ("process", re.compile(rf"(?:{_WORK})(?:する|る|く|す)?(?:とき|時|際|場合)に?は.{{2,60}}{_ASKS}")),
    ("consent", re.compile(r"勝手に.{1,40}ないで|(?:事前に|先に|必ず|まず)(?:確認|相談|聞)[しいっ]?て")),
    (
        "without",
        re.compile(
            r"(?:環境|CI|本番|ローカル|サンドボックス|サーバー?|端末)(?:で|に)は.{1,30}(?:使え|アクセスでき|入って|存在し)な?(?:い|ません)"
        ),
    ),
    (
        "lacks",
        re.compile(r"(?:のみ|だけ)(?:に)?(?:対応|サポート)|は(?:サポート|対応)し(?:ない|ません|ていません|てない)"),
    ),
    ("universal", re.compile(r"は(?:すべて|全て|全部|常に).{1,40}(?:いる|います|する|です)[。！!]*$")),
    (
        "habit_our",
        re.compile(
            r"^(?!.*(?:この|その|あの|今回)).{1,20}は.{1,30}(?:を使う|で書く|で行う|に従う|を使います)[。！!]*$"
        ),
    ),
    ("ever_claim", re.compile(r"毎(?:週|日|月|朝|晩).{1,30}(?:いる|います|てる|てます)[。！!]*$")),
    ("project_is", re.compile(r"(?:が(?:前提|正|必須|基準|標準)|専用)(?:です|だ|になって|となって)?[。！!]*$")),
    (
        "habit_we",
        re.compile(
            r"を(?:使って|使用して|採用して|利用して)(?:い?る|い?ます)|で(?:管理|運用|統一)して(?:い?る|い?ます)"
        ),
    ),
    (
        "forbidden",
        re.compile(
            r"ないこと[。！!]*$|方針(?:[。！!]*$|です|で(?:いき|行き|お願い|進め)|として)|(?:ルール|規約)です|に統一(?:する|して|し)|(?:は|の).{0,12}(?:禁止|厳禁)"
        ),
    ),
)
_ALWAYS = re.compile(r"必ず|絶対|常に|毎回|いつも|つねに|原則|基本的に|一切")
_STANDING = re.compile(r"今後|これから(?:は|も)|以降は|次回(?:から|以降)|今度から|から(?:は)?ずっと")


def is_japanese(text: str) -> bool:
    """Kana stand in it."""
    return _KANA.search(text) is not None


def japanese_signs(sentence: str) -> frozenset[str]:
    """The signs of a sentence."""
    asked = _QUESTION.search(sentence) is not None
    request, forbids = _REQUEST.search(sentence) is not None, _FORBIDS.search(sentence) is not None
    stated = not asked and (request or forbids or _PRESENT.search(sentence) is not None)
    found = {name for name, pattern in _SIGNS if pattern.search(sentence)}
    if asked:
        found -= {"habit_we", "located", "forbidden", "prefers", "ended"}
    elif _STANDING.search(sentence) and stated:
        found.add("standing")
    if _ALWAYS.search(sentence) and stated:
        found.add("ever_order" if request or forbids else "ever_claim")
    if forbids and not asked:
        found.add("no_because" if _REASON.search(sentence) or _TOPIC.search(sentence) else "general_no")
    if _PAST.search(sentence) and not (request or forbids):
        found.add("past")
    return frozenset(found)
