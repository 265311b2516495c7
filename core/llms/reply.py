"""Reading a streamed chat completion: server-sent events to pieces of the reply."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.errors import ModelResponseError

OPEN_TAG, CLOSE_TAG = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class Delta:
    """One event of the stream.

    `text` belongs to the reply, `reasoning` to the thoughts a model writes before it; `finish`
    is why the reply is complete, `None` as long as it is not. `prompt_tokens` and
    `completion_tokens` are the server's count for the whole request, `None` when it says nothing.
    """

    text: str = ""
    reasoning: str = ""
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def read_deltas(chunks: Iterable[bytes]) -> Iterator[Delta]:
    """Yield the events of a response body until `[DONE]` or its end.

    Comments and other fields of the event stream are passed over. Raises `ModelResponseError`
    when an event cannot be read or reports an error.
    """
    for line in _lines(chunks):
        if not line.startswith(b"data:"):
            continue
        data = line[len(b"data:") :].strip()
        if data == b"[DONE]":
            return
        try:
            event = json.loads(data)
        except ValueError as exc:
            raise ModelResponseError("The language model sent a reply that is no JSON.") from exc
        yield _delta(event)


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for chunk in chunks:
        *complete, held = (held + chunk).split(b"\n")
        yield from complete
    if held:
        yield held


def _delta(event: object) -> Delta:
    if not isinstance(event, dict):
        raise ModelResponseError("The language model sent a reply of an unknown form.")
    if event.get("error"):
        # The server's own words may repeat the request, so they are not passed on.
        raise ModelResponseError("The language model reported an error in the middle of its reply.")
    prompt, completion = _counts(event.get("usage"))
    choices = event.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return Delta(prompt_tokens=prompt, completion_tokens=completion)
    delta = choices[0].get("delta")
    if not isinstance(delta, dict):
        delta = {}
    finish = choices[0].get("finish_reason")
    return Delta(
        text=_text(delta.get("content")),
        reasoning=_text(delta.get("reasoning_content")) or _text(delta.get("reasoning")),
        finish=_text(finish) or None,
        prompt_tokens=prompt,
        completion_tokens=completion,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _counts(usage: object) -> tuple[int | None, int | None]:
    if not isinstance(usage, dict):
        return None, None
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(prompt) is not int or type(completion) is not int or min(prompt, completion) < 0:
        return None, None
    return prompt, completion


class ReasoningFilter:
    """Takes `<think>…</think>` blocks out of a text that arrives in pieces.

    A block begins where the tag begins a line, so that an answer *about* such tags keeps them. A
    block that is never closed is a cut-off thought at the start of the reply and is dropped there;
    further down it is taken as text.
    """

    def __init__(self) -> None:
        self._line: str | None = ""  # start of a line that may still become the opening tag
        self._block: str | None = None  # the open block, its tag included
        self._any_text = False

    def feed(self, text: str) -> str:
        """Return what is certain to be reply after this piece."""
        out: list[str] = []
        for char in text:
            if self._block is not None:
                self._block += char
                if self._block.endswith(CLOSE_TAG):
                    self._block, self._line = None, ""
            elif self._line is None:
                out.append(char)
                if char == "\n":
                    self._line = ""
            else:
                self._start_of_line(self._line + char, out)
        return self._emit("".join(out))

    def end(self) -> str:
        """Return what was held back when the reply is complete."""
        held = self._block if self._block is not None and self._any_text else self._line
        self._block, self._line = None, None
        return self._emit(held or "")

    def _start_of_line(self, line: str, out: list[str]) -> None:
        tag = line.lstrip()
        if tag == OPEN_TAG:
            self._block, self._line = tag, None
        elif OPEN_TAG.startswith(tag):
            self._line = line
        else:
            out.append(line)
            self._line = "" if line.endswith("\n") else None

    def _emit(self, text: str) -> str:
        self._any_text = self._any_text or bool(text.strip())
        return text
