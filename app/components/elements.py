"""Building HTML: attribute values are escaped here, children are HTML already."""

from app.presenters import escape

Attribute = str | int | float | bool | None
VOID = ("img", "input")  # elements without an end tag


def element(tag: str, *children: str, **attributes: Attribute) -> str:
    """Return an element. `data_page=3` is written `data-page="3"`, `class_` is `class`.

    True gives a bare attribute; False and None leave it out.
    """
    written = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return f"<{tag}{written}>"
    return f"<{tag}{written}>{''.join(children)}</{tag}>"


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    shown = name.rstrip("_").replace("_", "-")
    return f" {shown}" if value is True else f' {shown}="{escape(value)}"'


def text(tag: str, value: object, **attributes: Attribute) -> str:
    """Return an element that holds plain text."""
    return element(tag, escape(value), **attributes)


def button(content: str, *, act: str, **attributes: Attribute) -> str:
    """Return a button that means the event `act`; `content` is HTML."""
    return element("button", content, type="button", data_act=act, **attributes)


def confirmed(
    summary: str, *, label: str, question: str, yes: str, act: str, **attributes: Attribute
) -> str:
    """Return a button that asks `question` before the event `act`; `summary` is HTML.

    The key lets the page's script keep it open when what is around it is drawn anew.
    """
    box = element(
        "div",
        text("p", question),
        button(escape(yes), act=act, class_="danger", **attributes),
        class_="confirm-box",
    )
    opener = element("summary", summary, class_="quiet", aria_label=label)
    key = "-".join([act, *map(str, attributes.values())])
    return element("details", opener, box, class_="confirm", data_key=key)


def empty(icon: str, *children: str) -> str:
    """Return what stands where there is nothing yet."""
    return element("div", icon, *children, class_="empty")
