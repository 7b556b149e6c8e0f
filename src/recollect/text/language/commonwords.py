"""Stems that occur in much of what people write: finding one of them in an entry tells little.

By document frequency: over the docstrings of the standard library and of common packages, over the prompts that people
type to coding agents, and over everyday chats, of these the words that name no topic. Names of products stay out,
however frequent. A store of ten entries cannot know that `project` is a common word; this list does.
Behind the English stems: function words of German, French, Spanish, Portuguese, Italian, Dutch and Russian, without
their accents and as the English stemmer leaves them, and pairs of characters of Chinese and Korean ones.
"""

from __future__ import annotations

ENGLISH_STEMS = frozenset(
    """
    abil abl abstract accept access accord across action activ actual ad add addit address advic agent ago agre ai
    algorithm alia allow along alpha alreadi altern alway amaz amount annot anoth answer anyway api app appear
    append appli applic appreci approach appropri arbitrari area argument around array ask aspect assert assign
    assist associ assum attempt attribut author auto automat avail avoid away back backend bad base basic becom
    begin behavior behind believ benefit best better big binari bind bit block bodi boolean bought bound branch
    bring buffer bug build built builtin cach calcul call callabl callback caller captur care case catch caus cell
    certain challeng chanc chang char charact check checker child choic choos ci class clean clear cli close cmd
    code collect color column com combin come command comment commit common compar compat compil complet complex
    compon comput concern condit config configur confirm confus connect consid consist constraint construct
    constructor contain content context continu control convert cool copi copyright core correct correctli
    correspond count coupl cover creat curiou current cursor custom data date datetim day deal debug decid decis
    declar decod decor deep default defin definit delet depend deprec describ descript design detail detect determin
    dev develop dictionari diff differ dir direct directli directori disabl discuss display doc document domain
    download due dump easi easier easili edit effect element empti enabl encod encourag end endpoint enjoy enough
    ensur entir entri env environ equal equival error escap especi essenti etc evalu even event everyon everyth
    exactli exampl except excit exclud execut exist exit expand expect experi explain explicit explicitli explor
    expr express extend extens extra extract fact fail fals far fascin fast featur feel field figur file filenam
    filter final find fine finish first fit fix flag focu folder follow forc form format formatt forward found frame
    free full function futur gener git github give glad global goal good grab grammar graph great group guess guid
    handl handler happen happi hard hash head hear heard help helper high highlight hold honest hook hope host hour
    howev html http huge id idea ident identifi ignor imag immedi implement import impress improv inc includ increas
    indent index indic infer info inform init initi input insert insid insight inspir instal instanc instanti
    instead instruct integ interact interest interfac intern interpret invalid investig invok involv io issu item
    iter join js json keep key keyword known label lambda languag larg last late later latest layer lead learn least
    leav left length less level librari licens like limit line link list listen liter littl live load local locat
    log logic long longer look loop love low lower made main maintain make manag mani map mark markdown marker match
    matter max maximum may mayb md mean member memori mention merg messag metadata method min mind minut miss mode
    model modifi modul month move multipl name namespac near necessari need neg nest never new newlin next nice non
    normal note noth notic num number object occur offer offset often old omit onlin open oper option order organ
    organis origin otherwis output overal overrid overview packag page pair paramet parent pars parser part
    particular particularli pass past path pattern peopl per perfect perform person pick piec place plan platform
    plu plugin point polici pool popular port posit possibl post potenti pr practic pre precis prefer prefix prepar
    present pretti previou print privat probabl problem process produc program progress project prompt proper
    properli properti protocol provid public pull push put qualiti queri question quick quit quot rais random rang
    rather raw read readi readm real realiz reason receiv recent recommend record recurs reduc ref refactor refer
    reflect refresh regex region regist regular regularli rel relat releas relev remain rememb remind remov renam
    render replac repo report repositori repres represent request requir reserv resolv resourc respons rest result
    retri retriev return review right role root rule run runtim safe save saw scheme scope screen script search
    second section see seem seen segment select self semant send sens sent separ sequenc serial servic session set
    setup sever shape share shell short show side sign signatur signific similar simpl sinc singl situat size skill
    skip small solut solv somehow sometim soon sort sound sourc space speak spec special specif specifi spend spent
    split src stack standard start state statement static statu stay stdout step stick stop store stori stream
    strict string strip structur stuff style sub subclass success suggest suitabl summari suppli support suppress
    switch symbol syntax system tab tag take taken talk target task team templat term termin test text think thought
    three throughout time timeout tip titl today togeth token tomorrow took tool top topic total toward traceback
    track transfer transform treat tree tri true turn two type typic ui unabl underli understand union uniqu unless
    updat upper url usag user usual util valid valu var variabl variou verifi version view wait walk want warn watch
    way web week whitespac whole width wonder word work world worri worth wow wrap wrapper write written wrong yeah
    year yesterday yield zero zip
    """.split()
)

