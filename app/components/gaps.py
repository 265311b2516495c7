"""HTML of the gaps: questions that the documents did not answer."""

from collections.abc import Sequence

from app.components.conversation import nearest_label
from app.components.elements import button, element, text
from app.components.icons import icon
from app.i18n import Words
from app.presenters import escape, time_element
from core.domain.answer import Gap, NearestPage


def _near(page: NearestPage, words: Words) -> str:
    label = nearest_label(page, words)
    return button(
        escape(label),
        act="read_document",
        class_="chip",
        title=label,
        data_document=page.document_id,
        data_page=page.page,
    )


def _gap(gap: Gap, words: Words) -> str:
    when = f"{time_element(gap.asked_at)} · {escape(words.count('gaps.times', gap.times))}"
    near = ""
    if gap.nearest:
        lead = text("span", words("ask.nearest"), class_="meta")
        chips = [_near(page, words) for page in gap.nearest]
        near = element("p", lead, *chips, class_="suggestions")
    main = element(
        "div",
        text("h3", gap.question),
        element("p", when, " · ", escape(words(f"refused.{gap.reason}")), class_="meta"),
        near,
        class_="row-main",
    )
    again = button(
        icon("ask") + escape(words("gaps.again")),
        act="example",
        class_="quiet",
        data_text=gap.question,
    )
    dismiss = button(
        icon("close"),
        act="dismiss_gap",
        class_="quiet",
        data_gap=gap.id,
        aria_label=words("gaps.dismiss_it", question=gap.question),
        title=words("gaps.dismiss"),
    )
    actions = element("div", again, dismiss, class_="row-actions")
    return element("li", main, actions, class_="gap", data_gap_row=gap.id)


def gap_list(gaps: Sequence[Gap], words: Words) -> str:
    """Return the questions without an answer, in the order given."""
    title = text("h2", words("gaps.title"))
    if not gaps:
        body = text("p", words("gaps.none"), class_="meta")
        return element("section", title, body, class_="gaps", id="gaps-empty")
    return element(
        "section",
        title,
        text("p", words("gaps.text"), class_="meta"),
        element("ul", *(_gap(gap, words) for gap in gaps), class_="rows"),
        class_="gaps",
    )
