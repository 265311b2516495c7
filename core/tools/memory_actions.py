"""The actions of the memory tool and their arguments, as *Hello-Agents* 8.2.3 has them."""

from core.domain.perception import Modality
from core.domain.upkeep import ForgetStrategy
from core.tools.arguments import Parameter
from core.tools.tool import ActionSpec

_CONTENT = Parameter(name="content", words=True, description="The text.")
_TYPE = Parameter(
    name="memory_type", description="working, episodic, semantic or perceptual (working)."
)
_IMPORTANCE = Parameter(
    name="importance", kind="number", minimum=0, maximum=1, description="From 0 to 1 (0.5)."
)
_ID = Parameter(
    name="memory_id",
    required=True,
    description="Id of the memory, or its first 8 or more characters.",
)
_LIMIT = Parameter(
    name="limit", kind="integer", minimum=1, maximum=1000, description="Most memories."
)
_THRESHOLD = Parameter(
    name="threshold",
    kind="number",
    minimum=0,
    maximum=1,
    description="Below this a memory goes (0.1); see strategy.",
)

ADD = ActionSpec(
    name="add",
    description="Remember something. Further arguments are kept with it, e.g. event_type, concept.",
    keeps_others=True,
    parameters=(
        _CONTENT,
        _TYPE,
        _IMPORTANCE,
        Parameter(name="file_path", description="A file to remember (perceptual)."),
        Parameter(
            name="modality",
            choices=tuple(Modality),
            description="Of what kind the file is; its name tells it when left out.",
        ),
    ),
)
SEARCH = ActionSpec(
    name="search",
    description="Find memories, the most relevant first.",
    parameters=(
        Parameter(name="query", required=True, words=True, description="What to look for."),
        _LIMIT,
        Parameter(name="memory_types", kind="strings", description="Only these types."),
        Parameter(name="memory_type", description="Only this type."),
        Parameter(
            name="min_importance",
            kind="number",
            minimum=0,
            maximum=1,
            description="Least importance (0.1).",
        ),
    ),
)
SUMMARY = ActionSpec(
    name="summary", description="Tell what is remembered, in short.", parameters=(_LIMIT,)
)
STATS = ActionSpec(name="stats", description="Tell how much is remembered.")
UPDATE = ActionSpec(
    name="update",
    description="Change a memory. Further arguments are kept with it.",
    keeps_others=True,
    parameters=(_ID, _CONTENT, _IMPORTANCE),
)
REMOVE = ActionSpec(name="remove", description="Delete a memory.", parameters=(_ID,))
FORGET = ActionSpec(
    name="forget",
    description="Forget what matters least; preview=true only tells what would go.",
    parameters=(
        Parameter(
            name="strategy",
            choices=tuple(ForgetStrategy),
            description="By what memories are chosen (importance_based).",
        ),
        _THRESHOLD,
        Parameter(
            name="max_age_days", kind="number", minimum=0, description="Oldest in days (30)."
        ),
        Parameter(name="memory_types", kind="strings", description="Only these types."),
        Parameter(name="preview", kind="boolean", description="Only tell (false)."),
    ),
)
CONSOLIDATE = ActionSpec(
    name="consolidate",
    description="Make important memories last.",
    parameters=(
        Parameter(name="from_type", description="Type they have (working)."),
        Parameter(name="to_type", description="Type they get (episodic)."),
        Parameter(
            name="importance_threshold",
            kind="number",
            minimum=0,
            maximum=1,
            description="Least importance (0.7).",
        ),
    ),
)
CLEAR_ALL = ActionSpec(
    name="clear_all", description="Delete every memory of the user for good.", erases=True
)
