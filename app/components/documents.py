"""HTML of the Documents tab: drop zone, files on their way in, and the list of documents."""

from collections.abc import Sequence

from app.components.icons import icon
from app.i18n import Words
from app.loading import LoadRow
from app.presenters import (
    document_warnings,
    escape,
    failure_text,
    language_name,
    time_element,
)
from core.domain.document import Document


def drop_zone(
    samples: Sequence[tuple[str, str]], words: Words, *, max_mb: int, max_pages: int, local: bool
) -> str:
    """Return where files are dropped or chosen, and a button for each sample (file name, title).

    `local` says that the application listens on this computer alone.
    """
    buttons = "".join(
        f'<button type="button" class="link" data-act="sample" data-name="{escape(name)}">'
        f"{escape(title)}</button>"
        for name, title in samples
    )
    limits = words(
        "documents.limits" if local else "documents.limits_server", size=max_mb, pages=max_pages
    )
    return f"""<div class="drop-zone" data-sending="{escape(words("documents.sending", name="{name}"))}"
 data-failed="{escape(words("documents.send_failed", name="{name}"))}" data-max-bytes="{max_mb * 1024 * 1024}">
<label class="drop-target" for="file-input">{icon("upload")}<span><strong>{words("documents.drop")}</strong>
<span class="as-link">{words("documents.choose")}</span></span>
<small>{escape(limits)}</small></label>
<input type="file" id="file-input" accept="application/pdf,.pdf" multiple aria-label="{escape(words("documents.drop"))}">
<p class="samples">{words("documents.sample")} {buttons}</p>
<div class="sending" role="status"></div></div>"""


def _progress(row: LoadRow, words: Words) -> str:
    known = row.pages > 0 and row.stage != "waiting"
    key = f"documents.{row.stage}{'_pages' if known else ''}"
    bar = (
        f'<progress max="{row.pages}" value="{min(row.done, row.pages)}"></progress>'
        if known
        else "<progress></progress>"
    )
    text = words(key, done=row.done, pages=row.pages)
    return f'<p class="meta" role="status">{escape(text)}</p>{bar}'


def _tray_row(row: LoadRow, words: Words) -> str:
    name = escape(row.name)
    if row.running:
        body, kind, dismiss = _progress(row, words), "running", ""
    else:
        if row.failure is not None:
            what, remedy = failure_text(row.failure, words)
            text, kind = f"<strong>{escape(what)}</strong> {escape(remedy)}", "refused"
        else:
            text, kind = escape(words("documents.known")), "known"
        body = f'<p class="reason" role="alert">{text}</p>'
        label = escape(words("documents.dismiss_it", name=row.name))
        dismiss = (
            f'<button type="button" class="quiet" data-act="dismiss" data-row="{row.id}"'
            f' aria-label="{label}">{words("documents.dismiss")}</button>'
        )
    mark = icon("document" if row.running else "warning" if kind == "refused" else "info")
    return (
        f'<li class="tray-row tray-{kind}"><span class="row-icon">{mark}</span>'
        f'<div class="row-main"><h3>{name}</h3>{body}</div>{dismiss}</li>'
    )


def tray(rows: Sequence[LoadRow], words: Words) -> str:
    """Return one row for each file that is on its way in, was refused or was there already."""
    if not rows:
        return ""
    return f'<ul class="rows tray">{"".join(_tray_row(row, words) for row in rows)}</ul>'


def _document_row(document: Document, words: Words) -> str:
    identity = escape(document.id)
    title = escape(document.title)
    facts = [
        *([escape(document.name)] if document.name != document.title else []),
        escape(words.count("documents.pages", document.pages)),
        escape(language_name(document, words)),
        words("documents.loaded", date=time_element(document.loaded_at)),
    ]
    warnings = "".join(
        f'<p class="warning">{icon("warning")}{escape(text)}</p>'
        for text in document_warnings(document, words)
    )

    def button(act: str) -> str:
        label = escape(words({"ask": "documents.ask_about"}.get(act, f"documents.{act}_it"),
                             name=document.title))
        return (
            f'<button type="button" class="quiet" data-act="{act}_document"'
            f' data-document="{identity}" aria-label="{label}">{icon(act)}'
            f"<span>{words(f'documents.{act}')}</span></button>"
        )

    delete_label = escape(words("documents.delete_it", name=document.title))
    return f"""<li class="document" data-document-row="{identity}"><span class="row-icon">{icon("document")}</span>
<div class="row-main"><h3>{title}</h3><p class="meta">{" · ".join(facts)}</p>{warnings}</div>
<div class="row-actions">{button("ask")}{button("read")}
<details class="confirm"><summary class="quiet" aria-label="{delete_label}">{icon("delete")}<span>{words("documents.delete")}</span></summary>
<div class="confirm-box"><p>{words("documents.delete_sure")}</p>
<button type="button" class="danger" data-act="delete_document" data-document="{identity}">{words("documents.delete_yes")}</button></div></details></div></li>"""


def documents_list(documents: Sequence[Document], words: Words) -> str:
    """Return the list of documents, newest first, or what to do when there is none."""
    if not documents:
        steps = "".join(f"<li>{words(f'documents.empty_{n}')}</li>" for n in (1, 2, 3))
        return (
            f'<div class="empty">{icon("read")}<h2>{words("documents.empty_title")}</h2>'
            f"<ol>{steps}</ol></div>"
        )
    newest = sorted(documents, key=lambda d: d.loaded_at, reverse=True)
    pages = sum(d.pages for d in documents)
    count = words.count("documents.count", len(documents), pages=pages)
    rows = "".join(_document_row(d, words) for d in newest)
    return (
        f'<div class="list-head"><h2>{words("documents.yours")}</h2>'
        f'<p class="meta">{escape(count)}</p></div><ul class="rows documents">{rows}</ul>'
    )
