"""Where passages are cut: by headings, by size alone, where the topic changes.

    python -m tests.evals.chunking --data DIR [--json FILE] [--lang en zh] [--limit N]

DIR holds `*.jsonl` with one question a line: `lang`, `question`, `context` (the paragraph with the
answer), `answers`, `article` (what the paragraph is about). For each language the paragraphs make
one long document whose topics are known. It is cut in three ways:

- *headings*: every article begins with its name as a heading;
- *fixed*: no headings, packed by size;
- *semantic*: no headings, cut where the vectors say that the topic changes.

Without headings it is running text: where a paragraph ends is not told either. Judged are the cuts
(F1 against the ends of paragraphs, exact to the sentence; Pk, see Beeferman et al. 1999) and what
the real retriever finds in the index of a store in a temporary folder: a passage is right when most
of its letters are the question's paragraph.
"""

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core import adapters
from core.domain.document import Block, BlockKind, Document, Page, ReaderName
from core.ports.embedder import Embedder
from core.rag.chunking import Chunker, Passage, document_id_for
from core.rag.indexes import Index, Indexes
from core.rag.indexing import Batch, IndexStores, store_batch
from core.rag.retrieval import Retriever
from core.settings import Settings, load_settings
from tests.evals.pdf_letters import letters
from tests.evals.report import Figure, arguments, finish, share
from tests.evals.sentences import split_sentences

