"""Failures of a model's server as errors of the assistant.

A server's own words never go into a message: they may repeat the request or the key.
"""

from core.errors import ModelError, ModelResponseError, ModelUnavailableError


def status_error(status: int) -> ModelError:
    """Return the error for an HTTP status that is no success; `details["status"]` keeps it."""
    if status in (401, 403):
        return ModelUnavailableError(
            f"The language model's server refused the key (HTTP {status}).",
            remedy="The operator should check LLM_API_KEY and whether it may use this model.",
            status=status,
        )
    if status == 429:
        return ModelUnavailableError(
            "The language model is busy, or its quota is used up (HTTP 429).",
            remedy="Wait a moment and ask again; the operator can check the quota of the key.",
            status=status,
        )
    if status == 404 or 300 <= status < 400:
        return ModelUnavailableError(
            f"The language model was not found at this address (HTTP {status}).",
            remedy="The operator should check LLM_MODEL_ID and LLM_BASE_URL.",
            status=status,
        )
    if status >= 500:
        return ModelUnavailableError(
            f"The language model's server has a problem (HTTP {status}).",
            remedy="Wait a moment and ask again.",
            status=status,
        )
    return ModelUnavailableError(
        f"The language model's server refused the request (HTTP {status}).",
        remedy="Ask a shorter question; the operator can check LLM_MODEL_ID and LLM_MAX_TOKENS.",
        status=status,
    )


def empty_reply(finish: str) -> ModelResponseError:
    """Return the error for a reply without text; `finish` is the server's `finish_reason`."""
    if finish == "length":
        return ModelResponseError(
            "The language model used up its tokens before it answered.",
            remedy="The operator can raise LLM_MAX_TOKENS or choose a model that thinks less.",
        )
    if finish == "content_filter":
        return ModelResponseError(
            "The language model's provider filtered the answer.", remedy="Ask in other words."
        )
    return ModelResponseError("The language model's answer was empty.")
