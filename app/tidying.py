"""Tidying up: forgetting with a preview, moving on, putting away, undo, export, erasure."""

import json
from contextlib import suppress
from typing import Any

import gradio as gr

from app.components.memory_changes import change_list, data_section, done, proof_html
from app.components.memory_tidy import (
    Rule,
    archiving,
    asking_often,
    consolidating,
    forgetting,
    merging,
)
from app.desk import Visit
from app.i18n import LANGUAGES, Words
from app.remembered import draw
from core.domain.memory import MemoryKind
from core.domain.upkeep import Change, ForgetPlan, ForgetStrategy
from core.errors import InvalidInputError, NotFoundError

FILE_NAME = "memories_{session}.json"

Drawn = tuple[object, ...]


# --- forgetting -----------------------------------------------------------------------------------


def _number(value: str, most: float) -> float:
    """Return a number that was typed. Raises `InvalidInputError` outside [0, `most`]."""
    with suppress(ValueError):
        if 0.0 <= (number := float(value)) <= most:
            return number
    raise InvalidInputError()


def chosen_rule(visit: Visit) -> Rule:
    """Return the rule that was chosen. Raises `InvalidInputError` for what is none."""
    kind = visit.text("kinds")
    try:
        return Rule(
            strategy=ForgetStrategy(visit.text("strategy")),
            threshold=_number(visit.text("threshold"), 1),
            max_age_days=_number(visit.text("max_age_days"), 3650),
            kinds=(MemoryKind(kind),) if kind else (),
        )
    except ValueError as error:
        raise InvalidInputError() from error


def preview(visit: Visit) -> Drawn:
    """Show what a rule would forget."""
    rule = chosen_rule(visit)
    plan = visit.assistant.memory.forget_preview(
        rule.strategy,
        threshold=rule.threshold,
        max_age_days=rule.max_age_days,
        kinds=rule.kinds,
    )
    return forgetting(rule, plan, visit.words), plan, rule


def forget(visit: Visit, plan: ForgetPlan | None, rule: Rule | None, *where: Any) -> Drawn:
    """Forget what is ticked in the preview, and show the lists as they are then."""
    if plan is None:
        raise InvalidInputError()
    listed = set(visit.text("ids_all").split())
    ticked = set(visit.text("ids").split())
    rest = visit.has("rest") and bool(visit.text("rest"))
    planned = [item.memory.id for item in plan.items]
    ids = [i for i in planned if i in ticked or (rest and i not in listed)]
    drawn = forgetting(rule or Rule(), None, visit.words)
    if not ids:
        message = done(visit.words("tidy.none_ticked"), None, visit.words)
        return gr.skip(), gr.skip(), message, *(gr.skip(),) * 3
    change = visit.assistant.memory.forget(plan, ids)
    return drawn, None, _counted("forgotten", change, visit.words), *draw(visit, *where)


def _counted(name: str, change: Change | None, words: Words) -> str:
    count = len(change.before) if change is not None else 0
    return done(words.count(f"memory.done_{name}", count), change, words)


# --- moving on, putting away ----------------------------------------------------------------------


def draw_tidy(visit: Visit, rule: Rule | None) -> Drawn:
    """Draw the proposals anew, without a preview."""
    plan = visit.assistant.memory.consolidation_preview()
    rule = rule or Rule()
    drawn = forgetting(rule, None, visit.words)
    alike = merging(visit.assistant.memory.near_duplicates(), visit.words)
    often = asking_often(visit.assistant.memory.often_asked(), visit.words)
    moves = often + consolidating(plan, visit.words)
    return drawn, None, rule, moves, alike, archiving(visit.words)


def consolidate(visit: Visit, *where: Any) -> Drawn:
    """Move on what is ready."""
    change = visit.assistant.memory.consolidate()
    left = visit.assistant.memory.consolidation_preview()
    message = _counted("consolidated", change, visit.words)
    return consolidating(left, visit.words), message, *draw(visit, *where)


def merge(visit: Visit, *where: Any) -> Drawn:
    """Make one memory of the pair that was clicked. Raises `NotFoundError`."""
    ids = visit.text("older"), visit.text("newer")
    memory = visit.assistant.memory
    pair = next((p for p in memory.near_duplicates() if (p.older.id, p.newer.id) == ids), None)
    change = memory.merge(pair) if pair is not None else None
    if change is None:
        raise NotFoundError("This pair is not there (any more).")
    message = done(visit.words("memory.done_merged"), change, visit.words)
    return merging(memory.near_duplicates(), visit.words), message, *draw(visit, *where)


def archive(visit: Visit, *where: Any) -> Drawn:
    """Put away what has not been used for long."""
    change = visit.assistant.memory.archive_old()
    if change is None:
        message = done(visit.words("tidy.archive_none"), None, visit.words)
        return message, *(gr.skip(),) * 3
    return _counted("archived", change, visit.words), *draw(visit, *where)


# --- undo, export, erasure ------------------------------------------------------------------------


def draw_changes(visit: Visit) -> Drawn:
    """Draw what can be undone, and the ways to take the data along and to erase it."""
    words = visit.words
    return change_list(visit.assistant.memory.changes(), words), data_section(words)


def undo(visit: Visit, rule: Rule | None, *where: Any) -> Drawn:
    """Undo a change, and show the lists as they are then; proposals only where they are open."""
    memory, words = visit.assistant.memory, visit.words
    restored = memory.undo(visit.text("change"))
    message = done(words.count("memory.done_undone", len(restored)), None, words)
    proposals: Drawn = (gr.skip(),) * 2
    if rule is not None:
        proposals = (
            consolidating(memory.consolidation_preview(), words),
            merging(memory.near_duplicates(), words),
        )
    return change_list(memory.changes(), words), *proposals, message, *draw(visit, *where)


def export(visit: Visit) -> Drawn:
    """Return everything remembered, as JSON text and file name."""
    text = json.dumps(visit.assistant.memory.export(), ensure_ascii=False, indent=2)
    return text, FILE_NAME.format(session=visit.assistant.session_id)


def erase_everything(visit: Visit, *where: Any) -> Drawn:
    """Erase all of the learner's memories once the word has been typed, and show the proof."""
    words = visit.words
    typed = visit.text("typed").strip().casefold()
    if typed not in {Words(language)("data.erase_word") for language in LANGUAGES}:
        message = done(words("data.erase_not_typed"), None, words)
        return *(gr.skip(),) * 2, message, *(gr.skip(),) * 3
    proof = visit.assistant.memory.erase_everything()
    return *draw_changes(visit), proof_html(proof, words, everything=True), *draw(visit, *where)
