"""A server on 127.0.0.1 that answers text embeddings as DashScope's documentation says.

`POST /api/v1/services/embeddings/text-embedding/text-embedding` with `model`, `input.texts` (at
most 10) and `parameters` (`text_type`, `dimension`). It misbehaves as a test tells it.
"""

import json
import select
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers.embedding_rules import Answer, EmbeddingRules, Wait, entries, to_json

PATH = "/api/v1/services/embeddings/text-embedding/text-embedding"
POLL_SECONDS = 0.02
LENGTHS = (2048, 1536, 1024, 768, 512, 256, 128, 64)


class DashScopeServer:
    """Context manager. `embeddings` has the rules, what was asked, and the script."""

    def __init__(self) -> None:
        self.embeddings = EmbeddingRules(dimension=1024, lengths=LENGTHS, most_texts=10)
        self.stopping = threading.Event()
        self._http = _Http(self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": POLL_SECONDS}
        )

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/api/v1"

    def __enter__(self) -> "DashScopeServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, body: dict[str, Any], headers: dict[str, str]) -> Answer | Wait:
        """Return what a request gets."""
        rules = self.embeddings
        step = rules.next_step(body, headers)
        if isinstance(step, Answer | Wait):
            return step
        texts, parameters = body["input"]["texts"], body.get("parameters", {})
        text_type = parameters.get("text_type", "document")
        dimension = parameters.get("dimension")
        refused = rules.refusal(texts, dimension, headers.get("authorization", ""))
        if refused is None and text_type not in ("query", "document"):
            refused = 400, "text_type must be query or document"
        if refused is not None:
            code = "InvalidApiKey" if refused[0] == 401 else "InvalidParameter"
            told = {"code": code, "message": refused[1], "request_id": "r1"}
            return Answer(refused[0], to_json(told))
        rows = rules.rows(texts, dimension=dimension, query=text_type == "query")
        found = entries(rows, "text_index") if step is None else step(rows)
        whole = {
            "output": {"embeddings": found},
            "usage": {"total_tokens": sum(len(text) for text in texts)},
            "request_id": "r1",
        }
        return Answer(200, to_json(whole))


class _Http(ThreadingHTTPServer):
    def __init__(self, owner: DashScopeServer) -> None:
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
        headers = {k.lower(): v for k, v in self.headers.items()}
        found = Answer(404, "{}")
        if self.path == PATH:
            answer = self.server.owner.answer(body, headers)
            if isinstance(answer, Wait):
                return self._wait_for_client()
            found = answer
        sent = found.body.replace("{authorization}", headers.get("authorization", "")).encode()
        self.send_response(found.code)
        for name, value in {"Content-Type": "application/json", **found.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(sent)

    def _wait_for_client(self) -> None:
        """Say nothing until the client closes the connection or the server ends."""
        while not self.server.owner.stopping.wait(POLL_SECONDS):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1):
                return
