"""What was perceived: of which sense, from which file."""

from enum import StrEnum


class Modality(StrEnum):
    """Of what kind the thing perceived is (*Hello-Agents*, section 8.2.5)."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
