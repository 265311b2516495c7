"""What is looked for after an erasure, and that it is found in every spelling."""

import json
from pathlib import Path

import pytest

from core.errors import StoreError
from core.memory.erasure import (
    MOST_SAMPLES,
    SAMPLE_CHARS,
    Needles,
    samples_of,
    samples_of_all,
    search_folder,
)

TEXT = "The mitochondria are the powerhouse of the cell"
CHINESE = "线粒体是细胞的能量工厂"
PLACES = [0, 1, 7, 8, 1_048_570, 1_048_576, 2_000_003]


def test_a_sample_is_a_slice_without_what_formats_escape() -> None:
    said = f'"Said" {TEXT}\nand "so on"'
    (sample,) = samples_of(said)
    assert sample in TEXT
    assert 12 <= len(sample) <= SAMPLE_CHARS
    assert samples_of(CHINESE) == [CHINESE]


@pytest.mark.parametrize("short", ["", "too short", "是的", '"a" <b> c/d\n' * 20])
def test_what_is_too_short_to_be_distinctive_gives_none(short: str) -> None:
    assert samples_of(short) == []


def test_the_most_varied_stretch_is_chosen() -> None:
    (sample,) = samples_of(f"{'so ' * 100}{TEXT} {'so ' * 100}")
    assert len(set(sample)) > 8


def test_a_long_text_gives_three_from_different_parts() -> None:
    text = " ".join(f"word{n}" for n in range(1000))
    first, second, third = samples_of(text)
    assert text.index(first) < text.index(second) < text.index(third)


def test_of_very_many_samples_some_are_taken_at_even_distances() -> None:
    texts = [f"memory number {n:09}" for n in range(2 * MOST_SAMPLES)]
    chosen = samples_of_all([*texts, *texts])
    assert len(chosen) == MOST_SAMPLES
    assert chosen[1] == "memory number 000000002"
    assert samples_of_all([TEXT, TEXT, "x"]) == samples_of(TEXT)


@pytest.mark.parametrize("form", ["utf-8", "utf-16-le", "utf-16-be", "json"])
@pytest.mark.parametrize("place", PLACES)
def test_samples_are_found_anywhere_in_files(tmp_path: Path, form: str, place: int) -> None:
    texts = [TEXT, CHINESE, "Ribosomes make the proteins"]
    needles = Needles(samples_of_all(texts))
    for number, text in enumerate(texts[:2]):
        coded = json.dumps(text).encode() if form == "json" else text.encode(form)
        (tmp_path / str(number)).write_bytes(bytes(place) + coded + bytes(1_500_000))
    (tmp_path / "other").write_bytes(b"The mitochondria are the powerhose of the cell" * 9)
    read, found = search_folder(tmp_path, needles)
    assert read == 3
    assert found == {"0": {0}, "1": {1}}


def test_a_file_name_and_folders_below_are_searched(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (below / f"{TEXT}.txt").touch()
    (below / "empty").touch()
    read, found = search_folder(tmp_path, Needles(samples_of(TEXT)))
    assert (read, found) == (2, {f"a/b/{TEXT}.txt": {0}})
    assert search_folder(tmp_path / "not there", Needles([])) == (0, {})


def test_without_samples_nothing_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(100) + TEXT.encode())
    assert search_folder(tmp_path, Needles([])) == (1, {})


def test_a_file_that_cannot_be_read_is_a_failure(tmp_path: Path) -> None:
    class Unreadable(type(tmp_path)):  # type: ignore[misc]
        """A path below which a file refuses to be opened, as another user's file does."""

        def rglob(self, pattern):
            return [Unreadable(self / "secret")]

        def is_file(self):
            return True

        def is_symlink(self):
            return False

        def open(self, mode="r"):
            raise PermissionError(13, "Permission denied")

    with pytest.raises(StoreError, match="cannot be read"):
        search_folder(Unreadable(tmp_path), Needles([TEXT]))


def test_texts_are_searched_together() -> None:
    needles = Needles([*samples_of(TEXT), *samples_of(CHINESE)])
    assert needles.found_in_texts(f"{n} {CHINESE}" for n in range(100_000)) == {1}
    assert needles.found_in_texts([]) == set()
    assert needles.found_in_texts([TEXT[:20], TEXT[20:]]) == set()
