"""The knowledge graph: a picture, what it says in sentences, how two things are connected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt

from app.components.elements import button, element, empty, text
from app.components.icons import icon
from app.components.memory_row import page_link
from app.i18n import Words
from app.presenters import escape, shorten
from core.domain.graph import Entity, EntityKind, Evidence, Relation, SourceKind
from core.domain.graph_views import Connection, GraphPicture, PictureNode, Step
from core.domain.memory import Memory

WIDTH, HEIGHT = 1000, 620  # of the picture, in its own units
SIDE, EDGE = 90, 36  # room for labels left and right, above and below
LABEL = 22  # characters of a name in the picture
NAMED_EDGES = 24  # with more connections than these, their words show when pointed at
SMALLEST, LARGEST = 7.0, 18.0  # radius of a thing, by how many connections it has
LISTED = 60  # connections that are listed
SENTENCE = 300  # characters of a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What sentences lead to: names of documents and memories that are still there, by id."""

    documents: Mapping[str, str] = field(default_factory=dict)
    memories: Mapping[str, Memory] = field(default_factory=dict)


# --- what a connection says -----------------------------------------------------------------------


def entity_link(entity: Entity, words: Words) -> str:
    """Return a thing's name as a button that shows what surrounds it."""
    return button(
        escape(shorten(entity.name, 2 * LABEL)),
        act="graph_around",
        class_="link thing",
        data_entity=entity.name,
        title=words("graph.around_it", name=entity.name),
    )


def says(relation: Relation, words: Words) -> str:
    """Return a connection as words: subject, what is said, object."""
    said = text("span", words(f"graph.says_{relation.kind}"), class_="says")
    ends = [entity_link(entity, words) for entity in (relation.subject, relation.object)]
    return f"{ends[0]} {said} {ends[1]}"


def _source(evidence: Evidence, sources: Sources, words: Words) -> str:
    """Return the way to where a sentence stands."""
    if evidence.source_kind is SourceKind.DOCUMENT:
        name = sources.documents.get(evidence.source_id)
        if name is None:
            return text("span", words("memory.from_gone"), class_="meta")
        return page_link(evidence.source_id, name, evidence.page, words)
    memory = sources.memories.get(evidence.source_id)
    if memory is None:
        return text("span", words("graph.from_memory"), class_="meta")
    if question := memory.metadata.get("question_id"):
        label = icon("ask") + escape(words("memory.from_question"))
        return button(label, act="show_answer", class_="link source", data_question=str(question))
    if memory.event == "note":
        label = icon("note") + escape(words("memory.from_note"))
        return element("a", label, class_="source", href=f"#memory-noted-{memory.id}")
    return text("span", words("graph.from_memory"), class_="meta")


def proven(relation: Relation, evidence: Evidence, sources: Sources, words: Words) -> str:
    """Return a connection with the sentence it was read from, and the way to it."""
    sure = words("graph.sure", value=f"{relation.confidence:.2f}")
    return element(
        "li",
        element("p", says(relation, words), class_="statement"),
        element("blockquote", text("q", shorten(evidence.sentence, SENTENCE))),
        element(
            "p",
            _source(evidence, sources, words),
            text("span", sure, class_="meta"),
            class_="memory-from",
        ),
    )


# --- the picture ----------------------------------------------------------------------------------


def _place(node: PictureNode) -> tuple[float, float]:
    return SIDE + node.x * (WIDTH - 2 * SIDE), EDGE + node.y * (HEIGHT - 2 * EDGE)


def _radius(node: PictureNode, most: int) -> float:
    return SMALLEST + (LARGEST - SMALLEST) * sqrt(node.degree / max(most, 1))


def _edge(relation: Relation, nodes: Mapping[str, PictureNode], most: int, words: Words) -> str:
    start, end = nodes[relation.subject.id], nodes[relation.object.id]
    (x1, y1), (x2, y2) = _place(start), _place(end)
    length = max(hypot(x2 - x1, y2 - y1), 1.0)
    back = min((_radius(end, most) + 4) / length, 0.5)  # the arrow ends before the thing
    said = words(f"graph.says_{relation.kind}")
    ends = {"x1": x1, "y1": y1, "x2": x2 + (x1 - x2) * back, "y2": y2 + (y1 - y2) * back}
    line = {name: f"{value:.1f}" for name, value in ends.items()}
    return element(
        "g",
        text("title", f"{relation.subject.name} {said} {relation.object.name}"),
        element("line", class_="hit", **line),
        element("line", class_="line", marker_end="url(#graph-arrow)", **line),
        text(
            "text", said, x=f"{(x1 + x2) / 2:.1f}", y=f"{(y1 + y2) / 2:.1f}", text_anchor="middle"
        ),
        class_="edge",
    )


def _node(node: PictureNode, most: int, centre: str | None, words: Words) -> str:
    x, y = _place(node)
    radius = _radius(node, most)
    entity = node.entity
    is_centre = centre is not None and centre == entity.id
    return element(
        "a",
        text("title", words("graph.around_it", name=entity.name)),
        element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:.1f}"),
        text(
            "text",
            shorten(entity.name, LABEL),
            x=f"{x:.1f}",
            y=f"{y + radius + 17:.1f}",
            text_anchor="middle",
        ),
        class_=f"node kind-{entity.kind}{' centre' if is_centre else ''}",
        href="#graph",
        data_act="graph_around",
        data_entity=entity.name,
    )


def _legend(nodes: Sequence[PictureNode], words: Words) -> str:
    there = {node.entity.kind for node in nodes}
    keys = [
        text("span", words(f"graph.kind_{kind}"), class_=f"graph-key kind-{kind}")
        for kind in EntityKind
        if kind in there
    ]
    return element("p", *keys, class_="legend")


