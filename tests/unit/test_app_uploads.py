"""Which files a browser may name, and how they go."""

from pathlib import Path

import pytest

from app.uploads import OFFERED_KINDS, OFFERED_SUFFIXES, claim, clear, discard, display_name
from core.domain.formats import FormatKind
from core.errors import InvalidInputError, NotFoundError

NAME = "0123456789abcdef" * 2 + ".upload"


def sent(root: Path, name: str = NAME) -> Path:
    path = root / "hash" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"%PDF-1.7")
    return path


def test_a_sent_file_is_claimed_and_leaves_nothing(tmp_path: Path) -> None:
    path = sent(tmp_path)
    assert claim(str(path), tmp_path) == path
    discard(path)
    assert list(tmp_path.iterdir()) == []
    discard(path)  # twice is no error


def test_discarding_leaves_another_upload_of_the_same_content(tmp_path: Path) -> None:
    mine, theirs = sent(tmp_path), sent(tmp_path, "f" * 32 + ".upload")
    discard(mine)
    assert theirs.exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    uploads = tmp_path / "uploads"
    sent(uploads)
    secret = tmp_path / "data" / "learners" / NAME
    secret.parent.mkdir(parents=True)
    secret.write_bytes(b"x")
    plain = sent(uploads, "paper.pdf")
    other = sent(uploads, "b" * 32 + ".pdf")
    link = uploads / "hash" / ("a" * 32 + ".upload")
    link.symlink_to(secret)
    for path in (
        str(secret),
        str(plain),
        str(other),
        str(link),
        str(uploads / "hash" / ".." / ".." / "data" / "learners" / NAME),
        "/etc/passwd",
        "",
        str(uploads / NAME),
    ):
        with pytest.raises(InvalidInputError):
            claim(path, uploads)
    assert secret.exists()


def test_a_file_that_is_gone_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        claim(str(tmp_path / "hash" / NAME), tmp_path)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("paper.pdf", "paper.pdf"),
        ("C:\\Users\\ada\\论文.pdf", "论文.pdf"),
        ("../../etc/passwd", "passwd"),
        ("<b>.pdf", "<b>.pdf"),
        ("   ", "document"),
        ("a" * 400, "a" * 255),
    ],
)
def test_only_the_last_part_of_a_name_is_shown(name: str, shown: str) -> None:
    assert display_name(name) == shown


def test_what_a_crash_left_is_cleared(tmp_path: Path) -> None:
    sent(tmp_path / "uploads")
    clear(tmp_path / "uploads")
    assert list(tmp_path.rglob("*")) == []
    clear(tmp_path / "uploads")


def test_the_file_dialog_offers_every_suffix_of_the_named_kinds_and_no_other() -> None:
    assert {"pdf", "docx", "xlsx", "epub", "htm", "md", "csv", "py", "jpeg"} <= set(
        OFFERED_SUFFIXES
    )
    assert FormatKind.AUDIO not in OFFERED_KINDS
    assert "mp3" not in OFFERED_SUFFIXES
    assert len(set(OFFERED_SUFFIXES)) == len(OFFERED_SUFFIXES)
