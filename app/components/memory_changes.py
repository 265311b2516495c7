"""HTML of what has been done to memories: a word at once, the list with undo, the proof, the data.

A `done` stands below whatever part of the tab is open, until it is dismissed or the next one comes.
"""

from collections.abc import Sequence

from app.components.elements import button, element, text
from app.components.icons import icon
from app.components.memory_row import label_of
from app.i18n import TEXTS, Words
from app.presenters import day_element, escape, time_element
from core.domain.upkeep import Change, ErasureProof

LISTED = 100  # changes that are drawn
NAMED = 3  # memories of a change whose texts are shown


def _dismiss(words: Words) -> str:
    label = words("memory.dismiss")
    return button(icon("close"), act="memory_dismiss", class_="quiet", aria_label=label)


def _undo(change: Change, words: Words) -> str:
    said = label_of(change.before[0]) if change.before else ""
    return button(
        icon("undo") + escape(words("memory.undo")),
        act="memory_undo",
        class_="quiet undo",
        data_change=change.id,
        aria_label=words("changes.undo_it", text=said),
    )


def done(message: str, change: Change | None, words: Words) -> str:
    """Return what has just been done, with its undo where there is one."""
    undo = _undo(change, words) if change is not None else ""
    said = text("p", message, role="status")
    return element("div", said, undo, _dismiss(words), class_="toast")


# --- the proof ------------------------------------------------------------------------------------


def _place(name: str, words: Words) -> str:
    key = f"proof.at_{name}"
    return words(key) if key in TEXTS else name.replace("_", " ")


def _counts(proof: ErasureProof, words: Words) -> str:
    names = [name for name in proof.before if proof.before[name] or proof.after.get(name)]
    names += [name for name in proof.after if name not in proof.before and proof.after[name]]
    head = element(
        "tr",
        *(text("th", words(f"proof.{name}"), scope="col") for name in ("place", "before", "after")),
    )
    rows = [
        element(
            "tr",
            text("th", _place(name, words), scope="row"),
            text("td", f"{proof.before.get(name, 0):,}"),
            text("td", f"{proof.after.get(name, 0):,}"),
        )
        for name in names
    ]
    caption = text("caption", words("proof.counts"))
    return element("table", caption, element("thead", head), element("tbody", *rows))


def _looked(proof: ErasureProof, words: Words) -> str:
    """Return where the texts were looked for after the erasure, and what was found."""
    if proof.found_in:
        said = words("proof.found_in", places=", ".join(proof.found_in))
        return element("p", icon("warning"), text("span", said), class_="warning")
    key = "proof.searched" if proof.searched else "proof.not_searched"
    return text("p", words(key, files=f"{proof.files_read:,}"))


def proof_html(proof: ErasureProof, words: Words, *, everything: bool = False) -> str:
    """Return what an erasure did, in words: counts before and after, and where was looked.

    After everything was erased, the way on is a new page: the other tabs still show what was.
    """
    title = words("proof.done" if proof.complete else "proof.left")
    anew = element("a", escape(words("proof.anew")), class_="primary", href="?")
    shown = element(
        "section",
        text("h3", title),
        element("p", time_element(proof.at), class_="meta"),
        _counts(proof, words),
        _looked(proof, words),
        element("p", anew) if everything else "",
        class_="proof",
        data_complete="yes" if proof.complete else "no",
    )
    dismiss = "" if everything else _dismiss(words)
    return element("div", shown, dismiss, class_="toast with-proof", role="status")


# --- the list of changes, the data ----------------------------------------------------------------


def _change(change: Change, words: Words) -> str:
    named = [text("li", label_of(memory)) for memory in change.before[:NAMED]]
    if len(change.before) > NAMED:
        named.append(text("li", words("tidy.preview_more", count=len(change.before) - NAMED)))
    until = escape(words("changes.until", date="{}")).format(day_element(change.expires_at))
    main = element(
        "div",
        text("h3", words.count(f"changes.{change.kind.value}", len(change.before))),
        element("ul", *named, class_="named"),
        element("p", time_element(change.at), " · ", until, class_="meta"),
        class_="row-main",
    )
    actions = element("div", _undo(change, words), class_="row-actions")
    return element("li", main, actions, class_="change", data_change_row=change.id)


def change_list(changes: Sequence[Change], words: Words) -> str:
    """Return what can be undone, given the last change first."""
    if changes:
        drawn = element("ul", *(_change(c, words) for c in changes[:LISTED]), class_="rows")
    else:
        drawn = text("p", words("changes.none"), class_="nothing")
    return element(
        "section",
        text("h2", words("changes.title")),
        text("p", words("changes.text"), class_="meta"),
        drawn,
        class_="tidy",
        id="changes",
    )


def data_section(words: Words) -> str:
    """Return the ways to take all data along, and to erase it."""
    export = button(
        icon("save") + escape(words("data.export")),
        act="memory_export",
        class_="quiet outlined",
        title=words("data.export_text"),
    )
    word = words("data.erase_word")
    typed = element(
        "label",
        text("span", words("data.erase_type", word=word)),
        element("input", type="text", name="typed", id="erase-typed", autocomplete="off"),
        class_="choice-of",
    )
    yes = button(escape(words("data.erase_yes")), act="erase_everything", class_="danger")
    erase = element(
        "details",
        element(
            "summary", icon("delete") + escape(words("data.erase")), class_="quiet outlined danger"
        ),
        element("div", text("p", words("data.erase_text")), typed, yes, data_form=True),
        class_="erase",
        data_key="erase-everything",
    )
    return element(
        "section",
        text("h2", words("data.title")),
        element("div", export, class_="data-actions"),
        erase,
        class_="tidy",
        id="data",
    )
