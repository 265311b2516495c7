"""The words by which English statements are read."""

import re

CONTRACTIONS = (
    (re.compile(r"\b(can)(?:no|['’])t\b"), r"\1 not"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"\b(i)['’]m\b"), r"\1 am"),
    (re.compile(r"['’]re\b"), " are"),
    (re.compile(r"['’]ve\b"), " have"),
    (re.compile(r"['’]ll\b"), " will"),
    (re.compile(r"\b(i)['’]d rather\b"), r"\1 would rather"),
    (re.compile(r"\b(it|that|there|what|here)['’]s\b"), r"\1 is"),
)
LEAD = re.compile(
    r"^(?:(?:update|correction|note|reminder|fyi|ps|edit|by the way|remember|please note|"
    r"(?:it |as it )?turns out|"
    r"just so you know|good news|bad news|sorry|actually|as of (?:today|now|this week)|"
    r"from now on|(?:starting|since|as of|beginning) (?:today|now|next week|this week|\w+day)|"
    r"these days|meanwhile|in the meantime|now|currently|in fact)(?: that)?[,:]?\s+)+"
)
TRAIL = re.compile(
    r"(?:,? (?:now|currently|instead|these days|nowadays|at the moment|from now on|any ?more|"
    r"for now|as of now|after all))+$"
)
NEW_OF = re.compile(r"\b(?P<of>(?:for|of|on|with) (?:the |my |our |an? )?)new\b")
"""It says which thing is meant ("for the new laptop"), not that something changed."""
UNSURE = re.compile(
    r"\?\s*$|^(?:is|are|am|was|were|do|does|did|when|where|what|who|which|how|why|can|could|"
    r"should|would|will|has|have)\b|\b(?:if|might|maybe|perhaps|probably|possibly|could|unless|"
    r"whether|wish|hope|imagine|suppose|pretend|ask(?:ed|s)?|said|says|heard|rumou?r|"
    r"(?:for|an) example|e\.g|think|thought|guess)\b"
)
CHANGE_VERB = re.compile(
    r"\b(?:chang|mov|postpon|reschedul|push|shift|delay|extend|switch|transferr?|relocat|defer)ed\b"
    r"|\b(?:brought|put|set) (?:forward|back|off)\b|\bput off\b|\b(?:raised|lowered|increased|"
    r"reduced|cut|dropped|rose|fell|grew|went (?:up|down)|risen|grown|gone (?:up|down)) (?:to|from)"
    r"\b|\breplaced (?:by|with)\b|\bupdated to\b|\bmoves? (?:up |back |forward )?to\b"
    r"|\b(?:has|have|is|are|was|been|got) (?:been )?(?:brought|put) forward\b"
)
CHANGED = re.compile(
    r"\b(?:now|no longer|any ?more|from now on|instead|nowadays|these days|meanwhile|has become|"
    r"have become|became|turned out|update|correction|new|as of|since (?:today|yesterday))\b|"
    + CHANGE_VERB.pattern
)
DONE_BY = re.compile(
    r"^(?:they|we|i|the (?:\w+ )?(?:teacher|professor|school|university|office|department)|"
    r"(?:mr|ms|mrs|dr|prof)\.? \w+) (?:has |have |just )*(?=" + CHANGE_VERB.pattern + ")"
)
"""Who moved it does not matter."""
DUE = re.compile(
    r"\b(?:due|hand-?in|closing|submission) (?:date|day)\b|\b(?:is|are|was) (?:now )?due\b|"
    r"\bcloses?\b|\bhand-?in\b(?! date)|"
    r"\b(?:must|has to|have to|needs? to) be (?:handed in|submitted|delivered|turned in)\b"
)
CANCELLED = re.compile(
    r"\b(?:cancell?ed|called off|scrapped|will not take place|does not take place)\b"
)
PAST = re.compile(
    r"\b(?:was|were|had|did|went|wrote|took|got|bought|met|saw|ate|drank|slept|ran|won|lost|"
    r"learnt|taught|began|came|gave|found|made|spent|sat|stood|told|sold|paid|sent|finished|"
    r"passed|failed|completed|started|visited|attended|handed|submitted|watched|yesterday|ago|"
    r"last (?:week|month|year|night|\w+day))\b"
)
BACK_THEN = re.compile(
    r"(?<!since )\b(?:last (?:week|month|year|term|semester|summer|winter)|yesterday|back then|"
    r"previously|formerly|in the past|when i was|(?:weeks|months|years) ago|in (?:19|20)\d\d)\b"
)
"""With it, what one is or has is over, unless it tells of a change."""
DATED = re.compile(r"\bin (?:19|20)\d\d\b")
AT_TIMES = re.compile(
    r"\bon (?:\w+days?|weekends)\b|\bat weekends\b|\bpart[- ]time\b|\bin the \w+ings?\b"
)
WAS = re.compile(
    r"\b(?:was|were) (?!(?:re)?(?:scheduled|set|planned|fixed|put|brought|due)\b)"
    r"|^(?:the |my |our )?(?:\w+ )?(?:old|former|previous|ex-\w+) "
)
FORMER = re.compile(r"^(?:\w+ )?(?:old|former|previous|ex-\w+)\b")
NEGATION = re.compile(
    r"\b(?:(?:do|does|did|am|is|are|was|were|will|can|could|should|have|has|had|need|must) )?"
    r"(?:not|never|no longer|hardly)\b"
)
STOPPED = re.compile(
    r"\b(?:have |has |am |is |are )?(?:stopp(?:ed|ing)|quit(?:ting)?|g[ai]ve?n? up|giving up|"
    r"done with) (?=\w+ing\b)|\b(?:have |has )?used to (?=\w+)"
)
GIVEN_UP = re.compile(
    r"\bi (?:(?:have|just|finally) )*(?:quit|g[ai]ven? up|sworn off|cut out) (?P<o>[\w ]+)$"
)
"""What is given up may have been smoked, drunk, eaten …"""
TAKEN = ("smoke", "drink", "eat", "use", "play", "watch")
LEFT = re.compile(r"^i (?:have |just )*(?:left|quit|dropped out of) (?P<o>[\w ]+)$")
MEMBER = ("i member {}", "i part {}", "i in {}", "i belong {}")
"""What is over when one has left."""
BEGUN = re.compile(
    r"\b(?:have |has )?(?:start(?:ed)?|begun|began|taken up|took up) (?=\w+ing\b)"
    r"|\b(?:have |has )?(?:start(?:ed)?|begun|began) to\b"
)
ANTI = re.compile(
    r"\b(?:hates?|dislikes?|detests?|loathes?|can not stand|am sick of|am tired of)\b"
)
LIKE = re.compile(r"\b(?:loves?|enjoys?|adores?|am fond of|am into|am a fan of|am keen on|likes)\b")
DROPPED = re.compile(
    r"\b(?:now|currently|really|actually|just|still|already|yet|any ?more|again|recently|"
    r"nowadays|these days|at the moment|at all|instead|also|so|very|much|quite|finally|from now on|"
    r"meanwhile|usually|normally|only|generally|mostly|always|last (?:week|month|year)|"
    r"this (?:week|month|year)|since (?:\w+day|yesterday|last \w+|then)|for now|too|sadly|"
    r"unfortunately|luckily|definitely|been|am|is|are|was|were|be|will|do|does|did|have|has|had|"
    r"can|the|a|an|my|our|this|that|of|on|in|at|by|for|from|to|with|i|we|it|new|upcoming|next)"
    r"\b"
)
DROPPED_OF_VALUE = re.compile(
    r"\b(?:now|currently|really|actually|just|still|already|again|instead|the|my|our|an?(?= \w)|"
    r"of|in|at|to|with|for)\b"
)
LIGHT = re.compile(
    r"\b(?:takes?|taking|taken?) place\b|"
    r"\b(?:has|have|is|are|was|were|got|gets|will) (?:been |be )?|"
    r"\b(?:scheduled|planned|set|due|held|fixed|located|called|starts?|starting|begins?|beginning|"
    r"happens?|falls?|gets?|got|back|forward|up|down|off|out|to|from|reached|grown|grew|risen|"
    r"rose|fallen|fell|gone|went|increased|reduced|raised|lowered|cut|dropped|brought|put|updated|"
    r"by|earlier|later|until|till|only|about|around|instead|exactly|sharp)\b"
)
END = re.compile(r"\b(?:ends?|finish(?:es)?|closes?|shuts?|is over)\b")
OPENING = re.compile(
    r"\b(?:library|shop|store|supermarket|office|gym|pool|caf[eé]|canteen|cafeteria|mensa|bank|"
    r"museum|bakery|pharmacy|restaurant|lab|building|campus|university|school) "
    r"(?:now )?(?P<v>opens?|closes?|shuts?)\b"
)
"""A place has one hour of opening, on the same day of the week."""
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|will|starts?|begins?|takes?|ends?|finish(?:es)?|closes?|opens?|"
    r"moves?|got|gets)\b"
)
LESSON = frozenset({"lecture", "class", "seminar", "course", "tutorial", "practical", "lesson"})
"""They are always in the same room."""
LASTS = re.compile(
    r"^(?:the|my|our) [\w ]*?\b(?:exam|examination|test|midterm|final|quiz|retake) (?:now )?"
    r"(?:has|have|takes|lasts|consists of|contains) (?:now )?\0 (?:\w+ ){0,3}?"
    r"(?:questions|problems|exercises|tasks|parts|sections|points|minutes|hours|pages)$"
)
DEFINITE = re.compile(r"^(?:the|my|our)\b")
MINE = re.compile(r"^(?:my|our)\b|\b(?:of|for|to|in|with) (?:my|our)\b")
THING = re.compile(r"(?:i|we|my|our|the|this|there|\w+['’]s)\b")
FRESH = re.compile(
    r"^(?:i have |we have |there is |there will be )?(?:got )?(?:an?|another|one more) "
)
PREPOSITION = re.compile(r"\s(?:for|of|in|with|to|on|at|by|from|about)\s")
PLANNED = frozenset(
    word
    for line in (
        "exam deadline final midterm defence defense viva graduation birthday submission",
        "interview presentation finals retake wedding ceremony hearing enrolment appointment",
    )
    for word in line.split()
)
"""Things of which there is one at a time: the day said last counts, also without "moved"."""
HABIT = re.compile(
    r"\b(?:a|an|per|each|every) (?:day|night|week|month|year|morning|evening)\b|\bdaily\b|"
    r"\bweekly\b"
)
COUNTED = re.compile(r"^i (?:have|own|know|weigh|need|can|speak|earn|pay|sleep|want)\b")
ALONE = re.compile(r"i (?:smok|drink|vap|jog|swim|driv|exercis|fast|cook|code|paint|danc|sing)$")
"""A whole statement of one verb, stemmed."""

