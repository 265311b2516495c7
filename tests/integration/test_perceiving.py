"""Files that are given to be remembered: read in limited processes, kept, shown, deleted."""

import importlib.util
import io
import wave
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from core import adapters
from core.domain.memory import MemoryKind
from core.domain.perception import Modality
from core.errors import (
    ConfigurationError,
    DamagedDocumentError,
    DocumentError,
    DocumentTooLargeError,
    EmptyDocumentError,
    InvalidInputError,
    NotFoundError,
    NothingPerceivedError,
    UnsupportedFormatError,
)
from core.files import LearnerFiles
from core.memory.encoded import EncodedSpace
from core.memory.engine import MemoryEngine
from core.perceptual_parts import perceptual_parts
from core.readers.audio import DECODER
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.data import hostile_formats
from tests.encoder_models import clap_folder, clip_folder, needs_package
from tests.encoders import ColourEncoder, picture, tone
from tests.fakes import Clock, IdCounter
from tests.scans import page_image

NS = "pdf_ada"
needs_decoder = pytest.mark.skipif(
    importlib.util.find_spec(DECODER) is None,
    reason="miniaudio is not installed (requirements-audio.txt)",
)
MP4 = b"\x00\x00\x00\x20ftypisom" + bytes(40)


class Seen:
    """Perceptual memory on its real stores and readers."""

    def __init__(self, settings, *, encoder=None):
        self.files = LearnerFiles(settings.data_dir)
        self.embedder = adapters.make_embedder(settings)
        self.readers = (
            adapters.make_reader(settings),
            adapters.make_inspector(settings),
            adapters.make_recogniser(settings),
        )
        reader, inspector, recogniser = self.readers
        self.parts = perceptual_parts(
            settings,
            files=self.files,
            reader=reader,
            inspector=inspector,
            recogniser=recogniser,
            elsewhere=lambda _: [],
        )
        if encoder is not None:
            vectors = QdrantEdgeStore(
                settings.data_dir / "vectors" / "seen",
                dimension=encoder.dimension,
                embedder=encoder.name,
            )
            space = EncodedSpace(Modality.IMAGE, encoder, vectors)
            self.parts = replace(self.parts, senses=replace(self.parts.senses, spaces=(space,)))
        self.parts.ensure_ready()
        database = adapters.load(adapters.DATABASE)(None, settings.data_dir)
        self.store = adapters.load(adapters.MEMORY_STORE)(database)
        self.vectors = adapters.make_vector_store(settings, self.embedder, "memories")
        self.vectors.ensure_ready()
        self.engine = MemoryEngine(
            store=self.store,
            vectors=self.vectors,
            embedder=self.embedder,
            clock=Clock(),
            new_id=IdCounter(),
            working_capacity=50,
            working_ttl_minutes=60,
            senses=self.parts.senses,
        )
        self.perceiving = self.parts.perceiving(self.engine)

    def remember(self, path, **more):
        return self.perceiving.remember(path, session_id="s", namespace=NS, **more)

    def kept(self):
        return self.files.all_seen(namespace=NS)

    def nothing_kept(self):
        return not self.kept() and not self.engine.list(namespace=NS)

    def close(self):
        for part in (*self.readers, self.parts, self.store, self.vectors):
            if part is not None:
                part.close()


@pytest.fixture
def seen(settings):
    made = Seen(settings)
    yield made
    made.close()


@pytest.fixture
def seeing(settings):
    """The same with an encoder of pictures, and without text recognition."""
    made = Seen(settings.model_copy(update={"ocr_enabled": False}), encoder=ColourEncoder())
    yield made
    made.close()


@pytest.fixture
def poster(tmp_path: Path) -> Path:
    """A picture with words in it."""
    image = Image.new("RGB", (900, 260), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=56)
    draw.text((40, 30), "Photosynthesis", fill="black", font=font)
    draw.text((40, 140), "turns light into sugar", fill="black", font=font)
    image.save(tmp_path / "poster.jpg", quality=92)
    return tmp_path / "poster.jpg"


def test_a_picture_is_found_by_the_words_in_it_and_shown(seen, poster):
    memory = seen.remember(poster, caption="On the wall of the lab", name="C:\\pictures\\wall.jpg")
    assert memory.kind is MemoryKind.PERCEPTUAL
    assert memory.content.startswith("On the wall of the lab\n\n")
    assert "Photosynthesis" in memory.content
    assert "light into sugar" in memory.content
    assert memory.metadata["modality"] == "image"
    assert memory.metadata["file_name"] == "wall.jpg"
    assert memory.metadata["looked_into"] is True
    for query in (
        "What turns light into sugar?",
        "the picture of photosynthesis",
        "光合作用的图片",
    ):
        assert seen.engine.recall(query, namespace=NS)[0].memory.id == memory.id, query
    shown = Image.open(io.BytesIO(seen.perceiving.picture(memory.id, width=300, namespace=NS)))
    assert (shown.format, shown.width) == ("PNG", 300)
    with pytest.raises(NotFoundError):
        seen.perceiving.picture(memory.id, namespace="pdf_bob")
    seen.engine.delete(memory.id, namespace=NS)
    assert seen.nothing_kept()


