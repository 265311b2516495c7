"""The formats of documents that can be loaded, by the suffix under which one is kept."""

from collections.abc import Mapping
from enum import StrEnum


class FormatKind(StrEnum):
    """How a format is read.

    `OFFICE` are containers of XML (and the binary `xls`), `WEB` is HTML, `NOTEBOOK` is Jupyter's;
    these go through MarkItDown. `MARKDOWN`, `TEXT`, `ROWS` (separated values), `JSON` and `CODE`
    are read as they stand. `IMAGE` waits for text recognition, `AUDIO` for transcription.
    """

    PDF = "pdf"
    OFFICE = "office"
    WEB = "web"
    NOTEBOOK = "notebook"
    MARKDOWN = "markdown"
    TEXT = "text"
    ROWS = "rows"
    JSON = "json"
    CODE = "code"
    IMAGE = "image"
    AUDIO = "audio"


_NAMES = {
    FormatKind.PDF: "pdf",
    FormatKind.OFFICE: "docx pptx xlsx xls epub",
    FormatKind.WEB: "html",
    FormatKind.NOTEBOOK: "ipynb",
    FormatKind.MARKDOWN: "md",
    FormatKind.TEXT: "txt",
    FormatKind.ROWS: "csv tsv",
    FormatKind.JSON: "json",
    FormatKind.CODE: (
        "py js ts jsx tsx java c cpp h hpp cs go rs rb php swift kt scala lua r jl sh ps1 bat sql "
        "css yaml toml ini xml tex vue jsonl"
    ),
    FormatKind.IMAGE: "png jpg webp bmp tiff gif",
    FormatKind.AUDIO: "mp3 wav flac ogg",
}
FORMATS: Mapping[str, FormatKind] = {
    name: kind for kind, names in _NAMES.items() for name in names.split()
}
"""Every format and how it is read."""

ALIASES: Mapping[str, str] = {
    "htm": "html",
    "xhtml": "html",
    "markdown": "md",
    "text": "txt",
    "log": "txt",
    "rst": "txt",
    "srt": "txt",
    "vtt": "txt",
    "jpeg": "jpg",
    "tif": "tiff",
    "yml": "yaml",
    "cc": "cpp",
    "cxx": "cpp",
    "mjs": "js",
    "bash": "sh",
    "pyi": "py",
    "oga": "ogg",
}
"""Other suffixes and the format each one means."""

TEXT_KINDS = frozenset(
    {
        FormatKind.WEB,
        FormatKind.NOTEBOOK,
        FormatKind.MARKDOWN,
        FormatKind.TEXT,
        FormatKind.ROWS,
        FormatKind.JSON,
        FormatKind.CODE,
    }
)
"""Formats whose files are plain text."""

ACCEPTED = (*FORMATS, *ALIASES)
"""The suffixes that the interface offers to choose; others are looked into all the same."""


def format_named(name: str) -> str | None:
    """Return the format that the suffix of a file name means, None for an unknown one or none."""
    suffix = name.rpartition(".")[2].strip().lower() if "." in name else ""
    suffix = ALIASES.get(suffix, suffix)
    return suffix if suffix in FORMATS else None
