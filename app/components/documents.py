"""HTML of the Documents tab: the drop zone, and one row for each document and file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.components import jobs as work
from app.components.elements import button, confirmed, element, empty, text
from app.components.icons import icon
from app.i18n import Words
from app.loading import TrayRow
from app.presenters import document_warnings, escape, language_name, length_of, time_element
from app.uploads import OFFERED_KINDS, OFFERED_SUFFIXES
from core.domain.document import Document
from core.domain.job import Job, JobState
from core.settings import MIB

URGENCY = {JobState.RUNNING: 2, JobState.WAITING: 1, JobState.FAILED: 0}


def drop_zone(
    samples: Sequence[tuple[str, str]], words: Words, *, max_mb: int, max_pages: int, local: bool
) -> str:
    """Return where files are dropped or chosen, and a button for each sample (file name, title).

    `local` says that the application listens on this computer alone.
    """
    key = "documents.limits" if local else "documents.limits_server"
    kinds = words("documents.kinds_mark").join(words(f"kind.{kind}") for kind in OFFERED_KINDS)
    target = element(
        "label",
        icon("upload"),
        element(
            "span",
            text("strong", words("documents.drop")),
            text("span", words("documents.choose"), class_="as-link"),
        ),
        text("small", kinds),
        text("small", words(key, size=max_mb, pages=max_pages)),
        class_="drop-target",
        for_="file-input",
    )
    chooser = element(
        "input",
        type="file",
        id="file-input",
        accept=",".join(f".{suffix}" for suffix in OFFERED_SUFFIXES),
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


# --- one row for each ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything there is to show: documents that can be asked, the one loaded last first; what
    goes on in the background; and files that were not taken in."""

    documents: Sequence[Document]
    jobs: Sequence[Job]
    tray: Sequence[TrayRow] = ()

    def job_of(self, document_id: str) -> Job | None:
        """Return what is being done with a document, the most active first."""
        own = [job for job in self.jobs if job.document_id == document_id and not job.quiet]
        return max(own, key=lambda job: URGENCY[job.state], default=None)

    def refining_of(self, document_id: str) -> Job | None:
        """Return the job that makes a document that is ready better to find."""
        own = (job for job in self.jobs if job.document_id == document_id and job.quiet)
        return next(own, None)

    def coming(self) -> Iterator[Job]:
        """Yield one job for each file of which nothing can be asked yet, the newest first."""
        shown = {document.id for document in self.documents}
        for job in reversed(self.jobs):
            if job.document_id not in shown and not job.quiet:
                shown.add(job.document_id)
                yield self.job_of(job.document_id) or job

    def title_of(self, document_id: str) -> str | None:
        """Return the title of a document that can be asked."""
        return next((d.title for d in self.documents if d.id == document_id), None)

    def told(self) -> Iterator[TrayRow]:
        """Yield the files that were not taken in, but for one whose document is gone by now."""
        for row in self.tray:
            if row.failure or self.title_of(row.document_id) or self.job_of(row.document_id):
                yield row

    @property
    def known(self) -> tuple[str, ...]:
        """The ids of the documents."""
        return tuple(document.id for document in self.documents)

    @property
    def active(self) -> bool:
        """Whether anything is going on."""
        return any(job.active for job in self.jobs)


def _row(mark: str, main: Sequence[str], actions: Sequence[str], **attributes: str | None) -> str:
    return element(
        "li",
        element("span", icon(mark), class_="row-icon"),
        element("div", *main, class_="row-main"),
        element("div", *actions, class_="row-actions"),
        **attributes,
    )


def _tray_row(row: TrayRow, title: str | None, words: Words) -> str:
    dismiss = button(
        escape(words("job.dismiss")),
        act="dismiss_file",
        class_="quiet",
        data_row=row.id,
        aria_label=words("job.dismiss_it", name=row.name),
    )
    if row.failure is not None:
        told, kind, mark = work.reason(row.failure, words), "failed", "warning"
    else:
        told, kind, mark = _known(row, title, words), "known", "info"
    return _row(
        mark,
        [text("h3", row.name), told],
        [dismiss],
        class_=f"file {kind}",
        data_code=row.failure.code if row.failure else None,
    )


def _known(row: TrayRow, title: str | None, words: Words) -> str:
    if title is None:
        return text("p", words("documents.known_coming"), class_="reason", role="status")
    link = button(escape(title), act="read_document", class_="link", data_document=row.document_id)
    told = escape(words("documents.known", title="{}")).format(link)
    return element("p", told, class_="reason", role="status")


def _coming_row(job: Job, words: Words) -> str:
    failure = work.failure_of(job)
    told = work.progress(job, None, words) if failure is None else work.reason(failure, words)
    return _row(
        "document" if failure is None else "warning",
        [text("h3", job.name), told],
        work.actions(job, None, words),
        class_="file running" if failure is None else "file failed",
        data_code=failure.code if failure else None,
    )


def _actions(document: Document, words: Words) -> list[str]:
    def action(name: str, label: str) -> str:
        content = icon(name) + text("span", words(f"documents.{name}"))
        return button(
            content,
            act=f"{name}_document",
            class_="quiet",
            data_document=document.id,
            aria_label=words(label, name=document.title),
        )

    return [
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
    ]


def _facts(document: Document, words: Words) -> str:
    mark = words("documents.names_mark")
    facts = [
        *([escape(document.name)] if document.name != document.title else []),
        escape(length_of(document, words)),
        escape(language_name(document, words)),
        escape(words("documents.loaded", date="{}")).format(time_element(document.loaded_at)),
        *(
            [escape(words("documents.also", names=mark.join(document.names)))]
            if document.names
            else []
        ),
    ]
    return element("p", " · ".join(facts), class_="meta")


def _document_row(document: Document, job: Job | None, quiet: Job | None, words: Words) -> str:
    failure = work.failure_of(job) if job else None
    told = [
        element("p", icon("warning"), escape(warning), class_="warning")
        for warning in document_warnings(document, words)
    ]
    if failure is not None:
        told.append(work.reason(failure, words))
    elif job is not None:
        told.append(work.progress(job, document, words))
    elif quiet is not None:
        told.append(work.refining(quiet, words))
    state = "" if job is None else " running" if job.active else " failed"
    return _row(
        "document",
        [text("h3", document.title), _facts(document, words), *told],
        [*(work.actions(job, document, words) if job else []), *_actions(document, words)],
        class_=f"document{state}",
        data_document_row=document.id,
        data_code=failure.code if failure else None,
    )


def _list_head(documents: Sequence[Document], words: Words) -> str:
    pages = sum(document.pages for document in documents)
    count = words.count("documents.count", len(documents), pages=pages)
    return element(
        "div",
        text("h2", words("documents.yours")),
        text("p", count, class_="meta") if documents else "",
        class_="list-head",
    )


def shelf_html(shelf: Shelf, words: Words) -> str:
    """Return the list: what was not taken in, what is coming, and the documents."""
    rows = [
        *(_tray_row(row, shelf.title_of(row.document_id), words) for row in shelf.told()),
        *(_coming_row(job, words) for job in shelf.coming()),
        *(
            _document_row(d, shelf.job_of(d.id), shelf.refining_of(d.id), words)
            for d in shelf.documents
        ),
    ]
    if not rows:
        steps = [text("li", words(f"documents.empty_{n}")) for n in (1, 2, 3)]
        title = text("h2", words("documents.empty_title"))
        return empty(icon("read"), title, element("ol", *steps))
    return _list_head(shelf.documents, words) + element("ul", *rows, class_="rows documents")
