"""What goes wrong while a document is converted, and whose fault it is said to be."""

import sys

import pytest

from core.readers.converted import convert
from core.readers.failure import Failure


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<h1>Tides</h1><p>They come twice a day.</p>", encoding="utf-8")
    return path


def test_a_missing_package_is_not_called_a_damaged_file(page, monkeypatch):
    monkeypatch.setitem(sys.modules, "markitdown", None)  # as if it were not installed
    with pytest.raises(Failure) as caught:
        convert(page, "html", max_pages=10)
    assert caught.value.code == "missing_dependency"
    assert "markitdown" in str(caught.value)


def test_a_broken_file_is_told_with_its_cause(tmp_path):
    path = tmp_path / "broken.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    with pytest.raises(Failure) as caught:
        convert(path, "xls", max_pages=10)
    assert caught.value.code == "damaged"
    assert str(caught.value)
    assert caught.value.__cause__ is not None
