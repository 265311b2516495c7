"""What a user asks of an agent that has no language model: by rules, English and Chinese."""

import re

_ASKED_TO_EN = r"(?:(?:can|could|will|would)\s+you\s+)?(?:please\s+)?(?:also\s+)?"
_REMEMBER_EN = re.compile(
    rf"(?:^|[.!;,]\s+|\b(?:hello|hi|hey)\b[\s,!.]*|\band\s+){_ASKED_TO_EN}"
    r"(?:remember|memori[sz]e|keep\s+in\s+mind|note\s+down|note|make\s+a\s+note|(?:do\s+not|don['’]t)"
    r"\s+forget)\b(?:\s+of)?(?:\s+(?:that|this))?\s*[:,]?\s+(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_REMEMBER_ZH = re.compile(
    r"(?:^|[，。！,!；\s])(?:你好[，。！,!\s]*)?(?:请|麻烦|帮我|你|能不能|可不可以|能|可以)*(?:记住|记下|记一下|记着|别忘了|不要忘记|(?<=请)记得)"
    r"(?:这一点|一下)?\s*[：:，,]?\s*(?P<what>.+)",
    re.DOTALL,
)
_ABOUT_USER = re.compile(r"\b(?:i|me|my|mine|myself)\b|我", re.IGNORECASE)
_DELETING = re.compile(
    r"\b(?:delet|eras|clear|wip|forget|remov|reset|empty|start\s+over)|删|清空|清除|忘|抹|重置",
    re.IGNORECASE,
)
_QUESTION_EN = re.compile(
    r"^\W*(?:(?:hello|hi|hey)\W+)?(?:please\s+)?(?:what|who|whom|whose|when|where|why|how|which|is|"
    r"are|was|were|do|does|did|has|have|tell\s+me|explain|describe|find|search|look\s+up|show)\b",
    re.IGNORECASE,
)
_QUESTION_ZH = re.compile(
    r"什么|谁|哪|怎么|怎样|如何|为什么|为何|多少|几[个条点次年月天]|吗[？?。]?\s*$|呢[？?。]?\s*$"
    r"|^\W*(?:请)?(?:介绍|解释|说明|查找|搜索|告诉我)"
)


def to_remember(text: str) -> str | None:
    """Return what a text asks to be remembered, None when it asks for nothing of the kind."""
    line = " ".join(text.split())
    if line.endswith(("?", "？")) and not _polite(line):
        return None
    found = _REMEMBER_EN.search(line) or _REMEMBER_ZH.search(line)
    what = found["what"].strip(" ?？") if found else ""
    if line.endswith(("吗?", "吗？")):
        what = what.removesuffix("吗")
    return what or None


def _polite(line: str) -> bool:
    """Tell whether a question is a request: "Can you remember that …?"."""
    return bool(re.match(r"^\W*(?:can|could|will|would)\s+you\s+", line, re.IGNORECASE)) or bool(
        re.match(r"^\W*(?:你)?(?:能不能|可不可以|能|可以)(?:请)?(?:帮我)?(?:记住|记下)", line)
    )


def is_question(text: str) -> bool:
    """Tell whether a text asks for something to be looked up."""
    line = " ".join(text.split())
    if to_remember(line) is not None:
        return False
    return (
        line.endswith(("?", "？"))
        or bool(_QUESTION_EN.search(line))
        or bool(_QUESTION_ZH.search(line))
    )


def speaks_of_deleting(text: str) -> bool:
    """Tell whether a text speaks of deleting or forgetting at all."""
    return _DELETING.search(text) is not None


def is_about_the_user(text: str) -> bool:
    """Tell whether a text speaks of who wrote it."""
    return _ABOUT_USER.search(text) is not None
