"""The bounds of reading facts and of questions about connections, on our own texts."""

from tests.evals import graph, graph_sentences


def test_facts_are_read_and_connections_found() -> None:
    assert len(graph_sentences.labelled()) >= 60
    assert len(graph.questions()) >= 40
    assert {q.language for q in graph.questions()} == {"en", "zh"}
    sections, details = graph.run_all(None)
    missed = [f.name for figures in sections.values() for f in figures if f.passed is False]
    assert missed == [], details
    assert sum(f.floor is not None for figures in sections.values() for f in figures) >= 6