FUNCTION_WORDS = frozenset(
    """
    aan abbiamo aber al all anch ao au auch auf aussi aux avec avez avoir avon bei bij bitt ce cet cett che chez
    como con cual cuando da dal dalla dann darf dass dat de debe degli dei del dell della dem den der deve deze di
    dich die dies dieser dit do doi doit dort du durch een ein einem einen einer el ell en entr er es esa est esta
    estan estar esto et etr fur geen gegen gibt gli ha habe haben hanno hebben heeft het hier hij hoe ich ihr ik il
    immer isso ist isto je jetzt jij kan kann kein keinen konnen kunnen la le leur lo ma maar mai me mehr mi mich
    mio mir mocht moet moeten molto muito muss mussen muy na naar nach nao ne nel nella nicht nie niet no noch nog
    nossa nosso nostra nostro notr nou nuestra nuestro nur oder ohn om on ond ont onz ook op os ou pa par para perch
    pero peut peux piu pode por pour pourquoi pued puedo puo quai qual quali quand quando que quel quell quem questa
    questo qui quien quoi sa sao schon se sehr sein seit sem ser seu si siamo sie sin sind sobr soll sollen sono
    sont sou su sua suo sur ta tambem tambien te tem temo tenemo tien tot tou tout tre tu uber uit um uma un una und
    uno unser unter van viel vo vom von voor vor votr vou waar waarom wann wanneer warum wat weil wel welch welcher
    welk wenn wer werden wessen wie wieso wij wir wird wo worden wordt wurd wurden zij zijn zu zum zur а без бы был
    была были было быть в все вы где для до его ее есть еще же за и из или их к как какая какие какои когда которыи
    кто ли можно мои моя мы на над надо наш наша наши не но нужно о об он она они от по под почему при с так также
    только ты у уже что эта эти это этот я

    我们 你们 他们 们的 什么 怎么 么样 怎样 如何 哪里 哪个 这个 那个 这些 那些 一个 一下 可以 没有 不是 就是 还是 但是
    因为 所以 如果 时候 现在 已经 需要 应该 为什 么时 是什 请问 帮我 请帮 是否 有没 的时 用什 在哪 是谁 습니 니다 합니
    입니 있습 없습 나요 인가 가요 어요 해요 하는 하고 에서 으로 니까 무엇 어떻 떻게 언제 어디 누가 우리 저는 그리 리고
    것은 있나 하나 까요
    """.split()
)

COMMON_STEMS = ENGLISH_STEMS | FUNCTION_WORDS


def is_common(term: str) -> bool:
    """Does the term tell little of what a text is about?"""
    return term in COMMON_STEMS or (not term.isascii() and _joins_words(term))


def _joins_words(term: str) -> bool:
    """Is a pair of kana an ending or a particle? Hiragana at its beginning, or katakana with a hiragana behind."""
    return "\u3041" <= term[0] <= "\u309f" or ("\u30a0" <= term[0] <= "\u30ff" and "\u3041" <= term[-1] <= "\u309f")
