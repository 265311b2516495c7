"""Adapter: spaCy reads subjects, verbs and objects from the structure of sentences.

It needs a language model of spaCy's that is installed already (`en_core_web_sm`, …); nothing is
downloaded. Its names and relations come beside those of the rules.
"""

import importlib
import importlib.util
import threading
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any

from core.domain.graph import Entity, EntityKind, RelationKind
from core.graph.naming import entity
from core.graph.phrases import named, tokenize
from core.graph.sentences import plain, sentences_of, states
from core.graph.stated import fitting
from core.graph.verbs import ACTIVE, Trigger
from core.ports.extractor import Extracted, ReadFact, ReadMention

CONFIDENCE = 0.65
NAME_CONFIDENCE = 0.6
_SIZES = ("lg", "md", "sm", "trf")
_LANGUAGES = ("en",)
_KINDS = {
    "PERSON": EntityKind.PERSON,
    "ORG": EntityKind.ORGANISATION,
    "GPE": EntityKind.PLACE,
    "LOC": EntityKind.PLACE,
    "FAC": EntityKind.PLACE,
    "WORK_OF_ART": EntityKind.WORK,
}
_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "obj")
_DENIED = ("neg",)


def installed_model(language: str) -> str | None:
    """Return the name of the best installed model of spaCy's for a language, None without any.

    Of a package under another name (`en_core_web_sm_…`) the size is what its name says.
    """
    if language not in _LANGUAGES or importlib.util.find_spec("spacy") is None:
        return None
    # where spaCy looks too (`spacy.util.get_installed_models`), without the second of its import
    installed = entry_points(group="spacy_models")
    names = [model.name for model in installed if model.name.startswith(f"{language}_")]
    sized = [
        (_SIZES.index(part), name) for name in names for part in name.split("_") if part in _SIZES
    ]
    return min(sized)[1] if sized else None


class SpacyExtractor:
    """Reads English with an installed model; loads it at the first text. Thread-safe."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._nlp: Any = None

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    def extract(self, text: str, *, language: str) -> Extracted:
        """See `Extractor.extract`; of a language that the model does not know, nothing."""
        if language not in _LANGUAGES:
            return Extracted()
        sentences = list(dict.fromkeys(sentences_of(text)))
        facts: list[ReadFact] = []
        mentions: list[ReadMention] = []
        with self._lock:
            docs = list(self._loaded().pipe(plain(s, language) + "." for s in sentences))
        for sentence, doc in zip(sentences, docs, strict=True):
            mentions += [
                ReadMention(entity=one, sentence=sentence, confidence=NAME_CONFIDENCE)
                for one in _names(doc)
            ]
            if states(sentence, language):
                facts += _facts(doc, sentence)
        return Extracted(mentions=tuple(mentions), facts=tuple(facts))

    def _loaded(self) -> Any:
        if self._nlp is None:
            self._nlp = importlib.import_module("spacy").load(self._model)
        return self._nlp


def _names(doc: Any) -> Iterator[Entity]:
    for found in doc.ents:
        kind = _KINDS.get(found.label_)
        several = len(found) > 1 or kind in (EntityKind.PLACE,)
        if kind is not None and several and found.text[:1].isupper():
            yield entity(found.text.removeprefix("the "), "en", kind)


def _facts(doc: Any, sentence: str) -> Iterator[ReadFact]:
    chunks = {chunk.root.i: chunk for chunk in doc.noun_chunks}
    for verb in doc:
        if verb.pos_ not in ("VERB", "AUX") or any(c.dep_ in _DENIED for c in verb.children):
            continue
        subjects = [
            one
            for child in verb.children
            if child.dep_ in _SUBJECTS
            for one in _entities(child, chunks, subject=True)
        ]
        passive = any(child.dep_ == "nsubjpass" for child in verb.children)
        for trigger, objects in _said(verb, chunks, passive=passive):
            for one in subjects:
                for other in objects:
                    first, second = (other, one) if trigger.inverse != passive else (one, other)
                    for fact in fitting(first, trigger.kind, second, CONFIDENCE, trigger.label):
                        yield ReadFact(
                            subject=fact.subject,
                            kind=fact.kind,
                            object=fact.object,
                            sentence=sentence,
                            confidence=fact.confidence,
                            label=fact.label,
                        )


def _said(verb: Any, chunks: Any, *, passive: bool) -> Iterator[tuple[Trigger, list[Entity]]]:
    """Yield what a verb states, with the things it states it of."""
    for trigger in ACTIVE.get(verb.lemma_.lower(), ()):
        if trigger.form != "base" or trigger.kind is RelationKind.HAPPENED_IN:
            continue
        if not trigger.rest:
            places = [c for c in verb.children if c.dep_ in _OBJECTS and not passive]
            agents = [c for c in verb.children if c.dep_ == "agent" and passive]
            places += [g for c in agents for g in c.children if g.dep_ == "pobj"]
        elif len(trigger.rest) == 1 and not passive:
            preps = [c for c in verb.children if c.lower_ == trigger.rest[0]]
            places = [g for c in preps for g in c.children if g.dep_ == "pobj"]
        else:
            continue
        objects = [one for place in places for one in _entities(place, chunks, subject=False)]
        if objects:
            yield trigger, objects
            return


def _entities(head: Any, chunks: Any, *, subject: bool) -> Iterator[Entity]:
    """Yield what a noun and those joined to it name."""
    for noun in (head, *head.conjuncts):
        chunk = chunks.get(noun.i)
        if noun.pos_ not in ("NOUN", "PROPN") or chunk is None:
            continue
        if any(child.dep_ == "relcl" for child in noun.children):
            continue
        tokens = tokenize(
            f". {_written(noun, chunk, chunks)}"
        )  # not at the beginning of a sentence
        one = named(tokens, 1, len(tokens.words), subject=subject)
        if one is not None:
            yield one


def _written(noun: Any, chunk: Any, chunks: Any) -> str:
    """Return a noun phrase with what `of` adds to it; a common noun's first letter is small."""
    end = chunk.end
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            inner = [chunks[o.i].end for o in child.children if o.i in chunks]
            end = max([end, *inner])
    written: str = chunk.doc[chunk.start : end].text.strip(' "“”')
    if chunk.start == 0 and chunk[0].pos_ != "PROPN":
        written = written[:1].lower() + written[1:]
    return written
