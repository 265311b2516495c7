"""HTML of "How this answer was found": the way from the question to the quotes, for a class."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from app.components.elements import button, element, text
from app.components.icons import icon
from app.components.meters import meter, number, share_bar, time_text
from app.i18n import TEXTS, Words
from app.presenters import escape, named_in_parts, shorten
from core.domain.answer import Answer, AnswerMode, RefusalReason, Route
from core.domain.trace import Trace, TraceCall, TraceCandidate, TraceSentence, TraceTier

FIRST = 8  # candidates and sentences that are shown before "more"
NAME_LENGTH = 40  # characters of a document's name
SENTENCE_LENGTH = 240  # characters of a sentence that was weighed
COLUMNS = (  # scores with a column of their own, in order; the others are folded away
    "instant",
    "refined",
    "words",
    "dense",
    "refined_passage",
    "bm25",
    "coverage",
    "fused",
    "reranked",
)


def _named(prefix: str, code: str, words: Words) -> str:
    """Return the words for a code, or the code itself where there are none."""
    key = f"{prefix}_{code}"
    return words(key) if key in TEXTS else code


def _section(name: str, words: Words, *content: str, caption: str | None = None) -> str:
    told = words(f"found.{name}_text") if caption is None else caption
    return element(
        "section",
        text("h4", words(f"found.{name}")),
        text("p", told, class_="caption"),
        *content,
        class_=f"found-{name}",
    )


def _folded(content: str, count: int, words: Words, *, key: str) -> str:
    """Return what comes after the first rows; `key` keeps it open when it is drawn anew."""
    told = text("summary", words("found.more", count=count), class_="quiet")
    return element("details", told, content, class_="found-more", data_key=key)


# --- queries and tiers ----------------------------------------------------------------------------


def _queries(trace: Trace, words: Words) -> str:
    rows = [
        element(
            "li",
            text("span", query.text, class_="query-text"),
            text("span", _named("found.query", query.kind, words), class_="query-kind"),
            text("span", time_text(query.seconds, words), class_="figure"),
        )
        for query in trace.queries
    ]
    return _section("queries", words, element("ol", *rows)) if rows else ""


def _tier(tier: TraceTier, weights: Mapping[str, float], words: Words) -> str:
    covers = words.count("found.covers", tier.asked, documents=tier.documents, asked=tier.asked)
    weight = weights.get(tier.name)
    about = f"found.tier_{tier.name}_text"
    return element(
        "li",
        text("strong", _named("found.tier", tier.name, words)),
        text("span", covers, class_="figure"),
        "" if weight is None else text("span", _weight(weight, words), class_="figure"),
        text("span", words(about), class_="caption") if about in TEXTS else "",
    )


def _weight(weight: float, words: Words) -> str:
    return words("found.weight", weight=number(weight))


def _tiers(trace: Trace, words: Words) -> str:
    # An index in the making is shown, one that is not there is not.
    tiers = [t for t in trace.tiers if t.documents or f"{t.name}_partly" in trace.notes]
    if not tiers:
        return ""
    named = {tier.name for tier in tiers}
    other = [
        words("found.fusion_part", weight=number(w), tier=_named("found.score", name, words))
        for name, w in trace.weights.items()
        if name not in named
    ]
    fusion = words("found.fusion", sum=" + ".join(other)) if other else ""
    return _section(
        "tiers",
        words,
        element("ul", *(_tier(tier, trace.weights, words) for tier in tiers)),
        text("p", fusion, class_="caption") if fusion else "",
    )


# --- candidates -----------------------------------------------------------------------------------


def _columns(candidates: Iterable[TraceCandidate]) -> list[str]:
    """Return the names of the scores that have a column, in order."""
    found = {name for candidate in candidates for name in candidate.scores}
    if any(candidate.reranked is not None for candidate in candidates):
        found.add("reranked")
    return [name for name in COLUMNS if name in found]


def _bars(prefix: str, scores: Mapping[str, float], words: Words) -> str:
    """Return figures as a list of named bars."""
    rows = [
        element("li", text("span", name), meter(value, label=name))
        for code, value in scores.items()
        for name in (_named(prefix, code, words),)
    ]
    return element("ul", *rows, class_="features")


def _further(candidate: TraceCandidate, words: Words) -> str:
    """Return the scores without a column, folded away."""
    rest = {name: value for name, value in candidate.scores.items() if name not in COLUMNS}
    if not rest:
        return ""
    told = text("summary", words("found.all_scores"), class_="figure")
    bars = _bars("found.score", rest, words)
    return element("details", told, bars, data_key=f"found-scores-{candidate.chunk_id}")


def _place(document: str, document_id: str, page: int, words: Words) -> str:
    """Return a button that opens the page."""
    where = _page(document, page, words)
    return button(
        text("span", shorten(document, NAME_LENGTH), class_="place-name")
        + text("span", where, class_="place-page"),
        act="open_page",
        class_="place",
        title=f"{document} · {where}" if where else document,
        data_document=document_id,
        data_page=page or 1,
    )


def _page(document: str, page: int, words: Words) -> str:
    """Return the place in the file, "" when it is not known: printed numbers are not kept here."""
    if not page:
        return ""
    if named_in_parts(document):
        return words("evidence.part", part=page)
    is_pdf = document.casefold().endswith(".pdf")
    return words("found.page_file" if is_pdf else "evidence.page_plain", page=page)


def _numbers(numbers: Iterable[int]) -> str:
    return "".join(text("span", n, class_="number") for n in numbers)


def _use(candidate: TraceCandidate, words: Words) -> str:
    if candidate.cited:
        return escape(words("found.cited_as")) + " " + _numbers(candidate.cited)
    if candidate.dropped:
        return escape(_named("found.dropped", candidate.dropped, words))
    return escape(words("found.not_cited"))


def _as_used(candidate: TraceCandidate, answer: Answer) -> TraceCandidate:
    """Return the candidate as the answer used it: a model quotes only what it was given."""
    if answer.mode is AnswerMode.GENERATED and candidate.dropped == "not_quoted":
        return replace(candidate, dropped="not_read")
    return candidate


def _candidate(
    rank: int, candidate: TraceCandidate, columns: Sequence[str], many: bool, words: Words
) -> str:
    scores = {**candidate.scores, "reranked": candidate.reranked}
    cells = [
        element(
            "td",
            meter(scores.get(name), label=_named("found.score", name, words)),
            class_=f"score score-{name}",
            data_label=_named("found.score", name, words),
        )
        for name in columns
    ]
    by = words("found.by_query", number=candidate.query + 1) if many else None
    return element(
        "tr",
        text("td", rank, class_="rank", title=by),
        element(
            "td",
            _place(candidate.document, candidate.document_id, candidate.page, words),
            element("span", _use(candidate, words), class_="use"),
            _further(candidate, words),
            class_="where",
        ),
        *cells,
        class_="cited" if candidate.cited else "dropped" if candidate.dropped else None,
    )  # fmt: skip


def _candidates(answer: Answer, trace: Trace, words: Words) -> str:
    if not trace.candidates:
        return ""
    columns = _columns(trace.candidates)
    names = [words("found.rank"), words("found.place")]
    names += [_named("found.score", name, words) for name in columns]
    many = len(trace.queries) > 1
    candidates = [_as_used(candidate, answer) for candidate in trace.candidates]
    rows = [_candidate(rank, c, columns, many, words) for rank, c in enumerate(candidates, 1)]
    table = _table(names, rows[:FIRST])
    if rows[FIRST:]:
        rest = _table(names, rows[FIRST:])
        table += _folded(rest, len(rows) - FIRST, words, key=f"found-candidates-{answer.id}")
    return _section("candidates", words, table)


def _table(names: Sequence[str], rows: Sequence[str]) -> str:
    head = element("tr", *(text("th", name, scope="col") for name in names))
    table = element("table", element("thead", head), element("tbody", *rows))
    return element("div", table, class_="table")


# --- sentences ------------------------------------------------------------------------------------


def _sentence(
    sentence: TraceSentence, names: Mapping[str, str], words: Words, *, refused: bool
) -> str:
    # The code is the same where the whole question was refused, whatever the sentence says.
    code = "refused" if refused and sentence.why == "too_far" else sentence.why
    why = escape(_named("found.why", code, words))
    if sentence.citation is not None:
        why = escape(words("found.cited_as")) + " " + _numbers([sentence.citation])
    name = names.get(sentence.document_id, "")
    key = f"found-sentence-{sentence.document_id}-{sentence.page}-{sentence.text[:40]}"
    return element(
        "li",
        text("q", shorten(sentence.text, SENTENCE_LENGTH)),
        element(
            "div",
            element("span", why, class_="use"),
            _place(name, sentence.document_id, sentence.page, words),
            element(
                "details",
                text(
                    "summary", words("found.score", score=number(sentence.score)), class_="figure"
                ),
                _bars("found.feature", sentence.features, words),
                data_key=key,
            ),
            class_="sentence-line",
        ),
        class_="cited" if sentence.citation is not None else None,
    )


def _sentences(answer: Answer, trace: Trace, words: Words) -> str:
    if not trace.sentences:
        return ""
    names = {c.document_id: c.document for c in trace.candidates}
    names |= {c.document_id: c.document for c in answer.citations}
    refused = answer.mode is AnswerMode.REFUSED
    rows = [_sentence(s, names, words, refused=refused) for s in trace.sentences]
    shown = element("ol", *rows[:FIRST])
    if rows[FIRST:]:
        rest = element("ol", *rows[FIRST:])
        shown += _folded(rest, len(rows) - FIRST, words, key=f"found-sentences-{answer.id}")
    return _section("sentences", words, shown)


# --- the model, the time --------------------------------------------------------------------------


def _call(call: TraceCall, words: Words) -> str:
    about = "~" if call.estimated else ""
    cells = {
        "tokens_in": f"{about}{call.prompt_tokens:,}",
        "tokens_out": f"{about}{call.completion_tokens:,}",
        "took": time_text(call.seconds, words),
        "outcome": _named("found.outcome", call.outcome, words),
    }
    purpose = text("td", _named("found.purpose", call.purpose, words), class_="purpose")
    rest = [text("td", said, data_label=words(f"found.{name}")) for name, said in cells.items()]
    return element("tr", purpose, *rest)


def _calls(trace: Trace, words: Words) -> str:
    if not trace.calls:
        return ""
    names = ("purpose", "tokens_in", "tokens_out", "took", "outcome")
    rows = [_call(call, words) for call in trace.calls]
    return _section("calls", words, _table([words(f"found.{name}") for name in names], rows))


def _time(answer: Answer, trace: Trace, words: Words) -> str:
    timings = dict(trace.timings or answer.timings)
    if not timings:
        return ""
    total = max(answer.seconds, sum(timings.values()))
    shares = [(_named("found.step", name, words), seconds) for name, seconds in timings.items()]
    caption = words("found.time_text", total=time_text(total, words))
    return _section("time", words, share_bar(shares, total, words), caption=caption)


# --- all of it ------------------------------------------------------------------------------------


def _head(answer: Answer, trace: Trace, words: Words) -> str:
    passages, remembered = len(trace.candidates), len(answer.memories)
    said = [
        *([words.count("found.sum_passages", passages)] if passages else []),
        *([words("found.sum_cited", count=len(answer.citations))] if passages else []),
        *([words.count("found.sum_memories", remembered)] if remembered else []),
        time_text(answer.seconds, words),
    ]
    export = button(
        icon("save") + escape(words("found.export")),
        act="export_answer",
        class_="quiet",
        title=words("found.export_help"),
        data_question=answer.id,
    )
    return element(
        "header", text("p", " · ".join(said), class_="found-sum"), export, class_="found-head"
    )


def _notes(answer: Answer, trace: Trace, words: Words) -> str:
    told = [words(f"found.routed_{answer.routed_by}")]
    if answer.route is Route.MEMORY:
        told.append(words("found.remembered"))
    told += [_named("found.note", code, words) for code in trace.notes]
    return element("ul", *(text("li", said) for said in told), class_="found-notes")


def _without_trace(answer: Answer) -> str | None:
    """Return the key of why there is nothing to show, None when there is something."""
    if answer.trace is not None or answer.route is Route.MEMORY:
        return None
    nothing_there = (RefusalReason.NO_DOCUMENTS, RefusalReason.STILL_READING)
    if answer.refusal is not None and answer.refusal.reason in nothing_there:
        return "found.nothing_there"
    return "found.nothing"


def found_html(answer: Answer, words: Words, *, stamp: int) -> str:
    """Return how an answer was found. `stamp` tells the page's script a later drawing from it."""
    without = _without_trace(answer)
    if without is not None:
        body = text("p", words(without), class_="caption")
    else:
        trace = answer.trace or Trace()
        body = "".join(
            (
                _head(answer, trace, words),
                _notes(answer, trace, words),
                _queries(trace, words),
                _tiers(trace, words),
                _candidates(answer, trace, words),
                _sentences(answer, trace, words),
                _calls(trace, words),
                _time(answer, trace, words),
            )
        )
    return element(
        "div",
        element("section", body, class_="found", aria_label=words("found.title")),
        data_explains=answer.id,
        data_stamp=stamp,
    )
