"""Stems that occur in much of what developers write: finding one of them in an entry tells little.

By document frequency over the docstrings of the standard library and of common packages, with the everyday words of
prompts added. A store of ten entries cannot know that `project` is a common word; this list does.
"""

from __future__ import annotations

COMMON_STEMS = frozenset(
    """
    abil abl abstract accept access accord action activ actual add addit address affili algorithm alia allow alpha
    alreadi altern alway amazon annot anoth answer anyway app appear append appli applic approach appropri arbitrari
    argument around array ask asn assert assign associ assum attempt attribut author auto automat avail avoid back
    backend bad base basic begin behavior best big binari bind bit block bodi boolean bound bsd buffer bug build
    built builtin calcul call callabl callback caller care case caus cell certain chanc chang char charact check
    checker child choos class clean clear close code collect column combin command comment common compar compat
    compil complet complex compon comput condit config configur confirm confus connect consid consist constraint
    construct constructor contain content context control convert copi copyright core correct correspond count cover
    creat curiou current cursor custom data date datetim day debug decid decis declar decod decor default defin
    definit delet depend deprec describ descript design detail detect determin dictionari differ dir direct directli
    directori disabl display distutil doc document domain download dump easi edit effect element empti enabl encod
    end endpoint enough ensur entir entri environ equal equival error escap etc evalu even event everyth exactli
    exampl except exclud execut exist exit expand expect explain explicit explicitli expr express extend extens
    extra extract fact fail fast featur feel field file filenam filter final find fine finish first fix flag folder
    follow forc form format formatt forward found frame full function futur gener global goal good grammar graph
    great group guess guid handl handler happen hard hash helper highlight honest host howev idea ident identifi
    ignor imag immedi implement import improv inc includ indent index indic infer info inform initi input insert
    insid instal instanc instanti instead integ interact interfac intern interpret invalid invok ipython issu item
    iter join keep key keyword known label lambda languag larg last later layer lead learn least leav left length
    level librari licens limit line link list liter littl live load local locat logic long look loop lower made main
    manag mani map mark marker match matter max maximum may mayb mean member memori mention merg messag metadata
    method min mind miss mit mode model modifi modul month move mpmath multipl name namespac necessari need neg nest
    never new newlin next nice non normal note noth notic num number object occur offset old omit open oper option
    order organis origin otherwis output overrid overview packag page pair paramet parent pars parser part
    particular pass path pattern peopl per perform person piec place plan platform plugin point polici pool port
    posit possibl post pre precis prefer prefix present pretti previou print privat problem process produc program
    project prompt proper properti protocol provid public pull push put pypars queri question quick quit quot rais
    random rang rather raw read real reason receiv recent record recurs refactor refer regex region regist regular
    rel relat releas rememb remov renam render replac report repositori repres represent request requir reserv
    resolv resourc respons rest result retri retriev return review right role root rule run runtim safe save scheme
    scope screen script search second section seem segment select semant send sens sent separ sequenc serial servic
    set setup sever shape share shell short show side sign signatur similar simpl sinc singl situat size skip small
    solv sort sourc space spdx spec special specif specifi split stack standard start state statement static statu
    stdout step stop store stori stream strict string strip structur stuff style sub subclass success suggest suppli
    support suppress switch symbol syntax system tab tag take talk target task team templat termin text thought time
    timeout titl today togeth tomorrow tool top topic total traceback track transfer transform treat tree tri trio
    true turn turtl two type typic underli understand union uniqu unless updat upper urllib usag user usual util
    valid valu var variabl variou verifi version view wait walk warn watch week whitespac whole width wonder word
    work world worri wrap wrapper write written wrong year yesterday yield zero zip
    """.split()
)
