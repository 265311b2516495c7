"""Evidence, memory, progress and head: what is shown, and that hostile text stays text."""

from dataclasses import replace
from datetime import date

from app.components import evidence, memories
from app.components.charts import activity_chart, sources_chart
from app.components.header import header_html
from app.components.progress import numbers, report, session
from core.domain.memory import Memory, MemoryHit, MemoryKind
from core.domain.study import AskedQuestion, AssistantStatus
from tests.samples import (
    EN,
    HOSTILE,
    WHEN,
    ZH,
    Tags,
    answer,
    assert_tame,
    citation,
    note,
    totals,
)

# --- evidence -------------------------------------------------------------------------------------


def shown_evidence(**changes: object) -> str:
    values: dict[str, object] = {
        "document_id": "d1", "document": "A paper", "pages": 20, "citation": citation(),
        "question_id": "q", "on_quote": True,
        "views": (evidence.PageView(number=14, label="xii", image=b"PNG", mark=0.25),),
    }  # fmt: skip
    shown = evidence.Evidence(**{**values, **changes})  # type: ignore[arg-type]
    return evidence.evidence_html(shown, EN)


def test_evidence_shows_page_quote_and_state() -> None:
    html = shown_evidence()
    text = Tags(html).text
    assert "p. xii (PDF 14)" in text
    assert "of 20" in text
    assert "Water eats iron." in text
    assert "exact" in text
    assert "similarity 0.81" in text
    assert 'src="data:image/png;base64,UE5H"' in html
    assert 'data-mark="0.250"' in html
    assert "highlighted: Water eats iron." in html
    assert "Back to the quote" not in text


def test_turning_pages_stops_at_the_ends_and_leads_back() -> None:
    first = evidence.PageView(number=1, label=None, image=b"x")
    html = shown_evidence(views=(first,), on_quote=False)
    assert "disabled>" in html.split('id="page-previous"')[1].split("<svg")[0]
    assert "disabled>" not in html.split('id="page-next"')[1].split("<svg")[0]
    assert 'data-page="2"' in html
    assert "Back to the quote" in html
    last = evidence.PageView(number=20, label=None, image=b"x")
    html = shown_evidence(views=(last,), on_quote=False)
    assert "disabled>" in html.split('id="page-next"')[1].split("<svg")[0]


def test_a_quote_over_two_pages_shows_both() -> None:
    views = tuple(evidence.PageView(number=n, label=None, image=b"x") for n in (14, 15))
    html = shown_evidence(views=views)
    assert html.count("<img") == 2
    assert "p. 14 – p. 15" in html
    assert 'data-page="13"' in html
    assert 'data-page="16"' in html


def test_a_file_without_page_images_shows_its_text_and_says_why() -> None:
    view = evidence.PageView(number=14, label=None, image=None, text=HOSTILE)
    html = shown_evidence(views=(view,), document=HOSTILE, citation=citation(quote=HOSTILE))
    assert_tame(html)
    assert EN("evidence.no_boxes") in html
    assert HOSTILE in Tags(html).text


# --- memory, progress, head -----------------------------------------------------------------------


def test_notes_are_found_by_every_word_in_text_and_concept() -> None:
    notes = [note(), note("Iron rusts.", "metal", id="m2")]
    assert memories.matching(notes, "OAK pegged") == [notes[0]]
    assert memories.matching(notes, "metal") == [notes[1]]
    assert memories.matching(notes, " ") == notes
    assert memories.matching(notes, "oak iron") == []
    assert "No note contains “zinc”." in memories.notes_list(notes, "zinc", EN)
    assert EN("notes.empty") in memories.notes_list([], "", EN)
    assert_tame(memories.notes_list([note(HOSTILE, HOSTILE, id=HOSTILE)], "", EN))


def test_the_concept_of_a_note_without_one_is_not_shown() -> None:
    assert "concept" not in memories.notes_list([note(concept="general")], "", EN)


def hit(content: str, event: str, kind: MemoryKind, **metadata: object) -> MemoryHit:
    memory = note(content, event=event, kind=kind, metadata=metadata)
    return MemoryHit(memory=memory, score=1.0, relevance=1.0)


