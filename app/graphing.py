"""The knowledge graph as it is asked for: a picture, the surroundings of a thing, a connection."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.components.memory_graph import Sources, connecting, graph_section
from app.components.memory_quality import quality_section
from app.desk import Told, Visit
from app.remembered import still_there
from core.domain.graph import Entity, Evidence, SourceKind
from core.domain.graph_views import GraphPicture
from core.errors import InvalidInputError, NotFoundError

DRAWN = 40  # things in the picture at most
NAME_LENGTH = 200  # characters of a name that is looked for

Drawn = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows of the graph once it has been drawn: `centre` stands in its middle."""

    centre: Entity | None = None


def sources(visit: Visit, said: Iterable[Evidence]) -> Sources:
    """Return what these sentences lead to."""
    documents = {d.id: d.name for d in visit.assistant.documents()}
    ids = {e.source_id for e in said if e.source_kind is SourceKind.MEMORY}
    return Sources(documents=documents, memories=still_there(visit, sorted(ids)))


def _picture(visit: Visit, centre: Entity | None) -> str:
    name = centre.name if centre is not None else None
    picture = visit.assistant.memory.graph_picture(around=name, limit=DRAWN)
    return graph_section(picture, centre, _sources_of(visit, picture), visit.words)


def _sources_of(visit: Visit, picture: GraphPicture) -> Sources:
    return sources(visit, (r.evidence[0] for r in picture.edges if r.evidence))


def draw(visit: Visit, seen: Seen | None) -> Drawn:
    """Draw the picture, the question about connections and the report anew."""
    centre = seen.centre if seen is not None else None
    try:
        drawn = _picture(visit, centre)
    except NotFoundError:  # forgotten since
        drawn, centre = _picture(visit, None), None
    quality = visit.assistant.memory.graph_quality()
    contradicting = [r for c in quality.contradictions for r in c.relations]
    there = sources(visit, (r.evidence[0] for r in contradicting if r.evidence))
    asked = "" if not quality.counts.entities else connecting(("", ""), None, there, visit.words)
    return drawn, Seen(centre), asked, quality_section(quality, there, visit.words)


def around(visit: Visit) -> Drawn | Told:
    """Draw what surrounds the thing that was clicked or typed."""
    name = _name(visit, "entity")
    if not name:
        return whole(visit)
    try:
        picture = visit.assistant.memory.graph_picture(around=name, limit=DRAWN)
    except NotFoundError:
        message = visit.words("graph.unknown", name=name)
        return Told(values=(*whole(visit),), message=message)
    centre = _centre(picture, name)
    drawn = graph_section(picture, centre, _sources_of(visit, picture), visit.words)
    return drawn, Seen(centre)


def _centre(picture: GraphPicture, name: str) -> Entity:
    """Return the thing a picture was asked for: it comes first."""
    named = [n.entity for n in picture.nodes if n.entity.name == name]
    return named[0] if named else picture.nodes[0].entity


def whole(visit: Visit) -> Drawn:
    """Draw the whole graph."""
    return _picture(visit, None), Seen()


def _name(visit: Visit, key: str) -> str:
    name = visit.text(key).strip()
    if len(name) > NAME_LENGTH:
        raise InvalidInputError()
    return name


def merge(visit: Visit, seen: Seen | None) -> Drawn:
    """Make two things one, as the learner says."""
    visit.assistant.memory.merge_entities(visit.text("keep"), visit.text("drop"))
    return draw(visit, seen)


def connect(visit: Visit) -> Drawn:
    """Say how two things are connected."""
    one, other = _name(visit, "one"), _name(visit, "other")
    if not one or not other:
        raise InvalidInputError()
    try:
        found = visit.assistant.memory.connected(one, other)
    except NotFoundError:
        return (connecting((one, other), None, Sources(), visit.words),)
    said = [step.evidence for step in found.steps]
    return (connecting((one, other), found, sources(visit, said), visit.words),)
