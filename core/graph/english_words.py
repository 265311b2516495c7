"""English words that an extractor without a model has to know: verbs, function words, heads."""

from core.domain.graph import RelationKind as R

_DETERMINERS_WORDS = "a an the"
DETERMINERS = frozenset(_DETERMINERS_WORDS.split())
_POINTING_WORDS = "this that these those such no neither either"
POINTING = frozenset(_POINTING_WORDS.split())
_POSSESSIVES_WORDS = "its their his her our your my whose"
POSSESSIVES = frozenset(_POSSESSIVES_WORDS.split())
_PRONOUNS_WORDS = """
it they he she we you i this that these those one who someone somebody anyone anybody everyone
everybody nobody something anything everything nothing others them him us me itself themselves
himself herself there here what which each both all some many most few none
"""
PRONOUNS = frozenset(_PRONOUNS_WORDS.split())
_RELATIVES_WORDS = "which who that whose where when"
RELATIVES = frozenset(_RELATIVES_WORDS.split())
_PREPOSITIONS_WORDS = """
off up down out away back in on at by for from with to into onto through over under between among
during after before since until within without about against across along around behind beside
beyond near per via toward towards upon above below inside outside throughout despite except like
unlike than as of because while although though whereas so if unless when where whether
"""
PREPOSITIONS = frozenset(_PREPOSITIONS_WORDS.split())
_CONJUNCTIONS_WORDS = "and or but nor yet plus"
CONJUNCTIONS = frozenset(_CONJUNCTIONS_WORDS.split())
_AUXILIARIES_WORDS = """
is are was were be been being am has have had do does did can will must shall
"""
AUXILIARIES = frozenset(_AUXILIARIES_WORDS.split())
_NEGATIONS_WORDS = """
not never no nor neither none cannot can't isn't aren't wasn't weren't don't doesn't didn't won't
hasn't haven't hadn't without hardly rarely nothing nobody nowhere longer
"""
NEGATIONS = frozenset(_NEGATIONS_WORDS.split())
_HEDGES_WORDS = """
if would could might may should perhaps maybe possibly supposedly allegedly imagine suppose
whether unless myth wrongly mistakenly falsely incorrectly rumour rumor believed believe believes
think thinks thought claim claims claimed seems seem seemed apparently presumably pretend ought
false untrue
"""
HEDGES = frozenset(_HEDGES_WORDS.split())
"""A sentence with one of these states no fact."""

_ADVERBS_WORDS = """
also often usually first originally still now then mainly mostly always sometimes generally
typically commonly widely partly largely mainly chiefly primarily directly later soon even only
just already again once together frequently normally essentially basically simply thus therefore
hence instead alone too very quite rather almost nearly about roughly approximately ever today
itself himself herself themselves each both all jointly independently
"""
ADVERBS = frozenset(_ADVERBS_WORDS.split())
_GENERIC_WORDS = """
thing things way ways kind kinds type types sort sorts form forms part parts example examples
method methods idea ideas problem problems case cases result results process processes step steps
fact facts reason reasons group groups set sets number numbers lot pair series amount variety
range piece pieces place places time times day days year years point points use uses effect
effects cause causes change changes difference people person man woman men women author authors
researcher researchers scientist scientists colleague colleagues student students reader readers
user users program programs system systems approach technique study studies paper book model
models work works question questions answer answers name names word words term terms concept side
end beginning rest hand matter area field level order sense view means role purpose goal basis
source sources world chapter section page figure table sentence text input output value values
line lines size success failure subject object topic task tasks others article articles letter
letters family families member members team teams situation situations condition conditions
feature features element elements aspect aspects component components factor factors version
versions century centuries month months week weeks hour hours minute minutes second seconds
majority minority half quarter third machine machines device devices tool tools history story
attempt trouble room space item items event events ability origin origins individual individuals
support probability impact importance significance influence access purposes chance tendency habit
habits price issue issues project projects resource resources option options activity activities
circumstance circumstances location locations evidence stuff topics opportunity opportunities
"""
GENERIC = frozenset(_GENERIC_WORDS.split())
"""Heads that name nothing by themselves; with a word before them they may."""

_WEAK_WORDS = """
many several most various different new modern simple common large small good important main other
certain own few numerous typical famous well-known early late more less some all any both another
each every much enough similar special particular general single double whole entire real true
false possible necessary useful great big little long short high low old young key major minor
chief crucial central essential fundamental basic powerful popular successful same next last
previous following current present recent one two three four five six seven eight nine ten eleven
twelve twenty hundred thousand million billion dozen hundreds thousands millions additional
further first only original so-called called only best better worst known able likely huge tiny
complex complicated clever elegant strong weak rare frequent available responsible countless
innumerable
"""
WEAK = frozenset(_WEAK_WORDS.split())
"""Words before a name that say little: they are taken off."""

