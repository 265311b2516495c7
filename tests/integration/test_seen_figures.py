"""Figures of documents: seen while loading, recalled by their caption, gone with the document."""

import io
from pathlib import Path

import pytest
import typst
from PIL import Image, ImageDraw

from core.domain.memory import MemoryKind
from core.errors import NotFoundError

SOURCE = """
#set page(width: 420pt, height: 595pt)
= Water and wheels
#lorem(120)
#figure(image("wheel.png", width: 200pt), caption: [Cross section of the undershot wheel])
#lorem(60)
"""


@pytest.fixture
def illustrated(tmp_path: Path) -> Path:
    """A PDF with a picture that is red, and its caption."""
    picture = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(picture).ellipse((20, 20, 380, 280), fill="red")
    picture.save(tmp_path / "wheel.png")
    source = tmp_path / "mill.typ"
    source.write_text(SOURCE, encoding="utf-8")
    path = tmp_path / "mill.pdf"
    path.write_bytes(typst.compile(source))
    return path


def test_a_figure_is_recalled_by_what_it_shows(ada, illustrated):
    loaded = ada.load_document(illustrated)
    (hit, *_) = ada.recall("the picture of the wheel")
    assert hit.memory.kind is MemoryKind.PERCEPTUAL
    assert "undershot wheel" in hit.memory.content
    assert hit.memory.metadata["document_id"] == loaded.document_id
    assert hit.memory.metadata["page"] == 1
    image = Image.open(io.BytesIO(ada.figure_image(hit.memory.id, width=200))).convert("RGB")
    assert image.width == pytest.approx(200, abs=2)
    red, green, _ = image.getpixel((image.width // 2, image.height // 2))
    assert red > 200 > 100 > green


def test_figures_go_with_their_document(ada, illustrated):
    loaded = ada.load_document(illustrated)
    figure = ada.recall("the picture of the wheel")[0].memory
    ada.delete_document(loaded.document_id)
    assert ada.totals().memories.get("perceptual", 0) == 0
    with pytest.raises(NotFoundError):
        ada.figure_image(figure.id)
    with pytest.raises(NotFoundError):
        ada.figure_image("no such memory")