def test_recall_groups_by_what_the_learner_did_and_shows_things_once() -> None:
    found = memories.recall_results(
        [
            hit("Question: Why oak?", "question", MemoryKind.WORKING),
            hit("Loaded document 《mill.pdf》", "document_loaded", MemoryKind.EPISODIC),
            hit(
                "Learning about 'Why oak?'", "qa_interaction", MemoryKind.EPISODIC, question_id="q"
            ),
            hit(HOSTILE, "note", MemoryKind.SEMANTIC),
        ],
        "oak",
        ZH,
    )
    assert_tame(found)
    assert [ZH(f"recall.{g}") in found for g in ("asked", "loaded", "noted")] == [True] * 3
    assert found.index(ZH("recall.asked")) < found.index(ZH("recall.loaded"))
    assert Tags(found).text.count("Why oak?") == 1
    assert "Loaded document" not in found
    assert ZH("recall.nothing", query="zinc") in memories.recall_results([], "zinc", ZH)


def test_numbers_and_session() -> None:
    html = numbers(totals(), EN)
    assert '<dd id="total-questions">5</dd>' in html
    stats = {
        "Session Duration": "61s", "Documents Loaded": 1, "Questions Asked": 2,
        "Learning Notes": 3, "Current Document": HOSTILE,
    }  # fmt: skip
    assert_tame(session(stats, EN))
    assert "1 min so far: 1 loaded, 2 asked, 3 noted." in session(stats, EN)
    assert "Current document: none." in session({**stats, "Current Document": "Not loaded"}, EN)


def test_the_report_shows_questions_proofs_and_notes() -> None:
    asked = AskedQuestion(id="1", session_id="s", asked_at=WHEN, answer=answer(question=HOSTILE))
    html = report(totals(), [note(HOSTILE, HOSTILE)], [asked], WHEN, EN)
    assert_tame(html)
    assert "Water eats iron." in html
    assert "episodic memory" in html
    empty = report(totals(memories={}), [], [], WHEN, EN)
    assert EN("progress.report_empty") in empty


def test_charts_say_what_they_mean() -> None:
    activity = {
        "2026-03-01": {"loads": 1, "questions": 4, "notes": 0},
        "2026-03-02": {"questions": 1},
        "2026-01-01": {"questions": 99},
    }
    html = activity_chart(activity, date(2026, 3, 2), EN)
    assert "active on 2 of the last 14 days; the busiest was 2026-03-01 with 5 actions" in html
    assert html.count("<rect") == 3
    assert "03-02" in html
    nothing = activity_chart({}, date(2026, 3, 2), ZH)
    assert ZH("progress.activity_none", window=14) in nothing
    sources = sources_chart({"a.pdf": 1, HOSTILE: 5}, EN)
    assert_tame(sources)
    assert "was cited most: 5 times" in sources
    assert "width:20.0%" in sources
    assert EN("progress.sources_none") in sources_chart({}, EN)


def test_the_head_says_what_answers() -> None:
    status = AssistantStatus(
        answering="extractive", embedder="e", vector_store="qdrant-edge", record_store="sqlite",
        data_dir="data",
    )  # fmt: skip
    built_in = header_html(EN, status=status, code="K7Q-2XM")
    assert "offline · built-in answers" in built_in
    assert "K7Q-2XM" in built_in
    assert 'id="language-en"' in built_in
    model = header_html(ZH, status=replace(status, answering=HOSTILE), code="K7Q-2XM")
    assert_tame(model)
    assert "内置回答" not in model
    assert "Learner" not in header_html(EN, status=None, code="")


def test_figures_are_shown_with_their_page_and_picture() -> None:
    place = {"document_id": "d1", "document": "paper.pdf", "page": 3, "box": [0, 1, 2, 3]}
    seen = Memory(
        id="m1",
        kind=MemoryKind.PERCEPTUAL,
        content=f"Figure 2: {HOSTILE}",
        importance=0.5,
        created_at=WHEN,
        session_id="s",
        event="figure",
        metadata=place,
    )
    hit = MemoryHit(memory=seen, score=0.8, relevance=0.8)
    html = memories.recall_results([hit], "figure", EN, {"m1": b"PNG"})
    assert_tame(html)
    assert EN("recall.seen") in html
    assert 'data-act="read_document"' in html
    assert 'data-page="3"' in html
    assert "data:image/png;base64,UE5H" in html
    assert "data:image" not in memories.recall_results([hit], "figure", ZH)
