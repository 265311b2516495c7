"""Perceptual memory: one collection a modality, words find pictures, files go with memories."""

from dataclasses import replace

import numpy as np
import pytest

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.perception import Modality
from core.errors import ConfigurationError, InvalidInputError, NotFoundError, StoreError
from core.files import LearnerFiles, seen_name
from core.memory.encoded import EncodedSpace
from core.memory.kept_files import KeptFiles
from core.memory.perceptual import PerceptualMemory, Senses, modality_named, modality_of
from core.ports.vector_store import VectorPoint
from core.scoring import chance_limit
from core.stores.database import open_database
from core.stores.memories import SqlMemoryStore
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.encoders import ColourEncoder, OwnFiles, PitchEncoder, picture, tone
from tests.fakes import MONDAY, IdCounter, WordEmbedder

NS, OTHER = "pdf_a", "pdf_b"
IMAGE, AUDIO = Modality.IMAGE, Modality.AUDIO


@pytest.fixture
def files(tmp_path):
    return LearnerFiles(tmp_path / "data")


@pytest.fixture
def spaces(tmp_path):
    made = []
    for modality, encoder in ((IMAGE, ColourEncoder()), (AUDIO, PitchEncoder())):
        vectors = QdrantEdgeStore(
            tmp_path / modality.value, dimension=encoder.dimension, embedder=encoder.name
        )
        made.append(EncodedSpace(modality, encoder, vectors))
    yield made
    for space in made:
        space.vectors.close()


@pytest.fixture
def elsewhere():
    """Memories that are kept outside the records: an archive."""
    return []


@pytest.fixture
def senses(files, spaces, elsewhere):
    return Senses(
        files=files,
        perceiver=OwnFiles(),
        spaces=tuple(spaces),
        elsewhere=lambda namespace: elsewhere if namespace == NS else [],
    )


@pytest.fixture
def memory(parts, senses):
    stores = {name: parts[name] for name in ("store", "vectors", "embedder")}
    return PerceptualMemory(**stores, senses=senses)


@pytest.fixture
def blind(parts):
    """The same without encoders and files, as an earlier version had it."""
    return PerceptualMemory(**{name: parts[name] for name in ("store", "vectors", "embedder")})


@pytest.fixture
def perceive(memory, files):
    """Keep a file and remember it."""
    new_id = IdCounter()

    def add(content, path=None, *, namespace=NS, into=memory, **metadata) -> Memory:
        if path is not None:
            name = seen_name(path, path.suffix[1:])
            files.keep_seen(path, name, namespace=namespace)
            modality = AUDIO if path.suffix == ".wav" else IMAGE
            metadata |= {"file": name, "modality": modality.value}
        made = Memory(
            id=new_id(),
            kind=MemoryKind.PERCEPTUAL,
            content=content,
            importance=0.5,
            created_at=MONDAY,
            session_id="s",
            event="perceived",
            metadata=metadata,
        )
        into.add(made, namespace=namespace)
        return made

    return add


@pytest.fixture
def album(perceive, tmp_path):
    """Three pictures and two recordings whose words say nothing of what they show."""
    return {
        "red": perceive("holiday one", picture(tmp_path / "1.png", "red", "red", "white")),
        "blue": perceive("holiday two", picture(tmp_path / "2.png", "blue", "blue", "white")),
        "grey": perceive("holiday three", picture(tmp_path / "3.png", "black", "white")),
        "deep": perceive("track one", tone(tmp_path / "4.wav", "deep")),
        "shrill": perceive("track two", tone(tmp_path / "5.wav", "shrill")),
    }


def named(album, hits):
    names = {memory.id: name for name, memory in album.items()}
    return [names[hit.memory.id] for hit in hits]


def test_words_find_what_a_file_shows_or_sounds_like(memory, album):
    expected = {
        "something red": "red",
        "红色的东西": "red",
        "a blue sky": "blue",
        "蓝天": "blue",
        "a deep hum": "deep",
        "尖锐的哨声": "shrill",
    }
    for query, found in expected.items():
        assert named(album, memory.search(query, namespace=NS))[:1] == [found], query
        strengths = memory.across(query, namespace=NS, limit=10)
        assert max(strengths, key=strengths.__getitem__) == album[found].id
        assert all(0 < strength <= 1 for strength in strengths.values())


