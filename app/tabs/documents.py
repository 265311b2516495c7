"""Documents: load PDFs, watch them come in, delete them."""

from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from app.components import documents as html
from app.components.icons import ASSETS
from app.desk import Desk, Drawing, Told, View, Visit, notice_place, place
from app.errors import Failure
from app.loading import Loader
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


def load_sent(loader: Loader, folder: Path, limit: int, visit: Visit) -> tuple[object, ...]:
    """Begin to load a file that the page has sent; `limit` is in bytes."""
    path = claim(visit.text("path"), folder)
    if path.stat().st_size > limit:
        discard(path)
        raise DocumentTooLargeError()
    name = display_name(visit.text("name"))
    loader.start(visit.assistant, visit.tray, path, name=name, discard=discard)
    return watch(visit)


def refuse_large(visit: Visit) -> tuple[object, ...]:
    """Say that a file is over the limit, which the page saw before sending it."""
    row = visit.tray.add(display_name(visit.text("name")))
    visit.tray.finish(row, Failure(code=DocumentTooLargeError.code))
    return watch(visit)


def load_sample(loader: Loader, visit: Visit) -> tuple[object, ...]:
    """Begin to load a sample document."""
    name = visit.text("name")
    path = SAMPLE_FOLDER / name
    if name not in dict(SAMPLES) or not path.is_file():
        raise NotFoundError()
    loader.start(visit.assistant, visit.tray, path, name=name)
    return watch(visit)


def watch(visit: Visit) -> tuple[object, ...]:
    """Return the files on their way in, and go on looking while there are any."""
    rows = visit.tray.rows()
    return html.tray(rows, visit.words), gr.Timer(active=any(row.running for row in rows))


def tick(visit: Visit, seen: int) -> tuple[object, ...]:
    """Draw the files on their way in; the list only when a load has ended since `seen`."""
    finished = visit.tray.finished
    listed = gr.skip() if finished == seen else listing(visit)
    return (*watch(visit), listed, finished)


def listing(visit: Visit) -> str:
    """Return the list of documents."""
    return html.documents_list(visit.assistant.documents(), visit.words)


def stop(visit: Visit) -> tuple[object, ...]:
    """Stop a load."""
    visit.tray.stop(visit.text("row"))
    return watch(visit)


def dismiss(visit: Visit) -> tuple[object, ...]:
    """Remove the row of a file that was refused or known."""
    visit.tray.dismiss(visit.text("row"))
    return (html.tray(visit.tray.rows(), visit.words),)


def delete(visit: Visit) -> Told:
    """Delete a document everywhere."""
    visit.assistant.delete_document(visit.text("document"))
    return Told(values=(listing(visit),), message=visit.words("documents.deleted"))


def refresh(settings: Settings, visit: Visit) -> tuple[object, ...]:
    """Draw the whole tab."""
    zone = html.drop_zone(
        SAMPLES,
        visit.words,
        max_mb=settings.max_file_mb,
        max_pages=settings.max_pages,
        local=settings.host in LOOPBACK,
    )
    return zone, *watch(visit), listing(visit), visit.tray.finished


def build(desk: Desk) -> View:
    """Build the tab."""
    zone = place("drop-zone")
    notice = notice_place("documents-notice")
    tray = place("loading")
    listed = place("documents")
    timer = gr.Timer(POLL_SECONDS, active=False)
    seen = gr.State(0)

    folder = Path(zone.GRADIO_CACHE)
    limit = desk.settings.max_file_mb * MIB
    each: dict[str, Any] = {"notice": notice, "trigger_mode": "multiple"}
    watched = [tray, timer]
    desk.on_click("sent", partial(load_sent, desk.loader, folder, limit), outputs=watched, **each)
    desk.on_click("too_large", refuse_large, outputs=watched, **each)
    desk.on_click("stop_load", stop, outputs=watched, **each)
    desk.on_click("dismiss_load", dismiss, outputs=[tray], **each)
    desk.on_click("delete_document", delete, outputs=[listed], **each)
    desk.on_click("sample", partial(load_sample, desk.loader), outputs=watched, notice=notice)
    quiet = notice_place("documents-tick")
    desk.on(timer.tick, tick, inputs=[seen], outputs=[tray, timer, listed, seen], notice=quiet)
    return View(
        refresh=Drawing(partial(refresh, desk.settings), outputs=[zone, tray, timer, listed, seen]),
        notice=notice,
    )
