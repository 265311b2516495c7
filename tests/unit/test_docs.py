"""The documents say what is true: front matter, settings, links, versions, both languages."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from core.settings import known_names

ROOT = Path(__file__).parents[2]
DOCS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        ROOT / "sample_docs" / "README.md",
    ]
)
READMES = (ROOT / "README.md", ROOT / "README.zh.md")
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def pins(file: str) -> dict[str, str]:
    found = re.findall(
        r"^([\w.-]+)(?:\[[\w,]+\])?==([^\s;]+)(?:;.+)?$", text_of(ROOT / file), re.MULTILINE
    )
    return dict(found)


def front_matter() -> dict[str, object]:
    match = re.match(r"---\n(.*?)\n---\n", text_of(ROOT / "README.md"), re.DOTALL)
    assert match, "README.md must begin with the front matter of the Space"
    loaded = yaml.safe_load(match.group(1))
    assert isinstance(loaded, dict)
    return loaded


def test_the_space_starts_what_is_here() -> None:
    front = front_matter()
    assert front["sdk"] == "gradio"
    assert front["sdk_version"] == pins("requirements.txt")["gradio"]
    assert front["python_version"] == "3.11", "as text: 3.10 as a number would be 3.1"
    assert (ROOT / str(front["app_file"])).is_file()
    assert front["license"] == "mit"
    assert front["pinned"] is False
    assert {front["colorFrom"], front["colorTo"]} <= COLOURS
    assert front["title"]
    assert front["emoji"]
    assert len(str(front["short_description"])) <= 60


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_to_files_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(path))
    local = [t for t in targets if not re.match(r"[a-z]+:", t)]
    assert [t for t in local if not (path.parent / unquote(t)).exists()] == []


def test_every_document_is_looked_at() -> None:
    assert len(DOCS) >= 6


@pytest.mark.parametrize("path", READMES, ids=lambda p: p.name)
def test_settings_named_in_the_readme_exist(path: Path) -> None:
    named = set(re.findall(r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|HOST|PORT)`", text_of(path)))
    assert {"LLM_API_KEY", "QDRANT_URL", "DATA_DIR", "HOST"} <= named
    assert named - set(known_names()) == set()


def commands(path: Path) -> list[str]:
    code = re.findall(r"`([^`\n]+)`", text_of(path).partition("```python")[0])
    return sorted(c for c in code if re.match(r"(make|python|docker|py|cp) ", c))


def test_both_readmes_give_the_same_commands_and_figures() -> None:
    english, chinese = READMES
    assert commands(english) == commands(chinese)
    assert len(commands(english)) >= 5
    assert text_of(english).count("\n| ") == text_of(chinese).count("\n| ")
    assert text_of(english).count("\n## ") == text_of(chinese).count("\n## ")


def test_commands_of_the_readme_exist() -> None:
    text = "".join(text_of(path) for path in READMES)
    makefile = text_of(ROOT / "Makefile")
    for target in set(re.findall(r"`make (\w+)", text)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for module in set(re.findall(r"python -m ([\w.]+)", text)) - {"venv", "pip"}:
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file(), module


def test_the_changelog_has_a_place_for_the_next_change() -> None:
    headings = re.findall(r"^## (.+)$", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"


def test_the_table_of_dependencies_is_that_of_the_requirements() -> None:
    rows = dict(
        re.findall(
            r"^\| ([\w.-]+) \| ([\w.+]+) \|",
            text_of(ROOT / "docs" / "dependencies.md"),
            re.MULTILINE,
        )
    )
    rows.pop("package")
    wanted: dict[str, str] = {}
    for file in ROOT.glob("requirements*.txt"):
        wanted |= pins(file.name)
    assert rows == wanted


def test_the_licence_is_the_one_that_is_named() -> None:
    assert text_of(ROOT / "LICENSE").startswith("MIT License")


def test_the_container_copies_what_it_needs_and_nothing_private() -> None:
    kept = set(re.findall(r"^!(.+)$", text_of(ROOT / ".dockerignore"), re.MULTILINE))
    assert kept >= {"app", "app.py", "assets", "core", "sample_docs", "requirements.txt"}
    assert not kept & {".env", "data", ".git", "tests"}
    assert all((ROOT / name).exists() for name in kept)


def test_the_container_runs_as_somebody_and_is_watched() -> None:
    lines = text_of(ROOT / "Dockerfile").splitlines()
    assert "USER learner" in lines
    assert any("--uid 1000" in line for line in lines)
    assert "EXPOSE 7860" in lines
    assert "VOLUME /data" in lines
    assert any(line.startswith("HEALTHCHECK") for line in lines)


def test_what_is_given_to_the_container_is_a_setting() -> None:
    compose = yaml.safe_load(text_of(ROOT / "docker-compose.yml"))
    app = compose["services"]["app"]
    assert set(app["environment"]) <= set(known_names())
    assert {"qdrant", "neo4j"} == {
        name for name, service in compose["services"].items() if service.get("profiles")
    }


@pytest.mark.parametrize(
    ("path", "found", "remembered"),
    [(READMES[0], "eight of them", "attention sees a set"), (READMES[1], "八个头", "当成集合")],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_the_example_of_the_readme_runs(
    path: Path, found: str, remembered: str, data_dir: Path
) -> None:
    match = re.search(r"```python\n(.*?)```", text_of(path), re.DOTALL)
    assert match
    done = subprocess.run(
        [sys.executable, "-c", match.group(1)],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(data_dir), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert found in done.stdout
    assert "[1]" in done.stdout
    assert remembered in done.stdout
    assert list(data_dir.glob("learners/*/reports/*.json"))