def test_what_no_file_shows_finds_none(memory, album):
    for query in ("the second law of thermodynamics", "抵押贷款利率", "who wrote it?"):
        assert memory.across(query, namespace=NS, limit=10) == {}, query
        assert memory.search(query, namespace=NS) == [], query


class RandomEncoder:
    """Pictures and texts that have nothing to do with each other."""

    name = "random-1"
    dimension = 256
    modalities = frozenset({IMAGE})

    def __init__(self):
        self._random = np.random.default_rng(5)

    def encode_files(self, paths):
        vectors = self._random.standard_normal((len(paths), self.dimension)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def encode_texts(self, texts):
        return self.encode_files(texts)


def test_among_many_pictures_chance_finds_hardly_any(tmp_path):
    encoder = RandomEncoder()
    vectors = QdrantEdgeStore(tmp_path / "many", dimension=256, embedder=encoder.name)
    space = EncodedSpace(IMAGE, encoder, vectors)
    space.add({f"m{n}": tmp_path for n in range(3000)}, namespace=NS)
    finding = sum(bool(space.by_text("q", namespace=NS, limit=20)) for _ in range(100))
    assert finding <= 25  # 100 of 100 with three standard deviations
    vectors.close()


def test_how_far_chance_reaches_grows_with_the_number():
    assert chance_limit(0) == chance_limit(1) == chance_limit(90) == 3.0
    assert chance_limit(10_000) == pytest.approx(4.291932)
    assert chance_limit(10, 1.0) == pytest.approx(2.145966)


def test_a_file_finds_what_is_like_it(memory, album, tmp_path):
    reddish = picture(tmp_path / "query.png", "red", "red", "red", "white")
    hits = memory.like_file(reddish, modality=IMAGE, namespace=NS)
    assert named(album, hits)[0] == "red"
    assert hits[0].relevance > hits[1].relevance
    assert len(hits) == 3
    whistle = tone(tmp_path / "query.wav", "shrill", seconds=1)
    assert named(album, memory.like_file(whistle, modality=AUDIO, namespace=NS)) == [
        "shrill",
        "deep",
    ]
    assert memory.like_file(whistle, modality=AUDIO, namespace=OTHER) == []


def test_what_is_said_and_what_is_shown_are_searched_together(memory, perceive, tmp_path):
    shown = perceive("holiday", picture(tmp_path / "a.png", "red"))
    said = perceive("the red notebook of my teacher")
    found = {hit.memory.id for hit in memory.search("red notebook", namespace=NS)}
    assert found == {shown.id, said.id}


def test_only_one_modality_is_searched_when_it_is_named(memory, perceive, tmp_path):
    by_modality = {
        Modality.IMAGE: perceive("erosion of the coast", picture(tmp_path / "a.png", "green")),
        Modality.AUDIO: perceive("erosion of the coast", tone(tmp_path / "b.wav", "deep")),
        Modality.TEXT: perceive("erosion of the coast"),
        Modality.VIDEO: perceive("erosion of the coast", modality="video"),
    }
    assert len(memory.search("erosion", namespace=NS)) == 4
    for modality, expected in by_modality.items():
        (hit,) = memory.search("erosion", namespace=NS, modality=modality)
        assert hit.memory.id == expected.id
        assert modality_of(hit.memory) is modality
    assert memory.search("deep", namespace=NS, modality=IMAGE) == []


def test_figures_are_images_those_of_earlier_versions_too(memory, perceive, parts, embedder):
    figure = perceive("the undershot wheel", document_id="d", page=1)
    figure = replace(figure, event="figure")
    parts["store"].add(figure, namespace=NS)
    vector = embedder.embed_query(figure.content)
    payload = {"kind": "perceptual", "memory_id": figure.id}
    parts["vectors"].delete(namespace=NS, where={"memory_id": figure.id})
    parts["vectors"].upsert([VectorPoint(figure.id, vector, payload)], namespace=NS)
    assert modality_of(figure) is IMAGE
    (hit,) = memory.search("undershot wheel", namespace=NS, modality=IMAGE)
    assert hit.memory.id == figure.id
    assert memory.search("undershot wheel", namespace=NS, modality=AUDIO) == []


def test_dimensions_never_mix(memory, album, parts, spaces):
    assert {space.vectors.count(namespace=NS, where={}) for space in spaces} == {2, 3}
    assert parts["vectors"].count(namespace=NS, where={"kind": "perceptual"}) == 5
    payload = (
        spaces[0]
        .vectors.search(ColourEncoder().encode_texts(["red"])[0], namespace=NS, where={}, limit=1)[
            0
        ]
        .payload
    )
    assert set(payload) == {"kind", "memory_id", "modality", "spread"}


def test_without_an_encoder_words_alone_find_and_files_cannot_be_compared(blind, album, tmp_path):
    assert blind.across("red", namespace=NS, limit=5) == {}
    assert len(blind.search("holiday", namespace=NS)) == 3
    with pytest.raises(ConfigurationError) as caught:
        blind.like_file(tmp_path / "1.png", modality=IMAGE, namespace=NS)
    assert "PERCEPTUAL_IMAGE_MODEL" in caught.value.remedy


def test_what_was_kept_before_there_was_an_encoder_is_found(memory, perceive, blind, tmp_path):
    kept = perceive("holiday", picture(tmp_path / "a.png", "yellow"), into=blind)
    (hit,) = memory.search("yellow", namespace=NS)
    assert hit.memory.id == kept.id


def test_memories_that_do_not_count_are_not_found(memory, album, parts, tmp_path):
    parts["store"].add(replace(album["red"], state=MemoryState.WRONG), namespace=NS)
    assert memory.search("red", namespace=NS) == []
    hits = memory.like_file(tmp_path / "1.png", modality=IMAGE, namespace=NS)
    assert "red" not in named(album, hits)


@pytest.mark.parametrize("how", ["delete", "delete_all", "clear"])
def test_a_deleted_memory_leaves_nothing(memory, perceive, files, spaces, parts, tmp_path, how):
    kept = perceive("holiday", picture(tmp_path / "a.png", "red"))
    perceive("mine", picture(tmp_path / "a.png", "red"), namespace=OTHER)
    path = files.seen(str(kept.metadata["file"]), namespace=NS)
    assert path.is_file()
    if how == "clear":
        memory.clear(namespace=NS)
    elif how == "delete":
        memory.delete(kept.id, namespace=NS)
    else:
        memory.delete_all([kept.id], namespace=NS)
    assert not path.exists()
    assert spaces[0].vectors.count(namespace=NS, where={}) == 0
    assert parts["vectors"].count(namespace=NS, where={}) == 0
    assert memory.count(namespace=NS) == 0
    assert len(files.all_seen(namespace=OTHER)) == memory.count(namespace=OTHER) == 1


def test_a_file_stays_as_long_as_a_memory_refers_to_it(
    memory, perceive, files, elsewhere, tmp_path
):
    path = picture(tmp_path / "a.png", "red")
    first, second = perceive("one", path), perceive("two", path)
    assert len(files.all_seen(namespace=NS)) == 1
    memory.delete(first.id, namespace=NS)
    assert len(files.all_seen(namespace=NS)) == 1
    elsewhere.append(second)  # moved to the archive
    memory.delete_all([second.id], namespace=NS)
    assert len(files.all_seen(namespace=NS)) == 1
    memory.add(second, namespace=NS)  # and back
    assert memory.search("red", namespace=NS)[0].memory.id == second.id
    memory.delete(second.id, namespace=NS)
    elsewhere.clear()
    assert memory.sweep(namespace=NS) == 1
    assert files.all_seen(namespace=NS) == []
    assert memory.sweep(namespace=NS) == 0


def test_a_memory_may_get_another_file(memory, perceive, files, tmp_path):
    kept = perceive("holiday", picture(tmp_path / "a.png", "red"))
    other = seen_name(picture(tmp_path / "b.png", "blue"), "png")
    files.keep_seen(tmp_path / "b.png", other, namespace=NS)
    memory.update(replace(kept, metadata={**kept.metadata, "file": other}), namespace=NS)
    assert files.all_seen(namespace=NS) == [other]
    assert memory.across("red", namespace=NS, limit=5) == {}
    assert set(memory.across("blue", namespace=NS, limit=5)) == {kept.id}
    memory.update(replace(kept, metadata={}), namespace=NS)
    assert files.all_seen(namespace=NS) == []
    assert memory.across("blue", namespace=NS, limit=5) == {}
    (hit,) = memory.search("holiday", namespace=NS, modality=Modality.TEXT)
    assert hit.memory.id == kept.id


def test_a_file_for_which_a_memory_is_being_made_stays(memory, perceive, files, tmp_path):
    path = picture(tmp_path / "a.png", "red")
    name = seen_name(path, "png")
    with memory.holding(name, namespace=NS):
        files.keep_seen(path, name, namespace=NS)
        assert memory.sweep(namespace=NS) == 0
        kept = perceive("holiday", path)
    assert memory.sweep(namespace=NS) == 0
    memory.delete(kept.id, namespace=NS)
    assert files.all_seen(namespace=NS) == []


def test_a_memory_that_is_made_while_others_are_looked_through_keeps_its_file(files, tmp_path):
    path = picture(tmp_path / "a.png", "red")
    name = seen_name(path, "png")
    files.keep_seen(path, name, namespace=NS)  # what a crash left

    def referring(namespace):
        found = []  # as the records are; then another thread remembers the same picture
        with kept.holding(name, namespace=namespace):
            pass
        return found

    kept = KeptFiles(files, referring)
    assert kept.sweep(namespace=NS) == 0
    assert files.all_seen(namespace=NS) == [name]


def test_a_memory_comes_back_without_its_file_when_that_is_gone(memory, perceive, tmp_path):
    kept = perceive("holiday", picture(tmp_path / "a.png", "red"))
    memory.delete(kept.id, namespace=NS)
    memory.add(kept, namespace=NS)
    assert memory.search("holiday", namespace=NS)[0].memory.id == kept.id
    assert memory.across("red", namespace=NS, limit=5) == {}


class FullStore(SqlMemoryStore):
    """A record store on a full disk."""

    def add_all(self, memories, *, namespace):
        raise StoreError("The disk is full.")


def test_what_could_not_be_recorded_leaves_no_vectors(parts, senses, spaces, perceive, tmp_path):
    full = FullStore(open_database(None, tmp_path / "full"))
    memory = PerceptualMemory(
        store=full, vectors=parts["vectors"], embedder=WordEmbedder(), senses=senses
    )
    with pytest.raises(StoreError):
        perceive("holiday", picture(tmp_path / "a.png", "red"), into=memory)
    assert spaces[0].vectors.count(namespace=NS, where={}) == 0
    assert parts["vectors"].count(namespace=NS, where={}) == 0
    full.close()


def test_a_view_is_gone_when_it_was_looked_at(memory, album, files, tmp_path):
    memory.like_file(tmp_path / "1.png", modality=IMAGE, namespace=NS)
    names = {str(kept.metadata["file"]) for kept in album.values()}
    assert set(files.all_seen(namespace=NS)) == names


@pytest.mark.parametrize("name", ["../secret.key", "a.png", "/etc/passwd", "", "0" * 32 + ".png"])
def test_only_names_of_kept_files_are_paths(files, name, tmp_path):
    (tmp_path / "data" / "learners").mkdir(parents=True)
    with pytest.raises(NotFoundError):
        files.seen(name, namespace=NS)


def test_modalities_have_names():
    assert modality_named(" Image ") is IMAGE
    with pytest.raises(InvalidInputError) as caught:
        modality_named("smell")
    assert "text, image, audio, video" in caught.value.remedy
