"""What every encoder of pictures or recordings promises (core/ports/perceptual_encoder.py)."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from core.adapters import PERCEPTUAL_ENCODERS, load, make_perceptual_encoders, make_vector_store
from core.domain.perception import Modality
from core.errors import ConfigurationError, MissingDependencyError
from core.ports.perceptual_encoder import PerceptualEncoder
from core.settings import load_settings
from tests.encoder_models import HAS_PACKAGE, clap_folder, clip_folder, needs_package
from tests.encoders import ColourEncoder, PitchEncoder, picture, tone

TEXTS = [
    "a red thing",
    "红色的东西",
    "",
    "   ",
    "x" * 5000,
    "word " * 500,
    "🎓 e\u0301",
    "a red thing",
]
IMAGE, AUDIO = Modality.IMAGE, Modality.AUDIO


@pytest.fixture(
    params=[
        "colours",
        "pitches",
        pytest.param("clip", marks=needs_package),
        pytest.param("clap", marks=needs_package),
        pytest.param("clap-fused", marks=needs_package),
    ]
)
def encoder(request: pytest.FixtureRequest, tmp_path: Path) -> PerceptualEncoder:
    if request.param == "colours":
        return ColourEncoder()
    if request.param == "pitches":
        return PitchEncoder()
    settings = load_settings(env_file=None)
    if request.param == "clip":
        changes = {"perceptual_image_model": str(clip_folder(tmp_path / "model"))}
    else:
        changes = {
            "perceptual_audio_model": str(
                clap_folder(tmp_path / "model", fused=request.param == "clap-fused")
            )
        }
    (made,) = make_perceptual_encoders(settings.model_copy(update=changes)).values()
    return made


@pytest.fixture
def views(encoder: PerceptualEncoder, tmp_path: Path) -> list[Path]:
    if AUDIO in encoder.modalities:
        short = tone(tmp_path / "short.wav", "deep", seconds=0.3)
        return [short, tone(tmp_path / "long.wav", "shrill", seconds=23), short]
    red = picture(tmp_path / "red.png", "red")
    return [red, picture(tmp_path / "other.png", "blue", "white"), red]


def test_every_entry_loads() -> None:
    for target in PERCEPTUAL_ENCODERS.values():
        assert isinstance(load(target), type)


def test_one_normalised_row_a_file(encoder: PerceptualEncoder, views: list[Path]) -> None:
    vectors = encoder.encode_files(views)
    assert vectors.shape == (len(views), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(views)), abs=1e-4)
    assert vectors[0] == pytest.approx(vectors[2], abs=1e-5)
    assert float(vectors[0] @ vectors[1]) < 0.9999
    assert encoder.encode_files(views) == pytest.approx(vectors, abs=1e-5)
    assert encoder.encode_files([]).shape == (0, encoder.dimension)


def test_texts_are_in_the_same_space(encoder: PerceptualEncoder) -> None:
    vectors = encoder.encode_texts(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)
    assert vectors[0] == pytest.approx(vectors[-1], abs=1e-5)
    assert encoder.encode_texts([]).shape == (0, encoder.dimension)


def test_it_says_what_it_is(encoder: PerceptualEncoder) -> None:
    assert encoder.name
    assert encoder.modalities
    assert encoder.modalities < {IMAGE, AUDIO}


def test_from_several_threads(encoder: PerceptualEncoder, views: list[Path]) -> None:
    expected = encoder.encode_files(views)
    found: list[float] = []

    def encode() -> None:
        found.append(float(np.abs(encoder.encode_files(views) - expected).max()))

    threads = [threading.Thread(target=encode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == pytest.approx([0.0] * 4, abs=1e-5)


def test_none_is_configured_as_installed() -> None:
    assert make_perceptual_encoders(load_settings(env_file=None)) == {}


# CLIP and CLAP


@needs_package
def test_the_name_tells_the_folder_and_its_content(tmp_path: Path) -> None:
    first = load(PERCEPTUAL_ENCODERS[IMAGE])(str(clip_folder(tmp_path / "mine")))
    (tmp_path / "other").mkdir()
    second = load(PERCEPTUAL_ENCODERS[IMAGE])(str(clip_folder(tmp_path / "other" / "mine", seed=4)))
    assert first.name.startswith("clip:mine@")
    assert first.name != second.name
    assert first.dimension == 12, "known before the model is loaded"


@needs_package
def test_a_folder_as_sentence_transformers_saves_it(tmp_path: Path) -> None:
    plain = clip_folder(tmp_path / "plain")
    saved = tmp_path / "saved"
    saved.mkdir()
    plain.rename(saved / "0_CLIPModel")
    module = {
        "idx": 0,
        "name": "0",
        "path": "0_CLIPModel",
        "type": "sentence_transformers.models.CLIPModel",
    }
    (saved / "modules.json").write_text(json.dumps([module]), encoding="utf-8")
    encoder = load(PERCEPTUAL_ENCODERS[IMAGE])(str(saved))
    assert encoder.dimension == 12
    red = picture(tmp_path / "red.png", "red")
    assert encoder.encode_files([red]).shape == encoder.encode_texts(["red"]).shape == (1, 12)


@needs_package
def test_each_encoder_has_a_collection_of_its_own(tmp_path: Path) -> None:
    settings = load_settings(env_file=None, data_dir=tmp_path / "data")
    encoder = load(PERCEPTUAL_ENCODERS[IMAGE])(str(clip_folder(tmp_path / "mine")))
    vectors = make_vector_store(settings, encoder, "perceptual_image")
    vectors.ensure_ready()
    vectors.close()
    (folder,) = (tmp_path / "data" / "vectors").glob("*perceptual_image_*")
    assert folder.is_dir()


@pytest.mark.parametrize("modality", [IMAGE, AUDIO])
@needs_package
def test_a_model_that_is_not_there_is_a_setting_to_correct(modality: Modality) -> None:
    kind = load(PERCEPTUAL_ENCODERS[modality])
    with pytest.raises(ConfigurationError) as caught:
        _ = kind("./no/such/folder").dimension
    assert f"PERCEPTUAL_{modality.name}_MODEL" in caught.value.message
    absent = kind(
        "openai/clip-vit-base-patch32" if modality is IMAGE else "laion/clap-htsat-fused",
        offline=True,
    )
    assert absent.dimension == 512, "well known, though not on this computer"
    with pytest.raises(ConfigurationError) as caught:
        absent.encode_texts(["red"])
    assert "hf download" in caught.value.remedy
    with pytest.raises(ConfigurationError):
        _ = kind("somebody/unknown-model", offline=True).dimension


@needs_package
def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    clap, clip = clap_folder(tmp_path / "clap"), clip_folder(tmp_path / "clip")
    for modality, other in ((IMAGE, clap), (AUDIO, clip)):
        encoder = load(PERCEPTUAL_ENCODERS[modality])(str(other))
        with pytest.raises(ConfigurationError) as caught:
            encoder.encode_texts(["red"])
        assert f"PERCEPTUAL_{modality.name}_MODEL" in caught.value.sentence


@needs_package
def test_a_broken_model_is_told_once_and_stays_told(tmp_path: Path) -> None:
    folder = clip_folder(tmp_path / "clip")
    (folder / "model.safetensors").write_bytes(b"nothing")
    encoder = load(PERCEPTUAL_ENCODERS[IMAGE])(str(folder))
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="cannot be loaded"):
            encoder.encode_texts(["red"])


@pytest.mark.skipif(HAS_PACKAGE, reason="sentence-transformers is installed")
@pytest.mark.parametrize("modality", [IMAGE, AUDIO])
def test_without_the_package_the_file_to_install_is_named(modality: Modality) -> None:
    with pytest.raises(MissingDependencyError) as caught:
        load(PERCEPTUAL_ENCODERS[modality])("some/model")
    assert "requirements-local.txt" in caught.value.remedy
    assert f"PERCEPTUAL_{modality.name}_MODEL" in caught.value.remedy
