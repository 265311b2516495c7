"""A stand-in for a Qdrant server. It is NOT Qdrant.

It serves the few REST routes the app uses, on 127.0.0.1, from qdrant-client's own in-memory mode.
So it tests our use of the client, the wire format, HTTP errors and timeouts, not Qdrant's engine.
What it does not know, a route or a field of a request, it refuses with 501 instead of ignoring it.
"""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError
from qdrant_client import QdrantClient, models

_COLLECTION = r"/collections/(?P<name>[^/]+)"
M = TypeVar("M", bound=BaseModel)
_DONE = {"operation_id": 0, "status": "completed"}


class Unsupported(Exception):
    """The request asks for something the stand-in does not imitate."""


@dataclass
class QdrantStandIn:
    """The state of one server. `requests` lists method and path of what was asked, in order.

    `hides_collections` makes it say that a collection does not exist, as when another app creates
    it just after the look.
    """

    url: str
    api_key: str | None
    client: QdrantClient = field(default_factory=lambda: QdrantClient(":memory:"))
    indexes: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    hides_collections: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, path: str, body: Any) -> Any:
        """Return the `result` of a request."""
        for known_method, pattern, handle in _ROUTES:
            found = re.fullmatch(pattern, path)
            if found and method == known_method:
                return handle(self, unquote(found["name"]), body)
        raise Unsupported(f"no route {method} {path}")

    def exists(self, name: str, _: Any) -> Any:
        return {"exists": not self.hides_collections and self.client.collection_exists(name)}

    def names(self, _name: str, _: Any) -> Any:
        return self.client.get_collections().model_dump(mode="json")

    def info(self, name: str, _: Any) -> Any:
        info = self.client.get_collection(name).model_dump(mode="json")
        return {**info, "payload_schema": self.indexes.get(name, {})}

    def create(self, name: str, body: Any) -> Any:
        if self.client.collection_exists(name):
            raise FileExistsError(f"Collection `{name}` already exists!")
        asked = _only(models.CreateCollection, body, "vectors", "metadata")
        return self.client.create_collection(
            name, vectors_config=asked.vectors, metadata=asked.metadata
        )

    def create_index(self, name: str, body: Any) -> Any:
        asked = _only(models.CreateFieldIndex, body, "field_name", "field_schema")
        if not isinstance(asked.field_schema, models.KeywordIndexParams):
            raise Unsupported("only keyword indexes")
        params = asked.field_schema.model_dump(mode="json", exclude_none=True)
        self.indexes.setdefault(name, {})[asked.field_name] = {
            "data_type": "keyword",
            "params": params,
            "points": 0,
        }
        return _DONE

    def upsert(self, name: str, body: Any) -> Any:
        if "batch" not in body:
            raise Unsupported("points that are not given as a batch")
        batch = _only(models.PointsBatch, body, "batch").batch
        self.client.upsert(name, batch)
        return _DONE

    def update_vectors(self, name: str, body: Any) -> Any:
        asked = _only(models.UpdateVectors, body, "points")
        ids = [point.id for point in asked.points]
        there = {record.id for record in self.client.retrieve(name, ids, with_payload=False)}
        if missing := [i for i in ids if i not in there]:
            raise ValueError(f"Not found: No point with id {missing[0]} found")
        self.client.update_vectors(name, asked.points)
        return _DONE

    def scroll(self, name: str, body: Any) -> Any:
        known = ("filter", "limit", "with_payload", "with_vector")
        asked = _only(models.ScrollRequest, body, *known)
        records, following = self.client.scroll(
            name,
            asked.filter,
            limit=asked.limit or 10,
            with_payload=asked.with_payload or False,
            with_vectors=asked.with_vector or False,
        )
        points = [record.model_dump(mode="json") for record in records]
        return {"points": points, "next_page_offset": following}

    def query(self, name: str, body: Any) -> Any:
        known = ("query", "using", "filter", "limit", "with_payload", "with_vector")
        asked = _only(models.QueryRequest, body, *known)
        return self.client.query_points(
            name,
            query=asked.query,
            using=asked.using,
            query_filter=asked.filter,
            limit=asked.limit or 10,
            with_payload=asked.with_payload,
            with_vectors=asked.with_vector or False,
        ).model_dump(mode="json")

    def count(self, name: str, body: Any) -> Any:
        asked = _only(models.CountRequest, body, "filter", "exact")
        if not asked.exact:
            raise Unsupported("only exact counts")
        return {"count": self.client.count(name, count_filter=asked.filter).count}

    def delete(self, name: str, body: Any) -> Any:
        self.client.delete(name, points_selector=_only(models.FilterSelector, body, "filter"))
        return _DONE


_ROUTES = (
    ("GET", _COLLECTION + "/exists", QdrantStandIn.exists),
    ("GET", "/collections(?P<name>)", QdrantStandIn.names),
    ("GET", _COLLECTION, QdrantStandIn.info),
    ("PUT", _COLLECTION, QdrantStandIn.create),
    ("PUT", _COLLECTION + "/index", QdrantStandIn.create_index),
    ("PUT", _COLLECTION + "/points", QdrantStandIn.upsert),
    ("PUT", _COLLECTION + "/points/vectors", QdrantStandIn.update_vectors),
    ("POST", _COLLECTION + "/points/scroll", QdrantStandIn.scroll),
    ("POST", _COLLECTION + "/points/query", QdrantStandIn.query),
    ("POST", _COLLECTION + "/points/count", QdrantStandIn.count),
    ("POST", _COLLECTION + "/points/delete", QdrantStandIn.delete),
)


def _only(model: type[M], body: Any, *known: str) -> M:
    """Parse the body with the client's own model; refuse fields that are not in `known`."""
    asked = TypeAdapter(model).validate_python(body)
    if unknown := asked.model_fields_set - set(known):
        raise Unsupported(f"fields {sorted(unknown)} of {model.__name__}")
    return asked


@contextmanager
def qdrant_standin(api_key: str | None = None) -> Iterator[QdrantStandIn]:
    """Run a stand-in on a free port of 127.0.0.1 until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._serve()

        do_PUT = do_POST = do_DELETE = do_PATCH = do_GET

        def _serve(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            split = urlsplit(self.path)
            standin.requests.append((self.command, split.path))
            if api_key is not None and self.headers.get("api-key") != api_key:
                self._send(401, error="Must provide an API key")
            elif unknown := parse_qs(split.query).keys() - {"wait", "timeout"}:
                self._send(501, error=f"not imitated: parameters {sorted(unknown)}")
            else:
                self._send(*self._result(split.path, json.loads(content or b"null")))

        def _result(self, path: str, body: Any) -> tuple[int, Any, str | None]:
            try:
                with standin.lock:
                    return 200, standin.answer(self.command, path, body), None
            except Unsupported as exc:
                return 501, None, f"not imitated: {exc}"
            except FileExistsError as exc:
                return 409, None, str(exc)
            except (ValueError, ValidationError) as exc:
                return (404 if "not found" in str(exc) else 400), None, str(exc)

        def _send(self, code: int, result: Any = None, error: str | None = None) -> None:
            status = "ok" if error is None else {"error": error}
            content = json.dumps({"result": result, "status": status, "time": 0.0}).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    standin = QdrantStandIn(f"http://127.0.0.1:{server.server_port}", api_key)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield standin
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        standin.client.close()