def _drawing(picture: GraphPicture, centre: str | None, words: Words) -> str:
    nodes = {node.entity.id: node for node in picture.nodes}
    most = max((node.degree for node in picture.nodes), default=1)
    edges = [r for r in picture.edges if r.subject.id in nodes and r.object.id in nodes]
    arrow = element(
        "marker",
        element("path", d="M0 0 8 4 0 8z"),
        id="graph-arrow",
        viewBox="0 0 8 8",
        refX=8,
        refY=4,
        markerWidth=7,
        markerHeight=7,
        orient="auto",
    )
    names = ", ".join(shorten(node.entity.name, LABEL) for node in picture.nodes)
    return element(
        "svg",
        element("defs", arrow),
        *(_edge(relation, nodes, most, words) for relation in edges),
        *(_node(node, most, centre, words) for node in picture.nodes),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="group",
        aria_label=words("graph.picture", names=names),
        class_="graph few" if len(edges) <= NAMED_EDGES else "graph",
    )


def _caption(picture: GraphPicture, around: str | None, words: Words) -> str:
    counts = {"nodes": len(picture.nodes), "edges": len(picture.edges)}
    if around is None:
        said = words("graph.caption_all", **counts)
    else:
        said = words("graph.caption_around", name=around, **counts)
    left = words("graph.left_out", count=picture.left_out) if picture.left_out else ""
    return text("figcaption", f"{said} {left}".strip())


def _as_list(picture: GraphPicture, centre: str | None, sources: Sources, words: Words) -> str:
    """Return the connections as sentences; those of the thing in the middle come first."""
    ordered = sorted(
        picture.edges,
        key=lambda r: (centre not in (r.subject.id, r.object.id), -r.confidence),
    )
    rows = [proven(r, r.evidence[0], sources, words) for r in ordered[:LISTED] if r.evidence]
    if not rows:
        return ""
    more = len(ordered) - len(rows)
    rest = text("p", words("graph.list_more", count=more), class_="meta") if more else ""
    return element(
        "details",
        text("summary", words("graph.as_list"), class_="quiet outlined"),
        element("ol", *rows, class_="statements"),
        rest,
        class_="graph-list",
        data_key="graph-list",
        open=centre is not None,
    )


def _finder(around: str | None, words: Words) -> str:
    label = element(
        "label",
        text("span", words("graph.find"), class_="meta"),
        element(
            "input",
            type="text",
            name="entity",
            id="graph-entity",
            value=around or "",
            data_shows=f"around-{around or ''}",
            placeholder=words("graph.find_hint"),
            autocomplete="off",
        ),
        class_="choice-of",
    )
    go = button(escape(words("graph.find_go")), act="graph_around", class_="quiet outlined")
    rest = button(escape(words("graph.all")), act="graph_all", class_="quiet")
    return element("div", label, go, rest if around else "", class_="choices", data_form=True)


def graph_section(
    picture: GraphPicture, around: Entity | None, sources: Sources, words: Words
) -> str:
    """Return the picture with its list, or why there is none. `around` stands in its middle."""
    if not picture.nodes:
        title = text("h2", words("graph.empty_title"))
        return empty(icon("graph"), title, text("p", words("graph.empty")))
    name, centre = (around.name, around.id) if around is not None else (None, None)
    figure = element(
        "figure",
        element("div", _drawing(picture, centre, words), class_="graph-room"),
        _legend(picture.nodes, words),
        _caption(picture, name, words),
    )
    return element(
        "section",
        text("h2", words("graph.title")),
        text("p", words("graph.text"), class_="meta"),
        _finder(name, words),
        figure,
        _as_list(picture, centre, sources, words),
        class_="tidy",
        id="graph",
    )


# --- how two things are connected -----------------------------------------------------------------


def _step(step: Step, sources: Sources, words: Words) -> str:
    return proven(step.relation, step.evidence, sources, words)


def _found(connection: Connection, sources: Sources, words: Words) -> str:
    start, end = connection.start.name, connection.end.name
    if connection.start.id == connection.end.id:
        return text("p", words("graph.connect_same", start=start), class_="nothing")
    if not connection.steps:
        return text("p", words("graph.connect_none", start=start, end=end), class_="nothing")
    steps = len(connection.steps)
    return text("p", words.count("graph.connect_found", steps, start=start, end=end)) + element(
        "ol", *(_step(step, sources, words) for step in connection.steps), class_="statements"
    )


def connecting(
    names: tuple[str, str], found: Connection | None, sources: Sources, words: Words
) -> str:
    """Return the question how two things are connected, and its answer once it was asked.

    `names` are as they were typed; with names and no `found`, one of them is not known.
    """
    one, other = names
    fields = [
        element(
            "label",
            text("span", words(f"graph.connect_{name}"), class_="meta"),
            element(
                "input", type="text", name=name, id=f"connect-{name}", value=value,
                autocomplete="off",
            ),
            class_="choice-of",
        )
        for name, value in (("one", one), ("other", other))
    ]  # fmt: skip
    go = button(escape(words("graph.connect_go")), act="graph_connect", class_="quiet outlined")
    answer = ""
    if found is not None:
        answer = _found(found, sources, words)
    elif one or other:
        answer = text("p", words("graph.connect_unknown", one=one, other=other), class_="nothing")
    return element(
        "section",
        text("h2", words("graph.connect")),
        element("div", *fields, go, class_="choices", data_form=True),
        element("div", answer, id="connection", class_="connection"),
        class_="tidy",
    )
