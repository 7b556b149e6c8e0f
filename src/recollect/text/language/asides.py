"""What tells that a prompt is not about the project: its wording, a talk, lunch, or the world at large."""

from __future__ import annotations

# Stems. Who types one of these speaks of a sentence, a slide or a person's day, unless the entry speaks of it too.
ASIDE_STEMS = frozenset(
    """
    accent adject adverb apostroph bold bullet capit caption comma deck draft essay font grammar greet haiku head
    headlin hyphen ital joke letter limerick linkedin lowercas mail metaphor motto nicknam noun paragraph phrase
    plural poem poetri pronounc pronunci proofread pun punctuat rephras reword rhyme sentenc shorten slide slogan
    spell synonym titl toast translat tweet typo underlin uppercas verb word

    anniversari bake beach beer bet birthday boyfriend breakfast brother cafe cake cat chef christma cinema coffe
    colleagu congratul cook cousin cute dad daughter dessert dinner dog drink famili farewel father film flight
    flower footbal friend funni garden gift girlfriend grandma guitar gym haha haircut hike hobbi holiday hotel
    hungri husband kid kitchen lol lunch mom mother movi mug mum museum nap neighbour novel parti picnic pizza plane
    pub puppi quiz rain recip restaur sandwich school sister sleep snack soccer song soup sticker sunni swim tea
    teacher tenni thesi travel trip tv umbrella uncl univers vacat weather wed weekend wife wine

    africa ancient asia astronom biologi celebr centuri chemistri emperor empir etymolog europ famou fiction galaxi
    geographi god greek historian homework hypothet invent inventor king latin literatur mascot moon mytholog nobel
    ocean philosoph philosophi planet poet polit presid proverb psycholog queen religion riddl scienc scientist
    shakespear theorem toy trivia turtl war wikipedia
    """.split()
)

# Stems of days, numbers, sizes and other everyday words, beside the common ones of the trade: in a store of ten entries
# they are as rare as a name.
EVERYDAY_STEMS = frozenset(
    """
    afraid afternoon again ah almost angri annual anybodi apart apolog april arriv august autumn beauti besid black
    blew blow blue bore boss bottom boy break bright brown bu busi button buy car carri chair chapter cheap citi
    clever climb cold cook cost countri crazi cri cut daili damn danc danger dark decemb dirti door doubl dozen draw
    dream dri drink drive drop earli eat eight everybodi everywher excus expens ey face fair fake fall fear februari
    fill five fli foot forget four fourth fresh friday front funni gimm girl gray green greet grey grow guy half
    hand hate heart heavi here hide hmm home hot hous hundr imposs invit januari juli jump june know laugh lie life
    lift light lock lose loud man march measur meet mend middl midnight million mix monday money monthli morn nearli
    night nine nobodi noon novemb nowher octob odd oh onc orang outsid pay perhap pictur pink play pleas poor price
    promis quarter quiet rare red refus repli rich ride rise room sad saturday say seldom sell septemb seven silli
    sing sit six sleep slow smart smell smile soft somebodi somewher spring stand strang street strong studi stupid
    succe summer sunday sure tabl tall tast teach tell ten thank therefor third thousand throw thursday tini tire
    too touch town train travel tripl tuesday twice ugli visit wake wanna warm wash weak wednesday weekli weird wet
    whatev white wide win window winter wise wish woman wors worst yearli yellow young
    """.split()
)

# Parts of lower-case text. Who says so wants to learn what no project decides, or speaks of the chat or a text itself.
GENERAL_PHRASES = (
    "in general", "general question", "generally", "in theory", "difference between", "stand for", "stands for",
    "what's the meaning", "who invented", "who came up", "who composed", "what year", "where does the name",
    "where does the word", "why is it called", "origin of", "how do you say", "how do you pronounce", "how old",
    "tell me about", "example of", "name three", "name five", "give me three", "give me five", "do you know",
    "do you remember", "ever heard", "is it true", "compared with", "compared to", " versus ", "better than",
    "most people", "which languages", "analogy", "eli5", "like i'm five", "for a beginner", "in one word", "interview",
    "stack overflow", "blog post", "tutorial", "not this repo", "not this project", "different project",
    "another project", "other project", "side project", "my own ", "personal ", "private ", "asking for", "for my ",
    "my talk", "my slide", "my blog", "my mum", "my mom", "my friend", "fun fact", "for fun", "as a joke", "unrelated",
    "off topic", "off-topic", "curious", "curiosity", "out of interest",
    "remind me what", "rule of thumb", "best practice", "pros and cons", "the word ", "the term ", "the phrase ",
    "the sentence", "this sentence", "this paragraph", "this text", "the title", "the heading", "your answer",
    "your last", "your previous", "you just wrote", "you wrote", "that snippet", "this snippet", "i pasted",
    "sample data", "toy ",
    "unterschied zwischen", "was ist ein", "was bedeutet", "wofür steht", "wer hat", "allgemein", "erklär",
    "différence entre", "c'est quoi", "qu'est-ce qu'un", "que signifie", "en général", "explique", "rappelle-moi",
    "diferencia entre", "qué es un", "qué significa", "en general", "explícame", "quién ",
    "differenza tra", "cos'è", "diferença entre", "o que é", "verschil tussen", "wat is een",
)  # fmt: skip

# The same, but only where a sentence begins so: inside one it may be the second half of an order.
GENERAL_OPENINGS = (
    "what does ", "what is a ", "what is an ", "what's a ", "what's an ", "when was ", "how does ", "explain ",
    "who wrote", "who made", "who created",
)  # fmt: skip
SENTENCE_ENDS = (". ", "? ", "! ", ": ", "\n")


def is_general(text: str) -> bool:
    """Does this lower-case text ask for what no project decides?"""
    if any(phrase in text for phrase in GENERAL_PHRASES):
        return True
    begun = text.lstrip()
    return begun.startswith(GENERAL_OPENINGS) or any(
        end + opening in text for opening in GENERAL_OPENINGS if opening in text for end in SENTENCE_ENDS
    )
