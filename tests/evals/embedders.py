"""The embedders that need no service, side by side: accuracy, speed, memory.

    python -m tests.evals.embedders --data DIR [--json FILE] [--only builtin tfidf e5 local]
        [--local FOLDER] [--limit N]

DIR is a folder like XQuAD's (see `tests/evals/xquad.py`). Each embedder gets a process and a data
folder of its own: both PDFs are loaded by the assistant itself, and every question is asked in the
language of the document and in the other one. Counted is how often the page with the answer comes
first, or among the first five, once by the vectors alone and once as the assistant ranks (with
words, where the languages agree). `local` needs `--local`, the folder of a sentence-transformers
model, and the packages of requirements-local.txt. TF-IDF is fitted as in use: the documents are
loaded, the application is started again, and the fit is taken up.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
import psutil

from core import adapters
from core.assistant import PDFLearningAssistant
from core.embeddings.e5 import RefiningEmbedder, is_installed
from core.embeddings.e5_process import Conduct
from core.ports.embedder import Embedder, Vectors
from core.services import Services
from core.settings import Settings, load_settings
from core.wiring import build_services
from tests.evals.report import Figure, arguments, finish, share
from tests.evals.xquad import find_pdf, read_questions

KINDS = ("builtin", "tfidf", "e5", "local")
_SAMPLE = 256
_FIRST = 64
_DEEP = 400
"""Windows to look at by vectors alone: enough for five different pages."""
_SECONDS = 1800


class Remembering:
    """Hands on to an embedder, and keeps what was embedded: a text is paid for once."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.name, self.dimension = inner.name, inner.dimension
        self.window_tokens = inner.window_tokens
        self.texts: list[str] = []
        self._queries: dict[str, Vectors] = {}

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        self.texts += texts
        return self._inner.embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        if text not in self._queries:
            self._queries[text] = self._inner.embed_query(text)
        return self._queries[text]


def settings_for(kind: str, data_dir: Path, model: Path | None) -> Settings:
    """Return the settings of one embedder."""
    changes: dict[str, Any] = {"embed_model_type": "builtin" if kind == "e5" else kind}
    if kind == "local":
        changes["embed_model_name"] = str(model)
    return load_settings(
        env_file=None, data_dir=data_dir, ocr_enabled=False, refine_enabled=False, **changes
    )


def made(kind: str, settings: Settings) -> Embedder:
    """Return the embedder; e5's processes are as busy as this one."""
    if kind != "e5":
        return adapters.make_embedder(settings)
    awake = Conduct(niceness=0, idle_seconds=0, seconds=600.0)
    return RefiningEmbedder(questions=awake, documents=awake)


def resident_mb() -> float:
    """Return the memory of this process and its children in MB."""
    own = psutil.Process()
    every = [own, *own.children(recursive=True)]
    return float(sum(p.memory_info().rss for p in every)) / 1e6


def loaded(kind: str, settings: Settings, folder: Path) -> tuple[Services, Remembering]:
    """Return the services with both PDFs loaded, each for a learner of its own."""
    embedder = Remembering(made(kind, settings))
    services = build_services(settings, embedder=embedder)
    for lang in ("en", "zh"):
        assistant = PDFLearningAssistant(f"eval_{lang}", services=services)
        done = assistant.load_document(str(find_pdf(folder, lang)))
        if not done.success:
            raise SystemExit(f"{lang}: {done.message}")
    if kind != "tfidf":
        return services, embedder
    services.close()
    texts, embedder = embedder.texts, Remembering(made(kind, settings))
    embedder.texts += texts
    services = build_services(settings, embedder=embedder)
    services.ensure_ready()
    until(lambda: _is_renewed(services, embedder.name))
    return services, embedder


def _is_renewed(services: Services, name: str) -> bool:
    learners = [PDFLearningAssistant(f"eval_{lang}", services=services) for lang in ("en", "zh")]
    return all(d.embedder == name for a in learners for d in a.documents())


def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + _SECONDS
    while not true():
        if time.monotonic() > deadline:
            raise SystemExit("the documents were not embedded anew")
        time.sleep(0.2)


def pages_by_vectors(services: Services, vector: Vectors, namespace: str) -> list[int]:
    """Return the first five different pages, the nearest window first."""
    hits = services.engine.index.search(
        vector, namespace=namespace, where={"kind": "window"}, limit=_DEEP
    )
    return list(dict.fromkeys(int(str(hit.payload["page"])) for hit in hits))[:5]


