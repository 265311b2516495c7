"""The actions of the knowledge tool and their arguments, as *Hello-Agents* 8.3 has them."""

from core.tools.arguments import Parameter
from core.tools.tool import ActionSpec

_NAMESPACE = Parameter(name="namespace", description="Another namespace than the tool's own.")
_DOCUMENT_ID = Parameter(
    name="document_id", description="Name of the document; what has this name is replaced."
)
_CHUNKING = (
    Parameter(
        name="chunk_size", kind="integer", minimum=1, description="Most tokens of a passage (800)."
    ),
    Parameter(
        name="chunk_overlap",
        kind="integer",
        minimum=0,
        description="Most tokens passages share (100).",
    ),
)
_QUERY = Parameter(name="query", words=True, description="What to look for.")
_QUESTION = Parameter(name="question", words=True, description="What to answer.")
_FINDING = (
    Parameter(
        name="limit", kind="integer", minimum=1, maximum=100, description="Most results (5)."
    ),
    Parameter(
        name="enable_advanced_search",
        kind="boolean",
        description="Search in other words too (true).",
    ),
    Parameter(name="enable_mqe", kind="boolean", description="Ask the model for other words."),
    Parameter(name="enable_hyde", kind="boolean", description="Search by an imagined answer."),
    Parameter(name="include_citations", kind="boolean", description="Tell the sources (true)."),
    Parameter(
        name="max_chars",
        kind="integer",
        minimum=1,
        description="Most characters of quoted text (1200).",
    ),
    _NAMESPACE,
)


ADD_DOCUMENT = ActionSpec(
    name="add_document",
    description="Load a file (PDF, Office, EPUB, HTML, Markdown, text, picture, ...).",
    parameters=(
        Parameter(name="file_path", required=True, description="Path of the file."),
        _DOCUMENT_ID,
        *_CHUNKING,
        _NAMESPACE,
    ),
)
ADD_TEXT = ActionSpec(
    name="add_text",
    description="Keep a text.",
    parameters=(
        Parameter(name="text", required=True, words=True, description="The text."),
        _DOCUMENT_ID,
        *_CHUNKING,
        _NAMESPACE,
    ),
)
ASK = ActionSpec(
    name="ask",
    description="Answer a question from the documents, with quotes and pages.",
    parameters=(_QUESTION, _QUERY, *_FINDING),
)
SEARCH = ActionSpec(
    name="search",
    description="Find passages, best first.",
    parameters=(
        _QUERY,
        _QUESTION,
        *_FINDING,
        Parameter(
            name="min_score", kind="number", minimum=0, maximum=1, description="Least score (0.1)."
        ),
    ),
)
STATS = ActionSpec(name="stats", description="Tell what is there.", parameters=(_NAMESPACE,))
CLEAR = ActionSpec(
    name="clear",
    description="Delete everything of the namespace; only with confirm=true.",
    erases=True,
    parameters=(
        Parameter(name="confirm", kind="boolean", description="Really delete (false)."),
        _NAMESPACE,
    ),
)
