"""Every visible string exists in both languages, is used, and no string stands beside the table."""

import ast
import re
import string
from pathlib import Path

import pytest

import app.main  # noqa: F401  (imports every tab, and with it every error class)
from app.i18n import LANGUAGES, TEXTS, Words, preferred_language, translations
from core.errors import AssistantError

ROOT = Path(__file__).parents[2]
SOURCES = sorted(ROOT.glob("app/**/*.py"))
HAN = re.compile(r"[一-鿿]")
# Names of things, the same in every language, and keys that the assistant's statistics have.
NAMES = {
    "中文",
    "How language models read",
    "《大模型如何读书》",
    "大模型如何读书.pdf",
    "Session Duration",
    "Documents Loaded",
    "Questions Asked",
    "Learning Notes",
    "Current Document",
    "Not loaded",
}
# Class names of elements, the browser's script, SVG, and the forms that memories are kept in.
NOT_WORDS = re.compile(r"(?s)[a-z-]+( [a-z-]+)+|.*=>.*|<svg .*|\(\?s\).*")


def error_classes(base: type[AssistantError] = AssistantError) -> set[type[AssistantError]]:
    return {base}.union(*(error_classes(kind) for kind in base.__subclasses__()))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_strings_have_both_languages_with_the_same_fields() -> None:
    assert [key for key, texts in TEXTS.items() if not all(text.strip() for text in texts)] == []
    assert [key for key, (english, _) in TEXTS.items() if HAN.search(english)] == []
    plain = {key for key, (_, chinese) in TEXTS.items() if not HAN.search(chinese)}
    assert plain == {
        "ask.note_memory",
        "ask.note_source",
        "documents.kinds_mark",
        "doubt.means",
        "documents.names_mark",
        "evidence.contents_page",
        "found.fusion_part",
        "kind.json",
        "kind.markdown",
        "kind.office",
        "kind.pdf",
    }
    unequal = [key for key, (en, zh) in TEXTS.items() if fields(en) != fields(zh)]
    assert unequal == []


@pytest.mark.parametrize(
    "kind", sorted(error_classes(), key=lambda c: c.code), ids=lambda c: c.code
)
def test_every_error_has_a_sentence_and_a_remedy(kind: type[AssistantError]) -> None:
    for language in LANGUAGES:
        words = Words(language)
        assert words(f"error.{kind.code}")
        assert words(f"error.{kind.code}.remedy", reference="ABC123")


def test_every_key_is_used() -> None:
    tables = [ROOT / "app" / "i18n.py", *ROOT.glob("app/texts/*.py")]
    code = "\n".join(p.read_text(encoding="utf-8") for p in SOURCES if p not in tables)
    # Keys that are put together: f"documents.{stage}_pages", f"error.{code}.remedy" and the like.
    literals = set(re.findall(r'(?<!\w)f?"([a-z]+\.[^"\s]+)"', code.replace("'", '"')))
    patterns = [
        re.compile(re.sub(r"\\\{.*?\\\}", r"[a-z_0-9]*", re.escape(text))) for text in literals
    ]
    unused = [
        key
        for key in TEXTS
        if not any(p.fullmatch(k) for p in patterns for k in (key, key.removesuffix("_one")))
    ]
    assert unused == []


def visible_literals(path: Path) -> list[str]:
    """Return string constants that look like words for a reader, outside docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = re.findall(r"[A-Za-z]{2,} [A-Za-z]{2,}", node.value)
            if id(node) not in docstrings and (words or HAN.search(node.value)):
                found.append(node.value)
    return found


@pytest.mark.parametrize(
    "path",
    sorted([*ROOT.glob("app/tabs/*.py"), *ROOT.glob("app/components/*.py")]),
    ids=lambda p: p.name,
)
def test_tabs_and_components_hold_no_visible_string(path: Path) -> None:
    assert [
        t for t in visible_literals(path) if t not in NAMES and not NOT_WORDS.fullmatch(t)
    ] == []


def test_words_fill_their_fields_and_count() -> None:
    assert Words("en").count("documents.pages", 1) == "1 page"
    assert Words("en").count("documents.pages", 3) == "3 pages"
    assert Words("zh").count("documents.pages", 1) == "1 页"
    with pytest.raises(KeyError):
        Words("en")("no.such.key")


@pytest.mark.parametrize(
    ("choice", "accept", "default", "expected"),
    [
        ("zh", "en-US", "en", "zh"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "auto", "zh"),
        (None, "fr-FR,en;q=0.5,zh;q=0.7", "auto", "zh"),
        (None, "zh-TW", "en", "en"),
        (None, "de", "auto", "en"),
        (None, None, "auto", "en"),
        ("klingon", ";;q=,zh-Hans;q=1", "auto", "zh"),
        (["zh"], "", "zh", "zh"),
    ],
)
def test_the_language_is_the_learners_then_the_operators_then_the_browsers(
    choice: object, accept: str | None, default: str, expected: str
) -> None:
    assert preferred_language(choice, accept=accept, default=default) == expected


def test_the_first_paint_has_every_key_in_every_language() -> None:
    tables = translations()
    assert {"en", "zh", "zh-CN"} <= set(tables)
    assert all(set(table) == set(TEXTS) for table in tables.values())
    assert tables["zh-CN"]["tab.ask"] == "提问"
