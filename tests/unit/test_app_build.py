"""The page as it is built: quick, repeatable, private, and its own."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import gradio as gr
import pytest

from app.components.icons import ASSETS, icon
from app.main import ACTIONS, build_app, free_port, launch_options, warm_up
from app.security import SecurityHeaders
from app.tabs import TABS
from core.services import Services
from core.settings import Settings, load_settings
from core.wiring import build_services

ROOT = Path(__file__).parents[2]


def build(services: Services) -> gr.Blocks:
    """Build the page where an event loop runs; elsewhere Gradio leaves loops of its own open."""

    async def inside() -> gr.Blocks:
        return build_app(services)

    return asyncio.run(inside())


@pytest.fixture
def config(settings: Settings) -> dict[str, object]:
    return build(build_services(settings)).get_config_file()  # type: ignore[return-value]


def test_every_event_is_private(config: dict[str, list[dict[str, object]]]) -> None:
    events = config["dependencies"]
    assert len(events) > 30
    assert {event["api_visibility"] for event in events} == {"private"}


def test_every_event_but_those_without_python_reads_the_token(
    config: dict[str, list[dict[str, object]]],
) -> None:
    components = config["components"]
    token = next(
        c["id"]
        for c in components
        if c["type"] == "browserstate" and "token" in c["props"]["storage_key"]  # type: ignore[index]
    )
    for event in config["dependencies"]:
        if event["backend_fn"]:
            assert event["inputs"][0] == token, event["api_name"]  # type: ignore[index]


def test_building_twice_is_the_same_and_opens_no_store(settings: Settings) -> None:
    services = build_services(settings)
    first, second = build(services), build(services)
    assert len(first.blocks) == len(second.blocks)
    kept = [p.name for p in settings.data_dir.rglob("*") if p.is_file()]
    assert kept == ["secret.key"]


def test_the_secret_of_user_ids_is_not_in_the_page(settings: Settings) -> None:
    services = build_services(settings)
    page = str(build(services).get_config_file())
    assert services.user_secret().decode() not in page


def test_warming_up_makes_ready_what_the_first_question_needs(settings: Settings) -> None:
    services = build_services(settings)
    try:
        warm_up(services)
        assert (settings.data_dir / "records.sqlite3").is_file()
        assert services.engine.documents(namespace="pdf_ada") == []
    finally:
        services.close()


def test_a_failure_while_warming_up_is_one_sentence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    services = build_services(load_settings(env_file=None, data_dir=blocked / "data"))
    try:
        warm_up(services)
    finally:
        services.close()
    (record,) = [r for r in caplog.records if r.name == "app.main"]
    assert record.levelname == "WARNING"
    assert record.exc_info is None
    assert record.message.endswith(".")


def test_importing_the_application_is_the_package(settings: Settings) -> None:
    code = "import app, sys; assert app.__path__; assert 'gradio' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_page_keeps_to_itself(settings: Settings) -> None:
    options = launch_options(settings)
    assert options["share"] is False
    assert options["run_history"] is False
    assert options["enable_monitoring"] is False
    assert options["mcp_server"] is False
    assert options["footer_links"] == []
    assert options["max_file_size"] == settings.max_file_mb * 1024 * 1024
    assert "allowed_paths" not in options
    css = (ASSETS / "app.css").read_text(encoding="utf-8")
    theme = re.sub(r"url\(\"data:[^\"]*\"\)", "", options["theme"]._get_theme_css())
    for text in (css, theme, (ASSETS / "relay.js").read_text(encoding="utf-8")):
        assert not re.search(r"https?://|@import|url\(", text)


def test_a_port_can_be_chosen_by_the_system(settings: Settings) -> None:
    assert launch_options(settings)["server_port"] == settings.port
    assert 1024 <= free_port("127.0.0.1") <= 65535


def test_every_tab_and_action_is_bound(settings: Settings) -> None:
    demo = build(build_services(settings))
    bound = {
        event
        for function in demo.fns.values()
        for _, event in function.targets
    }  # fmt: skip
    assert set(ACTIONS) <= bound
    ids = {getattr(block, "elem_id", None) for block in demo.blocks.values()}
    assert {f"tab-{name}" for name in TABS} <= ids


def test_the_icons_are_our_own_and_take_the_colour_around_them() -> None:
    for path in sorted((ASSETS / "icons").glob("*.svg")):
        svg = icon(path.stem)
        assert 'class="icon"' in svg
        assert 'stroke="currentColor"' in svg
        assert "<script" not in svg


def test_responses_keep_the_browser_from_other_hosts() -> None:
    sent: list[dict[str, object]] = []

    async def plain(scope, receive, send):  # type: ignore[no-untyped-def]
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]})
        await send({"type": "http.response.body", "body": b"x"})

    async def send(message):  # type: ignore[no-untyped-def]
        sent.append(message)

    call = SecurityHeaders(plain)({"type": "http"}, None, send)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):
        call.send(None)  # type: ignore[attr-defined]
    headers = dict(sent[0]["headers"])  # type: ignore[call-overload]
    assert headers[b"a"] == b"b"
    policy = headers[b"content-security-policy"].decode()
    assert "connect-src 'self'" in policy
    assert "http:" not in policy
    assert "*" not in policy
    assert sent[1] == {"type": "http.response.body", "body": b"x"}
