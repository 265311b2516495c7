"""The tutorial's knowledge tool: documents and texts in, proven answers out."""

from pathlib import Path

from core.domain.answer import AskOptions, Route
from core.errors import ConfigurationError, DocumentError, InvalidInputError
from core.memory.checks import is_storable
from core.memory.routing import route
from core.rag.chunking import OVERLAP_SHARE, PASSAGE_TOKENS
from core.services import Services
from core.settings import Settings
from core.tools.knowledge_base import Added, KnowledgeBase
from core.tools.paths import existing_file
from core.tools.rag_actions import ADD_DOCUMENT, ADD_TEXT, ASK, CLEAR, SEARCH, STATS
from core.tools.rag_words import answer_told, passages_told
from core.tools.requests import is_question
from core.tools.texts import shortened, wrong
from core.tools.texts_rag import say
from core.tools.tool import Tool
from core.wiring import shared_services

_DESCRIPTION = (
    "Knowledge tool - keeps documents and texts, searches them, and answers questions from them "
    "with quotes and pages"
)


class RAGTool(Tool):
    """Knowledge of one namespace; `execute(action, …)` has the tutorial's six actions.

    `add_document`, `add_text`, `ask`, `search`, `stats`, `clear`; see docs/tutorial.md. A namespace
    of this tool is never a learner's. Everything is kept in DATA_DIR, and the vectors where the
    settings say. Making one opens nothing. Safe in several threads.
    """

    def __init__(
        self,
        knowledge_base_path: str | Path = "./knowledge_base",
        qdrant_url: str | None = None,
        qdrant_api_key: str | None = None,
        collection_name: str = "rag_knowledge_base",
        rag_namespace: str = "default",
        *,
        services: Services | None = None,
    ) -> None:
        """`knowledge_base_path` is where files named without a folder are looked for as well.

        `qdrant_url` and `qdrant_api_key` may repeat the settings and say nothing else. Raises
        `ConfigurationError`, and `InvalidInputError` for names that cannot be kept.
        """
        super().__init__(
            "rag",
            _DESCRIPTION,
            [
                ADD_DOCUMENT.done_by(self._add_document),
                ADD_TEXT.done_by(self._add_text),
                ASK.done_by(self._ask),
                SEARCH.done_by(self._search),
                STATS.done_by(self._stats),
                CLEAR.done_by(self._clear),
            ],
        )
        if not is_storable(collection_name + rag_namespace):
            raise InvalidInputError(
                "The names of a knowledge base have letters that cannot be kept."
            )
        self._services = services or shared_services()
        _check_server(self._services.settings, qdrant_url, qdrant_api_key)
        self.knowledge_base_path = Path(knowledge_base_path)
        self.collection_name = collection_name
        self.rag_namespace = rag_namespace

    def answer_plainly(self, text: str, language: str) -> str | None:
        """Answer a question that the documents answer; None for anything else."""
        if not is_question(text) or route(text).route is Route.MEMORY:
            return None
        base = self._base(None)
        if not base.documents():
            return None
        finished = base.ask(text, advanced=True, options=_options(None, None), model=False)
        if finished.draft.refusal is not None:
            return None
        return answer_told(finished, language, limit=3, cite=True, max_chars=1200)

    # The actions

    def _add_document(
        self,
        language: str,
        file_path: str,
        document_id: str | None = None,
        chunk_size: int = 800,
        chunk_overlap: int = 100,
        namespace: str | None = None,
    ) -> str:
        path = existing_file(
            file_path,
            private=self._services.settings.data_dir,
            language=language,
            beside=self.knowledge_base_path,
        )
        if path is None:
            raise wrong(DocumentError, say, "no_file", language, path=file_path)
        added = self._base(namespace).add_file(path, document_id)
        return self._told(added, language, namespace, chunk_size, chunk_overlap)

    def _add_text(
        self,
        language: str,
        text: str,
        document_id: str | None = None,
        chunk_size: int = 800,
        chunk_overlap: int = 100,
        namespace: str | None = None,
    ) -> str:
        added = self._base(namespace).add_text(text, document_id)
        return self._told(added, language, namespace, chunk_size, chunk_overlap)

    def _told(
        self,
        added: Added,
        language: str,
        namespace: str | None,
        chunk_size: int,
        chunk_overlap: int,
    ) -> str:
        document = added.document
        lines = [
            say(
                "unchanged" if added.unchanged else "added",
                language,
                name=document.name,
                passages=document.chunks,
                seconds=added.seconds,
                namespace=namespace or self.rag_namespace,
            )
        ]
        if added.replaced:
            lines.append(say("replaced", language, names=", ".join(added.replaced)))
        size, overlap = _sizes(self._services.settings)
        asked = {"chunk_size": (chunk_size, size), "chunk_overlap": (chunk_overlap, overlap)}
        below = [f"{name}={given}" for name, (given, own) in asked.items() if given < own]
        if below:
            given = ", ".join(below)
            lines.append(say("chunking", language, given=given, size=size, overlap=overlap))
        return "\n".join(lines)

    def _ask(
        self,
        language: str,
        question: str | None = None,
        query: str | None = None,
        limit: int = 5,
        enable_advanced_search: bool = True,
        enable_mqe: bool | None = None,
        enable_hyde: bool | None = None,
        include_citations: bool = True,
        max_chars: int = 1200,
        namespace: str | None = None,
    ) -> str:
        base = self._base(namespace)
        finished = base.ask(
            _wanted(question, query, language),
            advanced=enable_advanced_search,
            options=_options(enable_mqe, enable_hyde),
            model=True,
        )
        return answer_told(
            finished, language, limit=limit, cite=include_citations, max_chars=max_chars
        )

    def _search(
        self,
        language: str,
        query: str | None = None,
        question: str | None = None,
        limit: int = 5,
        min_score: float = 0.1,
        enable_advanced_search: bool = True,
        enable_mqe: bool | None = None,
        enable_hyde: bool | None = None,
        include_citations: bool = True,
        max_chars: int = 1200,
        namespace: str | None = None,
    ) -> str:
        wanted = _wanted(query, question, language)
        base = self._base(namespace)
        documents = {document.id: document for document in base.documents()}
        if not documents:
            return say("no_documents", language)
        found = base.search(
            wanted, advanced=enable_advanced_search, options=_options(enable_mqe, enable_hyde)
        )
        shown = [p for p in found if p.score >= min_score][:limit]
        if not shown:
            return say("none_found", language, query=shortened(wanted, 80), score=min_score)
        return passages_told(
            shown, documents, language, cite=include_citations, max_chars=max_chars
        )

    def _stats(self, language: str, namespace: str | None = None) -> str:
        status = self._services.status
        documents = self._base(namespace).documents()
        answering = status.answering
        lines = [
            say(
                "stats",
                language,
                namespace=namespace or self.rag_namespace,
                collection=self.collection_name,
                documents=len(documents),
                passages=sum(document.chunks for document in documents),
                embedder=status.embedder,
                store=status.vector_store,
                answering=say("extractive", language) if answering == "extractive" else answering,
            )
        ]
        for document in documents:
            lines.append(
                say(
                    "document",
                    language,
                    name=document.name,
                    pages=document.pages,
                    passages=document.chunks,
                )
            )
        return "\n".join(lines)

    def _clear(self, language: str, confirm: bool = False, namespace: str | None = None) -> str:
        base, name = self._base(namespace), namespace or self.rag_namespace
        if not confirm:
            return say("confirm", language, n=len(base.documents()), namespace=name)
        number, proof = base.clear()
        told = say("cleared", language, n=number, namespace=name)
        if proof.complete:
            return told
        return f"{told}\n{say('not_all', language, places=', '.join(proof.found_in))}"

    def _base(self, namespace: str | None) -> KnowledgeBase:
        return KnowledgeBase(
            self._services,
            collection=self.collection_name,
            name=self.rag_namespace if namespace is None else namespace,
        )


