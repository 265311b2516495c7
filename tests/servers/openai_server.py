"""A server on 127.0.0.1 that speaks `/v1/chat/completions` and `/v1/embeddings`.

It misbehaves as a test tells it.
"""

import json
import select
import socket
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from tests.servers.embedding_rules import Answer, EmbeddingRules, Wait, entries, to_json

POLL_SECONDS = 0.02
MAX_HEARTBEATS = 300  # a client that waits for ever fails its test after six seconds


@dataclass(frozen=True)
class Request:
    """What a client sent; header names are lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        return self.body["messages"]

    def text(self, role: str = "user") -> str:
        """All messages of a role, joined."""
        return "\n".join(m["content"] for m in self.messages if m["role"] == role)

    @property
    def tools(self) -> list[str]:
        """Names of the tools that are offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", ())]


@dataclass(frozen=True)
class Reply:
    """A reply in pieces and the way it ends.

    `end`: `done` (finish reason and `[DONE]`), `open` (finish reason, then nothing more),
    `unfinished` (the body just ends), `cut` (the socket closes inside the body), `hang` (nothing
    more comes), `heartbeat` (only comments come), `garbage` (an event that is no JSON), `error` (an
    event that reports an error).
    `usage` is the count of prompt and completion tokens, told when the client asks for it.
    `calls` are tools the model wants called, as (name, arguments), in a reply that is not streamed.
    """

    pieces: Sequence[str] = ()
    end: Literal["done", "open", "unfinished", "cut", "hang", "heartbeat", "garbage", "error"] = (
        "done"
    )
    finish: str = "stop"
    reasoning: Sequence[str] = ()
    usage: tuple[int, int] | None = None
    calls: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Status:
    """A plain HTTP answer. `{authorization}` in the body becomes what the client sent."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = '{"error": {"message": "as the test wants it"}}'


@dataclass(frozen=True)
class Silence:
    """No answer at all until the client leaves."""


Step = Reply | Status | Silence
Script = Step | str | Callable[[Request], Step | str]


def in_pieces(text: str, size: int = 7) -> Reply:
    """The text as a reply, cut every `size` characters."""
    return Reply([text[i : i + size] for i in range(0, len(text), size)])


class OpenAIServer:
    """Context manager; each request takes the next step of the script, the last one stays."""

    def __init__(self, *steps: Script) -> None:
        self.requests: list[Request] = []
        self.embeddings = EmbeddingRules(dimension=256, lengths=(64, 128, 256), most_texts=32)
        self.client_left = threading.Event()
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._steps: list[Script] = list(steps) or [in_pieces("Hello from the model.")]
        self._http = _Http(self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": POLL_SECONDS}
        )

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *steps: Script) -> None:
        """Replace the steps that are left."""
        with self._lock:
            self._steps = list(steps)

    def __enter__(self) -> "OpenAIServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def next_step(self, request: Request) -> Step:
        with self._lock:
            self.requests.append(request)
            step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        if callable(step):
            step = step(request)
        return in_pieces(step) if isinstance(step, str) else step


class _Http(ThreadingHTTPServer):
    def __init__(self, owner: OpenAIServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output quiet."""

    def do_POST(self) -> None:
        self.close_connection = True
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        if self.path not in ("/v1/chat/completions", "/v1/embeddings"):
            return self._send_status(Status(404))
        embeds = self.path.endswith("/embeddings")
        step = self._embed(request) if embeds else self.server.owner.next_step(request)
        try:
            if isinstance(step, Status):
                self._send_status(step)
            elif isinstance(step, Silence):
                self._wait_for_client()
            elif body.get("stream"):
                wanted = (body.get("stream_options") or {}).get("include_usage")
                self._stream(step, step.usage if wanted else None)
            else:
                self._send_plain(step)
        except (BrokenPipeError, ConnectionResetError):
            self.server.owner.client_left.set()

    def _embed(self, request: Request) -> Status | Silence:
        rules, body = self.server.owner.embeddings, request.body
        step = rules.next_step(body, dict(request.headers))
        if isinstance(step, Wait):
            return Silence()
        if isinstance(step, Answer):
            return Status(step.code, step.headers, step.body)
        texts, dimension = body["input"], body.get("dimensions")
        refused = rules.refusal(texts, dimension, request.headers.get("authorization", ""))
        if refused is not None:
            return Status(refused[0], body=to_json({"error": {"message": refused[1]}}))
        rows = rules.rows(texts, dimension=dimension)
        data = entries(rows, "index") if step is None else step(rows)
        return Status(200, body=to_json({"object": "list", "data": data, "model": body["model"]}))

    def _send_status(self, status: Status) -> None:
        sent = self.headers.get("authorization", "")
        body = status.body.replace("{authorization}", sent).encode()
        self.send_response(status.code)
        for name, value in status.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def _send_plain(self, reply: Reply) -> None:
        message: dict[str, Any] = {"role": "assistant", "content": "".join(reply.pieces)}
        finish = reply.finish
        if reply.calls:
            message["tool_calls"] = [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }
                for number, (name, arguments) in enumerate(reply.calls)
            ]
            finish = "tool_calls" if finish == "stop" else finish
        choice = {"index": 0, "message": message, "finish_reason": finish}
        body: dict[str, Any] = {"id": "c1", "object": "chat.completion", "choices": [choice]}
        body["created"] = 0
        if reply.usage is not None:
            prompt, completion = reply.usage
            body["usage"] = {"prompt_tokens": prompt, "completion_tokens": completion}
        self._send_status(Status(200, body=json.dumps(body)))

    def _stream(self, reply: Reply, usage: tuple[int, int] | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        self._events(_event({"reasoning_content": piece}) for piece in reply.reasoning)
        self._events(_event({"content": piece}) for piece in reply.pieces)
        match reply.end:
            case "done":
                counted = [] if usage is None else [_usage_event(*usage)]
                self._events([_event({}, reply.finish), *counted, "data: [DONE]"])
                self.wfile.write(b"0\r\n\r\n")
            case "open":
                self._events([_event({}, reply.finish)])
                self._wait_for_client()
            case "unfinished":
                self.wfile.write(b"0\r\n\r\n")
            case "garbage":
                self._events(["data: {broken"])
                self._wait_for_client()
            case "error":
                self._events(['data: {"error": {"message": "overloaded", "code": 503}}'])
                self._wait_for_client()
            case "cut":
                self.connection.shutdown(socket.SHUT_RDWR)
            case "hang":
                self._wait_for_client()
            case "heartbeat":
                for _ in range(MAX_HEARTBEATS):
                    if self.server.owner.stopping.wait(POLL_SECONDS):
                        return
                    self._events([": still here"])

    def _events(self, lines: Iterable[str]) -> None:
        for line in lines:
            data = f"{line}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

    def _wait_for_client(self) -> None:
        """Say nothing until the client closes the connection or the server ends."""
        while not self.server.owner.stopping.wait(POLL_SECONDS):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1):
                self.server.owner.client_left.set()
                return


def _event(delta: dict[str, str], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return "data: " + json.dumps({"id": "c1", "choices": [choice]}, ensure_ascii=False)


def _usage_event(prompt: int, completion: int) -> str:
    counts = {"prompt_tokens": prompt, "completion_tokens": completion}
    usage = {**counts, "total_tokens": prompt + completion}
    return "data: " + json.dumps({"id": "c1", "choices": [], "usage": usage})
