"""Documents: load them, watch them come in, open and delete them."""

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from app.components.documents import Shelf, drop_zone, shelf_html
from app.components.icons import ASSETS
from app.desk import Desk, Drawing, Told, View, Visit, notice_place, place
from app.errors import Failure
from app.loading import take_in
from app.uploads import claim, discard, display_name
from core.errors import DocumentTooLargeError, NotFoundError
from core.settings import MIB, Settings

POLL_SECONDS = 0.5
SAMPLE_FOLDER = ASSETS.parent / "sample_docs"
SAMPLES = (
    ("how-language-models-read.pdf", "How language models read"),
    ("大模型如何读书.pdf", "《大模型如何读书》"),
)
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def load_sent(folder: Path, limit: int, visit: Visit) -> tuple[object, ...]:
    """Begin to load a file that the page has sent; `limit` is in bytes."""
    path = claim(visit.text("path"), folder)
    name = display_name(visit.text("name"))
    try:
        if path.stat().st_size > limit:
            visit.tray.refuse(name, Failure(code=DocumentTooLargeError.code))
        else:
            take_in(visit.assistant, visit.tray, path, name=name)
    finally:
        discard(path)
    return watch(visit)


def refuse_large(visit: Visit) -> tuple[object, ...]:
    """Say that a file is over the limit, which the page saw before sending it."""
    failure = Failure(code=DocumentTooLargeError.code)
    visit.tray.refuse(display_name(visit.text("name")), failure)
    return watch(visit)


def load_sample(visit: Visit) -> tuple[object, ...]:
    """Begin to load a sample document."""
    name = visit.text("name")
    path = SAMPLE_FOLDER / name
    if name not in dict(SAMPLES) or not path.is_file():
        raise NotFoundError()
    take_in(visit.assistant, visit.tray, path, name=name)
    return watch(visit)


# --- drawing: the list, the timer that looks again, the digest of what was drawn, and the ids of
# the documents that can be asked -----------------------------------------------------------------


def shelf(visit: Visit) -> Shelf:
    """Return all there is to show. Jobs first: one that ends meanwhile leaves its document."""
    jobs = visit.assistant.jobs()
    return Shelf(visit.assistant.documents(), jobs, visit.tray.rows())


def digest(html: str) -> str:
    """Return what tells two drawings apart."""
    return hashlib.sha256(html.encode()).hexdigest()


def draw(visit: Visit) -> tuple[object, ...]:
    """Draw the list, and look again while something goes on."""
    now = shelf(visit)
    html = shelf_html(now, visit.words)
    return html, gr.Timer(active=now.active), digest(html), now.known


def watch(visit: Visit) -> tuple[object, ...]:
    """Draw the list after something was done, and look again in any case.

    A tick that was on its way meanwhile may have found nothing going on.
    """
    html, _, *rest = draw(visit)
    return html, gr.Timer(active=True), *rest


def tick(visit: Visit, seen: str) -> tuple[object, ...]:
    """Draw the list if it has changed since `seen`; look no more when all is done and quiet."""
    now = shelf(visit)
    html = shelf_html(now, visit.words)
    drawn = digest(html)
    if drawn == seen:
        return gr.skip(), gr.Timer(active=now.active), gr.skip(), gr.skip()
    return html, gr.Timer(active=True), drawn, now.known


def stop(visit: Visit) -> tuple[object, ...]:
    """Stop a job."""
    visit.assistant.stop_job(visit.text("job"))
    return watch(visit)


def retry(visit: Visit) -> tuple[object, ...]:
    """Begin a failed job again."""
    visit.assistant.retry_job(visit.text("job"))
    return watch(visit)


def dismiss_job(visit: Visit) -> tuple[object, ...]:
    """Remove a failed job with its file."""
    visit.assistant.dismiss_job(visit.text("job"))
    return watch(visit)


def dismiss_file(visit: Visit) -> tuple[object, ...]:
    """Remove the row of a file that was refused or known."""
    visit.tray.dismiss(visit.text("row"))
    return watch(visit)


def delete(visit: Visit) -> Told:
    """Delete a document everywhere, also while it is being read."""
    visit.assistant.delete_document(visit.text("document"))
    return Told(values=watch(visit), message=visit.words("documents.deleted"))


def refresh(settings: Settings, visit: Visit) -> tuple[object, ...]:
    """Draw the whole tab."""
    zone = drop_zone(
        SAMPLES,
        visit.words,
        max_mb=settings.max_file_mb,
        max_pages=settings.max_pages,
        local=settings.host in LOOPBACK,
    )
    return zone, *draw(visit)


def build(desk: Desk) -> View:
    """Build the tab."""
    zone = place("drop-zone")
    notice = notice_place("documents-notice")
    listed = place("documents")
    timer = gr.Timer(POLL_SECONDS, active=False)
    seen = gr.State("")

    folder = Path(zone.GRADIO_CACHE)
    limit = desk.settings.max_file_mb * MIB
    drawn = [listed, timer, seen, desk.known]
    each: dict[str, Any] = {"notice": notice, "outputs": drawn, "trigger_mode": "multiple"}
    desk.on_click("sent", partial(load_sent, folder, limit), **each)
    desk.on_click("too_large", refuse_large, **each)
    desk.on_click("stop_job", stop, **each)
    desk.on_click("retry_job", retry, **each)
    desk.on_click("dismiss_job", dismiss_job, **each)
    desk.on_click("dismiss_file", dismiss_file, **each)
    desk.on_click("delete_document", delete, **each)
    desk.on_click("sample", load_sample, outputs=drawn, notice=notice)
    quiet = notice_place("documents-tick")
    desk.on(timer.tick, tick, inputs=[seen], outputs=drawn, notice=quiet)
    return View(
        refresh=Drawing(partial(refresh, desk.settings), outputs=[zone, *drawn]),
        notice=notice,
    )
