"""HTML of what goes on in the background: how far it is, why it failed, what can be done."""

from app.components.elements import button, element, text
from app.errors import Failure
from app.i18n import Words
from app.presenters import escape, failure_text, in_parts
from core.domain.document import Document
from core.domain.job import Job, JobKind

LINE = " · "
TOLD_PASSAGES = 40  # refining fewer takes seconds


def _counted(job: Job, document: Document | None) -> tuple[int, int]:
    """Return how many of how many pages are done: what is stored may be ahead of what is told."""
    if document is None or job.kind is not JobKind.LOAD:
        return job.done, job.total
    return max(job.done, document.pages_read), max(job.total, document.pages)


def _told(job: Job, document: Document | None, words: Words) -> str:
    done, total = _counted(job, document)
    if job.stopping:
        return words("job.stopping")
    if job.stage == "waiting":
        told = words("job.waiting")
    elif not total:
        told = words(f"job.{job.stage}")
    else:
        unit = "parts" if in_parts(job.format) and job.stage != "ocr" else "pages"
        told = words(f"job.{job.stage}_{unit}", done=min(done, total), total=total)
    return told if document is None else told + LINE + words("job.ask_already")


def progress(job: Job, document: Document | None, words: Words) -> str:
    """Return a thin bar with words. `document` is there as soon as it can be asked."""
    done, total = _counted(job, document)
    name = document.title if document else job.name
    told = text("p", _told(job, document, words), class_="meta")
    if total or job.stage == "waiting":
        bar = element("progress", max=max(total, 1), value=min(done, total), aria_label=name)
    else:
        bar = element("progress", aria_label=name)  # moves without end
    return element("div", told, bar, class_="progress")


def refining(job: Job, words: Words) -> str:
    """Return a quiet line on a job that nobody waits for, nothing while it is a short one."""
    if not job.active or job.total < TOLD_PASSAGES:
        return ""
    told = words("job.refining", done=min(job.done, job.total), total=job.total)
    return text("p", told, class_="meta")


def reason(failure: Failure, words: Words) -> str:
    """Return why a file was refused or a job failed, and what to do."""
    what, remedy = failure_text(failure, words)
    return element("p", text("strong", what), " ", escape(remedy), class_="reason", role="alert")


def failure_of(job: Job) -> Failure | None:
    """Return why a job failed, None while it has not."""
    if job.error is None:
        return None
    return Failure(code=job.error.code, message=job.error.message, remedy=job.error.remedy)


def _act(job: Job, what: str, act: str, words: Words, name: str) -> str:
    return button(
        escape(words(f"job.{what}")),
        act=act,
        class_="quiet",
        data_job=job.id,
        aria_label=words(f"job.{what}_it", name=name),
        disabled=job.stopping,
    )


def actions(job: Job, document: Document | None, words: Words) -> list[str]:
    """Return what can be done with a job.

    A failed load of which some pages can be asked is not dismissed, since that would delete them:
    the document's own button does that, and asks first.
    """
    name = document.title if document else job.name
    if job.active:
        stays = document is not None and job.kind is not JobKind.LOAD
        return [_act(job, "stop" if stays else "cancel", "stop_job", words, name)]
    again = _act(job, "retry", "retry_job", words, name)
    if document is not None and job.kind is JobKind.LOAD:
        return [again]
    return [again, _act(job, "dismiss", "dismiss_job", words, name)]