def _sizes(settings: Settings) -> tuple[int, int]:
    """Return how many tokens a passage has, and how many two neighbours share, at most.

    Tables and single long sentences aside.
    """
    size = min(settings.chunk_size, PASSAGE_TOKENS)
    return size, min(settings.chunk_overlap, int(size * OVERLAP_SHARE))


def _options(mqe: bool | None, hyde: bool | None) -> AskOptions:
    return AskOptions(route=Route.DOCUMENTS, enable_mqe=mqe, enable_hyde=hyde, follow_up=False)


def _wanted(first: str | None, second: str | None, language: str) -> str:
    wanted = first or second
    if not wanted:
        raise wrong(InvalidInputError, say, "missing_question", language)
    return wanted


def _check_server(settings: Settings, url: str | None, key: str | None) -> None:
    """Refuse a server or key that is not that of the settings: there is one store for all."""
    if url is not None and url.rstrip("/") != (settings.qdrant_url or "").rstrip("/"):
        own = "the embedded Qdrant Edge" if settings.qdrant_url is None else settings.qdrant_url
        raise ConfigurationError(
            f"This tool was given qdrant_url={url}, but the vectors are kept in {own}.",
            remedy=f"Set QDRANT_URL={url} in the .env file, or leave qdrant_url out.",
        )
    known = settings.qdrant_api_key
    if key is not None and (known is None or key != known.get_secret_value()):
        raise ConfigurationError(
            "This tool was given another qdrant_api_key than the settings have.",
            remedy="Set QDRANT_API_KEY in the .env file, or leave qdrant_api_key out.",
        )