OF_ONE_WORD = re.compile(r"i (?:am|have|can|do|own|no longer have) ")
"""Verbs that are left out of the subject of such a statement."""

OFTEN = re.compile(
    r"\b(?:(?:every|each) (?:single )?(?:day|morning|afternoon|evening|night|week|weekend|month)|"
    r"daily|often|regularly|all the time|(?:once|twice) (?:a|per) \w+|in the \w+ings?)\b"
)
"""Who no longer does it does it no longer every morning."""

# What learners say of themselves, and of others

_KIN = (
    "brother|sister|mother|father|mum|mom|dad|grandmother|grandfather|son|daughter|husband|wife|"
    "girlfriend|boyfriend|partner|supervisor"
)
OTHER = re.compile(
    rf"^(?P<who>(?:my|our) (?:\w+ )?(?:{_KIN})(?: [a-z]+)?|(?!(?:the|he|she|it|they|this|that|we|"
    r"you|my|our|who|there|here|one|everyone|nobody|someone|a|an)\b)[a-z'’-]+(?: [a-z'’-]+)?)"
    r"(?P<now> now| currently| recently| just)? (?P<does>lives|is living|is based|resides|"
    r"has moved|has relocated|moved|relocated|does not live|no longer lives|works|is working|"
    r"no longer works)\b"
)
FIRST_PERSON = (
    (re.compile(r"^does "), "do "),
    (re.compile(r"^has "), "have "),
    (re.compile(r"^is "), "am "),
    (re.compile(r"\b(live|reside|work)s$"), r"\1"),
)
"""What others do, as if one said it oneself."""
V = r"(?P<v>[^,;]+?)"
_B = r"(?:from (?P<b>[\w .+#-]+?) )?"
TAIL = (
    r"(?: (?:now|currently|instead|again|these days|at the moment|recently|already|yesterday|"
    r"today|this \w+|last \w+|next \w+|in (?:spring|summer|autumn|fall|winter|\d{4})|"
    r"since .+|from now on|for good|as of .+|any ?more|"
    r"in (?:the )?meantime))*$"
)
JUST = (
    r"(?:now |currently |just |recently |finally |actually |have |already |am now |am |will |"
    r"still )*"
)
_WITH = r"(?:with (?:my |a |an |the |some )?[\w ]+? )?"
_JOINED = (
    r"started (?:work|working|a job|a new job|my new job) (?:at|for|with)|"
    r"(?:switched|changed) jobs to|got a (?:new )?job (?:at|with)"
)
_HOME = r"(?:flat|apartment|home|house|place|home ?town|dorm|dormitory|studio)"
OWN = tuple(
    (slot, re.compile(pattern + TAIL), denied, change)
    for slot, pattern, denied, change in (
        (
            "home",
            rf"(?:i|we) {JUST}(?:live|living|reside|residing|based) {_WITH}(?:in|at) {V}",
            0,
            0,
        ),
        ("home", rf"(?:my|our) (?:new )?{_HOME} is (?:now )?in {V}", 0, 0),
        (
            "home",
            rf"(?:i|we) {JUST}(?:moved|relocated|moving) (?:house )?{_B}(?:back )?to {V}",
            0,
            1,
        ),
        ("home", rf"i (?:do not|no longer) live in {V}", 1, 1),
        ("home", rf"i {JUST}(?:left|moved away from|moved out of) {V}", 1, 1),
        ("job", rf"i {JUST}left (?:my job at )?{V}", 1, 1),
        ("job", rf"i {JUST}(?:work|working|employed) (?:at|for|by|with) {V}", 0, 0),
        ("job", rf"i {JUST}(?:{_JOINED}) {V}", 0, 1),
        ("job", rf"i (?:do not|no longer) work (?:at|for) {V}", 1, 1),
        ("job", rf"i {JUST}(?:quit|left) my job at {V}", 1, 1),
        ("age", rf"i {JUST}(?:turned )?(?P<v>\d{{1,3}})(?: years old| now)?", 0, 0),
        ("age", rf"my age is (?:now )?{V}", 0, 0),
        ("name", rf"(?:please )?call me {V}", 0, 0),
        ("name", rf"my name is (?:now )?{V}", 0, 0),
        (
            "major",
            rf"i {JUST}(?:changed|switched) my (?:major|subject|degree|field) {_B}to {V}",
            0,
            1,
        ),
        (
            "major",
            rf"i {JUST}(?:changed|switched|transferred) {_B}to {V} as my (?:major|subject)",
            0,
            1,
        ),
        ("major", rf"i {JUST}(?:majoring|major) in {V}", 0, 0),
        (
            "major",
            rf"my (?:new )?(?:major|subject|degree|field of study) is (?:now )?{V}",
            0,
            0,
        ),
    )
)
"""Slot, pattern, whether it denies, whether it tells of a change."""
NAMED_THING = re.compile(
    r"\b(?:chapter|page|topic|section|lesson|unit|part|question|exercise|tab|seat|row|table|group|"
    r"team|class|course|job|department|marketing|sales|level|grade)\b"
)
DWELLING = re.compile(
    r"\b(?:flat|apartment|home|house|dorm|dormitory|studio|room|city|town|village|country|"
    r"countryside|suburbs?|street|abroad|parents|campus|place)\b"
)
USE = re.compile(rf"^i {JUST}(?:use|using) (?P<v>[\w .+#-]+?) (?:for|to|as) (?P<p>.+?){TAIL}")
SWITCH = re.compile(
    rf"^i {JUST}(?:switched|changed|moved|migrated|went) (?:over )?{_B}to (?P<v>[\w .+#-]+?)"
    rf" (?:for|to|as) (?P<p>.+?){TAIL}"
)
AT = re.compile(
    rf"^i {JUST}(?:on|at|in|up to|reached|got to|have reached|read up to|made it to) (?:the )?"
    r"(?P<unit>page|chapter|lesson|unit|section|level|episode|module|week|lecture)\s*(?P<v>\d+)"
    rf"(?: (?:of|in) (?P<p>.+?))?{TAIL}"
)
_DOER = r"^(?P<core>(?:i|we|(?:my|our|the) \w+) .+?) "
ADJUNCTS = tuple(
    (slot, re.compile(_DOER + pattern + TAIL))
    for slot, pattern in (
        (
            "part of day",
            r"(?P<v>in the (?:morning|afternoon|evening)s?|at night|(?:at|on) weekends?)",
        ),
        ("means", r"(?P<v>by (?:bus|car|bike|bicycle|train|tram|metro|subway|boat|plane)|on foot)"),
        ("company", r"with (?P<v>[\w. '’-]+?)"),
        ("place", r"(?:in|at) (?P<v>(?:the |my |a )?[\w '’-]+?)"),
    )
)
"""How something is done: it changes only where "now" or the like says so."""
SO_FAR = re.compile(
    rf"^i {JUST}(?:watched|read|done|finished|completed|solved|learnt|learned|memorised|memorized|"
    r"covered|written) (?P<v>\d+)(?: \w+)? (?:out )?of (?P<p>.+)$"
)
PREFER = re.compile(
    r"^(?:i|please|my preference is|keep|give me|use|make|answer|reply|explain|write|speak)\b"
)
MANNERS = (
    (
        "length",
        ("short", "shorter", "brief", "concise", "terse"),
        ("long", "longer", "detailed", "thorough", "extensive", "in-depth"),
    ),
    ("mode", ("dark mode", "dark theme"), ("light mode", "light theme")),
    ("level", ("simple", "simpler", "beginner"), ("advanced", "technical", "expert")),
)
MANNER_NOUN = re.compile(r"\b(?P<n>answer|repl|explanation|summar|mode|theme|response|text)\w*")
LANGUAGE = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|speak|explanations?|explain|write|respond)\b.*\bin (?P<v>english|"
    r"chinese|german|french|spanish|italian|japanese|korean|russian|portuguese)\b"
)

