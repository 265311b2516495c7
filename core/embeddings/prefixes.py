"""What a model wants in front of a question and of a passage, as its model card says.

Left out, or mixed up, most of these models find worse without any error.
"""

import re
from typing import NamedTuple


class Prefixes(NamedTuple):
    """Text put in front of a question and of what is searched."""

    query: str
    document: str


NONE = Prefixes("", "")
_ENGLISH = Prefixes("Represent this sentence for searching relevant passages: ", "")
_CHINESE = Prefixes("为这个句子生成表示以用于检索相关文章：", "")
_INSTRUCT = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
)
_BY_NAME = (
    (r"\be5-.*instruct", Prefixes(_INSTRUCT + " ", "")),
    (r"\be5-(small|base|large)", Prefixes("query: ", "passage: ")),
    (r"\bbge-m3", NONE),
    (r"\bbge-.*-zh", _CHINESE),
    (r"\bbge-.*-en", _ENGLISH),
    (r"mxbai-embed-large", _ENGLISH),
    (r"arctic-embed.*v2|arctic-embed2", Prefixes("query: ", "")),
    (r"arctic-embed", _ENGLISH),
    (r"nomic-embed-text", Prefixes("search_query: ", "search_document: ")),
    (r"qwen3-embedding", Prefixes(_INSTRUCT, "")),
    (r"embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
)
"""First match counts; the names are those of the hub and of Ollama."""


def prefixes_of(model: str) -> Prefixes:
    """Return the prefixes of a model by its name; none for a model that is not known."""
    name = model.lower()
    return next((found for pattern, found in _BY_NAME if re.search(pattern, name)), NONE)
