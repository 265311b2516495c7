"""Reading streamed replies: events, thoughts, waits."""

import json

import pytest

from core.errors import ModelResponseError
from core.llms.reply import Delta, ReasoningFilter, read_deltas
from core.remote.retry import backoff, retry_after


def filtered(text: str, size: int) -> str:
    reasoning = ReasoningFilter()
    pieces = [text[i : i + size] for i in range(0, len(text), size)]
    return "".join(reasoning.feed(piece) for piece in pieces) + reasoning.end()


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain text\nin two lines\n", "plain text\nin two lines\n"),
        ("<think>a</think>b", "b"),
        ("\n <think>\na < b\n</think>\n\nb", "\n\nb"),
        ("<think>a</think><think>b</think>c", "c"),
        ("first\n<think>later</think>\nsecond", "first\n\nsecond"),
        ("<think>cut off", ""),
        ("first\n<think>never closed", "first\n<think>never closed"),
        (
            "Such models write <think> tags </think> first.",
            "Such models write <think> tags </think> first.",
        ),
        ("<thinking> is another tag", "<thinking> is another tag"),
        ("ends with <thi", "ends with <thi"),
        ("<thi", "<thi"),
        ("a\n\n\nb\n<", "a\n\n\nb\n<"),
    ],
)
def test_reasoning_filter(text, kept, size):
    assert filtered(text, size) == kept


def event(**delta) -> bytes:
    return b"data: " + json.dumps({"choices": [{"delta": delta}]}, ensure_ascii=False).encode()


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_events_survive_any_cut(size):
    body = b": hello\r\n\r\n" + event(content="注意") + b"\n\nid: 4\n" + event(reasoning="hm")
    body += b'\n\ndata:{"choices": [], "usage": {}}\n\ndata: {"choices": [{"delta": {}, '
    body += b'"finish_reason": "stop"}]}\n\ndata: [DONE]\n\ndata: never read'
    chunks = [body[i : i + size] for i in range(0, len(body), size)]
    assert list(read_deltas(chunks)) == [
        Delta(text="注意"),
        Delta(reasoning="hm"),
        Delta(),
        Delta(finish="stop"),
    ]


def test_last_event_without_line_break_counts():
    assert list(read_deltas([event(content="a")])) == [Delta(text="a")]


@pytest.mark.parametrize("data", ["{", "[1]", "7", '{"error": {"message": "x"}}'])
def test_events_that_cannot_be_read(data):
    with pytest.raises(ModelResponseError):
        list(read_deltas([f"data: {data}\n".encode()]))


@pytest.mark.parametrize(
    "data",
    ['{"choices": null}', '{"choices": [null]}', '{"choices": [{"delta": null}]}', "{}"],
)
def test_events_without_content_are_nothing(data):
    assert list(read_deltas([f"data: {data}\n".encode()])) == [Delta()]


def test_backoff_doubles_to_a_limit_and_jitter_takes_up_to_half():
    assert [backoff(n, 0.0) for n in range(6)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
    assert backoff(2, 0.999) == pytest.approx(1.001)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "soon"}, None),
        (
            {
                "retry-after": "Wed, 21 Oct 2015 07:28:30 GMT",
                "date": "Wed, 21 Oct 2015 07:28:00 GMT",
            },
            30.0,
        ),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:30 GMT"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1" * 400}, float("inf")),
    ],
)
def test_retry_after(headers, seconds):
    assert retry_after(headers) == seconds