def measure(
    services: Services, embedder: Remembering, folder: Path, limit: int | None
) -> dict[str, list[int]]:
    """Return for each direction: questions, page@1 and page@5 by vectors, then as ranked."""
    counts: dict[str, list[int]] = {}
    for lang in ("en", "zh"):
        assistant = PDFLearningAssistant(f"eval_{lang}", services=services)
        for line in read_questions(folder, lang)[:limit]:
            if line["page"] is None:
                continue
            other = "zh" if lang == "en" else "en"
            asked = ((lang, line["question"]), (other, line.get("question_other")))
            for spoken, question in asked:
                if not question:
                    continue
                by_vectors = pages_by_vectors(
                    services, embedder.embed_query(question), f"pdf_eval_{lang}"
                )
                ranked = [p.page for p in assistant.ask(question).passages[:5]]
                tally = counts.setdefault(f"{spoken}-{lang}", [0] * 5)
                tally[0] += 1
                for at, pages in ((1, by_vectors), (3, ranked)):
                    tally[at] += line["page"] in pages[:1]
                    tally[at + 1] += line["page"] in pages
    return counts


def run_one(kind: str, folder: Path, model: Path | None, limit: int | None) -> dict[str, Any]:
    """Return what one embedder does, measured in this process."""
    with tempfile.TemporaryDirectory(prefix="eval-embedder-") as data_dir:
        settings = settings_for(kind, Path(data_dir), model)
        first = [line["question"] for line in read_questions(folder, "en")[:_FIRST]]
        before = resident_mb()
        embedder = made(kind, settings)
        embedder.embed_documents(first)
        grown = resident_mb() - before
        with closing(_Loaded(kind, settings, folder)) as found:
            sample = list(dict.fromkeys(found.embedder.texts))[:_SAMPLE]
            began = time.perf_counter()
            embedder.embed_documents(sample)
            seconds = time.perf_counter() - began
            began = time.perf_counter()
            for question in first:
                embedder.embed_query(question)
            asked = time.perf_counter() - began
            counts = measure(found.services, found.embedder, folder, limit)
    return {
        "name": found.embedder.name,
        "dimension": embedder.dimension,
        "memory_mb": grown,
        "texts_per_second": len(sample) / seconds,
        "query_ms": asked / len(first) * 1000,
        "counts": counts,
    }


class _Loaded:
    """The loaded services; closing ends them."""

    def __init__(self, kind: str, settings: Settings, folder: Path) -> None:
        self.services, self.embedder = loaded(kind, settings, folder)

    def close(self) -> None:
        self.services.close()


def figures(found: dict[str, Any]) -> list[Figure]:
    """Return the figures of one embedder."""
    out = [
        Figure(name="length of a vector", value=found["dimension"], unit="numbers"),
        Figure(name="windows embedded", value=found["texts_per_second"], unit="a second"),
        Figure(name="question", value=found["query_ms"], unit="ms"),
        Figure(name="memory", value=found["memory_mb"], unit="MB"),
    ]
    for direction, (total, *hits) in sorted(found["counts"].items()):
        names = ("page@1", "page@5", "page@1 as ranked", "page@5 as ranked")
        out += [
            Figure(name=f"{direction} {name}", value=share(hit, total), count=total)
            for name, hit in zip(names, hits, strict=True)
        ]
    return out


def in_own_process(kind: str, args: argparse.Namespace) -> dict[str, Any]:
    """Return what `run_one` returns in a process of its own."""
    command = [sys.executable, "-m", "tests.evals.embedders", "--data", str(args.data)]
    command += ["--child", kind]
    command += ["--local", str(args.local)] if args.local else []
    command += ["--limit", str(args.limit)] if args.limit is not None else []
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{kind} failed")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    """Print the figures."""
    parser = arguments(__doc__)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=None)
    parser.add_argument("--local", type=Path, default=None, help="folder of a local model")
    parser.add_argument("--limit", type=int, default=None, help="only the first N questions")
    parser.add_argument("--child", choices=KINDS, default=None, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(run_one(args.child, args.data, args.local, args.limit)))
        return 0
    there = {"e5": is_installed(), "local": args.local is not None}
    kinds = args.only or [kind for kind in KINDS if there.get(kind, True)]
    found = {kind: in_own_process(kind, args) for kind in kinds}
    return finish(
        {f"{kind}: {f['name']}": figures(f) for kind, f in found.items()},
        json_file=args.json,
        details={"found": found},
    )


if __name__ == "__main__":
    raise SystemExit(main())
