"""Ways through a graph, step by step from all reached entities at once.

Each step asks the store once for the relations of the frontier, never once for each entity.
"""

from collections.abc import Sequence

from core.stores.graph_rows import GraphRows, Link


def by_times_said(rows: GraphRows, links: Sequence[Link]) -> list[Link]:
    """Return relations in order: those said by the most sentences first, then by id."""
    said = rows.times_said([link.id for link in links])
    return sorted(links, key=lambda link: (-said.get(link.id, 0), link.id))


def nearest(rows: GraphRows, ids: Sequence[str], *, hops: int, limit: int) -> list[Link]:
    """Return at most `limit` relations within `hops` steps of entities, in any direction.

    Nearest first; of one distance those said by the most sentences, then by id.
    """
    found: dict[str, Link] = {}
    reached = set(ids)
    frontier = list(dict.fromkeys(ids))
    for _ in range(hops):
        level = [link for link in rows.links_of(frontier) if link.id not in found]
        level = by_times_said(rows, level)
        found |= {link.id: link for link in level[: max(0, limit - len(found))]}
        if not level or len(found) >= limit:
            break
        ends = (end for link in level for end in (link.subject_id, link.object_id))
        frontier = [end for end in dict.fromkeys(ends) if end not in reached]
        reached.update(frontier)
    return list(found.values())


class _Side:
    """A breadth-first search from one end: each reached entity with the relation it came by."""

    def __init__(self, start: str) -> None:
        self.came_by: dict[str, Link | None] = {start: None}
        self.frontier = [start]

    def advance(self, rows: GraphRows) -> None:
        """Go one step further from the whole frontier."""
        edge = set(self.frontier)
        reached = []
        for link in rows.links_of(self.frontier):
            for here, there in (
                (link.subject_id, link.object_id),
                (link.object_id, link.subject_id),
            ):
                if here in edge and there not in self.came_by:
                    self.came_by[there] = link
                    reached.append(there)
        self.frontier = reached

    def way_to(self, entity_id: str) -> list[Link]:
        """Return the relations from `entity_id` back to the start, in that order."""
        way = []
        while (link := self.came_by[entity_id]) is not None:
            way.append(link)
            entity_id = link.object_id if link.subject_id == entity_id else link.subject_id
        return way


def shortest(rows: GraphRows, start: str, end: str, *, longest: int) -> list[Link]:
    """Return the relations of a shortest way, in order from `start`; `[]` when there is none.

    Breadth-first from both ends, always from the one with the smaller frontier. Both searches go
    whole steps, so the first entity that both have reached lies on a shortest way.
    """
    if start == end:
        return []
    one, other = _Side(start), _Side(end)
    for _ in range(longest):
        side = one if len(one.frontier) <= len(other.frontier) else other
        side.advance(rows)
        if not side.frontier:
            return []
        opposite = other if side is one else one
        met = next((e for e in side.frontier if e in opposite.came_by), None)
        if met is not None:
            return [*reversed(one.way_to(met)), *other.way_to(met)]
    return []
