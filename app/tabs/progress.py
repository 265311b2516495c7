"""Progress: numbers, charts, and the learning report on screen and as a download."""

import json
from collections import Counter
from datetime import UTC, datetime

import gradio as gr

from app.components import progress as html
from app.components.charts import activity_chart, sources_chart
from app.components.elements import element
from app.desk import Desk, Drawing, View, Visit, notice_place, place

FILE_NAME = "learning_report_{session}.json"

# Makes a file of the report in the browser, so that no copy of it lies where a web address leads.
DOWNLOAD = """(text, name) => {
  if (!text) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}"""


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
        html.report(totals, assistant.notes(), questions, now, words),
    )


def make_report(visit: Visit) -> tuple[object, ...]:
    """Make the report, keep it in the learner's folder, and return it as text and file name."""
    report = visit.assistant.generate_report()
    text = json.dumps(report, ensure_ascii=False, indent=2)
    return text, FILE_NAME.format(session=visit.assistant.session_id)


def build(desk: Desk) -> View:
    """Build the tab."""
    numbers = place("numbers")
    charts = place("charts")
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
    text = gr.Textbox("", visible="hidden", elem_id="report-text")
    name = gr.Textbox("", visible="hidden", elem_id="report-name")
    drawn = [numbers, charts, report]
    desk.on(again.click, refresh, outputs=drawn, notice=notice, show_progress="minimal")
    made = desk.on(download.click, make_report, outputs=[text, name], notice=notice)
    made.then(None, [text, name], None, js=DOWNLOAD, api_visibility="private")
    return View(refresh=Drawing(refresh, outputs=drawn), notice=notice)