WAYS = ("headings", "fixed", "semantic")
PAGE_CHARACTERS = {"en": 3000, "zh": 1000}
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A stretch of the document about one thing. `start` and `end` count its letters."""

    text: str
    article: str
    start: int
    end: int


@dataclass(slots=True)
class Tally:
    """What was counted for one way of cutting one language."""

    questions: int = 0
    first: int = 0
    shown: int = 0
    answer_first: int = 0
    reciprocal: float = 0.0
    true_cuts: int = 0
    cuts: int = 0
    true_found: int = 0
    pk_wrong: int = 0
    pk_probes: int = 0
    passages: int = 0
    tokens: list[int] = field(default_factory=list)
    seconds: float = 0.0


def read_lines(folder: Path, lang: str) -> list[dict[str, Any]]:
    """Return the question lines of a language that have a context."""
    lines = [
        json.loads(line)
        for file in sorted(folder.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    return [line for line in lines if line.get("lang") == lang and line.get("context")]


def paragraphs_of(lines: Sequence[dict[str, Any]]) -> list[Paragraph]:
    """Return the different contexts, article by article, in the order of the lines."""
    articles: dict[str, dict[str, None]] = {}
    for line in lines:
        articles.setdefault(line["article"], {})[" ".join(line["context"].split())] = None
    out: list[Paragraph] = []
    for article, texts in articles.items():
        for text in texts:
            start = out[-1].end if out else 0
            out.append(Paragraph(text, article, start, start + len(letters(text))))
    return out


def make_pages(paragraphs: Sequence[Paragraph], *, lang: str, headings: bool) -> list[Page]:
    """Return the document: with headings one block a paragraph, else running text."""
    pages: list[Page] = []
    article = ""
    joiner = "\n\n" if headings else "" if lang == "zh" else " "
    text, blocks = "", []
    for paragraph in paragraphs:
        if len(text) > PAGE_CHARACTERS[lang]:
            pages.append(_page(len(pages) + 1, text, blocks))
            text, blocks = "", []
        if headings and paragraph.article != article:
            article = paragraph.article
            text += joiner if text else ""
            name = article.replace("_", " ")
            blocks.append(_block(BlockKind.HEADING, len(text), name))
            text += name
        text += joiner if text else ""
        if headings:
            blocks.append(_block(BlockKind.PARAGRAPH, len(text), paragraph.text))
        text += paragraph.text
    pages.append(_page(len(pages) + 1, text, blocks))
    return pages


def _block(kind: BlockKind, start: int, text: str) -> Block:
    level = 1 if kind is BlockKind.HEADING else 0
    return Block(kind=kind, start=start, end=start + len(text), level=level)


def _page(number: int, text: str, blocks: Sequence[Block]) -> Page:
    return Page(number=number, label=None, text=text, width=612, height=792, blocks=tuple(blocks))


def cut(
    pages: Sequence[Page], document_id: str, way: str, settings: Settings, embedder: Embedder
) -> tuple[Chunker, list[Passage]]:
    """Cut a document in one of the ways, with the sizes of the product."""
    chunker = Chunker(
        document_id,
        chunk_size=settings.chunk_size,
        chunk_overlap=settings.chunk_overlap,
        embed=embedder.embed_documents if way == "semantic" else None,
    )
    passages = [p for page in pages for p in chunker.add([page])]
    return chunker, [*passages, *chunker.finish()]


def places(pages: Sequence[Page], passages: Sequence[Passage]) -> list[tuple[int, int]]:
    """Return for each passage where it begins and ends, in letters of the paragraphs.

    Headings have no place: a passage begins with its first sentence of a paragraph.
    """
    before: dict[int, list[int]] = {}
    total = 0
    for page in pages:
        skipped = {
            i for b in page.blocks if b.kind is BlockKind.HEADING for i in range(b.start, b.end)
        }
        counts = [0 if i in skipped else len(letters(c)) for i, c in enumerate(page.text)]
        before[page.number] = [total, *(total + n for n in accumulate(counts))]
        total += sum(counts)
    return [
        (
            before[p.chunk.ranges[0].page][p.chunk.ranges[0].start],
            before[p.chunk.ranges[-1].page][p.chunk.ranges[-1].end],
        )
        for p in passages
    ]


def paragraph_at(paragraphs: Sequence[Paragraph], start: int, end: int) -> int:
    """Return which paragraph most of the letters from `start` to `end` are of."""
    shared = [min(end, p.end) - max(start, p.start) for p in paragraphs]
    return shared.index(max(shared))


def judge_cuts(
    tally: Tally, paragraphs: Sequence[Paragraph], found: Sequence[tuple[int, int]]
) -> None:
    """Count the cuts between passages against the ends of paragraphs, sentence by sentence."""
    ends: list[int] = []
    topics: list[int] = []
    for number, paragraph in enumerate(paragraphs):
        sizes = [len(letters(s)) for s in split_sentences(paragraph.text)]
        ends += [paragraph.start + n for n in accumulate(sizes)]
        topics += [number] * len(sizes)
    # An overlap belongs to the passage before: a passage is taken to begin where that one ends.
    borders = [end for _, end in found]
    made = sorted({_nearest(ends, border) for border in borders} - {len(ends) - 1})
    true = [i for i, (a, b) in enumerate(pairwise(topics)) if a != b]
    tally.true_cuts, tally.cuts = len(true), len(made)
    tally.true_found = len(set(true) & set(made))
    parts = [0, *accumulate(int(i in set(made)) for i in range(len(topics) - 1))]
    half = max(1, round(len(topics) / len(paragraphs) / 2))
    for i in range(len(topics) - half):
        tally.pk_probes += 1
        same = topics[i] == topics[i + half], parts[i] == parts[i + half]
        tally.pk_wrong += same[0] != same[1]


def _nearest(values: Sequence[int], wanted: int) -> int:
    return min(range(len(values)), key=lambda i: abs(values[i] - wanted))


def judge_question(
    tally: Tally, line: dict[str, Any], right: int, ranked: Sequence[tuple[int, str]]
) -> None:
    """Count one question; `ranked` are paragraph and text of the passages found, best first."""
    tally.questions += 1
    tally.first += any(paragraph == right for paragraph, _ in ranked[:1])
    tally.shown += any(paragraph == right for paragraph, _ in ranked[:SHOWN])
    for rank, (paragraph, _) in enumerate(ranked, 1):
        if paragraph == right:
            tally.reciprocal += 1 / rank
            break
    wanted = [letters(answer) for answer in line["answers"]]
    tally.answer_first += any(w in letters(text) for _, text in ranked[:1] for w in wanted if w)


@contextmanager
def opened(settings: Settings) -> Iterator[IndexStores]:
    """Open the stores of the product."""
    embedder = adapters.make_embedder(settings)
    database = adapters.load(adapters.DATABASE)(settings.database_url, settings.data_dir)
    documents = adapters.load(adapters.DOCUMENT_STORE)(database)
    vectors = adapters.make_vector_store(settings, embedder, "documents")
    vectors.ensure_ready()
    try:
        yield IndexStores(embedder, vectors, documents)
    finally:
        vectors.close()
        documents.close()


def record(document_id: str, lang: str, embedder: str) -> Document:
    """Return the record of a document that nothing of is stored yet."""
    return Document(
        id=document_id,
        name=lang,
        title=lang,
        sha256=lang,
        size=1,
        pages=0,
        chunks=0,
        language=lang,
        reader=ReaderName.MARKITDOWN,
        loaded_at=datetime.now(UTC),
        embedder=embedder,
    )


def run_way(
    stores: IndexStores, settings: Settings, lang: str, way: str, lines: Sequence[dict[str, Any]]
) -> Tally:
    """Cut and index the document of a language in one of the ways, and ask every question."""
    tally = Tally()
    namespace = f"eval_{lang}_{way}"
    paragraphs = paragraphs_of(lines)
    pages = make_pages(paragraphs, lang=lang, headings=way == "headings")
    document = record(document_id_for(namespace, lang), lang, stores.embedder.name)
    stores.documents.begin(document, namespace=namespace)
    begin = time.perf_counter()
    chunker, passages = cut(pages, document.id, way, settings, stores.embedder)
    document = replace(document, pages=len(pages), pages_read=len(pages), chunks=len(passages))
    batch = Batch(document, pages, passages)
    store_batch(batch, stores, namespace=namespace, known=chunker.take_vector)
    tally.seconds = time.perf_counter() - begin
    tally.passages = len(passages)
    tally.tokens = [p.chunk.tokens for p in passages]
    found = places(pages, passages)
    judge_cuts(tally, paragraphs, found)
    owners = [paragraph_at(paragraphs, start, end) for start, end in found]
    numbers = {p.text: i for i, p in enumerate(paragraphs)}
    retriever = Retriever(
        indexes=Indexes(Index(stores.embedder, stores.vectors), lambda _: None),
        documents=stores.documents,
    )
    for line in lines:
        hits = retriever.retrieve(
            line["question"], documents=[document], namespace=namespace, limit=10
        ).found
        ranked = [(owners[hit.chunk.ordinal], hit.chunk.text) for hit in hits]
        judge_question(tally, line, numbers[" ".join(line["context"].split())], ranked)
    return tally


def run(folder: Path, languages: Sequence[str], limit: int | None) -> dict[tuple[str, str], Tally]:
    """Return the tally of each language and way."""
    with tempfile.TemporaryDirectory(prefix="eval-chunking-") as data_dir:
        settings = load_settings(env_file=None, data_dir=Path(data_dir), refine_enabled=False)
        with opened(settings) as stores:
            stores.embedder.embed_query("warm up")
            return {
                (lang, way): run_way(stores, settings, lang, way, read_lines(folder, lang)[:limit])
                for lang in languages
                for way in WAYS
            }


def f1(tally: Tally) -> float | None:
    """Return the harmonic mean of how many true cuts were found and how many cuts are true."""
    recall = share(tally.true_found, tally.true_cuts)
    precision = share(tally.true_found, tally.cuts)
    if recall is None or precision is None:
        return None
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def figures(tally: Tally) -> list[Figure]:
    """Return the figures of one way of cutting."""
    t = tally
    mean = sum(t.tokens) / len(t.tokens) if t.tokens else None
    return [
        Figure(name="right paragraph first", value=share(t.first, t.questions), count=t.questions),
        Figure(
            name=f"right paragraph in the first {SHOWN}",
            value=share(t.shown, t.questions),
            count=t.questions,
        ),
        Figure(
            name="mean reciprocal rank",
            value=t.reciprocal / t.questions if t.questions else None,
            count=t.questions,
        ),
        Figure(
            name="answer in the first passage",
            value=share(t.answer_first, t.questions),
            count=t.questions,
        ),
        Figure(name="F1 of the cuts", value=f1(t), count=t.true_cuts),
        Figure(name="  ends of paragraphs found", value=share(t.true_found, t.true_cuts)),
        Figure(name="  cuts at an end of a paragraph", value=share(t.true_found, t.cuts)),
        Figure(name="Pk (lower is better)", value=share(t.pk_wrong, t.pk_probes)),
        Figure(name="passages", value=float(t.passages), unit="passages"),
        Figure(name="mean size", value=mean, unit="tokens"),
        Figure(name="cut, embed and store", value=t.seconds, unit="s"),
    ]


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--lang", nargs="+", default=["en", "zh"], choices=["en", "zh"])
    parser.add_argument("--limit", type=int, default=None, help="only the first N questions")
    args = parser.parse_args()
    tallies = run(args.data, args.lang, args.limit)
    return finish(
        {f"{way}, {lang}": figures(tally) for (lang, way), tally in tallies.items()},
        json_file=args.json,
        details={},
    )


if __name__ == "__main__":
    raise SystemExit(main())