_QUANTITIES_WORDS = """
number variety range lot group set series pair amount mixture combination collection kind kinds
type types sort form forms layer layers sequence handful couple bundle pieces majority network
chain plenty stack pile body mass
"""
QUANTITIES = frozenset(_QUANTITIES_WORDS.split())
"""`a number of cells` speaks of cells."""
REAL_QUANTITIES = QUANTITIES - {"network", "chain", "layer", "layers", "stack", "body", "mass"}

_ORGANISATION_WORDS = """
university institute institution company corporation inc ltd laboratory laboratories labs lab
college school academy society association agency ministry department museum foundation committee
council bank press group party church hospital observatory bureau commission
"""
ORGANISATION = frozenset(_ORGANISATION_WORDS.split())
_PLACE_WORDS = """
city river lake mountain mountains sea ocean island islands desert county province valley bay
street square park republic kingdom states forest peninsula canyon
"""
PLACE = frozenset(_PLACE_WORDS.split())
_MONTHS_WORDS = """
january february march april may june july august september october november december
"""
MONTHS = frozenset(_MONTHS_WORDS.split())

VERBS: tuple[tuple[R, bool, float, str], ...] = (
    (R.USES, False, 0.85, "use employ utilise utilize adopt exploit apply"),
    (R.USES, False, 0.8, "rely:on rely:upon draw:on make:use:of run:on feed:on"),
    (R.CAUSES, False, 0.85, "cause trigger provoke induce"),
    (R.CAUSES, False, 0.8, "lead:to result:in give:rise:to bring:about contribute:to"),
    (R.CAUSES, True, 0.8, "result:from arise:from stem:from"),
    (
        R.PRODUCES,
        False,
        0.85,
        "produce generate release emit secrete yield manufacture synthesise synthesize",
    ),
    (
        R.CREATED,
        False,
        0.85,
        "invent found create discover write compose design develop propose "
        "introduce formulate establish devise pioneer coauthor build construct paint publish",
    ),
    (R.HAS, False, 0.85, "contain include comprise consist:of"),
    (R.HAS, False, 0.65, "have"),
    (R.PART_OF, False, 0.85, "belong:to"),
    (R.LOCATED_IN, False, 0.8, "lie:in lie:on flow:through stand:in stand:on live:in"),
    (R.WORKS_FOR, False, 0.85, "work:for work:at teach:at join"),
    (R.CONTRASTS, False, 0.85, "differ:from contrast:with"),
    (R.DEFINED_AS, False, 0.8, "mean denote refer:to"),
    (R.HAPPENED_IN, False, 0.8, "take:place:in happen:in occur:in begin:in end:in die:in start:in"),
    (
        R.RELATED,
        False,
        0.7,
        "depend:on affect influence replace regulate control measure predict "
        "support protect prevent treat connect convert transform inspire extend describe explain "
        "study solve require improve reduce minimise minimize absorb carry store power feed attack "
        "destroy succeed marry advise supervise teach lead run own acquire buy win receive "
        "translate compute train separate combine link bind transmit transport detect encode "
        "decode "
        "compress implement simulate enable drive orbit cross border defeat conquer rule",
    ),
)
"""Kind, whether the object is the subject of the relation, confidence, verbs with what follows."""

PASSIVES: tuple[tuple[R, bool, float, str], ...] = (
    (R.USES, False, 0.85, "based:on built:on"),
    (R.HAS, False, 0.85, "composed:of made:of made:up:of built:from made:from formed:from"),
    (
        R.LOCATED_IN,
        False,
        0.85,
        "located:in located:on situated:in situated:on found:in based:in "
        "headquartered:in housed:in stored:in",
    ),
    (R.BORN_IN, False, 0.9, "born:in born:on"),
    (R.DEFINED_AS, False, 0.85, "defined:as"),
    (R.PART_OF, False, 0.8, "contained:in included:in"),
    (
        R.RELATED,
        False,
        0.7,
        "connected:to connected:with linked:to related:to attached:to "
        "named:after married:to derived:from used:for used:in applied:to converted:into "
        "transformed:into",
    ),
)
"""After a form of `be`; those with `by` follow from `VERBS`."""