def test_chinese_words_are_read_too(seen, pdfs, tmp_path):
    page_image(pdfs / "chinese.pdf", 1, dpi=120).save(tmp_path / "page.png")
    memory = seen.remember(tmp_path / "page.png")
    assert sum("\u4e00" <= letter <= "\u9fff" for letter in memory.content) > 50


def test_a_picture_without_words_needs_some(seen, tmp_path):
    red = picture(tmp_path / "red.png", "red")
    with pytest.raises(NothingPerceivedError) as caught:
        seen.remember(red, caption="  \n")
    assert "what is to be seen" in caught.value.remedy
    assert seen.nothing_kept()
    memory = seen.remember(red, caption="The flag of the expedition")
    assert memory.content == "The flag of the expedition"
    assert seen.engine.recall("flag of the expedition", namespace=NS)[0].memory.id == memory.id


def test_the_same_picture_is_one_memory_and_another_one_is_not(seeing, tmp_path):
    first = seeing.remember(picture(tmp_path / "1.png", "red"), caption="A screenshot")
    again = seeing.remember(picture(tmp_path / "1.png", "red"), caption="A screenshot")
    other = seeing.remember(picture(tmp_path / "2.png", "blue"), caption="A screenshot")
    assert (again.id, again.sightings) == (first.id, 2)
    assert other.id != first.id
    assert len(seeing.kept()) == 2


def test_with_an_encoder_a_picture_needs_no_words(seeing, tmp_path):
    red = seeing.remember(picture(tmp_path / "red.png", "red", "red", "white"), name="IMG_1.png")
    blue = seeing.remember(picture(tmp_path / "blue.gif", "blue", "white"), name="IMG_2.gif")
    assert red.content == "《IMG_1.png》"
    perceptual = seeing.engine.perceptual
    for query, expected in (("something red", red), ("蓝色", blue)):
        assert perceptual.search(query, namespace=NS)[0].memory.id == expected.id
        assert seeing.engine.recall(query, namespace=NS)[0].memory.id == expected.id
    (hit,) = seeing.engine.recall("the photo of a blue wall", namespace=NS)
    assert hit.memory.id == blue.id
    assert seeing.engine.recall("the second law of thermodynamics", namespace=NS) == []
    similar = seeing.perceiving.like(picture(tmp_path / "q.bmp", "blue"), namespace=NS)
    assert [hit.memory.id for hit in similar] == [blue.id, red.id]
    assert similar[0].relevance > 0.7 > similar[1].relevance
    seeing.engine.forget_namespace(NS)
    assert seeing.nothing_kept()
    assert seeing.perceiving.like(tmp_path / "q.bmp", namespace=NS) == []


def test_without_an_encoder_pictures_are_not_compared(seen, tmp_path):
    with pytest.raises(ConfigurationError):
        seen.perceiving.like(picture(tmp_path / "q.png", "blue"), namespace=NS)


def broken(path: Path) -> Path:
    picture(path, "red")
    path.write_bytes(path.read_bytes()[:60])
    return path


def huge(path: Path) -> Path:
    return hostile_formats.png(path, side=30_000)


def text_as_picture(path: Path) -> Path:
    path.write_text("This is no picture.", encoding="utf-8")
    return path


def empty(path: Path) -> Path:
    path.touch()
    return path


def video_as_picture(path: Path) -> Path:
    path.write_bytes(MP4)
    return path


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (broken, DamagedDocumentError),
        (huge, DocumentTooLargeError),
        (text_as_picture, UnsupportedFormatError),
        (empty, EmptyDocumentError),
        (video_as_picture, DocumentError),
    ],
)
@pytest.mark.parametrize("eyes", ["seen", "seeing"])
def test_hostile_files_are_refused_in_words(request, tmp_path, make, error, eyes):
    perceptual = request.getfixturevalue(eyes)
    with pytest.raises(error) as caught:
        perceptual.remember(make(tmp_path / "file.png"), caption="A picture")
    assert caught.value.remedy
    assert perceptual.nothing_kept()


def test_a_recording_is_kept_by_what_is_said_of_it(seen, tmp_path):
    path = tone(tmp_path / "hum.wav", "deep", rate=16_000)
    with pytest.raises(NothingPerceivedError, match="AUDIO_MODEL"):
        seen.remember(path)
    memory = seen.remember(path, caption="The hum of the old fridge", modality=Modality.AUDIO)
    assert memory.metadata["modality"] == "audio"
    assert memory.metadata["looked_into"] is False
    kept = seen.perceiving.recording(memory.id, namespace=NS)
    assert kept.read_bytes() == path.read_bytes()
    with pytest.raises(NotFoundError):
        seen.perceiving.picture(memory.id, namespace=NS)
    seen.engine.clear(MemoryKind.PERCEPTUAL, namespace=NS)
    assert seen.nothing_kept()
    assert not kept.exists()


