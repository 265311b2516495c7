"""HTML of the Documents tab: drop zone, files on their way in, and the list of documents."""

from collections.abc import Sequence

from app.components.elements import button, confirmed, element, empty, text
from app.components.icons import icon
from app.i18n import Words
from app.loading import LoadRow
from app.presenters import document_warnings, escape, failure_text, language_name, time_element
from core.domain.document import Document
from core.domain.formats import ACCEPTED
from core.settings import MIB


def drop_zone(
    samples: Sequence[tuple[str, str]], words: Words, *, max_mb: int, max_pages: int, local: bool
) -> str:
    """Return where files are dropped or chosen, and a button for each sample (file name, title).

    `local` says that the application listens on this computer alone.
    """
    key = "documents.limits" if local else "documents.limits_server"
    target = element(
        "label",
        icon("upload"),
        element(
            "span",
            text("strong", words("documents.drop")),
            text("span", words("documents.choose"), class_="as-link"),
        ),
        text("small", words("documents.kinds")),
        text("small", words(key, size=max_mb, pages=max_pages)),
        class_="drop-target",
        for_="file-input",
    )
    chooser = element(
        "input",
        type="file",
        id="file-input",
        accept=",".join(f".{suffix}" for suffix in ACCEPTED),
        multiple=True,
        aria_label=words("documents.drop"),
    )
    buttons = [
        button(escape(title), act="sample", class_="link", data_name=name)
        for name, title in samples
    ]
    return element(
        "div",
        target,
        chooser,
        element("p", escape(words("documents.sample")), *buttons, class_="samples"),
        element("div", class_="sending", role="status"),
        class_="drop-zone",
        data_sending=words("documents.sending", name="{name}"),
        data_failed=words("documents.send_failed", name="{name}"),
        data_max_bytes=max_mb * MIB,
    )


def _progress(row: LoadRow, words: Words) -> str:
    known = row.pages > 0 and row.stage != "waiting"
    key = f"documents.{row.stage}{'_pages' if known else ''}"
    told = text("p", words(key, done=row.done, pages=row.pages), class_="meta", role="status")
    if not known:
        return told + element("progress")
    return told + element("progress", max=row.pages, value=min(row.done, row.pages))


def _reason(row: LoadRow, words: Words) -> str:
    if row.failure is None:
        return text("p", words("documents.known"), class_="reason", role="status")
    what, remedy = failure_text(row.failure, words)
    return element("p", text("strong", what), " ", escape(remedy), class_="reason", role="alert")


def _tray_row(row: LoadRow, words: Words) -> str:
    kind = "running" if row.running else "known" if row.failure is None else "refused"
    act = "stop" if row.running else "dismiss"
    mark = {"running": "document", "known": "info", "refused": "warning"}[kind]
    return element(
        "li",
        element("span", icon(mark), class_="row-icon"),
        element(
            "div",
            text("h3", row.name),
            _progress(row, words) if row.running else _reason(row, words),
            class_="row-main",
        ),
        button(
            escape(words(f"documents.{act}")),
            act=f"{act}_load",
            class_="quiet",
            data_row=row.id,
            aria_label=words(f"documents.{act}_it", name=row.name),
            disabled=row.stopped,
        ),
        class_=f"tray-row tray-{kind}",
        data_code=row.failure.code if row.failure else None,
    )


def tray(rows: Sequence[LoadRow], words: Words) -> str:
    """Return one row for each file that is on its way in, was refused or was there already."""
    if not rows:
        return ""
    return element("ul", *(_tray_row(row, words) for row in rows), class_="rows tray")


def _actions(document: Document, words: Words) -> str:
    def action(name: str, label: str) -> str:
        content = icon(name) + text("span", words(f"documents.{name}"))
        return button(
            content,
            act=f"{name}_document",
            class_="quiet",
            data_document=document.id,
            aria_label=words(label, name=document.title),
        )

    return element(
        "div",
        action("ask", "documents.ask_about"),
        action("read", "documents.read_it"),
        confirmed(
            icon("delete") + text("span", words("documents.delete")),
            label=words("documents.delete_it", name=document.title),
            question=words("documents.delete_sure"),
            yes=words("documents.delete_yes"),
            act="delete_document",
            data_document=document.id,
        ),
        class_="row-actions",
    )


def _document_row(document: Document, words: Words) -> str:
    facts = [
        *([escape(document.name)] if document.name != document.title else []),
        escape(words.count("documents.pages", document.pages)),
        escape(language_name(document, words)),
        escape(words("documents.loaded", date="{}")).format(time_element(document.loaded_at)),
    ]
    warnings = [
        element("p", icon("warning"), escape(told), class_="warning")
        for told in document_warnings(document, words)
    ]
    return element(
        "li",
        element("span", icon("document"), class_="row-icon"),
        element(
            "div",
            text("h3", document.title),
            element("p", " · ".join(facts), class_="meta"),
            *warnings,
            class_="row-main",
        ),
        _actions(document, words),
        class_="document",
        data_document_row=document.id,
    )


def documents_list(documents: Sequence[Document], words: Words) -> str:
    """Return the list of documents, in the order given, or what to do when there is none."""
    if not documents:
        steps = [text("li", words(f"documents.empty_{n}")) for n in (1, 2, 3)]
        title = text("h2", words("documents.empty_title"))
        return empty(icon("read"), title, element("ol", *steps))
    pages = sum(d.pages for d in documents)
    head = element(
        "div",
        text("h2", words("documents.yours")),
        text("p", words.count("documents.count", len(documents), pages=pages), class_="meta"),
        class_="list-head",
    )
    rows = [_document_row(d, words) for d in documents]
    return head + element("ul", *rows, class_="rows documents")
