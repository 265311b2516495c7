"""The judges of the side-by-side eval; the other package itself is not installed for tests."""

from pathlib import Path

from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services
from tests.evals import original

PAGE = "Net sales were 1,234 million in 2019, which is 12 % more than in the year before."
OTHER = "The board met in Rotterdam and spoke about the weather of the winter."


def test_a_page_is_retrieved_in_one_chunk_or_in_two_together() -> None:
    assert original.covered(PAGE, [OTHER, f"{OTHER} {PAGE}"])
    assert original.covered(PAGE, [PAGE[:40], PAGE[40:]])
    assert not original.covered(PAGE, [OTHER, PAGE[:30]])
    assert not original.covered("", [PAGE])


def test_a_piece_stands_on_the_page_it_was_cut_from() -> None:
    assert original.stands_on(PAGE[:40] + "...", PAGE)
    assert not original.stands_on(OTHER, PAGE)
    assert not original.stands_on("12 %", PAGE)


def told(context: str) -> dict[str, object]:
    return {
        "told": "The answer. [1] report.pdf (0.5)",
        "context": context,
        "retrieved": [PAGE, OTHER],
        "seconds": 0.25,
        "cpu_seconds": 0.125,
    }


def test_what_reaches_the_model_is_read_from_its_prompt() -> None:
    side = original.Side(pages=1)
    line = {"lang": "en", "answers": ["1,234 million"]}
    original.judge_original(side, line, told(f"片段 1：{PAGE[:20]}\n\n片段 2：{OTHER}"), [])
    original.judge_original(side, line, told(f"片段 1：{PAGE}"), [PAGE])
    original.judge_original(side, line, told(f"片段 1：{OTHER}"), [PAGE])
    assert (side.gold_found, side.gold_reached) == ({"en": [True]}, {"en": [False]})
    assert (side.found, side.reached) == ([True, True], [True, False])
    assert side.with_page == [False] * 3
    assert side.retrieved == 3 * (len(PAGE) + len(OTHER))
    assert "| answers that name a page | 0% | 0% |" in original.markdown(side, side)


def test_own_answers_are_judged_by_pages_and_quotes(pdfs: Path, tmp_path: Path) -> None:
    services = build_services(load_settings(env_file=None, data_dir=tmp_path, refine_enabled=False))
    try:
        assistant = PDFLearningAssistant("desk", services=services)
        loaded = assistant.load_document(pdfs / "two_columns_en.pdf")
        assert loaded.success
        answer = assistant.ask("How many floats does the wheel have?")
    finally:
        services.close()
    side = original.Side(pages=loaded.pages, ask_seconds=[1.0], ask_cpu=[1.0])
    original.judge_own(side, {"lang": "en", "answers": ["thirty-two"]}, answer, [])
    original.judge_own(side, {}, answer, [1])
    original.judge_own(side, {}, answer, [99])
    assert (side.gold_found, side.gold_reached, side.gold_quoted) == ({"en": [True]},) * 3
    assert (side.found, side.reached, side.quoted) == ([True, False],) * 3
    assert side.with_page == [True] * 3
