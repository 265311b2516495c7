"""Reading bytes of any format in a real worker process, for tests."""

from pathlib import Path

from core.domain.document import Page
from core.ports.reader import ReadSummary
from core.readers.limited import LimitedReader
from core.readers.limits import Limits

LIMITS = Limits(memory_mb=1536, cpu_seconds=30, wall_seconds=60, max_pages=300, max_file_mb=50)


def read(
    folder: Path, content: bytes, name: str, *, limits: Limits = LIMITS, **options: str
) -> tuple[ReadSummary, list[Page]]:
    path = folder / "file"
    path.write_bytes(content)
    reader = LimitedReader(limits, **options)
    pages: list[Page] = []
    totals: set[int] = set()

    def take(new, total):
        pages.extend(new)
        totals.add(total)

    summary = reader.read(path, take, format=reader.format_of(path, name))
    assert totals == {summary.page_count} == {len(pages)}
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    for page in pages:
        assert all(0 <= b.start < b.end <= len(page.text) for b in page.blocks)
    return summary, pages


def blocks(page: Page) -> list[tuple[str, str]]:
    return [(b.kind.value, page.text[b.start : b.end]) for b in page.blocks]
