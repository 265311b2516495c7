"""A server on 127.0.0.1 that answers as DashScope's text generation does, and as a test tells it.

Form of requests, events and errors as in the service's API reference: events have `id`, `event`, a
comment with the HTTP status and `data`; a reply that goes on has the finish reason `null`, in
letters; each event has the tokens up to there.
"""

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

PATH = "/api/v1/services/aigc/text-generation/generation"
POLL_SECONDS = 0.02
MOST_HEARTBEATS = 300


@dataclass(frozen=True)
class Told:
    """A reply in pieces. `thoughts` come before; `input_tokens` None: it counts nothing.

    `end`: `done`, `unfinished` (the body ends without a finish reason), `cut` (the connection
    breaks), `hang`, `heartbeat` (only comments), `garbage`, `throttled` (an error event).
    """

    pieces: Sequence[str] = ()
    end: Literal["done", "unfinished", "cut", "hang", "heartbeat", "garbage", "throttled"] = "done"
    finish: str = "stop"
    thoughts: Sequence[str] = ()
    input_tokens: int | None = 22


@dataclass(frozen=True)
class Refused:
    """An HTTP error with the service's code; `{authorization}` becomes what the client sent."""

    status: int
    code: str
    message: str = "as the test wants it"
    headers: tuple[tuple[str, str], ...] = ()


Step = Told | Refused


class DashScopeLLMServer:
    """Each request takes the next step, the last one stays. `bodies`, `headers`: what was sent."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.client_left = threading.Event()
        self.stopping = threading.Event()
        self._steps: list[Step] = [Told(["Hello ", "from the model."])]
        self._lock = threading.Lock()
        self.base_url = ""

    def script(self, *steps: Step) -> None:
        """Replace the steps that are left."""
        with self._lock:
            self._steps = list(steps)

    def next_step(self, headers: dict[str, str], body: dict[str, Any]) -> Step:
        with self._lock:
            self.headers.append(headers)
            self.bodies.append(body)
            return self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]


@contextmanager
def dashscope_llm_server() -> Iterator[DashScopeLLMServer]:
    """Run a server until the block ends."""
    owner = DashScopeLLMServer()
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": owner}))
    owner.base_url = f"http://127.0.0.1:{http.server_address[1]}/api/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": POLL_SECONDS})
    thread.start()
    try:
        yield owner
    finally:
        owner.stopping.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: DashScopeLLMServer

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output quiet."""

    def do_POST(self) -> None:
        self.close_connection = True
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != PATH:
            return self._refuse(Refused(404, "InvalidURL"))
        step = self.owner.next_step({k.lower(): v for k, v in self.headers.items()}, body)
        try:
            if isinstance(step, Refused):
                self._refuse(step)
            else:
                self._tell(step)
        except (BrokenPipeError, ConnectionResetError):
            self.owner.client_left.set()

    def _refuse(self, step: Refused) -> None:
        said = step.message.replace("{authorization}", self.headers.get("authorization", ""))
        body = json.dumps({"code": step.code, "message": said, "request_id": "r1"}).encode()
        self.send_response(step.status)
        for name, value in step.headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def _tell(self, step: Told) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream;charset=UTF-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        sent = 0
        for field, pieces in (("reasoning_content", step.thoughts), ("content", step.pieces)):
            for piece in pieces:
                sent += 1
                self._event(sent, {"content": "", field: piece}, "null", step.input_tokens)
        match step.end:
            case "done":
                self._event(sent + 1, {"content": ""}, step.finish, step.input_tokens)
                self.wfile.write(b"0\r\n\r\n")
            case "unfinished":
                self.wfile.write(b"0\r\n\r\n")
            case "cut":
                self.connection.shutdown(socket.SHUT_RDWR)
            case "garbage":
                self._send(f"id:{sent + 1}\nevent:result\n:HTTP_STATUS/200\ndata:{{broken\n\n")
                self._wait()
            case "throttled":
                error = {"code": "Throttling.RateQuota", "message": "slow down"}
                self._send(
                    f"id:{sent + 1}\nevent:error\n:HTTP_STATUS/429\ndata:{json.dumps(error)}\n\n"
                )
                self.wfile.write(b"0\r\n\r\n")
            case "hang" | "heartbeat":
                self._wait(comments=step.end == "heartbeat")

    def _event(self, number: int, message: dict[str, str], finish: str, prompt: int | None) -> None:
        choice = {"message": {"role": "assistant", **message}, "finish_reason": finish}
        data: dict[str, Any] = {"output": {"choices": [choice]}, "request_id": "r1"}
        if prompt is not None:
            counts = {"input_tokens": prompt, "output_tokens": number}
            data["usage"] = {**counts, "total_tokens": prompt + number}
        line = json.dumps(data, ensure_ascii=False)
        self._send(f"id:{number}\nevent:result\n:HTTP_STATUS/200\ndata:{line}\n\n")

    def _send(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _wait(self, comments: bool = False) -> None:
        """Say nothing, or nothing but comments, until the client leaves or the server ends."""
        self.connection.settimeout(POLL_SECONDS)
        for _ in range(MOST_HEARTBEATS):
            if self.owner.stopping.is_set():
                return
            if comments:
                self._send(":\n\n")
            try:
                if not self.connection.recv(1):
                    self.owner.client_left.set()
                    return
            except TimeoutError:
                continue
