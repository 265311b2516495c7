"""Example questions that fit a document: from its definitions, headings and frequent words."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest

from core.domain.document import BlockKind, Document, Page
from core.study import question_words as words
from core.study.frequent import Spelling, frequent_chinese, frequent_english
from core.text.letters import letters
from core.text.sentences import split_pages
from core.text.tokens import cjk_share, language_of

MAX_SENTENCES = 3000
"""Enough for what any book is about."""
SAMPLE_PAGES = 4
"""Questions come from so many of the first pages."""
MAX_TOPIC_CHARS = {"en": 48, "zh": 16}
EDGES = " .。、,，-–—"

Topic = tuple[str, str]
"""A question and what it is about."""


def questions_about(
    documents: Sequence[Document], page: Callable[[Document, int], Page], *, limit: int
) -> list[str]:
    """Return at most `limit` questions that fit the documents, from the first ones and pages."""
    out: list[str] = []
    for document in documents:
        numbers = range(1, min(document.pages_read, SAMPLE_PAGES) + 1)
        sentences = split_pages([page(document, number) for number in numbers])
        out += suggest_questions(
            document.headings,
            [s.text for s in sentences if s.kind is BlockKind.PARAGRAPH],
            language=document.language,
            limit=limit,
        )
        if len(out) >= limit:
            break
    return list(dict.fromkeys(out))[:limit]


def suggest_questions(
    headings: Sequence[str], sentences: Sequence[str], *, language: str, limit: int
) -> list[str]:
    """Return at most `limit` different questions in `language` (`en` or `zh`), the best first.

    What the text itself defines and what its headings name take turns; frequent words fill up.
    `[]` when a document gives nothing to ask about.
    """
    sentences = sentences[:MAX_SENTENCES]
    text = "\n".join(sentences)
    if language == "zh":
        defined = _chinese_definitions(sentences)
        named = (_chinese_heading(heading) for heading in headings)
        frequent = (_about_chinese(topic) for topic in frequent_chinese(text))
    else:
        spelling = Spelling(text)
        defined = _english_definitions(sentences, spelling)
        named = (_english_heading(heading, spelling) for heading in headings)
        frequent = (
            _about_english(spelling.of(topic.title())) for topic in frequent_english(sentences)
        )
    turns = chain.from_iterable(zip_longest(_by_frequency(defined, text), filter(None, named)))
    return _different(chain(filter(None, turns), frequent), limit)


def _different(candidates: Iterator[Topic], limit: int) -> list[str]:
    """The first `limit` questions of which no topic lies within another."""
    questions: list[str] = []
    topics: list[str] = []
    for question, topic in candidates:
        if len(questions) >= limit:
            break
        key = letters(words.ARTICLE.sub("", topic, count=1))
        if key and not any(key in other or other in key for other in topics):
            topics.append(key)
            questions.append(question)
    return questions


def _heading_topic(heading: str, language: str) -> str | None:
    """Return a heading without number and subtitle, `None` when it names nothing."""
    if words.NO_TOPIC.search(heading):
        return None
    topic = words.NUMBERING.sub("", " ".join(heading.split()))
    if not topic.endswith(("?", "？")):
        topic = words.SUBTITLE.split(topic, maxsplit=1)[0]
    topic = topic.strip(EDGES)
    generic = letters(topic) in words.GENERIC_HEADINGS or len(letters(topic)) < 2
    return None if generic or len(topic) > MAX_TOPIC_CHARS[language] else topic


def _english_heading(heading: str, spelling: Spelling) -> Topic | None:
    topic = _heading_topic(heading, "en")
    if topic is None or language_of(topic) == "zh":
        return None
    if topic.endswith("?"):
        return topic, topic
    if words.CLAUSE_EN.search(topic):
        return None
    topic = _small_article(spelling.of(topic))
    return _about_english(topic) if words.JOINED_EN.search(topic) else (_what_is(topic), topic)


def _chinese_heading(heading: str) -> Topic | None:
    topic = _heading_topic(heading, "zh")
    if topic is None or words.OWN_WORDS_ZH.search(topic):
        return None
    if topic.endswith(("?", "？")):
        return topic, topic
    if cjk_share(topic) == 0 and " " in topic:
        return None
    if words.ASKING_ZH.search(topic):
        return f"{topic}？", topic
    return _about_chinese(topic) if words.JOINED_ZH.search(topic) else (f"什么是{topic}？", topic)


def _english_definitions(sentences: Sequence[str], spelling: Spelling) -> Iterator[Topic]:
    for sentence in sentences:
        match = words.DEFINED_EN.match(sentence.strip())
        if match is None or words.NO_SUBJECT_EN.match(match[1]) or words.CLAUSE_EN.search(match[1]):
            continue
        if _is_plural(match[1]) == (match["verb"].lower() == "are"):
            topic = _mid_sentence(match[1], spelling)
            yield _what_is(topic), topic


def _chinese_definitions(sentences: Sequence[str]) -> Iterator[Topic]:
    for sentence in sentences:
        match = words.DEFINED_ZH.match(sentence.strip())
        if match and not words.NO_SUBJECT_ZH.search(match[1].strip()):
            yield f"什么是{match[1].strip()}？", match[1].strip()


def _by_frequency(topics: Iterator[Topic], text: str) -> list[Topic]:
    """The topics the text comes back to most often first; once is a passing remark."""
    text = text.lower()
    counted = [
        (text.count(words.ARTICLE.sub("", topic.lower(), count=1)), question, topic)
        for question, topic in topics
    ]
    ordered = sorted((c for c in counted if c[0] > 1), key=lambda c: c[0], reverse=True)
    return [(question, topic) for _, question, topic in ordered]


def _about_english(topic: str) -> Topic:
    return f"What does the document say about “{topic}”?", topic


def _about_chinese(topic: str) -> Topic:
    return f"文中是怎样讲“{topic}”的？", topic


def _what_is(topic: str) -> str:
    return f"What {'are' if _is_plural(topic) else 'is'} {topic}?"


def _small_article(topic: str) -> str:
    article = words.ARTICLE.match(topic)
    return article.group().lower() + topic[article.end() :] if article else topic


def _mid_sentence(subject: str, spelling: Spelling) -> str:
    """Write the subject of a sentence as it stands inside one: only its first word changes."""
    if words.ARTICLE.match(subject):
        return _small_article(subject)
    first, space, rest = subject.partition(" ")
    return spelling.of(first) + space + rest


def _is_plural(topic: str) -> bool:
    last = topic.rsplit(" ", 1)[-1].lower()
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "ics"))
