"""The small words that carry an English sentence, and the verbs that open an order. Data."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


CONTRACTIONS: dict[str, tuple[str, ...]] = {
    **{
        f"{verb}{ending}": (verb, "not")
        for verb in "do does did is are was were has have had would should could must need".split()
        for ending in ("n't", "nt")
    },
    "can't": ("can", "not"),
    "cant": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "wont": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "mustn't": ("must", "not"),
    **{
        f"{who}{mark}{short}": (who, full)
        for who in "i we you they it he she that there this who what here".split()
        for short, full in (("m", "am"), ("re", "are"), ("s", "is"), ("ve", "have"), ("d", "would"), ("ll", "will"))
        for mark in "'"
    },
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "youre": ("you", "are"),
    "theyre": ("they", "are"),
    "thats": ("that", "is"),
    "theres": ("there", "is"),
    "let's": ("let", "us"),
    "lets": ("let", "us"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gotta": ("have", "to"),
    "pls": ("please",),
    "plz": ("please",),
    "u": ("you",),
    "ur": ("your",),
}

PRONOUNS = _set("i we you they it he she this that these those there everyone everybody nobody someone")
DETERMINERS = _set("the a an my our your their its his her this that these those all any every each no some both")
UNIVERSALS = _set("all any every each everything anything nothing everyone nobody anyone no none only both whatever")
MODALS = _set("must should shall can could may might will would ought")
BE = _set("is are am was were be been being")
AUXILIARIES = MODALS | BE | _set("do does did has have had need needs")
PAST = _set(
    "was were did had went got made said told saw found ran gave took came left broke wrote sent put built set forgot"
    " kept thought meant lost began became brought bought caught chose drew drove fell felt flew froze grew heard held"
    " hid hit knew laid led lent let met paid read rode rose sang sat sold shook shot shut slept slid spent spoke stood"
    " stole struck stuck swore taught threw understood woke won wore"
)
WH = _set("what why how where who which whose whom when whether")
INVERTED = _set(
    "can could would will should shall do does did is are was were am has have had may might must isnt arent"
)
FILLERS = _set(
    "ok okay please also and then now just yes yeah yep no nope so well hey hi hello right cool great nice good perfect"
    " thanks thank actually btw oh ah hmm hm um alright sure anyway but wait lol too first next finally again still"
    " kindly simply basically honestly obviously instead fyi or otherwise yea ahh ohh ugh really maybe perhaps"
    " omg omfg wtf ffs dude bro man jesus christ god damn damnit fuck fucking shit fucken goddamn"
    " sorry nah correct exactly awesome excellent indeed plus lastly additionally furthermore however therefore"
)
ADVERBS = _set(
    "always never usually normally typically generally often rarely seldom sometimes also only just still already"
    " currently now really actually simply probably maybe definitely certainly even ever not no longer explicitly"
    " strictly strongly mostly mainly primarily exclusively directly all both first then instead previously recently"
    " obviously basically honestly either specifically fucking goddamn internally automatically last kind sort today"
)
PREPOSITIONS = _set(
    "in on at to from for with without by of under over into onto via through per about against between within"
    " during after before behind inside outside as than like near around across along upon until using"
)
CONJUNCTIONS = _set(
    "but because since so though although whereas while unless and or then if when whenever once before after until as"
    " given which where that cause cuz bc otherwise plus"
)
REASONS = _set("because since as cause cuz bc given so otherwise")
CONDITIONS = _set("if when whenever once before after unless until while where")

HEDGES = _set(
    "maybe perhaps probably possibly might seems seem seemed seemingly apparently presumably guess suspect wonder"
    " wondering unsure assume assuming suppose supposedly think likely somehow looks appears appear feel"
    " feels sounds thinking idea could"
)
FREQUENCY = _set("always never usually normally typically generally often rarely seldom")
DEICTIC = _set("now today tonight tomorrow yesterday yet again temporarily currently meanwhile momentarily later")

# Verbs of mind, wish, sense and passing need: "we think", "I see", "we need" say nothing about what holds.
MIND = _set(
    "think guess see need want mean feel hope wonder know believe suppose understand agree love get notice assume"
    " remember suggest hear doubt wish worry expect suspect figure realise realize recall say tell ask thank"
    " appreciate apologise apologize look try seem find forget notice recommend propose plan intend decide consider"
    " imagine bet reckon would could can should will must may might have has do does did let keep go give check"
    " wonder confirm accept approve continue miss lack start end wait hate like prefer am are is was were had"
    " also just not got went saw made did ran tried be swap talk take discuss"
)
# Verbs that say how things stand or are done, not what happened.
STANDING = _set(
    "use support deploy publish host store keep follow test ship release maintain own target rely depend avoid require"
    " live speak develop lint format manage track document handle serve share pin prefer like hate dislike favor favour"
    " love enforce allow permit forbid ban stick adopt squash rebase align want need work communicate treat version"
    " write build pay name generate review merge branch tag sign bill charge sell bundle compile mock"
)
# Past participles that describe a lasting state when they follow "is" or "are".
STATES = _set(
    "deployed hosted stored located installed configured kept published managed maintained generated owned called named"
    " tracked archived deprecated replaced superseded renamed moved mounted served mirrored cloned licensed versioned"
    " pinned vendored ignored gitignored forbidden prohibited banned reserved discontinued retired abandoned"
    " frozen locked"
    " unsupported obsolete read-only readonly immutable written built run supported encrypted"
)
STATE_VERBS = _set(
    "lives resides sits runs uses supports requires needs depends contains means stands belongs points listens"
    " exposes serves handles manages owns maintains stores holds accepts expects returns follows targets"
    " live reside sit run use support require need depend contain mean stand belong point listen expose serve handle"
    " manage own maintain store hold accept expect follow target applies apply comes come lacks lack"
    " reads writes talks goes go share shares inherits extends works work reads reside works"
    " speaks understands takes reports happens happen ships strips starts begins ends builds compiles deploys publishes"
    " converts pays approves administers ignores rejects refuses wraps mirrors syncs"
)
LIMITS = _set(
    "support supports allow allows accept accepts require requires need needs handle handles depend depends use uses"
    " permit permits know knows expose exposes talk talks"
)
# Verbs of place: what follows says where a thing is.
PLACES = _set(
    "lives live resides reside sits sit runs run listens listen belongs belong goes go points point stays stay comes"
    " come starts start stands stand ships ship talks talk connects connect"
)
# What work runs on and who does it, as opposed to what a product shows.
GROUND = _set(
    "server servers cluster clusters host hosts box boxes machine machines laptop ci cd pipeline pipelines runner"
    " runners sandbox network vpn proxy firewall database databases db bucket buckets registry registries queue queues"
    " broker cron job jobs worker workers scheduler daemon compiler linter formatter bundler simulator emulator rig lab"
    " device devices hardware firmware driver kernel vm container image images disk cloud region cdn cms crm erp vault"
    " gateway backend frontend api apis sdk cli service services app apps application client library package plugin"
    " plugins module modules repo repository codebase monorepo project site website store shop product dataset datasets"
    " schema spec specs wiki tracker docs documentation manual contract license policy style guide team teams company"
    " group department office vendor vendors supplier customer customers clients users reviewers reviewer maintainers"
    " maintainer owner owners developers developer engineers engineer ops security legal finance support students"
    " contractors intern interns people release releases deployment deployments hotfix hotfixes build builds test tests"
    " migration migrations branch branches commit commits ticket tickets issue issues incident incidents script scripts"
    " config configuration secret secrets key keys token tokens environment environments staging production prod dev"
    " system platform tool tools framework engine parser importer exporter printer sensor sensors robot game"
)
# What one thing does as a rule; "returns", "shows" and "takes" tell more often what went wrong.
LASTING = _set(
    "uses supports depends belongs follows targets shares inherits extends speaks understands deploys publishes mirrors"
    " syncs allows requires stores holds owns use support depend belong follow target share inherit extend speak"
    " understand deploy publish mirror allow require store hold own"
)
GOING = _set(
    "lives resides sits runs points listens talks reads writes connects ships starts comes goes happens"
    " live reside sit run point listen talk read write connect ship start come go happen"
)
REPAIRED = _set("fixed updated changed removed renamed moved rewritten deleted adapted adjusted restarted done checked")
MOVES = _set(
    "moved switched migrated replaced dropped renamed retired standardised standardized settled adopted converted"
    " abandoned deprecated archived consolidated outsourced"
)
PROJECT = _set(
    "project repo repository codebase app application package library service monorepo site website team"
    " company product"
    " module plugin cli api backend frontend server client database tool system platform machine laptop environment"
)
ENDINGS = _set(
    "used uses use needed supported support supports required necessary maintained developed deployed published publish"
    " allowed need needs require requires maintain accepted"
)
# Adjectives and participles of standing: they need no place to be a fact.
PERMANENT = _set(
    "read-only readonly immutable deprecated obsolete private public mandatory optional unsupported forbidden"
    " prohibited"
    " confidential proprietary internal generated autogenerated auto-generated vendored gitignored stateless"
)
OWNERSHIP = _set("owns own maintains manages approves reviews administers")
# What development practice is about, as opposed to what a product shows.
PRACTICE = _set(
    "commit commits pr prs branch branches test tests comment comments docstring docstrings migration"
    " migrations variable"
    " variables function functions class classes method methods import imports changelog changelogs release releases"
    " dependency dependencies code docs documentation package packages module modules endpoint endpoints schema schemas"
    " interface interfaces secret secrets service services fixture fixtures mock mocks merge merges"
    " deployment deployments"
    " spec specs constant constants script scripts repo repos library libraries feature features"
)
CHANGED = _set("replaced superseded deprecated renamed archived retired discontinued sunset obsolete abandoned")

# What an order to a coding agent opens with.
ORDERS = _set(
    "add fix use make run create remove delete update change move rename write read check test build commit push pull"
    " merge rebase squash deploy publish release open close post send show list print log display hide set get put"
    " keep leave let try find search look see review analyse analyze investigate research explain describe summarise"
    " summarize document draft plan propose suggest implement refactor rewrite replace revert restore undo redo reset"
    " restart start stop continue proceed go do don't ensure verify validate confirm compare convert extract split join"
    " combine copy clone install uninstall upgrade downgrade configure enable disable turn switch apply include exclude"
    " ignore skip avoid prefer follow stick respect reply respond answer speak talk write translate format lint debug"
    " trace handle catch throw raise return call pass import export load save store fetch download upload sync generate"
    " render parse reword simplify shorten expand extend clean tidy drop kill spawn launch execute begin"
    " finish complete"
    " finalise finalize wait ask tell give take bring note remember memorize memorise forget consider think"
    " assume treat"
    " define declare assign mock stub spy wrap unwrap nest align sort order group filter map reduce count measure"
    " benchmark profile optimise optimize improve enhance polish increase decrease raise lower limit restrict allow"
    " prevent forbid block deny grant provide attach link reference mention cite quote highlight focus work stay be"
    " have reuse reproduce rerun retry bump pin tag label mark resolve address cover correct adjust adapt"
    " tweak guide help prepare setup scaffold init initialise initialize integrate connect hook migrate port wire fold"
    " expose support elide omit strip trim truncate pad escape encode decode encrypt hash sign place stage stash"
    " cherry-pick fork branch checkout scan grep inspect evaluate assess determine identify locate trigger schedule"
    " monitor watch track report record capture type click press scroll select choose pick keep maintain archive"
    " target name store hardcode assume guess invent introduce touch modify edit alter break hide comment bother"
    " mix duplicate repeat overwrite override commit amend force apologise apologize"
)
# Orders that are hardly ever a noun.
PLAIN_ORDERS = _set(
    "use ask add make do never always avoid prefer ensure keep put write bump tell include run remember"
)
# How somebody wants to be spoken to.
MANNER = _set(
    "short shorter concise brief briefer terse verbose simple simpler plain direct blunt formal informal casual polite"
    " detailed emoji emojis bullet bullets jargon tone preamble apologies flattery praise"
)