ROLES: dict[str, tuple[R, bool]] = {
    "founder": (R.CREATED, False), "inventor": (R.CREATED, False), "author": (R.CREATED, False),
    "creator": (R.CREATED, False), "discoverer": (R.CREATED, False),
    "designer": (R.CREATED, False), "cause": (R.CAUSES, False), "source": (R.PRODUCES, False),
    "result": (R.CAUSES, True), "consequence": (R.CAUSES, True), "product": (R.PRODUCES, True),
    "part": (R.PART_OF, False), "component": (R.PART_OF, False), "member": (R.PART_OF, False),
    "branch": (R.PART_OF, False), "subset": (R.PART_OF, False), "subfield": (R.PART_OF, False),
    "organ": (R.PART_OF, False), "element": (R.PART_OF, False),
    "type": (R.IS_A, False), "kind": (R.IS_A, False), "form": (R.IS_A, False),
    "class": (R.IS_A, False), "species": (R.IS_A, False), "example": (R.IS_A, False),
    "instance": (R.IS_A, False), "variant": (R.IS_A, False), "family": (R.IS_A, False),
    "capital": (R.LOCATED_IN, False), "opposite": (R.CONTRASTS, False),
}  # fmt: skip
"""`X is the … of Y`: the relation of X and Y."""

IRREGULAR = {
    "write": ("wrote", "written"), "make": ("made", "made"), "build": ("built", "built"),
    "lead": ("led", "led"), "give": ("gave", "given"), "bring": ("brought", "brought"),
    "begin": ("began", "begun"), "take": ("took", "taken"), "draw": ("drew", "drawn"),
    "lie": ("lay", "lain"), "win": ("won", "won"), "teach": ("taught", "taught"),
    "buy": ("bought", "bought"), "have": ("had", "had"), "mean": ("meant", "meant"),
    "arise": ("arose", "arisen"), "run": ("ran", "run"), "bind": ("bound", "bound"),
    "stand": ("stood", "stood"), "feed": ("fed", "fed"), "drive": ("drove", "driven"),
    "refer": ("referred", "referred"), "occur": ("occurred", "occurred"),
    "transmit": ("transmitted", "transmitted"), "stem": ("stemmed", "stemmed"),
    "control": ("controlled", "controlled"),
}  # fmt: skip

_OTHER_VERBS_WORDS = """
show shows showed shown say says said see sees saw seen know knows knew known become becomes
became get gets got go goes went come comes came let lets allow allows allowed help helps helped
keep keeps kept call calls called find finds tell tells told ask asks asked need needs needed want
wants wanted try tries tried turn turns turned move moves moved grow grows grew grown receive
receives received send sends sent put puts set sets learn learns learned reach reaches reached
remain remains remained appear appears appeared change changes changed provide provides provided
offer offers offered follow follows followed hold holds held exist exists existed serve serves
served act acts acted look looks looked fall falls fell fallen rise rises rose understand
understands understood spend spends spent increase increases increased decrease decreases
decreased consider considers considered compare compares compared return returns returned choose
chooses chose chosen break breaks broke broken cut cuts speak speaks spoke pass passes passed play
plays played pay pays paid sell sells sold meet meets met lose loses lost fail fails failed raise
raises raised add adds added open opens opened close closes closed leave leaves left spread
spreads attend attends attended represent represents represented depends depended happen happens
happened occurs works worked works lives lived died dies enters entered matters mattered makes
made does did has had is are was were needs covers covered reads wrote writes stays stayed starts
started stops stopped gives gave takes took brings brought moves sits sat stands stood lies lay
"""
OTHER_VERBS = frozenset(_OTHER_VERBS_WORDS.split())
"""Finite verbs that end a noun phrase."""
PLURALS = {
    "mitochondria": "mitochondrion", "bacteria": "bacterium", "data": "data", "children": "child",
    "men": "man", "women": "woman", "people": "people", "leaves": "leaf", "wolves": "wolf",
    "matrices": "matrix", "indices": "index", "vertices": "vertex", "hypotheses": "hypothesis",
    "analyses": "analysis", "series": "series", "species": "species", "nuclei": "nucleus",
    "stimuli": "stimulus", "criteria": "criterion", "phenomena": "phenomenon", "feet": "foot",
    "teeth": "tooth", "mice": "mouse", "fungi": "fungus", "lives": "life", "halves": "half",
    "axes": "axis", "bases": "base", "lens": "lens", "gas": "gas", "physics": "physics",
    "news": "news", "gases": "gas", "lenses": "lens", "viruses": "virus", "buses": "bus",
    "hippocampi": "hippocampus", "theses": "thesis", "crises": "crisis", "shoes": "shoe",
    "movies": "movie", "calories": "calorie", "cookies": "cookie", "caches": "cache",
    "pancreas": "pancreas", "canvas": "canvas", "atlas": "atlas", "bias": "bias", "alias": "alias",
}  # fmt: skip
