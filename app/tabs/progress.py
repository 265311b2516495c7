"""Progress: numbers, charts, and the learning report on screen and as a download."""

import json
from collections import Counter
from datetime import UTC, datetime

import gradio as gr

from app.components import progress as html
from app.components.charts import activity_chart, sources_chart
from app.components.elements import element
from app.components.gaps import gap_list
from app.desk import Desk, Drawing, View, Visit, notice_place, place
from app.download import download_place

FILE_NAME = "learning_report_{session}.json"


def refresh(visit: Visit) -> tuple[object, ...]:
    """Draw the whole tab."""
    assistant, words = visit.assistant, visit.words
    now = datetime.now(UTC)
    questions = assistant.questions()
    totals = assistant.totals()
    cited = Counter(c.document for asked in questions for c in asked.answer.citations)
    charts = [
        activity_chart(assistant.activity_by_day(), now.date(), words),
        sources_chart(cited, words),
    ]
    return (
        html.numbers(totals, words) + html.session(assistant.get_stats(), words),
        element("div", *charts, class_="charts"),
        gaps(visit),
        html.report(totals, assistant.notes(), questions, now, words),
    )


def gaps(visit: Visit) -> str:
    """Draw the questions that the documents did not answer."""
    return gap_list(visit.assistant.gaps(), visit.words)


def dismiss_gap(visit: Visit) -> tuple[object, ...]:
    """Take a question off the list."""
    visit.assistant.dismiss_gap(visit.text("gap"))
    return (gaps(visit),)


def make_report(visit: Visit) -> tuple[object, ...]:
    """Make the report, keep it in the learner's folder, and return it as text and file name."""
    report = visit.assistant.generate_report()
    text = json.dumps(report, ensure_ascii=False, indent=2)
    return text, FILE_NAME.format(session=visit.assistant.session_id)


def build(desk: Desk) -> View:
    """Build the tab."""
    numbers = place("numbers")
    charts = place("charts")
    unanswered = place("gaps")
    notice = notice_place("progress-notice")
    with gr.Row(elem_classes="report-actions"):
        download = desk.label(
            gr.Button(variant="primary", elem_id="report-download", scale=0, min_width=260),
            value="progress.download",
        )
        again = desk.label(
            gr.Button(elem_id="progress-refresh", scale=0, min_width=140), value="progress.refresh"
        )
    report = place("report")
    drawn = [numbers, charts, unanswered, report]
    desk.on(again.click, refresh, outputs=drawn, notice=notice, show_progress="minimal")
    saved = download_place("report")
    saved.save_after(desk.on(download.click, make_report, outputs=saved.outputs, notice=notice))
    desk.on_click("dismiss_gap", dismiss_gap, outputs=[unanswered], notice=notice)
    return View(refresh=Drawing(refresh, outputs=drawn), notice=notice)
