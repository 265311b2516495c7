"""The eval of hostile files on a choice of them, within tight limits."""

import tempfile
from pathlib import Path

import pytest

from core.settings import load_settings
from tests.data.make_hostile import make
from tests.evals import hostile

pytestmark = pytest.mark.alone

REFUSED = {
    "flate_bomb.pdf": {"too_complex"},
    "many_pages.pdf": {"too_large"},
    "broken_encryption.pdf": {"encrypted", "damaged"},
    "truncated.pdf": {"damaged"},
    "side_65500.jpg": {"too_large"},
    "bomb.docx": {"too_large"},
    "entities.docx": {"too_complex"},
    "sparse_300mb.txt": {"too_large"},
}
INDEXED = (
    "bomb_on_page_40.pdf", "deep_arrays.pdf", "xref_loop.pdf", "scripts.pdf", "active.pdf",
    "pdf_and_zip.pdf", "pdf_and_html.pdf", "claim.xlsx",
)  # fmt: skip
EITHER = ("outline_cycle.pdf", "page_cycle.pdf", "deep.json", "quotes.md")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("hostile")
    temporary = folder / "temporary"
    temporary.mkdir()
    settings = load_settings(
        refine_enabled=False,
        env_file=None,
        data_dir=folder / "data",
        ocr_enabled=False,
        reader_memory_mb=768,
        reader_cpu_seconds=2,
        reader_wall_seconds=20,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", str(temporary))
        files = make(folder / "files", (*REFUSED, *INDEXED, *EITHER))
        slow = make(folder / "files", hostile.SLOW)
        return hostile.run(files, slow, settings, temporary)


def test_every_file_is_indexed_or_refused_for_its_reason(outcome) -> None:
    results = {o.name: o.result for o in outcome[0]}
    assert {n: r for n, r in results.items() if n in REFUSED and r not in REFUSED[n]} == {}
    assert {n: r for n, r in results.items() if n in INDEXED and r != "indexed"} == {}


def test_every_bound_is_kept(outcome) -> None:
    outcomes, figures = outcome
    missed = [(f.name, f.value) for f in figures if f.passed is False]
    assert missed == []
    assert len(outcomes) == len(REFUSED) + len(INDEXED) + len(EITHER)
    assert any("third hostile file" in f.name for f in figures)


def test_nothing_of_an_active_file_was_run(outcome) -> None:
    assert any(o.name == "active.pdf" and o.page == "done" for o in outcome[0])
    assert not Path(hostile.WITNESS).exists()
