"""The dictionary as it is installed, and the file that keeps it."""

import gzip
import logging
import os
import threading
import zipfile

import numpy as np
import pytest

from core.rag import dictionary as module
from core.rag.concepts import Concept, hashes
from core.rag.dictionary import Dictionary, pairs
from core.text.terms import term_hash


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The file, made once."""
    path = tmp_path_factory.mktemp("dictionary") / "new" / "cedict.npz"
    Dictionary(path).warm_up()
    return path


@pytest.fixture(scope="module")
def dictionary(kept):
    return Dictionary(kept)


def english(dictionary, word):
    return Concept(word, dictionary.in_english(word))


def chinese(dictionary, *index_terms):
    return Concept(" ".join(index_terms), dictionary.in_chinese(index_terms))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("汽车", "car"),
        ("大学", "university"),
        ("维生素", "vitamin"),
        ("人工智能", "artificial intelligence"),
    ],
)
def test_a_chinese_word_is_found_in_english(dictionary, word, said):
    assert english(dictionary, word).is_in(hashes(f"It has a {said}."))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (["vitamin"], "富含维生素的食物"),
        (["artificial", "intelligenc"], "人工智能的发展"),
    ],
)
def test_an_english_meaning_is_found_in_chinese(dictionary, said, text):
    assert chinese(dictionary, *said).is_in(hashes(text))
    assert not chinese(dictionary, *said).is_in(hashes("天气很好"))


def test_unknown_words_have_nothing(dictionary):
    assert dictionary.in_english("嚯嘿咻") == dictionary.in_english("") == ()
    assert dictionary.in_chinese(("qwertz",)) == dictionary.in_chinese(()) == ()
    assert dictionary.words(["大学", "嚯嘿咻", "", "a"]) == [True, False, False, False]
    assert dictionary.words([]) == []


def test_a_word_has_one_wording_of_pairs():
    assert pairs("大") == (term_hash("大"),)
    assert pairs("人工智能") == tuple(term_hash(p) for p in ("人工", "工智", "智能"))
    assert pairs("莎士比亚·威廉")[3] == term_hash("亚威")


def test_traditional_characters_are_simplified(dictionary):
    assert dictionary.simplified("電腦的發明與機器學習") == "电脑的发明与机器学习"


@pytest.mark.parametrize("text", ["著名作家", "乾隆皇帝", "皇后", "Plain English, 1999", ""])
def test_what_simplified_texts_have_stays(dictionary, text):
    assert dictionary.simplified(text) == text


def test_from_the_file_it_is_the_same(dictionary, kept):
    fresh = Dictionary()
    for word in ("汽车", "研究", "光"):
        assert fresh.in_english(word) == dictionary.in_english(word) != ()
    assert fresh.in_chinese(("research",)) == dictionary.in_chinese(("research",)) != ()
    assert fresh.simplified("發") == dictionary.simplified("發") == "发"
    assert kept.stat().st_size < 10_000_000
    assert list(kept.parent.iterdir()) == [kept]


def test_the_file_holds_no_text(kept):
    with np.load(kept) as arrays:
        assert all(array.dtype.kind in "iu" for array in arrays.values())


LINES = """# CC-CEDICT
#! version=1
汽車 汽车 [qi4 che1] /car/automobile/bus/CL:輛|辆[liang4]/
書 书 [shu1] /book/letter/CL:本[ben3]/
3C 3C [san1 C] /computers, communications/
not an entry
"""


@pytest.fixture
def text(tmp_path_factory):
    """A dictionary of two words."""
    path = tmp_path_factory.mktemp("text") / "cedict.gz"
    path.write_bytes(gzip.compress(LINES.encode()))
    return path


@pytest.fixture
def cache(tmp_path, text):
    """The file of the two words."""
    path = tmp_path / "d.npz"
    assert car_is_known(Dictionary(path, text=text))
    return path


def car_is_known(dictionary):
    return (
        dictionary.words(["汽车", "书", "汽車"]) == [True, True, False]
        and dictionary.in_english("汽车")
        == tuple((term_hash(t),) for t in ("car", "automobil", "bus"))
        and dictionary.in_chinese(("book",)) == (pairs("书"),)
        and dictionary.simplified("汽車，書。") == "汽车，书。"
    )


def damaged(data, how):
    return {
        "empty": b"",
        "no archive": b"no archive at all",
        "cut off": data[: len(data) // 2],
        "changed": data[:100] + bytes(b ^ 255 for b in data[100:140]) + data[140:],
    }[how]


@pytest.mark.parametrize("how", ["empty", "no archive", "cut off", "changed"])
def test_a_damaged_file_is_made_anew(cache, text, caplog, how):
    whole = cache.read_bytes()
    cache.write_bytes(damaged(whole, how))
    with caplog.at_level(logging.WARNING):
        assert car_is_known(Dictionary(cache, text=text))
    assert "made anew" in caplog.text
    assert len(cache.read_bytes()) == len(whole)
    assert zipfile.ZipFile(cache).testzip() is None


def test_a_file_with_other_arrays_is_made_anew(cache, text):
    with np.load(cache) as arrays:
        other = {name: array for name, array in arrays.items() if name != "english_keys"}
    np.savez(cache, **other)
    assert car_is_known(Dictionary(cache, text=text))
    with np.load(cache) as arrays:
        assert "english_keys" in arrays


def test_a_file_of_another_text_is_made_anew(cache, tmp_path):
    longer = tmp_path / "longer.gz"
    longer.write_bytes(gzip.compress(f"{LINES}光 光 [guang1] /light/ray/\n".encode()))
    assert Dictionary(cache, text=longer).in_chinese(("light",)) == (pairs("光"),)
    assert Dictionary(cache, text=longer).words(["光"]) == [True]


def test_a_good_file_is_not_written_again(cache, text):
    before = cache.stat()
    assert car_is_known(Dictionary(cache, text=text))
    assert (cache.stat().st_ino, cache.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_without_a_place_for_the_file_it_works(tmp_path, text, caplog):
    """A file stands where the folder should be: nobody can write there."""
    (tmp_path / "cache").write_text("in the way")
    with caplog.at_level(logging.WARNING):
        assert car_is_known(Dictionary(tmp_path / "cache" / "d.npz", text=text))
    assert "not kept" in caplog.text
    assert [p.name for p in tmp_path.iterdir()] == ["cache"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_in_a_folder_that_is_read_only_it_works(tmp_path, text):
    tmp_path.chmod(0o500)
    try:
        assert car_is_known(Dictionary(tmp_path / "d.npz", text=text))
        assert list(tmp_path.iterdir()) == []
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_in_the_place_of_the_file_leaves_nothing_behind(tmp_path, text):
    (tmp_path / "d.npz").mkdir()
    assert car_is_known(Dictionary(tmp_path / "d.npz", text=text))
    assert [p.name for p in tmp_path.iterdir()] == ["d.npz"]


def test_threads_that_come_at_once_get_the_same(kept):
    dictionary = Dictionary(kept)
    start = threading.Barrier(8)
    found = []

    def look():
        start.wait()
        found.append((dictionary.in_english("汽车"), dictionary.in_chinese(("car",))))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert found[0][0]


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("to be lit. a big house; (coll.) villa", [("big", "hous"), ("villa",)]),
        ("variant of 汽[qi4]", []),
        ("CL:個|个[ge4]", []),
        ("abbr. for 中国 China", []),
        ("this has more than five words here", []),
        ("one two three four", []),
        ("the", []),
        ("vitamin B12", [("vitamin", "b12")]),
    ],
)
def test_meanings_of_an_entry(text, meanings):
    assert list(module._meanings(text)) == meanings
