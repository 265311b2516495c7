"""Other libraries' readings of one file, in a process of its own with limits.

    python -m tests.evals.child letters FILE     at least this many letters: counts up to 20
    python -m tests.evals.child pypdf FILE       seconds and pages of pypdf's extract_text

Prints one line of JSON. Started by the evals with `ask_child`.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ENOUGH_LETTERS = 20
MEMORY_BYTES = 2 << 30


def ask_child(what: str, file: Path, *, seconds: float) -> dict[str, Any] | None:
    """Return what the child printed, or None when it died, failed or took longer than `seconds`."""
    command = [sys.executable, "-m", "tests.evals.child", what, str(file)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)
    return found if isinstance(found, dict) else None


def count_letters(file: Path) -> dict[str, Any]:
    """Return how many letters and digits pypdfium2 finds; counting ends at 20."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    count = 0
    for number in range(len(document)):
        try:
            text = document[number].get_textpage().get_text_range()
        except pypdfium2.PdfiumError:
            continue  # a broken page among others
        count += sum(1 for c in text if c.isalnum())
        if count >= ENOUGH_LETTERS:
            break
    return {"letters": count}


def pypdf_rate(file: Path) -> dict[str, Any]:
    """Return the seconds pypdf takes for the text of all pages."""
    import logging

    from pypdf import PdfReader

    logging.disable(logging.CRITICAL)
    begin = time.perf_counter()
    pages = PdfReader(file).pages
    letters = sum(len(page.extract_text()) for page in pages)
    return {
        "seconds": time.perf_counter() - begin,
        "pages": len(pages),
        "characters": letters,
    }


def main() -> int:
    """Do what the command line says."""
    what, file = sys.argv[1], Path(sys.argv[2])
    if what == "letters":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        found = count_letters(file)
    else:
        found = pypdf_rate(file)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
