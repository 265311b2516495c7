"""Which documents an answer has something of."""

from core.domain.answer import Answer, AnswerMode


def documents_of(answer: Answer) -> frozenset[str]:
    """Return the ids of all documents an answer has something of, be it a name.

    Its citations, what was looked at on the way to it, the nearest pages of a refusal, memories.
    """
    trace, refusal = answer.trace, answer.refusal
    ids = {citation.document_id for citation in answer.citations}
    ids |= {waiting.document_id for waiting in answer.still_reading}
    ids |= {memory.document_id for memory in answer.memories if memory.document_id is not None}
    if refusal is not None:
        ids |= {page.document_id for page in refusal.nearest}
    if trace is not None:
        ids |= {candidate.document_id for candidate in trace.candidates}
        ids |= {sentence.document_id for sentence in trace.sentences}
    return frozenset(ids)


def text_rests_on(answer: Answer, document_id: str) -> bool:
    """Tell whether the text of an answer may repeat the document.

    It cites it, or a model wrote it that had a passage of it before its eyes.
    """
    if any(citation.document_id == document_id for citation in answer.citations):
        return True
    if answer.mode is not AnswerMode.GENERATED or answer.trace is None:
        return False
    used = (c for c in answer.trace.candidates if c.dropped is None)
    return any(candidate.document_id == document_id for candidate in used)
