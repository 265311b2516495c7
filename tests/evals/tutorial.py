"""The scripts of the documents, run as a reader runs them, and their output beside them.

    python -m tests.evals.tutorial [--write] [FILE ...]

Every Python block that stands behind `<!-- script: NAME -->` runs in a process, a folder and a data
folder of its own, with nothing configured. The text block behind `<!-- output: NAME -->` must be
what it printed, ids and times aside; `--write` puts it there. Without files: `docs/tutorial.md`
and `docs/another-assistant.md`.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.settings import known_names

ROOT = Path(__file__).parents[2]
FILES = (ROOT / "docs" / "tutorial.md", ROOT / "docs" / "another-assistant.md")
SECONDS = 180
_SCRIPT = re.compile(
    r"<!-- script: (?P<name>[\w-]+) -->\n\n?```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
_OUTPUT = "(<!-- output: {} -->\n\n?```text\n)(?P<text>.*?)(^```$)"
_VARIES = (
    (re.compile(r"\bID: [0-9a-f]{8}\b"), "ID: 00000000"),
    (re.compile(r"ID：[0-9a-f]{8}\b"), "ID：00000000"),
    (re.compile(r"\bsession_\d{8}_\d{6}_[0-9a-f]+"), "session_00000000_000000_000000"),
    (re.compile(r"\b\d+\.\d s\b"), "0.0 s"),
    (re.compile(r"\d+\.\d 秒"), "0.0 秒"),
    (re.compile(r"\b(age_days|idle_days|freshness)=[\d.e+-]+"), r"\1=0"),
)


@dataclass(frozen=True, slots=True)
class Script:
    """A script of a document, and what the document says it prints."""

    name: str
    code: str
    output: str


def scripts(path: Path) -> list[Script]:
    """Return the scripts of a document, in order. Raises `ValueError` if an output is missing."""
    text = path.read_text(encoding="utf-8")
    found = []
    for match in _SCRIPT.finditer(text):
        output = _output(match["name"]).search(text)
        if output is None:
            raise ValueError(f"{path.name}: no output of {match['name']}")
        found.append(Script(match["name"], match["code"], output["text"]))
    return found


def _output(name: str) -> re.Pattern[str]:
    return re.compile(_OUTPUT.format(re.escape(name)), re.MULTILINE | re.DOTALL)


def run(code: str, folder: Path, settings: Mapping[str, str] | None = None) -> str:
    """Return what a script prints in a process of its own, in `folder`, with these settings.

    The finer index is off: how soon it is there would show in the scores. Raises `RuntimeError`.
    """
    known = {name.upper() for name in known_names()}
    kept = {name: value for name, value in os.environ.items() if name.upper() not in known}
    own = {
        "DATA_DIR": str(folder / "data"),
        "REFINE_ENABLED": "false",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**kept, **own, **(settings or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def normalised(text: str) -> str:
    """Return output without what is different in every run: ids, sessions, times."""
    for varies, same in _VARIES:
        text = varies.sub(same, text)
    return text


def rewritten(path: Path, printed: Mapping[str, str]) -> str:
    """Return the document with the output of each script by name."""
    text = path.read_text(encoding="utf-8")
    for name, output in printed.items():
        whole = output if output.endswith("\n") else f"{output}\n"
        text = _output(name).sub(lambda m, whole=whole: m[1] + whole + m[3], text, count=1)
    return text


def check(path: Path, *, write: bool) -> int:
    """Run the scripts of a document; return how many print something else than it says."""
    different, printed = 0, {}
    for script in scripts(path):
        with tempfile.TemporaryDirectory() as folder:
            output = run(script.code, Path(folder))
        printed[script.name] = output
        same = normalised(output) == normalised(script.output)
        different += not same
        print(f"{path.name} {script.name}: {'as written' if same else 'different'}")
        if not same and not write:
            print(output)
    if write and different:
        path.write_text(rewritten(path, printed), encoding="utf-8")
    return different


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 when every script prints what its document says, or that was written now."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, default=FILES)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    different = sum(check(path, write=given.write) for path in given.files)
    return 1 if different and not given.write else 0


if __name__ == "__main__":
    sys.exit(main())
