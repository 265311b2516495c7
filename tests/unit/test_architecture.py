"""The rules of the code base that no linter checks: sizes, failures, what may be imported."""

import ast
import importlib.metadata
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PRODUCT = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("app/**/*.py"), ROOT / "app.py"])
TESTS = sorted(ROOT.glob("tests/**/*.py"))
LONGEST_FILE = 400
LONGEST_FUNCTION = 50
WIDE_EXCEPTIONS = {"Exception", "BaseException"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


def places(paths: list[Path], *kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    for path in paths:
        for node in ast.walk(tree(path)):
            if isinstance(node, kinds):
                yield f"{name_of(path)}:{getattr(node, 'lineno', 0)}", node


@pytest.mark.parametrize("path", [*PRODUCT, *TESTS], ids=name_of)
def test_files_stay_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def is_mostly_text(node: ast.AST) -> bool:
    """Tell whether most lines of a function are string literals: SQL, prompts, tables."""
    first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
    covered = {
        line
        for child in ast.walk(node)
        if isinstance(child, ast.Constant) and isinstance(child.value, str)
        for line in range(child.lineno, (child.end_lineno or child.lineno) + 1)
    }
    return len(covered) > (last - first + 1) / 2


def test_functions_stay_short() -> None:
    long = [
        f"{where} {node.name}"
        for where, node in places(PRODUCT, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
        and not is_mostly_text(node)
    ]
    assert long == []


def test_only_the_error_boundary_catches_everything() -> None:
    wide = []
    for where, node in places(PRODUCT, ast.ExceptHandler):
        assert isinstance(node, ast.ExceptHandler)
        names = (
            {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {""}
        )
        # Some vendors raise bare Exception: to raise ours from it, or it again, hides nothing.
        last = node.body[-1]
        reraises = isinstance(last, ast.Raise) and (last.exc is None or last.cause is not None)
        if (node.type is None or names & WIDE_EXCEPTIONS) and not reraises:
            wide.append(where)
    assert [w for w in wide if not w.startswith("app/errors.py")] == []


def test_only_settings_read_the_environment() -> None:
    readers = [
        where
        for where, node in places(PRODUCT, ast.Attribute, ast.ImportFrom)
        if (isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb"))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and {a.name for a in node.names} & {"environ", "getenv"}
        )
    ]
    assert [r for r in readers if not r.startswith("core/settings.py")] == []


def test_nothing_is_patched_in_tests() -> None:
    mocked = [
        where
        for where, node in places(TESTS, ast.Import, ast.ImportFrom)
        if "mock" in ast.unparse(node)
    ]
    assert mocked == []


def test_no_package_of_tests_hides_the_real_one() -> None:
    assert sorted(name_of(p) for p in ROOT.glob("tests/**/__init__.py")) == []
    names = [p.name for p in TESTS if p.name.startswith("test_")]
    assert len(names) == len(set(names)), "pytest needs unique file names without packages"


def imported(paths: list[Path]) -> dict[str, str]:
    found: dict[str, str] = {}
    for where, node in places(paths, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            modules = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            modules = [node.module]
        else:
            continue
        for module in modules:
            found.setdefault(module.partition(".")[0], where)
    return {m: w for m, w in found.items() if m not in sys.stdlib_module_names}


def required(file: str) -> dict[str, str]:
    """Return normalised name -> version of the pinned lines of a requirements file.

    Also of those for other platforms.
    """
    pins = re.findall(
        r"^([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?==([^\s;]+)(?:;.+)?$",
        (ROOT / file).read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pins}


def test_what_the_product_imports_is_required_by_name() -> None:
    providers = importlib.metadata.packages_distributions()
    pinned = required("requirements.txt")
    missing = [
        f"{module} ({where})"
        for module, where in imported(PRODUCT).items()
        if module not in ("app", "core")
        and not {re.sub(r"[-_.]+", "-", d).lower() for d in providers.get(module, [module])}
        & pinned.keys()
    ]
    assert missing == []


def test_the_installed_versions_are_the_pinned_ones() -> None:
    pinned = required("requirements.txt") | required("requirements-dev.txt")
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if ";" in line and not line.startswith("#"):
            requirement = Requirement(line)
            if requirement.marker is not None and not requirement.marker.evaluate():
                pinned.pop(requirement.name)
    assert len(pinned) > 20
    assert {name: importlib.metadata.version(name) for name in pinned} == pinned


def test_every_requirement_is_pinned_exactly() -> None:
    for file in sorted(path.name for path in ROOT.glob("requirements*.txt")):
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        packages = [line for line in lines if line and not line.startswith(("#", "-r "))]
        assert len(required(file)) == len(packages), file