# A thing with a name, a teacher, a favourite …

_SINGLE = (
    r"supervisor|advis[eo]r|professor|teacher|tutor|mentor|boss|manager|coach|partner|landlord|"
    r"doctor|dentist|major|password|passphrase|pin|username|login|nickname|e-?mail(?: address)?|"
    r"address|(?:phone|mobile|cell|telephone|student|room|account|locker) (?:number|id)|"
    r"goal|target|aim|plan for (?:today|this week)|editor|browser|laptop|computer|phone|"
    r"operating system|car|time ?zone|level|employer|job|position|role|title|topic|status|"
    r"native language|textbook|study partner|school|university|department|group|class ?room|"
    r"office|seat|grade|score|rank|weight|height|budget|salary|rent|bank"
)
_FAVOURITE = r"(?:favou?rite|preferred|best-loved) [\w ]+?"
NAMED = re.compile(
    rf"^(?:the |my |our )(?P<np>(?:[\w'’-]+ ){{0,5}}?(?:{_FAVOURITE}|{_SINGLE})"
    r"(?: (?:for|of|in|at) [\w '’-]+?)?)(?: these days| at the moment)? "
    r"(?:is called|is named|is|are|has become|became|(?:has |have |was |were )?(?:been )?"
    r"(?:changed|switched|moved|updated|replaced|set|raised|lowered)(?: from (?P<b>.+?))? "
    rf"(?:to|by|with)|will be) (?:now |these days |currently |actually )*{V}{TAIL}"
)
INVERTED = re.compile(
    rf"^{V} is (?:now |currently )*(?:my|our) (?:new )?(?P<np>{_FAVOURITE}|{_SINGLE}){TAIL}"
)
NO_MORE = re.compile(
    rf"^{V} (?:used to be|is no longer|is not|was) (?:my|our) (?P<np>{_FAVOURITE}|{_SINGLE}){TAIL}"
)
NEW_ONE = re.compile(
    rf"^(?:i|we) (?:have|got|have got) a new (?P<np>{_SINGLE})(?:,? (?:called|named) {V})?{TAIL}"
)
CHANGED_MY = re.compile(
    rf"^(?:i|we) {JUST}(?:changed|switched|updated|raised|lowered|set|replaced) (?:my|our|the) "
    rf"(?P<np>[\w '’-]+?)(?: from (?P<b>.+?))? (?:to|with|by) {V}{TAIL}"
)
MANY = re.compile(
    r"the \w+ is\b|(?:the|my|our) (?:[\w'’-]+ )*?(?:goal|target|aim|plan|group|topic)\b"
)
"""There may be several; or whose it is is not said."""
WHERE = re.compile(r"\b(?:in|for|at|on)\b")
FOR = re.compile(r"^(?P<v>.+?) (?P<of>(?:for .+|on (?:the|my) .+|at (?:home|work|school|uni\w*)))$")
NATIONALITY = re.compile(
    r"^(?:(?:half|very|not) )?(?:[a-z]+(?:ish|ese)|german|french|dutch|swiss|greek|korean|american|"
    r"italian|russian|canadian|indian|austrian|norwegian|belgian|european|mexican|brazilian|"
    r"australian|ukrainian|african|asian|iranian|egyptian|hungarian|romanian|bulgarian)$"
)
"""How somebody is, not who."""
ANYTHING = re.compile(
    r"\b(?:favou?rite|preferred|best-loved|topic|job|position|role|status|native language|pin|"
    r"password|passphrase|username|login|nickname)\b"
)
"""Things whose names are written without capitals."""
SYNONYMS = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (
            r"\b(?:due|hand-in|submission|closing) (?:date|day|time)\b|\bcut-?off(?: date)?\b",
            "deadline",
        ),
        (r"\b(?:cell ?phone|mobile|telephone|cell)(?: phone)? number\b", "phone number"),
        (r"\be-?mail(?: address)?\b", "email"),
        (r"\bfavorite\b|\bpreferred\b", "favourite"),
        (r"\bcolor(?=s?\b)", "colour"),
        (r"\b(?:movie|film)\b", "film"),
        (r"\bon (?=(?:\w+days|weekends|weekdays|holidays)\b)", "on @"),
        (r"\b(?:aim|target)\b", "goal"),
        (r"\badvis[eo]r\b", "supervisor"),
        (r"\bexamination\b", "exam"),
        (r"\bclass ?room\b", "room"),
        (r"\b(?:date|day|time|room|place|location|venue) of (?:the |my |our )?", ""),
        (
            r"(?<=\w)(?<!\ba)(?<!\bper)(?<!\beach)(?<!\bevery) "
            r"(?:date|day|time|room|location|venue)\b"
            r"(?= ?(?:$|\0|is|has|was|will|moved|for|of|in))",
            "",
        ),
    )
)
IRREGULAR = {"understood": "understand", "wrote": "write", "learnt": "learn", "knew": "know"}
