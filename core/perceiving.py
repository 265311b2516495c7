"""From a file to a perceptual memory: what it is, what it says, what is kept of it."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from core.domain.document import Page
from core.domain.formats import FORMATS, TEXT_KINDS, FormatKind, format_named
from core.domain.memory import Memory, MemoryHit, MemoryKind
from core.domain.perception import Modality
from core.errors import (
    AssistantError,
    EmptyDocumentError,
    MissingDependencyError,
    NotFoundError,
    NothingPerceivedError,
    StoreError,
    UnsupportedFormatError,
)
from core.files import LearnerFiles, seen_name
from core.memory.checks import MAX_CONTENT_CHARS
from core.memory.engine import MemoryEngine
from core.memory.kept_files import FILE, file_of
from core.memory.perceptual import PerceptualMemory, modality_of
from core.memory.query import PERCEIVED
from core.ports.perceiver import VIEW_SIDE, Perceived, Perceiver, SoundReader
from core.ports.reader import DocumentReader, PageInspector
from core.ports.recogniser import PageRecogniser
from core.text.clean import clean

DEFAULT_WIDTH = 800
"""Pixels of a picture that is shown."""
_MOST_PAGES = 10
"""Pages of a TIFF that are looked at."""
_VIDEOS = frozenset({"mp4", "m4v", "mov", "webm", "mkv", "avi"})
_SOUNDS = frozenset({"m4a", "aac", "wma"})
"""Recordings that nothing here decodes."""
_MARKS = ((4, b"ftyp"), (0, b"\x1aE\xdf\xa3"), (0, b"\x30\x26\xb2\x75"))
"""Where in the head of such a file what stands: MPEG-4, Matroska, Windows Media."""
_ADTS = (b"\xff\xf1", b"\xff\xf9")
_HEAD = 16
_NAME_CHARS = 200


class FilePerceiver:
    """The readers of documents, as perceptual memory needs them.

    Without `recogniser` pictures are not read, without `sounds` recordings have no views.
    """

    def __init__(
        self,
        *,
        reader: DocumentReader,
        inspector: PageInspector,
        recogniser: PageRecogniser | None,
        sounds: SoundReader | None = None,
    ) -> None:
        self._reader = reader
        self._inspector = inspector
        self._recogniser = recogniser
        self._sounds = sounds

    def modality(self, path: Path, *, name: str) -> Modality:
        """See `Perceiver.modality`."""
        return self._look(path, name)[0]

    def perceive(self, path: Path, *, name: str) -> Perceived:
        """See `Perceiver.perceive`."""
        modality, format, readable = self._look(path, name)
        text = ""
        if readable:
            text = (self._recognise if modality is Modality.IMAGE else self._read)(path, format)
        return Perceived(modality=modality, format=format, text=text, looked_into=readable)

    def _look(self, path: Path, name: str) -> tuple[Modality, str, bool]:
        """Return modality and format of a file, and whether it can be read here."""
        unopened = _unopened(path, name)
        if unopened is not None:
            return unopened, "", False
        try:
            format = self._reader.format_of(path, name)
        except MissingDependencyError:
            named = format_named(name)
            if named is None or FORMATS[named] is not FormatKind.AUDIO:
                raise
            return Modality.AUDIO, named, False
        kind = FORMATS[format]
        if kind is FormatKind.IMAGE:
            return Modality.IMAGE, format, self._recogniser is not None
        if kind is FormatKind.AUDIO:
            return Modality.AUDIO, format, True
        if kind in TEXT_KINDS:
            return Modality.TEXT, format, True
        raise UnsupportedFormatError(
            "This file is a document, not something that is seen or heard.",
            remedy="Load it as a document: then it can be asked, page by page.",
        )

    def view(self, path: Path, modality: Modality) -> bytes:
        """See `Perceiver.view`."""
        if modality is Modality.IMAGE:
            return self._inspector.image(path, 1, width=VIEW_SIDE)
        if modality is not Modality.AUDIO or self._sounds is None:
            raise UnsupportedFormatError
        return self._sounds.beginning(path)

    def picture(self, path: Path, *, width: int) -> bytes:
        """See `Perceiver.picture`."""
        return self._inspector.image(path, 1, width=width)

    def _recognise(self, path: Path, format: str) -> str:
        assert self._recogniser is not None
        pages = min(self._recogniser.page_count(path), _MOST_PAGES)
        texts = [self._recogniser.recognise(path, n + 1).text.strip() for n in range(pages)]
        return "\n\n".join(filter(None, texts))

    def _read(self, path: Path, format: str) -> str:
        pages: list[Page] = []
        try:
            self._reader.read(path, lambda new, _: pages.extend(new), format=format)
        except EmptyDocumentError:
            if FORMATS[format] is FormatKind.AUDIO:
                return ""  # nobody speaks in it
            raise
        return "\n\n".join(page.text.strip() for page in pages).strip()


class Perceiving:
    """Remembers files, for any learner.

    `encoded` are the modalities that an encoder sees or hears. The file is copied into the
    learner's folder, so that it can be shown and encoded again, and goes with its last memory.
    """

    def __init__(
        self,
        *,
        memory: MemoryEngine,
        perceptual: PerceptualMemory,
        perceiver: Perceiver,
        files: LearnerFiles,
        encoded: Collection[Modality] = (),
    ) -> None:
        self._memory = memory
        self._perceptual = perceptual
        self._perceiver = perceiver
        self._files = files
        self._encoded = frozenset(encoded)

    def remember(
        self,
        path: Path,
        *,
        name: str | None = None,
        caption: str = "",
        modality: Modality | None = None,
        importance: float = 0.5,
        session_id: str,
        namespace: str,
        metadata: Mapping[str, object] | None = None,
    ) -> Memory:
        """Keep a file as a perceptual memory: the caption, then what was read in it.

        `name` is what the learner calls the file; `modality` what it is said to be. The metadata
        gets `modality`, `file` (of a kept one), `file_name`, `looked_into` and, where the text was
        longer than a memory may be, `shortened`. Raises `NothingPerceivedError` when there are no
        words and no encoder, another `DocumentError`, and as `MemoryEngine.add`.
        """
        shown = _shown_name(name or path.name)
        perceived = self._perceiver.perceive(path, name=shown)
        if modality not in (None, perceived.modality):
            raise UnsupportedFormatError(
                f"This file is of the kind {perceived.modality.value}, not {modality}.",
                remedy="Leave the modality out: the content of the file tells it.",
            )
        text, shortened = _content(caption, perceived.text)
        if not text and perceived.modality not in self._encoded:
            raise _nothing(perceived)
        told: dict[str, object] = {
            **(metadata or {}),
            "modality": perceived.modality.value,
            "file_name": shown,
            "looked_into": perceived.looked_into,
        }
        told.pop(FILE, None)
        if shortened:
            told["shortened"] = True
        with ExitStack() as kept:
            if perceived.format:
                told[FILE] = kept.enter_context(self._kept(path, perceived.format, namespace))
            return self._memory.add(
                text or f"《{shown}》",
                MemoryKind.PERCEPTUAL,
                namespace=namespace,
                session_id=session_id,
                event=PERCEIVED,
                importance=importance,
                metadata=told,
            )

    def picture(self, memory_id: str, *, width: int = DEFAULT_WIDTH, namespace: str) -> bytes:
        """Return the kept picture of a memory as PNG, at most `width` pixels wide.

        Raises `NotFoundError`, also for a memory without a picture, and `DocumentError`.
        """
        memory = self._perceptual.get(memory_id, namespace=namespace)
        name = file_of(memory)
        if name is None or modality_of(memory) is not Modality.IMAGE:
            raise NotFoundError("There is no picture with this memory.")
        return self._perceiver.picture(self._files.seen(name, namespace=namespace), width=width)

    def recording(self, memory_id: str, *, namespace: str) -> Path:
        """Return the path of the kept recording of a memory. Raises `NotFoundError`."""
        memory = self._perceptual.get(memory_id, namespace=namespace)
        name = file_of(memory)
        if name is None or modality_of(memory) is not Modality.AUDIO:
            raise NotFoundError("There is no recording with this memory.")
        return self._files.seen(name, namespace=namespace)

    def like(
        self, path: Path, *, name: str | None = None, namespace: str, limit: int = 5
    ) -> list[MemoryHit]:
        """Return the memories whose file looks or sounds like this one, nearest first.

        Raises `ConfigurationError` without an encoder for it, and as `PerceptualMemory.like_file`.
        """
        modality = self._perceiver.modality(path, name=_shown_name(name or path.name))
        return self._perceptual.like_file(path, modality=modality, namespace=namespace, limit=limit)

    @contextmanager
    def _kept(self, path: Path, format: str, namespace: str) -> Iterator[str]:
        """Keep a copy of a file, under the name that is given, if a memory of it comes about."""
        try:
            name = seen_name(path, format)
            with self._perceptual.holding(name, namespace=namespace):
                self._files.keep_seen(path, name, namespace=namespace)
                yield name
        except OSError as exc:
            raise StoreError(f"The file could not be read again: {exc.strerror}.") from exc
        except AssistantError:
            self._perceptual.release([name], namespace=namespace)
            raise


def _unopened(path: Path, name: str) -> Modality | None:
    """Return the modality of a file that nothing here opens, None for any other.

    Content and name must agree. Raises `EmptyDocumentError`, and `UnsupportedFormatError` for a
    file that cannot be opened.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix not in _VIDEOS | _SOUNDS:
        return None
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as exc:
        raise UnsupportedFormatError(f"The file cannot be opened: {name}") from exc
    if not head:
        raise EmptyDocumentError
    is_avi = head[:4] == b"RIFF" and head[8:12] == b"AVI "
    marked = any(head[at : at + len(mark)] == mark for at, mark in _MARKS)
    if not (marked or is_avi or head[:2] in _ADTS):
        return None
    return Modality.VIDEO if suffix in _VIDEOS else Modality.AUDIO


def _content(caption: str, read: str) -> tuple[str, bool]:
    """Join what was said of a file with what was read in it; tell whether the end was cut off."""
    caption, read = clean(caption).strip(), clean(read).strip()
    parts = [caption] if read in caption else [part for part in (caption, read) if part]
    text = "\n\n".join(parts)
    if len(text) <= MAX_CONTENT_CHARS or len(caption) > MAX_CONTENT_CHARS:
        return text, False  # too long a caption is the caller's to shorten
    return text[:MAX_CONTENT_CHARS].rstrip(), True


def _shown_name(name: str) -> str:
    """Return the last part of a file's name, as a learner calls it."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return " ".join(clean(last).split())[-_NAME_CHARS:]


def _nothing(perceived: Perceived) -> NothingPerceivedError:
    if perceived.looked_into:
        return NothingPerceivedError()
    why = {
        Modality.IMAGE: "Text recognition is switched off, so this picture was not read.",
        Modality.AUDIO: "This recording was not transcribed: AUDIO_MODEL is not set, or the "
        "format is none of mp3, wav, flac, ogg.",
        Modality.VIDEO: "Videos are not watched here.",
    }
    return NothingPerceivedError(why.get(perceived.modality))
