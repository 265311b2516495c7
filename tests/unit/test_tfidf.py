"""TF-IDF: weights that are learned, kept and learned anew, and what its files may hold."""

import numpy as np
import pytest

from core.adapters import former_index
from core.embeddings import tfidf_fit
from core.embeddings.tfidf import TfidfEmbedder, former_fit
from core.errors import StoreError
from core.settings import load_settings

COMMON = [f"The company reports its sales of part {n}. 公司报告第{n}部分。" for n in range(230)]
SECRET = "The zyxomma of Quackenbush sleeps. 蜻蜓睡觉。"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "tfidf"


def likeness(embedder, question, text):
    return float(embedder.embed_documents([text])[0] @ embedder.embed_query(question))


def refitted(folder, texts):
    TfidfEmbedder(folder).embed_documents(texts)
    return TfidfEmbedder(folder)


def test_without_a_fit_every_term_weighs_the_same(folder):
    embedder = TfidfEmbedder(folder)
    assert embedder.name == "tfidf:1/1024/unfitted"
    assert likeness(embedder, "mill corn", "corn mill") == pytest.approx(1.0, abs=1e-5)
    assert abs(likeness(embedder, "mill corn", "bus station")) < 0.2
    assert likeness(embedder, "磨坊", "磨坊磨玉米") > likeness(embedder, "磨坊", "公交车站") + 0.3


def test_common_words_weigh_less_after_a_fit(folder):
    before = TfidfEmbedder(folder)
    question, right, wrong = "company zebra", "a zebra runs", "a company runs"
    assert likeness(before, question, right) == pytest.approx(
        likeness(before, question, wrong), abs=0.1
    )
    after = refitted(folder, COMMON)
    assert after.name != before.name
    assert likeness(after, question, right) > 2 * likeness(after, question, wrong)
    assert likeness(after, "公司斑马", "斑马") > 2 * likeness(after, "公司斑马", "公司")


def test_the_name_stands_until_the_process_ends(folder):
    embedder = TfidfEmbedder(folder)
    name = embedder.name
    embedder.embed_documents(COMMON * 2)
    assert embedder.name == name
    first = TfidfEmbedder(folder)
    assert first.name != name
    again = TfidfEmbedder(folder)
    assert again.name == first.name
    assert np.array_equal(again.embed_query("company"), first.embed_query("company"))


def test_a_new_fit_waits_for_twice_the_texts(folder):
    first = refitted(folder, COMMON)
    some = [f"Village {n} has a mill" for n in range(len(COMMON))]
    second = refitted(folder, some)
    assert second.name == first.name
    third = refitted(folder, [f"{text} now" for text in some])
    assert third.name != first.name


def test_a_text_embedded_again_is_not_counted_again(folder):
    embedder = TfidfEmbedder(folder)
    for _ in range(5):
        embedder.embed_documents(COMMON[:100])
    assert TfidfEmbedder(folder).name == embedder.name


def test_questions_and_former_fits_are_not_counted(folder):
    embedder = TfidfEmbedder(folder)
    for text in COMMON:
        embedder.embed_query(text)
    former = former_fit(folder, embedder.name)
    assert former is not None
    former.embed_documents(COMMON)
    assert TfidfEmbedder(folder).name == embedder.name


def test_a_rare_word_of_somebody_weighs_as_one_that_nobody_has(folder, tmp_path):
    """What one learner loads, and few others, must not be felt by the others."""
    without = refitted(folder, COMMON)
    with_it = refitted(tmp_path / "other", [*COMMON[:-10], *[f"{SECRET} {n}" for n in range(10)]])
    known, unknown = (e.embed_query("zyxomma company") for e in (with_it, without))
    assert known == pytest.approx(unknown, abs=0.02)
    assert without.name != with_it.name or np.array_equal(known, unknown)
    kept = tfidf_fit.fitted(230, np.array([0, 1, 19, 20, 230], dtype=np.uint32))
    assert kept.tolist() == [0, 0, 0, 20, 230]
    weights = tfidf_fit.idf(230, kept)
    assert weights[0] == weights[1] == weights[2] == weights[3] > weights[4]


def test_files_hold_numbers_and_nothing_else(folder):
    refitted(folder, [*COMMON, SECRET])
    for path in folder.iterdir():
        content = path.read_bytes()
        for word in ("zyxomma", "Quackenbush", "quackenbush", "company", "蜻蜓", "公司"):
            assert word.encode() not in content
        assert np.load(path, allow_pickle=False).shape == (tfidf_fit.BUCKETS + 1,)


def test_a_new_fit_begins_to_count_at_zero(folder):
    """So what was deleted is not counted any more: what is there is embedded anew."""
    refitted(folder, COMMON).name  # noqa: B018
    counts = np.load(folder / "counts.npy", allow_pickle=False)
    assert not counts.any()


def test_older_fits_can_be_had_while_documents_need_them(folder):
    names = ["tfidf:1/1024/unfitted"]
    for factor in (1, 2, 4, 8, 16):
        texts = [f"{text} in year {n}" for n in range(factor) for text in COMMON]
        names.append(refitted(folder, texts).name)
    assert len(set(names)) == len(names)
    there = [former_fit(folder, name) is not None for name in names]
    assert there == [True, False, False, True, True, True]
    old = former_fit(folder, names[3])
    assert old is not None
    assert old.name == names[3]
    assert former_fit(folder, "tfidf:1/1024/../../etc") is None
    assert former_fit(folder, "tfidf:0/512/unfitted") is None


@pytest.mark.parametrize("content", [b"", b"no numbers", b"\x93NUMPY"])
def test_a_damaged_file_is_told(folder, content):
    refitted(folder, COMMON).name  # noqa: B018
    (path,) = folder.glob("fit-*.npy")
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        TfidfEmbedder(folder).embed_query("x")
    assert str(path) in caught.value.message


def test_a_folder_that_cannot_be_written_is_told(folder):
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file stands in the way")
    with pytest.raises(StoreError):
        TfidfEmbedder(folder).embed_documents(["a mill"])


def test_the_index_of_a_former_fit_is_found_by_its_name(data_dir):
    settings = load_settings(env_file=None, data_dir=data_dir)
    refitted(data_dir / "tfidf", COMMON).name  # noqa: B018
    found = former_index(settings, "tfidf:1/1024/unfitted")
    assert found is not None
    assert found.embedder.name == "tfidf:1/1024/unfitted"
    assert former_index(settings, "tfidf:1/1024/0123456789ab") is None