@pytest.mark.parametrize(("name", "modality"), [("a.mp4", "video"), ("b.m4a", "audio")])
def test_what_nothing_here_opens_is_kept_by_its_caption_alone(seen, tmp_path, name, modality):
    path = tmp_path / name
    path.write_bytes(MP4)
    with pytest.raises(NothingPerceivedError):
        seen.remember(path)
    memory = seen.remember(path, caption="The lecture on tides")
    assert memory.metadata["modality"] == modality
    assert "file" not in memory.metadata
    assert seen.kept() == []


def test_a_text_is_remembered_as_one(seen, tmp_path):
    path = tmp_path / "poem.md"
    path.write_text("# Autumn\n\nThe leaves are falling.", encoding="utf-8")
    memory = seen.remember(path)
    assert memory.metadata["modality"] == "text"
    assert "The leaves are falling." in memory.content


def test_a_document_is_to_be_loaded(seen, pdfs):
    with pytest.raises(UnsupportedFormatError) as caught:
        seen.remember(pdfs / "table.pdf", caption="A table")
    assert "document" in caught.value.remedy


def test_a_modality_that_the_file_is_not_of_is_refused(seen, tmp_path):
    with pytest.raises(UnsupportedFormatError, match="image, not audio"):
        seen.remember(picture(tmp_path / "a.png", "red"), caption="A bird", modality=Modality.AUDIO)
    assert seen.nothing_kept()


def test_a_long_text_is_cut_and_says_so_and_a_long_caption_is_refused(seen, tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("A sentence of some words. " * 2000, encoding="utf-8")
    memory = seen.remember(path, caption="The book")
    assert memory.metadata["shortened"] is True
    assert len(memory.content) <= 20_000
    with pytest.raises(InvalidInputError):
        seen.remember(picture(tmp_path / "a.png", "red"), caption="word " * 5000)
    assert len(seen.kept()) == 1


def test_no_metadata_of_a_caller_names_a_file(seen, tmp_path):
    path = tmp_path / "clip.mp4"
    path.write_bytes(MP4)
    memory = seen.remember(path, caption="A film", metadata={"file": "../secret.key", "who": "Ada"})
    assert memory.metadata["who"] == "Ada"
    assert "file" not in memory.metadata


@needs_decoder
@pytest.mark.parametrize("rate", [8_000, 44_100])
def test_the_beginning_of_a_recording_is_decoded_elsewhere(settings, tmp_path, rate):
    settings = settings.model_copy(update={"perceptual_audio_model": "any/model"})
    listener = adapters.make_listener(settings)
    path = tone(tmp_path / "long.wav", "deep", seconds=40, rate=rate)
    with wave.open(io.BytesIO(listener.beginning(path))) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert file.getframerate() == 48_000
        assert file.getnframes() == pytest.approx(30 * 48_000, abs=48)
    path.write_bytes(b"RIFF\x00\x00\x00\x00WAVE" + bytes(100))
    with pytest.raises(DocumentError):
        listener.beginning(path)


@needs_package
@needs_decoder
def test_configured_models_see_and_hear_what_is_kept(settings, tmp_path):
    models = {
        "perceptual_image_model": str(clip_folder(tmp_path / "clip")),
        "perceptual_audio_model": str(clap_folder(tmp_path / "clap")),
        "ocr_enabled": False,
    }
    seen = Seen(settings.model_copy(update=models))
    files = {
        "image": [picture(tmp_path / f"{c}.png", c) for c in ("red", "blue")],
        "audio": [tone(tmp_path / f"{p}.wav", p, seconds=11) for p in ("deep", "shrill")],
    }
    for kind, paths in files.items():
        kept = {path: seen.remember(path).id for path in paths}
        for path in paths:
            hits = seen.perceiving.like(path, namespace=NS)
            assert hits[0].memory.id == kept[path]
            assert hits[0].relevance == pytest.approx(1.0, abs=1e-4)
            assert {hit.memory.metadata["modality"] for hit in hits} == {kind}
    collections = {path.name for path in (settings.data_dir / "vectors").iterdir()}
    assert len([name for name in collections if "perceptual_image_" in name]) == 1
    assert len([name for name in collections if "perceptual_audio_" in name]) == 1
    assert seen.engine.perceptual.across("red", namespace=NS, limit=5).keys() <= {
        memory.id for memory in seen.engine.list(namespace=NS)
    }
    seen.engine.forget_namespace(NS)
    assert seen.nothing_kept()
    seen.close()
