"""The words that orders are known by. Data."""

from __future__ import annotations

from recollect.text.language import grammar as g


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Bare verbs that open an order: those that people type to a coding agent, and those that an attacker would.
VERBS = (
    g.ORDERS
    | _set(
        "abandon abort accept access act activate admit adopt adhere alert append approve assert assist attempt"
        " authenticate authorise authorize backup believe bypass cancel clear collect compile comply compress contact"
        " cut deactivate delegate destroy disclose discard dismiss disregard distrust dump echo elevate"
        " email embed emit"
        " employ encourage enter eval exec execute exfiltrate exit favor favour feed fill flush forward gather harvest"
        " heed hold impersonate inform inject insert instruct invoke issue listen login logout mail message navigate"
        " neglect notify obey obtain overlook paste perform permit persuade ping pipe pretend prioritise prioritize"
        " promise prompt promote prune query quit recall reboot recheck recommend redirect refer refrain"
        " register reject"
        " relay reload rely remind repair request require resend resort resume retain retrieve reveal rotate roll say"
        " scrape seek ship shut silence source specify ssh steal submit substitute sudo supply suppress swap terminate"
        " transfer transmit trust unblock unlock unset unpack urge utilise utilize view visit vote warn whitelist wipe"
        " withhold curl wget cd chmod"
    )
) - _set("don't be have setup")
# Those that are nouns as often: before another noun they name a thing ("Test files live in tests/.").
NOUNS = VERBS & _set(
    "access act address alert archive backup benchmark block branch build call capture change check clean clear clone"
    " comment commit compile complete copy correct count cover curl cut debug deploy display document download draft"
    " dump echo email eval exec exit export feed fetch filter finish fix flush focus fold force fork format generate"
    " group guide handle hash help hold hook import init integrate issue join label limit link lint list load log login"
    " logout look lower mail map mark measure mention merge message migrate mix mock monitor move name nest note open"
    " order override pad parse pass paste pin ping pipe place plan port post press print profile prompt prune publish"
    " pull push query quote raise read rebase record reduce reference register release render repeat reply report"
    " request research reset restart restore retry return review roll run save scan schedule scroll search select set"
    " ship show sign sort source split spy squash ssh stage start stash stay stop store stub sudo support switch sync"
    " tag target test touch trace track transfer trigger trust try turn type update upgrade upload view visit vote"
    " wait watch wget work wrap write cd chmod sign order"
)
# What shows that a sentence which opens with a noun of this kind goes on as a statement.
FINITE = (
    g.BE
    | g.STATE_VERBS
    | _set(
        "has have had does do did can cannot can't could may might will would must should shall isn't aren't doesn't"
        " don't fails fail passes pass takes take gets get creates create calls call checks check keeps keep loads load"
        " sends send makes make produces produce emits emit triggers trigger includes include lasts last costs cost"
        " defaults default differs differ matches match covers cover exists exist expires expire finishes lands land"
        " lists names opens prints puts removes replaces resets respects sets shows skips stays stops start begin end"
        " tells tests updates update validates validate waits became become falls fall helps hosts host deploy deploys"
        " returns return remains remain lie lies look looks mirror read write publish generate generates grew"
    )
) - _set("be been being")
# Whoever is spoken to: any second person, and what is only said to somebody.
SPOKEN_TO = _set("you your yours yourself yourselves y'all you're you'll you've you'd please pls plz kindly let's lets")
# Who reads a memory, and what binds them.
READERS = _set(
    "agent agents assistant assistants model models ai ais llm llms bot bots copilot claude codex gemini cursor reader"
    " readers everyone everybody anyone anybody nobody whoever developer developers contributor contributors engineer"
    " engineers programmer programmers reviewer reviewers"
)
DUTIES = _set("must should shall ought mustn't shouldn't")
DUTIES_TO = _set("need needs has have had")
BOUND = _set("to required expected supposed instructed told asked obliged advised not")
WEIGHTY = _set(
    "important necessary essential mandatory crucial vital imperative critical recommended advisable advised obligatory"
    " required best fine ok okay safe"
)
# An order in the passive: it has to be run.
DUTIES_OF_THINGS = _set("must should shall needs need has have is are to")
DONE = _set(
    "run executed invoked obeyed followed ignored skipped disabled bypassed approved uploaded pushed deleted trusted"
    " sent disclosed downloaded"
)
# What somebody is said to have said is said.
REPORTING = _set(
    "says say said states tells told asks asked instructs instructed wants wanted ordered demands demanded insists"
)
UNDOING = _set(
    "ignore ignores ignoring disregard disregards disregarding forget forgets forgetting override overrides overriding"
    " bypass bypasses bypassing circumvent overrule overrules"
)
UNDONE = _set(
    "instruction instructions rule rules prompt prompts guideline guidelines previous prior above"
    " earlier policy policies"
    " approval approvals safeguard safeguards restriction restrictions confirmation confirmations"
)
_LEAVE = _set("approval approvals confirmation confirmations asking permission consent")
PAIRS = {
    "without": _LEAVE,
    "no": _LEAVE,
    "make": _set("sure certain"),
    "making": _set("sure certain"),
    "be": _set("sure certain careful"),
    "take": _set("care"),
    "feel": _set("free"),
    "let": _set("us"),
    "remember": _set("to"),
}
JAPANESE = (
    r"ください|下さい|[てで]くれ|なさい|せよ|しろ(?=[。！!」』\s]|$)|[てで]はいけ|[てで]はなら|ないで|ないこと|すること(?=[。！!」』\s]|$)"
    r"|ように(?:して|する|しましょう)|べき|必ず|絶対に|禁止|厳禁|お願いします|無視し|ましょう|[てで](?=[。！!」』]|$)"
)
CHINESE = r"[请請你您]|必[须須]|[务務]必|不要|切勿|[应應][该該]|[应應][当當]|[总總]是|永[远遠]|忽略|[严嚴]禁|不得"
KOREAN = r"하세요|하십시오|마세요|십시오|해라|하라"
# Orders in the languages around: please, never, must, ignore, run and the like, where a clause opens with them.
ELSEWHERE = _set(
    # German
    "bitte immer niemals musst müsst müssen sollst solltest ignoriere ignorieren führe führen verwende"
    " verwenden benutze"
    " nutze lösche löschen installiere starte sende schicke öffne achte beachte vergiss stelle befolge deaktiviere"
    # French
    " veuillez toujours jamais ignorez ignore exécutez exécute lancez utilisez utilise supprimez installez"
    " envoyez ouvrez oubliez assurez devez dois vous"
    # Spanish, Portuguese, Italian
    " siempre nunca jamás ignora ignore ignorar ejecuta ejecute ejecutar utiliza utilice elimina"
    " borra instala envía"
    " abre olvida asegúrate debes debe usted sempre execute executar utilize apague instale envie"
    " esqueça deve você"
    " mai ignora esegui eseguire usate utilizzate cancella installa invia dimentica devi dovete assicurati"
    # Dutch
    " altijd nooit negeer voer gebruik verwijder installeer stuur vergeet moet jij"
    # Russian
    " всегда никогда пожалуйста игнорируй игнорируйте выполни выполните запусти запустите используй используйте удали"
    " удалите установи отправь должен должны вы ты нельзя"
    # Korean
    " 항상 절대 반드시 무시하세요 실행하세요 사용하세요 당신"
)
