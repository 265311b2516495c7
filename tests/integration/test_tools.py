"""The memory tool with its real stores, readers and embedder."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from PIL import Image, ImageDraw, ImageFont

from core.assistant import PDFLearningAssistant
from core.domain.memory import MemoryKind
from core.domain.memory_item import MemoryConfig
from core.errors import InvalidInputError
from core.settings import load_settings
from core.tools import MemoryTool
from core.wiring import build_services

ID = re.compile(r"ID[:：] ?([0-9a-f]{8})\.\.\.")

LI_SI = "Li Si is a frontend engineer skilled in React and Vue.js development"
ZHANG_SAN = "User Zhang San is a Python developer focusing on machine learning and data analysis"


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """One process, as an application has it; every test is a user of its own."""
    folder = tmp_path_factory.mktemp("tools")
    made = build_services(load_settings(env_file=None, data_dir=folder, refine_enabled=False))
    yield made
    made.close()


@pytest.fixture
def user(request):
    return request.node.name


@pytest.fixture
def tool(user, services):
    return MemoryTool(user_id=user, services=services)


@pytest.fixture
def do(tool):
    return tool.execute


def id_in(text):
    (found,) = ID.findall(text)
    return found


def memories(tool):
    return tool.memory_manager.list()


# add


def test_what_is_added_keeps_everything_that_is_said_of_it(tool, do):
    assert tool.current_session_id is None
    done = do(
        "add",
        content="On March 15, 2024, user Zhang San completed their first Python project",
        memory_type="episodic",
        importance=0.8,
        event_type="milestone",
        location="Online learning platform",
        participants=["Zhang San"],
        at=datetime(2024, 3, 15, tzinfo=UTC),
    )
    (kept,) = memories(tool)
    assert done == f"✅ Memory added (ID: {kept.id[:8]}...)"
    assert kept.kind is MemoryKind.EPISODIC
    assert kept.importance == 0.8
    assert kept.event == "milestone"
    assert kept.metadata == {
        "event_type": "milestone",
        "location": "Online learning platform",
        "participants": ["Zhang San"],
        "at": "2024-03-15T00:00:00+00:00",
    }
    assert re.fullmatch(r"session_\d{8}_\d{6}_\w+", kept.session_id)
    assert tool.current_session_id == kept.session_id


def test_the_defaults_are_those_of_the_text(tool, do):
    do("add", content="User just asked a question about Python functions")
    do("add", content="Python is interpreted", memory_type="semantic", knowledge_type="factual")
    semantic, working = memories(tool)
    assert (working.kind, working.importance) == (MemoryKind.WORKING, 0.5)
    assert semantic.metadata == {"knowledge_type": "factual"}
    assert working.session_id == semantic.session_id


def test_a_session_that_is_named_counts(tool, do):
    do("add", content="oak", memory_type="episodic", session_id="session_of_monday")
    assert memories(tool)[0].session_id == "session_of_monday"


def test_the_same_text_again_is_one_memory(tool, do):
    first = id_in(do("add", content=LI_SI, memory_type="semantic"))
    again = do("add", content=LI_SI, memory_type="semantic")
    assert again == f"✅ Already remembered, now seen 2 times (ID: {first}...)"
    assert len(memories(tool)) == 1


def picture(path, text=""):
    image = Image.new("L", (640, 120), 255)
    if text:
        ImageDraw.Draw(image).text((20, 40), text, fill=0, font=ImageFont.load_default(36))
    image.save(path)
    return str(path)


def test_a_file_is_perceived(tool, do, tmp_path):
    path = picture(tmp_path / "code_screenshot.png", "def quicksort(items)")
    content = "User uploaded a Python code screenshot containing function definitions"
    done = do("add", content=content, memory_type="perceptual", importance=0.7, file_path=path)
    assert done.startswith("✅ Memory added")
    (kept,) = memories(tool)
    assert kept.kind is MemoryKind.PERCEPTUAL
    assert kept.content.startswith(content)
    assert kept.metadata["modality"] == "image"
    assert kept.metadata["file_name"] == "code_screenshot.png"
    assert "[Perceptual Memory]" in do("search", query="quicksort")


def test_a_file_needs_no_words_where_it_has_its_own(tool, do, tmp_path):
    do("add", memory_type="perceptual", file_path=picture(tmp_path / "a.png", "Oak is pegged"))
    (kept,) = memories(tool)
    assert "oak" in kept.content.lower()
    told = do("add", memory_type="perceptual", file_path=picture(tmp_path / "b.png"))
    assert told.startswith("❌ ")
    assert "in words" in told, "what to do is told"
    assert len(memories(tool)) == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "There is nothing to remember. Give content, or a file_path."),
        ({"content": " "}, "There is nothing to remember."),
        ({"content": "x", "memory_type": "semantc"}, "Use one of: working, episodic, semantic,"),
        ({"content": "x", "importance": 1.5}, "“importance” must be within 0…1"),
        ({"content": "x", "importance": "high"}, "“importance” must be a number"),
        ({"content": "x", "weight": object()}, "“weight” must be a JSON value"),
        ({"content": ["x"]}, "“content” must be a text"),
        (
            {"content": "x", "memory_type": "perceptual", "file_path": "./no/such.png"},
            "There is no file ./no/such.png. Check the path",
        ),
        (
            {"content": "x", "file_path": "./no/such.png"},
            "A file belongs to perceptual memory, not to Working Memory. Set memory_type",
        ),
        (
            {"content": "x", "memory_type": "perceptual", "file_path": "x" * 5000},
            "There is no file xxx",
        ),
        ({"content": "x", "modality": "smell"}, "Use one of: text, image, audio, video."),
        ({"content": "没有", "memory_type": "语义"}, "记忆类型“语义”不存在，或此处没有启用。"),
    ],
)
def test_what_cannot_be_added_is_told_with_the_remedy(tool, do, given, told):
    done = do("add", **given)
    assert done.startswith("❌ ")
    assert told in done
    assert memories(tool) == []
    assert tool.current_session_id is None


def test_text_that_no_database_keeps_is_kept_without_what_it_cannot_keep(tool, do):
    done = do("add", content="oak \ud800\x00 tree", event_type="a\ud800", where="b\x00")
    assert done.startswith("✅")
    (kept,) = memories(tool)
    assert kept.metadata["where"] == "b\ufffd"
    assert kept.event == "a\ufffd"
    assert "oak" in do("search", query="oak \udfff\x00")


# search


def test_search_tells_type_text_importance_and_id_best_first(do):
    zhang = id_in(do("add", content=ZHANG_SAN, memory_type="semantic", importance=0.8))
    li = id_in(do("add", content=LI_SI, memory_type="semantic", importance=0.7))
    do("add", content="Wang Wu manages products", memory_type="semantic", importance=0.6)
    found = do("search", query="frontend engineer", limit=3)
    assert found.splitlines()[0].startswith("🔍 Found")
    assert f"1. [Semantic Memory] {LI_SI} (Importance: 0.70, ID: {li}...)" in found
    found = do("search", query="Python developer")
    assert f"1. [Semantic Memory] {ZHANG_SAN[:80]}... (Importance: 0.80, ID: {zhang}...)" in found


def test_relevance_goes_before_importance(do):
    do("add", content="Bought groceries", memory_type="episodic", importance=0.9)
    do("add", content="The capital of France is Paris", memory_type="semantic", importance=0.3)
    assert "1. [Semantic Memory] The capital" in do(
        "search", query="What is the capital of France?"
    )


def test_the_limit_is_that_of_all_types_and_importance_counts(do):
    for n in range(4):
        do("add", content=f"oak fact {n}", memory_type="semantic", importance=0.2 + 0.2 * n)
        do("add", content=f"oak event {n}", memory_type="episodic", importance=0.9)
    assert len(ID.findall(do("search", query="oak", limit=5))) == 5
    assert len(ID.findall(do("search", query="oak", memory_type="semantic"))) == 4
    some = do("search", query="oak", memory_types=["semantic", "episodic"], min_importance=0.7)
    assert len(ID.findall(some)) == 5
    assert "oak fact 0" not in do("search", query="oak", limit=9, min_importance=0.5)
    assert do("search", query="zebra") == "🔍 No memories found related to 'zebra'"
    assert "Use one of" in do("search", query="oak", memory_type="oak")


def test_chinese_is_found_and_answered_in_chinese(do):
    do("add", content="监督学习需要标注数据", memory_type="working")
    found = do("search", query="监督学习需要什么")
    assert found.startswith(
        "🔍 找到 1 条相关记忆：\n1. [工作记忆] 监督学习需要标注数据（重要性：0.50，ID："
    )
    assert do("search", query="斑马") == "🔍 没有找到与“斑马”相关的记忆"
    assert do("search", query="斑马", language="en").startswith("🔍 No memories")


# summary and stats


def test_summary_and_statistics(tool, do):
    assert "Current session: none yet" in do("summary")
    zhang = id_in(do("add", content=ZHANG_SAN, memory_type="semantic", importance=0.8))
    do("add", content="asked", importance=0.4)
    summary = do("summary", limit=5)
    assert "Memories: 2" in summary
    assert f"Current session: {tool.current_session_id}" in summary
    assert "• Semantic Memory: 1 (mean importance: 0.80)" in summary
    assert f"1. [Semantic Memory] {ZHANG_SAN[:80]}... (Importance: 0.80, ID: {zhang}...)" in summary
    stats = do("stats")
    assert "Memories: 2" in stats
    assert "Types: working, episodic, semantic, perceptual" in stats
    assert "• Working Memory: 1" in stats
    assert "记忆总数：2" in do("stats", language="zh")


def test_what_was_replaced_is_not_told_as_important(tool, do):
    do("add", content="I live in Paris", memory_type="semantic", importance=0.9)
    do("add", content="I live in Rome now", memory_type="semantic", importance=0.9)
    summary = do("summary")
    assert "I live in Rome now" in summary
    assert "Paris" not in summary
    assert "Paris" not in do("search", query="Where do I live?")
    assert len(memories(tool)) == 2, "it is still there to be seen"


# update and remove


def test_a_memory_is_changed_by_the_beginning_of_its_id(tool, do):
    short = id_in(do("add", content=LI_SI, memory_type="semantic", importance=0.5))
    done = do("update", memory_id=short, content="Li Si is a painter", importance=0.9, since=2024)
    assert done == f"✅ Memory updated (ID: {short}...): Li Si is a painter (Importance: 0.90)"
    (kept,) = memories(tool)
    assert kept.metadata == {"since": 2024}
    assert "painter" in do("search", query="painter")
    assert "❌ There is nothing to change." in do("update", memory_id=short)
    assert "painter" in do("update", memory_id=kept.id, importance=0.1)


def test_a_memory_is_removed_and_can_be_brought_back(tool, do):
    short = id_in(do("add", content=LI_SI, memory_type="semantic"))
    assert do("remove", memory_id=f"{short}...").startswith(f"✅ Memory removed (ID: {short}...)")
    assert memories(tool) == []
    assert "No memories found" in do("search", query="frontend engineer")
    manager = tool.memory_manager
    manager.undo(manager.changes()[0].id)
    assert "Li Si" in do("search", query="frontend engineer")


@pytest.mark.parametrize("action", ["update", "remove"])
def test_an_id_that_names_nothing_is_told(do, action):
    given = {"content": "x"} if action == "update" else {}
    assert do(action, memory_id="0" * 8, **given) == (
        "❌ There is no memory with the ID 00000000. Take an ID from search or summary."
    )
    assert "❌" in do(action, memory_id="0" * 36, **given)
    assert "too short" in do(action, memory_id="1234", **given)
    assert "“memory_id” is missing" in do(action, **given)


# forget and consolidate


def test_forgetting_can_be_previewed(tool, do):
    low = id_in(do("add", content="trifle", memory_type="episodic", importance=0.15))
    do("add", content="treasure", memory_type="episodic", importance=0.9)
    seen = do("forget", strategy="importance_based", threshold=0.2, preview=True)
    assert "Would be forgotten: 1" in seen
    assert f"1. [Episodic Memory] trifle (Importance: 0.15, ID: {low}...)" in seen
    assert "importance=0.15" in seen
    assert len(memories(tool)) == 2
    done = do("forget", strategy="importance_based", threshold=0.2)
    assert done == "🧹 Forgot 1 memories (strategy: importance_based)"
    assert [m.content for m in memories(tool)] == ["treasure"]
    assert do("forget") == "🧹 Forgot 0 memories (strategy: importance_based)"


def test_every_strategy_is_there(do):
    do("add", content="trifle", memory_type="episodic", importance=0.15)
    for strategy in ("importance_based", "time_based", "capacity_based", "intelligent"):
        told = do("forget", strategy=strategy, max_age_days=30, preview=True)
        assert told.startswith("🧹 Would")
        assert strategy in told
    assert "Use one of: importance_based, time_based," in do("forget", strategy="all")


def test_the_threshold_of_the_configuration_counts_where_none_is_given(user, services):
    config = MemoryConfig(importance_threshold=0.4)
    tool = MemoryTool(user, memory_config=config, services=services)
    tool.execute("add", content="trifle", memory_type="episodic", importance=0.3)
    assert "Would be forgotten: 1" in tool.execute("forget", preview=True)
    assert "Would forget nothing" in tool.execute("forget", preview=True, threshold=0.1)


def test_forgetting_keeps_to_the_types_that_are_named(tool, do):
    do("add", content="event", memory_type="episodic", importance=0.1)
    do("add", content="fact", memory_type="semantic", importance=0.1)
    do("forget", threshold=0.5, memory_types=["episodic"])
    assert [m.content for m in memories(tool)] == ["fact"]


def test_important_working_memories_become_episodic(tool, do):
    kept = id_in(do("add", content="I decided to learn Rust", importance=0.9))
    do("add", content="small talk", importance=0.3)
    done = do("consolidate", from_type="working", to_type="episodic", importance_threshold=0.7)
    assert done == (
        "🔄 Consolidated 1 memories to long-term memory (working → episodic, threshold=0.7)"
    )
    (moved,) = [m for m in memories(tool) if m.kind is MemoryKind.EPISODIC]
    assert moved.id.startswith(kept)
    assert moved.importance <= 1
    assert "Consolidated 0" in do("consolidate")
    assert "Use one of" in do("consolidate", from_type="dream")


# isolation


def test_clear_all_deletes_what_is_the_users_and_nobody_elses(tool, do, user, services):
    other = MemoryTool(user_id="carol", services=services)
    other.execute("add", content=LI_SI, memory_type="semantic")
    do("add", content=LI_SI, memory_type="semantic")
    do("add", content="now")
    assert do("clear_all") == f"🧽 Deleted all 2 memories of {user} for good."
    assert memories(tool) == []
    assert "Li Si" in other.execute("search", query="frontend engineer")
    assert "No memories" in do("search", query="frontend engineer")


def test_it_is_the_memory_of_the_assistant(do, user, services):
    ada = PDFLearningAssistant(user, services=services)
    ada.add_note("Oak is pegged.", concept="oak")
    assert "Oak is pegged." in do("search", query="oak")
    do("add", content="Teak is oiled.", memory_type="semantic", concept="teak")
    do(
        "add",
        content="Loaded document 《mill.pdf》",
        memory_type="episodic",
        importance=0.9,
        event_type="document_loaded",
    )
    assert {note.content for note in ada.notes()} == {"Oak is pegged.", "Teak is oiled."}
    assert "mill.pdf" in ada.ask("What documents have I loaded before?").text


def test_types_that_are_off_are_neither_written_nor_found(user, services):
    tool = MemoryTool(user, memory_types=["working", "semantic"], services=services)
    told = tool.execute("add", content="x", memory_type="episodic")
    assert told.endswith("Use one of: working, semantic.")
    MemoryTool(user, services=services).execute("add", content=LI_SI, memory_type="episodic")
    assert "No memories" in tool.execute("search", query="frontend engineer")
    with pytest.raises(InvalidInputError, match="dreamt"):
        MemoryTool(user, memory_types=["dreamt"], services=services)


def test_many_at_once(tool, do):
    with ThreadPoolExecutor(4) as pool:
        done = list(
            pool.map(lambda n: do("add", content=f"fact {n}", memory_type="semantic"), range(12))
        )
    assert all(told.startswith("✅") for told in done)
    assert len({id_in(told) for told in done}) == 12
    assert len(memories(tool)) == 12
