"""Document store on a SQL database."""

from collections.abc import Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    and_,
    delete,
    insert,
    select,
    tuple_,
    update,
)

from core.domain.document import Chunk, Document, DocumentState, Page
from core.errors import NotFoundError
from core.ports.document_store import StoredSegment
from core.stores.database import IDS_PER_QUERY, Database
from core.stores.encoding import (
    chunk_of,
    chunk_row,
    document_of,
    document_row,
    page_of,
    page_row,
    ranges_of,
)
from core.stores.schema import chunks as chunk_table
from core.stores.schema import documents as document_table
from core.stores.schema import lexical_segments
from core.stores.schema import pages as page_table


class SqlDocumentStore:
    """Documents with their pages, chunks and lexical segments.

    The text of a page is stored once; the text of a chunk is cut from it when read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, document: Document, *, namespace: str) -> None:
        """Store the record of a document. One with the same id keeps its pages."""
        row = document_row(document, namespace)
        with self._database.write() as connection:
            connection.execute(
                self._database.insert(document_table)
                .values(row)
                .on_conflict_do_update(index_elements=["namespace", "id"], set_=row)
            )

    def unfinished(self) -> list[tuple[str, Document]]:
        """Return (namespace, document) of every document that is not `READY`, of ALL users."""
        return self._of_all(document_table.c.state != DocumentState.READY.value)

    def outdated(self, embedder: str) -> list[tuple[str, Document]]:
        """Return (namespace, document) of every document with another embedder, of ALL users."""
        return self._of_all(document_table.c.embedder != embedder)

    def unrefined(self) -> list[tuple[str, Document]]:
        """Return (namespace, document) of every `READY` one with chunks to refine, of ALL users."""
        table = document_table.c
        ready = table.state == DocumentState.READY.value
        return self._of_all(and_(ready, table.refined < table.chunks))

    def _of_all(self, condition: ColumnElement[bool]) -> list[tuple[str, Document]]:
        query = select(document_table).where(condition).order_by(document_table.c.seq)
        with self._database.read() as connection:
            rows = connection.execute(query).mappings().all()
        return [(row["namespace"], document_of(row)) for row in rows]

    def append(
        self,
        document: Document,
        *,
        pages: Sequence[Page],
        chunks: Sequence[Chunk],
        segment: bytes,
        namespace: str,
    ) -> None:
        """Store more pages and chunks and the new record of the document, or nothing."""
        page_rows = [page_row(page, document.id, namespace) for page in pages]
        chunk_rows = [chunk_row(chunk, namespace) for chunk in chunks]
        with self._database.write() as connection:
            _grow(connection, document, namespace)
            if page_rows:
                connection.execute(
                    delete(page_table).where(
                        page_table.c.namespace == namespace,
                        page_table.c.document_id == document.id,
                        page_table.c.number.in_([page.number for page in pages]),
                    )
                )
                connection.execute(insert(page_table), page_rows)
            if chunk_rows:
                connection.execute(insert(chunk_table), chunk_rows)
                row = _segment_row(document.id, chunks[0].ordinal, segment, namespace)
                connection.execute(insert(lexical_segments), row)

    def finish(self, document: Document, *, segment: bytes | None, namespace: str) -> None:
        """Store the new record and one segment (if any) in place of all."""
        with self._database.write() as connection:
            _grow(connection, document, namespace)
            _delete_of(connection, lexical_segments, document.id, namespace)
            if segment is not None:
                row = _segment_row(document.id, 0, segment, namespace)
                connection.execute(insert(lexical_segments), row)

    def update(self, document: Document, *, namespace: str) -> None:
        """Store the new record of a document but its `refined`. Raises `NotFoundError`."""
        row = document_row(document, namespace)
        del row["refined"]
        with self._database.write() as connection:
            _change(connection, row)

    def note_refined(self, document_id: str, refined: int, *, namespace: str) -> None:
        """Store how many chunks are refined. Raises `NotFoundError`."""
        row = {"namespace": namespace, "id": document_id, "refined": refined}
        with self._database.write() as connection:
            _change(connection, row, but_not=DocumentState.DELETING)

    def get(self, document_id: str, *, namespace: str) -> Document:
        """Return the document. Raises `NotFoundError`."""
        query = select(document_table).where(
            document_table.c.namespace == namespace, document_table.c.id == document_id
        )
        with self._database.read() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            raise NotFoundError("This document is not there (any more).")
        return document_of(row)

    def page(self, document_id: str, number: int, *, namespace: str) -> Page:
        """Return one physical page, 1-based. Raises `NotFoundError`."""
        found = self.pages(document_id, [number], namespace=namespace)
        if not found:
            raise NotFoundError(f"Page {number} of this document is not there (any more).")
        return found[0]

    def pages(self, document_id: str, numbers: Sequence[int], *, namespace: str) -> list[Page]:
        """Return those pages that exist, ascending, without repeats."""
        wanted = sorted(set(numbers))
        found: list[Page] = []
        with self._database.read() as connection:
            for start in range(0, len(wanted), IDS_PER_QUERY):
                query = (
                    select(page_table)
                    .where(
                        page_table.c.namespace == namespace,
                        page_table.c.document_id == document_id,
                        page_table.c.number.in_(wanted[start : start + IDS_PER_QUERY]),
                    )
                    .order_by(page_table.c.number)
                )
                found += map(page_of, connection.execute(query).mappings())
        return found

    def chunks(self, ids: Sequence[str], *, namespace: str) -> list[Chunk]:
        """Return the chunks that exist, in the order of `ids`."""
        unique = list(dict.fromkeys(ids))
        found: dict[str, Chunk] = {}
        with self._database.read() as connection:
            for start in range(0, len(unique), IDS_PER_QUERY):
                query = select(chunk_table).where(
                    chunk_table.c.namespace == namespace,
                    chunk_table.c.id.in_(unique[start : start + IDS_PER_QUERY]),
                )
                rows = connection.execute(query).mappings().all()
                keys = {
                    (row["document_id"], where.page)
                    for row in rows
                    for where in ranges_of(row["ranges"] + row["context_ranges"])
                }
                texts = _page_texts(connection, sorted(keys), namespace)
                found |= {row["id"]: chunk_of(row, texts) for row in rows}
        return [found[chunk_id] for chunk_id in ids if chunk_id in found]

    def chunk_ids(self, document_id: str, *, namespace: str) -> list[str]:
        """Return the ids of the document's chunks by ordinal."""
        query = (
            select(chunk_table.c.id)
            .where(chunk_table.c.namespace == namespace, chunk_table.c.document_id == document_id)
            .order_by(chunk_table.c.ordinal)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def segments(self, document_ids: Sequence[str], *, namespace: str) -> list[StoredSegment]:
        """Return the lexical segments of those documents that exist, in the order asked."""
        unique = list(dict.fromkeys(document_ids))
        found: dict[str, list[StoredSegment]] = {}
        table = lexical_segments.c
        with self._database.read() as connection:
            for start in range(0, len(unique), IDS_PER_QUERY):
                query = (
                    select(table.document_id, table.first, table.data)
                    .where(
                        table.namespace == namespace,
                        table.document_id.in_(unique[start : start + IDS_PER_QUERY]),
                    )
                    .order_by(table.first)
                )
                for row in connection.execute(query):
                    found.setdefault(row[0], []).append(StoredSegment(row[0], row[1], row[2]))
        return [segment for key in unique for segment in found.get(key, [])]

    def delete(self, document_id: str, *, namespace: str) -> None:
        """Delete the document, on disk too."""
        with self._database.write() as connection:
            connection.execute(
                delete(document_table).where(
                    document_table.c.namespace == namespace, document_table.c.id == document_id
                )
            )  # takes its pages, chunks and segments with it
        self._database.scrub()

    def list(self, *, namespace: str) -> list[Document]:
        """Return all documents of the namespace, the one loaded last first."""
        query = (
            select(document_table)
            .where(document_table.c.namespace == namespace)
            .order_by(document_table.c.loaded_at.desc(), document_table.c.seq.desc())
        )
        with self._database.read() as connection:
            return [document_of(row) for row in connection.execute(query).mappings()]

    def close(self) -> None:
        """Release the database. It opens again at the next use."""
        self._database.close()


def _grow(connection: Connection, document: Document, namespace: str) -> None:
    """Store what a growing document has become.

    Its other names, and how much of it is refined, are not this record's to tell.
    """
    row = document_row(document, namespace)
    del row["names"], row["refined"]
    _change(connection, row, but_not=DocumentState.DELETING)


def _change(
    connection: Connection, row: dict[str, object], but_not: DocumentState | None = None
) -> None:
    table = document_table.c
    wanted = [table.namespace == row["namespace"], table.id == row["id"]]
    if but_not is not None:
        wanted.append(table.state != but_not.value)
    changed = connection.execute(update(document_table).where(*wanted).values(row))
    if changed.rowcount == 0:
        raise NotFoundError("This document is not there (any more).")


def _segment_row(document_id: str, first: int, data: bytes, namespace: str) -> dict[str, object]:
    return {"namespace": namespace, "document_id": document_id, "first": first, "data": data}


def _delete_of(connection: Connection, table: Table, document_id: str, namespace: str) -> None:
    connection.execute(
        delete(table).where(table.c.namespace == namespace, table.c.document_id == document_id)
    )


def _page_texts(
    connection: Connection, keys: Sequence[tuple[str, int]], namespace: str
) -> dict[tuple[str, int], str]:
    texts: dict[tuple[str, int], str] = {}
    columns = page_table.c
    for start in range(0, len(keys), IDS_PER_QUERY):
        part = keys[start : start + IDS_PER_QUERY]
        query = select(columns.document_id, columns.number, columns.text).where(
            columns.namespace == namespace,
            # SQLite finds pairs by index only when it is told the documents too
            columns.document_id.in_(sorted({document_id for document_id, _ in part})),
            tuple_(columns.document_id, columns.number).in_(part),
        )
        texts |= {(row[0], row[1]): row[2] for row in connection.execute(query)}
    return texts
