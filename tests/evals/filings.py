"""Long real PDFs with questions: reading the folder, loading, and where the evidence stands."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.assistant import PDFLearningAssistant
from core.domain.answer import Passage
from core.domain.study import LoadResult

KS = (1, 5, 10)


def filings_in(folder: Path, limit: int | None = None) -> list[Path]:
    """Return the PDFs in `pdfs/`, by name. Ends the program when there are none."""
    files = sorted((folder / "pdfs").glob("*.pdf"))[:limit]
    if not files:
        raise SystemExit(f"no pdfs/*.pdf in {folder}")
    return files


def filing_questions(folder: Path, docs: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Return the lines of `questions.jsonl`, those about `docs` (file names without `.pdf`)."""
    text = (folder / "questions.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    return lines if docs is None else [line for line in lines if line["doc"] in docs]


def load(assistant: PDFLearningAssistant, file: Path) -> LoadResult:
    """Load a file. Ends the program when it is refused."""
    loaded = assistant.load_document(str(file))
    if not loaded.success:
        raise SystemExit(f"{file} was refused: {loaded.message}")
    return loaded


def count_hits(
    hits: Counter[int], passages: Sequence[Passage], evidence: Sequence[int]
) -> int | None:
    """Count whether a page of the evidence is among those of the first passages.

    Returns the rank of the first such passage, 1-based, or None.
    """
    pages = [p.page for p in passages]
    for k in KS:
        hits[k] += bool(set(pages[:k]) & set(evidence))
    return next((i for i, page in enumerate(pages, start=1) if page in evidence), None)


@contextmanager
def data_folder(keep: Path | None, prefix: str) -> Iterator[Path]:
    """Give the folder to keep, or one for this run alone."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix=prefix) as data_dir:
        yield Path(data_dir)
