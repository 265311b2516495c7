"""HTML of how good the knowledge graph is, in words."""

from collections.abc import Sequence

from app.components.elements import button, element, text
from app.components.memory_graph import Sources, entity_link, proven, says
from app.i18n import Words
from app.presenters import escape
from core.domain.graph import Entity
from core.domain.graph_views import Contradiction, GraphQuality, MergeProposal

NAMED = 12  # things that are named
LISTED = 10  # pairs, contradictions and circles that are listed


def _names(entities: Sequence[Entity], count: int) -> str:
    named = ", ".join(entity.name for entity in entities[:NAMED])
    return f"{named} …" if count > len(entities[:NAMED]) else named


def _orphans(quality: GraphQuality, words: Words) -> str:
    if not quality.orphan_count:
        return words("graph.quality_no_orphans")
    names = _names(quality.orphans, quality.orphan_count)
    return words.count("graph.quality_orphans", quality.orphan_count, names=names)


def _pair(pair: MergeProposal, words: Words) -> str:
    said = words("graph.pair", keep=pair.keep.name, drop=pair.drop.name)
    why = text("span", words(f"graph.merge_{pair.reason}"), class_="meta")
    merge = button(
        escape(words("graph.merge")),
        act="graph_merge",
        class_="link",
        data_keep=pair.keep.id,
        data_drop=pair.drop.id,
        title=words("graph.merge_help", keep=pair.keep.name),
    )
    return element("li", text("span", said), " ", why, " ", merge)


def _contradiction(found: Contradiction, sources: Sources, words: Words) -> str:
    rows = [proven(r, r.evidence[0], sources, words) for r in found.relations if r.evidence]
    return element("li", element("ul", *rows, class_="statements"))


def _circle(entities: Sequence[Entity], words: Words) -> str:
    return element("li", " → ".join(entity_link(entity, words) for entity in entities))


def _section(key: str, rows: Sequence[str], words: Words, *, none: str = "") -> str:
    if not rows:
        return text("p", words(none)) if none else ""
    return text("p", words(key)) + element("ul", *rows, class_="found-faults")


def quality_section(quality: GraphQuality, sources: Sources, words: Words) -> str:
    """Return what may be wrong with the graph; "" when there is no graph."""
    counts = quality.counts
    if not counts.entities:
        return ""
    numbers = {
        "entities": f"{counts.entities:,}",
        "relations": f"{counts.relations:,}",
        "evidence": f"{counts.evidence:,}",
    }
    pairs = [_pair(pair, words) for pair in quality.duplicates[:LISTED]]
    against = [_contradiction(c, sources, words) for c in quality.contradictions[:LISTED]]
    circles = [_circle(entities, words) for entities in quality.cycles[:LISTED]]
    own = [element("li", says(relation, words)) for relation in quality.self_relations[:LISTED]]
    return element(
        "section",
        text("h2", words("graph.quality")),
        text("p", words("graph.quality_text"), class_="meta"),
        text("p", words("graph.quality_counts", **numbers)),
        text("p", words("graph.quality_doubtful", percent=f"{quality.doubtful:.0%}")),
        text("p", _orphans(quality, words)),
        _section("graph.quality_duplicates", pairs, words, none="graph.quality_no_duplicates"),
        _section(
            "graph.quality_contradictions", against, words, none="graph.quality_no_contradictions"
        ),
        _section("graph.quality_cycles", circles, words),
        _section("graph.quality_self", own, words),
        class_="tidy",
        id="graph-quality",
    )
