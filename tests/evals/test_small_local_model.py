"""The eval of local models with a tiny one: citations are proven, and it goes on where it ended."""

import json
import shutil
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evals import local_model
from tests.evals.local_model import BUILT_IN, Endpoint, Results
from tests.servers.local_model import LocalModel
from tests.servers.small_model import small_model


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with LocalModel(small_model(), context=8192) as served:
        yield Endpoint(served.name, served.base_url, seconds=300)


@pytest.fixture
def folder(pdfs: Path, tmp_path: Path) -> Path:
    shutil.copyfile(pdfs / "two_columns_en.pdf", tmp_path / "xquad_en_small.pdf")
    shutil.copyfile(pdfs / "questions.jsonl", tmp_path / "questions.jsonl")
    return tmp_path


def arguments(folder: Path, questions: int) -> Namespace:
    kept = folder / "kept" / "answers.jsonl"
    kept.parent.mkdir(exist_ok=True)
    return Namespace(data=folder, lang=["en"], questions=questions, table=0, resume=kept)


def test_a_real_model_answers_with_proof_and_goes_on_where_it_ended(
    folder: Path, endpoint: Endpoint
):
    args = arguments(folder, 1)
    local_model.run(args, endpoint)
    first = args.resume.read_text(encoding="utf-8")
    assert [json.loads(line)["variant"] for line in first.splitlines()] == [BUILT_IN, "plain"]

    # The next run was ended in the middle of a line.
    args.resume.write_text(first + '{"model": "cut o', encoding="utf-8")
    args.questions = 2
    results = local_model.run(args, endpoint)
    assert args.resume.read_text(encoding="utf-8").startswith(first)
    assert len(results.records) == 4
    assert len({(r["variant"], r["id"]) for r in results.records}) == 4
    assert len(Results(args.resume).records) == 4

    own = [r for r in results.records if r["variant"] == "plain"]
    assert {r["model"] for r in own} == {endpoint.name}
    assert sum(r["citations"] for r in own) > 0
    assert all(r["verbatim"] == r["citations"] and r["wrong"] == [] for r in own)
    assert not any((r["notice"] or "").startswith("model") for r in own)

    tables = local_model.sections(args, results, endpoint.name)
    (figures,) = tables.values()
    proven = next(f for f in figures if f.name == "citations proven verbatim")
    assert proven.passed
    assert {f.count for f in figures if f.name == "gold answer in the answer"} == {2}


def test_fewer_questions_are_the_first_of_more(folder: Path):
    more = [line["id"] for line in local_model.drawn(folder, "en", 9)]
    assert [line["id"] for line in local_model.drawn(folder, "en", 4)] == more[:4]
    assert len(set(more)) == 9


def test_the_table_of_expansions_has_each_variant(folder: Path):
    args = arguments(folder, 2)
    args.table = 1
    (line,) = local_model.drawn(folder, "en", 1)
    results = Results(None)
    for variant in (BUILT_IN, *local_model.VARIANTS):
        results.add(
            {
                "model": BUILT_IN if variant == BUILT_IN else "m",
                "variant": variant,
                "lang": "en",
                "id": line["id"],
                "mode": "generated",
                "notice": None,
                "holds_gold": True,
                "page_at_1": variant == "MQE",
                "page_at_5": True,
                "citations": 1,
                "verbatim": 1,
                "doubtful_numbers": 0,
                "calls": [["answer", "used", 900, 40, 3.0], ["mqe", "late", 60, 0, 8.0]],
                "seconds": 11.0,
            }
        )
    tables = local_model.sections(args, results, "m")
    assert list(tables) == ["m en", *(f"{v}, en" for v in local_model.VARIANTS)]
    mqe = {f.name: f.value for f in tables["MQE, en"]}
    assert mqe["page@1"] == 1.0
    assert mqe["mean tokens"] == 1000
    assert mqe["with a call late, empty or failed"] == 1.0
    assert {f.name: f.value for f in tables["plain, en"]}["page@1"] == 0.0
