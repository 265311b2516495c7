"""A knowledge base: documents and texts of one namespace, apart from every learner's."""

import hashlib
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from core import adapters
from core.domain.answer import AskOptions, Passage
from core.domain.document import Document
from core.domain.upkeep import ErasureProof
from core.errors import InvalidInputError, error_of
from core.rag.asking import Ask, Finished
from core.rag.engine import checked_question, file_name
from core.rag.ingestion import LoadRequest
from core.services import Services

MAX_ID = 100
_SESSION = "knowledge_base"
_NO_ID = re.compile(r"[/\\\x00-\x1f\x7f]")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What adding did. `unchanged`: it was there already; `replaced` are names it took over."""

    document: Document
    seconds: float
    unchanged: bool
    replaced: tuple[str, ...] = ()


def namespace_of(collection: str, name: str) -> str:
    """Return the namespace of a knowledge base.

    Learners' begin with `pdf_`, these with `rag:`: no name reaches a learner's documents, and
    different pairs of collection and name never share one.
    """
    return f"rag:{quote(collection, safe='')}:{quote(name, safe='')}"


def checked_id(document_id: str) -> str:
    """Return an id as a name of a document. Raises `InvalidInputError` for what is a path."""
    name = " ".join(document_id.split())
    if not name or len(name) > MAX_ID or _NO_ID.search(document_id) or name.strip(".") == "":
        raise InvalidInputError(
            f"“{name[:MAX_ID]}” cannot be a document_id.",
            remedy=f"Use a name of 1 to {MAX_ID} characters without / and \\.",
        )
    return name


class KnowledgeBase:
    """Documents under names. Safe in several threads; opens nothing when made."""

    def __init__(self, services: Services, *, collection: str, name: str) -> None:
        self.namespace = namespace_of(collection, name)
        self._services = services

    def add_file(self, path: Path, document_id: str | None) -> Added:
        """Load a file and wait for it. What has the same id is replaced once that has worked.

        The id is `document_id`, or the file's name. Raises `DocumentError`, `ModelError` and
        `StoreError`; then everything is as it was.
        """
        if document_id is None:
            return self._add(path, file_name(path, None), None)
        name = shown = checked_id(document_id)
        if not shown.lower().endswith(path.suffix.lower()):
            shown += path.suffix.lower()  # by the suffix a reader is chosen
        return self._add(path, shown, name)

    def add_text(self, text: str, document_id: str | None) -> Added:
        """Keep a text as a Markdown document; as `add_file`.

        Without an id it is one made from the text: the same text is the same document.
        """
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
        name = f"text_{digest}" if document_id is None else checked_id(document_id)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "text.md"  # no name of a caller ever becomes a path
            path.write_text(text, encoding="utf-8", errors="replace")
            return self._add(path, f"{name}.md", name)

    def _add(self, path: Path, shown: str, document_id: str | None) -> Added:
        services = self._ready()
        engine, began = services.engine, services.clock()
        former = [d for d in self.documents() if self._is(d, shown, document_id)]
        submitted = engine.submit(
            LoadRequest(path=path, name=shown, namespace=self.namespace, session_id=_SESSION)
        )
        if submitted.existing is None:
            self._wait(submitted.document_id)
        document = engine.document(submitted.document_id, namespace=self.namespace)
        replaced = [d for d in former if d.id != document.id]
        for old in replaced:
            self._let_go(old, shown, document_id)
        return Added(
            document=document,
            seconds=(services.clock() - began).total_seconds(),
            unchanged=not submitted.is_new,
            replaced=tuple(d.name for d in replaced),
        )

    def _wait(self, document_id: str) -> None:
        """Wait for a load. Whatever goes wrong is raised, and then nothing of it is kept."""
        engine, failed, done = self._services.engine, None, False
        try:
            failed = engine.wait(document_id, lambda _: None, namespace=self.namespace)
            done = failed is None
        finally:
            if not done:
                engine.give_up(document_id, namespace=self.namespace)
        if failed is not None and failed.error is not None:
            told = failed.error
            raise error_of(told.code, message=told.message, remedy=told.remedy)

    def _let_go(self, document: Document, shown: str, document_id: str | None) -> None:
        """Take a name from a document; with its last name the document goes too."""
        left = [
            name
            for name in (document.name, *document.names)
            if not _matches(name, shown, document_id)
        ]
        engine = self._services.engine
        if left:
            kept = replace(document, name=left[0], names=tuple(left[1:]))
            engine.store.update(kept, namespace=self.namespace)
        else:
            engine.delete(document.id, namespace=self.namespace)

    @staticmethod
    def _is(document: Document, shown: str, document_id: str | None) -> bool:
        names = (document.name, *document.names)
        return any(_matches(name, shown, document_id) for name in names)

    def documents(self) -> list[Document]:
        """Return the documents that can be asked, the one added last first."""
        return self._ready().engine.documents(namespace=self.namespace)

    def ask(self, question: str, *, advanced: bool, options: AskOptions, model: bool) -> Finished:
        """Answer from the documents; without `model` in their own words alone.

        Nothing is recorded. Raises `InvalidInputError`, `ModelError` (the embedder), `StoreError`.
        """
        services = self._ready()
        metered = None
        if model:
            metered = adapters.meter(services.settings, adapters.make_llm(services.settings))()
        ask = Ask(
            question=checked_question(question), options=options, advanced=advanced, model=metered
        )
        finished: Finished | None = None
        for piece in services.engine.ask(ask, namespace=self.namespace):
            if isinstance(piece, Finished):
                finished = piece
        assert finished is not None  # the last piece is
        return finished

    def search(self, query: str, *, advanced: bool, options: AskOptions) -> tuple[Passage, ...]:
        """Return passages, best first, at most ten. No language model is asked. Raises as `ask`."""
        return self.ask(query, advanced=advanced, options=options, model=False).passages

    def clear(self) -> tuple[int, ErasureProof]:
        """Erase this knowledge base and no other; return how many documents it had, and the proof.

        Raises `StoreError`; calling it again completes what a failure interrupted.
        """
        services = self._ready()
        documents = services.engine.store.list(namespace=self.namespace)
        for document in documents:
            services.engine.delete(document.id, namespace=self.namespace)
        return len(documents), services.erasing.person(namespace=self.namespace)

    def _ready(self) -> Services:
        self._services.ensure_ready()
        return self._services


def _matches(name: str, shown: str, document_id: str | None) -> bool:
    """Tell whether a document's name is the given one: the id without or with a suffix."""
    if document_id is None:
        return name == shown
    return document_id in (name, _SUFFIX.sub("", name)) or name == shown
