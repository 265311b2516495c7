"""Tiny CLIP and CLAP models with random weights, written where sentence-transformers is installed.

    pip install torch==2.13.0
    pip install -r requirements-local.txt -r requirements-audio.txt -r requirements-dev.txt
    python -m pytest tests/contracts/test_perceptual_encoder.py tests/integration/test_perceiving.py

The packages are an option of the operator; without them these tests are skipped and say so.
"""

import importlib.util
import json
from pathlib import Path

import pytest

HAS_PACKAGE = importlib.util.find_spec("sentence_transformers") is not None
needs_package = pytest.mark.skipif(
    not HAS_PACKAGE, reason="sentence-transformers is not installed (requirements-local.txt)"
)
VISION = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": 32,
    "patch_size": 8,
    "projection_dim": 12,
}
READING = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "max_position_embeddings": 40,
    "projection_dim": 12,
}


def _words(folder: Path, special: list[str], ends: str) -> dict[str, int]:
    """Write the vocabulary of a tokenizer that knows single letters."""
    letters = [chr(code) for code in range(33, 127)]
    every = [*special, *letters, *(letter + ends for letter in letters)] if ends else special
    found = {token: n for n, token in enumerate(every or letters)}
    (folder / "vocab.json").write_text(json.dumps(found), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    return found


def clip_folder(folder: Path, *, seed: int = 3) -> Path:
    """Write a tiny CLIP model with random weights, as transformers saves a trained one."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(seed)
    folder.mkdir()
    words = _words(folder, ["<|startoftext|>", "<|endoftext|>"], "</w>")
    config = transformers.CLIPConfig(
        text_config={
            **READING,
            "vocab_size": len(words),
            "bos_token_id": 0,
            "eos_token_id": 1,
            "pad_token_id": 1,
        },
        vision_config=VISION,
        projection_dim=12,
    )
    transformers.CLIPModel(config).save_pretrained(folder)
    tokenizer = transformers.CLIPTokenizer(
        str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=40
    )
    size = {"height": 32, "width": 32}
    pictures = transformers.CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size=size)
    transformers.CLIPProcessor(pictures, tokenizer).save_pretrained(folder)
    return folder


def clap_folder(folder: Path, *, fused: bool = False) -> Path:
    """Write a tiny CLAP model with random weights, of either of the two designs."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(5)
    folder.mkdir()
    words = _words(folder, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"], "Ġ")
    config = transformers.ClapConfig(
        text_config={**READING, "vocab_size": len(words), "pad_token_id": 1},
        audio_config={
            "num_mel_bins": 64,
            "spec_size": 256,
            "patch_embeds_hidden_size": 8,
            "depths": [1, 1, 1, 1],
            "num_attention_heads": [1, 1, 2, 2],
            "hidden_size": 64,
            "num_hidden_layers": 4,
            "projection_dim": 12,
            "enable_fusion": fused,
        },
        projection_dim=12,
    )
    transformers.ClapModel(config).save_pretrained(folder)
    tokenizer = transformers.RobertaTokenizer(
        str(folder / "vocab.json"), str(folder / "merges.txt")
    )
    sounds = transformers.ClapFeatureExtractor(
        feature_size=64,
        sampling_rate=48_000,
        max_length_s=10,
        padding="repeatpad",
        truncation="fusion" if fused else "rand_trunc",
    )
    transformers.ClapProcessor(sounds, tokenizer).save_pretrained(folder)
    return folder
