"""Callers that name files which are not theirs, and that write what makes no sense."""

import json

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.memory import MemoryKind
from core.domain.upkeep import ForgetStrategy
from core.errors import DocumentError, InvalidInputError, NotFoundError
from core.memory_manager import MemoryManager
from core.settings import load_settings
from core.tools import MemoryTool, RAGTool
from core.tools.agent import files_in
from core.wiring import build_services

SECRET = "The glimmerfax lies under the bridge."


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """One process, as an application has it; every test is a user of its own."""
    folder = tmp_path_factory.mktemp("callers")
    made = build_services(load_settings(env_file=None, data_dir=folder, refine_enabled=False))
    yield made
    made.close()


@pytest.fixture
def user(request):
    return request.node.name


@pytest.fixture
def ada(user, services):
    return PDFLearningAssistant(f"{user} ada", services=services)


@pytest.fixture
def memory(user, services):
    return MemoryManager(user_id=user, services=services)


@pytest.fixture
def tool(user, services):
    return MemoryTool(user, services=services)


@pytest.fixture
def private(services, ada, tmp_path):
    """Files of Ada's and of the application, and links to them."""
    path = tmp_path / "ada.md"
    path.write_text(f"# Private\n\n{SECRET}\n", encoding="utf-8")
    ada.load_document(path)
    path.unlink()
    ada.generate_report()
    home = services.settings.data_dir
    (home / "secret.key").write_text("a key " * 9, encoding="utf-8")
    found = [p for p in home.rglob("*") if p.suffix in (".md", ".json", ".key") and p.is_file()]
    assert {".md", ".json", ".key"} <= {p.suffix for p in found}
    (tmp_path / "link.md").symlink_to(next(p for p in found if p.suffix == ".md"))
    (tmp_path / "folder").symlink_to(home, target_is_directory=True)
    return [*found, tmp_path / "link.md", tmp_path / "folder" / "secret.key", home / "none.md"]


def test_tools_open_no_file_of_the_application(services, tool, private):
    rag = RAGTool(services=services)
    for path in map(str, private):
        perceptual = {"content": "c", "memory_type": "perceptual"}
        told = [
            tool.execute("add", file_path=path, **perceptual),
            tool.execute("add", raw_data=path, **perceptual),
            tool.execute("add", metadata={"raw_data": path}, **perceptual),
            rag.execute("add_document", file_path=path),
        ]
        assert all(text.startswith("❌") and "where" in text for text in told), told
    assert tool.memory_manager.list() == []
    chinese = rag.execute("add_document", file_path=str(private[0]), language="zh")
    assert "所有用户文件" in chinese
    rag = RAGTool(services=services)
    assert "empty" in rag.execute("search", query="glimmerfax under the bridge")


def test_a_file_beside_the_tool_is_no_way_into_the_folder(services, private):
    home = services.settings.data_dir
    rag = RAGTool(home, services=services)
    assert "keeps everybody's files" in rag.execute("add_document", file_path="secret.key")


def test_the_manager_opens_no_file_of_the_application(memory, private):
    for path in private:
        with pytest.raises(InvalidInputError, match="everybody's files"):
            memory.add_memory("c", "perceptual", metadata={"raw_data": str(path)})
    assert memory.list() == []


def test_an_agent_sees_every_file_that_a_call_would_open():
    assert files_in({"file_path": "a", "raw_data": "b", "metadata": {"raw_data": "c"}}) == [
        "a", "b", "c",
    ]  # fmt: skip
    assert files_in({"metadata": json.dumps({"raw_data": "c"})}) == ["c"]
    assert files_in({"metadata": "no JSON", "content": "x"}) == []


def test_metadata_given_as_one_object_is_that_of_the_memory(tool):
    given = {"concept": "wood", "place": "mill"}
    tool.execute("add", content="Oak is pegged", memory_type="semantic", metadata=given, place="x")
    (kept,) = tool.memory_manager.list()
    assert (kept.metadata["concept"], kept.metadata["place"]) == ("wood", "x")
    assert "metadata" not in kept.metadata
    assert kept.event == "note"
    assert tool.execute("update", memory_id=kept.id, metadata='{"place": "barn"}').startswith("✅")
    assert tool.memory_manager.get(kept.id).metadata["place"] == "barn"
    for wrong in ("text", 5, ["a"]):
        assert "JSON object" in tool.execute("add", content="Teak", metadata=wrong)


WRONG = {
    "importance": lambda m: m.add_memory("Oak", "semantic", "0.5"),
    "importance of an edit": lambda m: m.update_memory(m.list()[0].id, importance="0.5"),
    "limit as text": lambda m: m.retrieve_memories("oak", limit="3"),
    "limit in parts": lambda m: m.retrieve_memories("oak", limit=2.5),
    "huge limit": lambda m: m.list(limit=10**20),
    "limit below 0": lambda m: m.list(limit=-1),
    "limit of the archive": lambda m: m.list(limit=-1, archived=True),
    "limit of a search": lambda m: m.search("oak", limit=10**20),
    "limit of the summary": lambda m: m.get_summary(limit="3"),
    "least importance": lambda m: m.retrieve_memories("oak", min_importance="0.1"),
    "threshold": lambda m: m.forget_memories(threshold="0.1"),
    "age": lambda m: m.forget_memories("time_based", max_age_days="30"),
    "threshold of a step": lambda m: m.consolidate_memories(importance_threshold="0.7"),
    "event": lambda m: m.add_memory("Teak", "episodic", metadata={"event": "e" * 1000}),
    "session": lambda m: m.add_memory("Teak", "episodic", metadata={"session_id": "s" * 1000}),
    "metadata": lambda m: m.add_memory("Teak", "working", metadata={"a": {1, 2}}),
    "metadata of an edit": lambda m: m.update_memory(m.list()[0].id, metadata={"a": b"x"}),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_makes_no_sense_is_refused_in_words(memory, wrong):
    memory.add_memory("Walnut is carved", "semantic")
    before = memory.list()
    with pytest.raises(InvalidInputError):
        wrong(memory)
    assert memory.list() == before


def test_any_age_can_be_given(memory, tool):
    memory.add_memory("Walnut is carved", "semantic")
    for strategy in ForgetStrategy:
        for days in (0, 1e300, float("inf")):
            memory.forget_preview(strategy, max_age_days=days)
            tool.execute("forget", strategy=strategy, max_age_days=days, preview=True)


BY_ID = {
    "memory": lambda a, i: a.memory.get(i),
    "edit": lambda a, i: a.memory.edit(i, importance=0.4),
    "delete": lambda a, i: a.memory.delete([i]),
    "erase": lambda a, i: a.memory.delete_for_good(i),
    "undo": lambda a, i: a.memory.undo(i),
    "erase document": lambda a, i: a.memory.erase_document(i),
    "delete document": lambda a, i: a.delete_document(i),
    "page": lambda a, i: a.page(i, 1),
    "picture of a page": lambda a, i: a.page_image(i, 1),
    "figure": lambda a, i: a.figure_image(i),
    "question": lambda a, i: a.question(i),
    "note": lambda a, i: a.delete_note(i),
    "graph": lambda a, i: a.memory.graph_picture(around=i),
    "connection": lambda a, i: a.memory.connected(i, i),
    "entities": lambda a, i: a.memory.merge_entities(i, i),
}


@pytest.mark.parametrize("asked", BY_ID.values(), ids=BY_ID)
def test_ids_that_cannot_be_kept_are_those_of_nothing(ada, asked):
    for no_id in ("\ud800" * 40, "a" * 40 + "\ud800", "a" * 9 + "\udfff", "\x00" * 40):
        with pytest.raises((NotFoundError, InvalidInputError)) as raised:
            asked(ada, no_id)
        assert raised.value.sentence.encode()


@pytest.mark.parametrize("wrong", ["bob\ud800", "bob\x00"])
def test_names_that_cannot_be_kept_are_refused(services, wrong):
    for make in (
        lambda: MemoryManager(user_id=wrong, services=services),
        lambda: MemoryManager(session_id=wrong, services=services),
        lambda: PDFLearningAssistant(wrong, services=services),
        lambda: RAGTool(rag_namespace=wrong, services=services),
        lambda: RAGTool(collection_name=wrong, services=services),
    ):
        with pytest.raises(InvalidInputError):
            make()


ODD_FIGURES = [
    {"page": "abc"},
    {"page": 1},
    {"page": 1, "document_id": "x", "box": [1]},
    {"page": 1.5, "document_id": ["a"], "box": "1,2,3"},
    {"page": None, "document_id": None},
    {"page": 2**62, "document_id": "x"},
    {"event": "perceived", "page": 2},
    {"document_id": "../../etc/passwd", "page": 1, "box": [0, 0, 1]},
]


@pytest.mark.parametrize("metadata", ODD_FIGURES, ids=range(len(ODD_FIGURES)))
def test_a_figure_that_says_nothing_of_its_place_has_no_picture(ada, metadata):
    told = {"event": "figure", **metadata}
    memory_id = ada.memory.add_memory("A zebra", "perceptual", metadata=told)
    with pytest.raises(NotFoundError):
        ada.figure_image(memory_id)


def test_a_box_that_is_none_stands_for_the_whole_page(ada, pdfs):
    loaded = ada.load_document(pdfs / "labels.pdf")
    told = {"event": "figure", "page": 1, "document_id": loaded.document_id}
    pictures = []
    for box in (None, [1], [1, 2, 3, "x"], [5, 5, 1, 1], [0, 0, 1e300, 9], "box"):
        memory_id = ada.memory.add_memory(
            f"A zebra {box}", "perceptual", metadata={**told, "box": box}
        )
        pictures.append(ada.figure_image(memory_id))
    assert len(set(pictures)) == 1
    assert pictures[0].startswith(b"\x89PNG")
    memory_id = ada.memory.add_memory("Far", "perceptual", metadata={**told, "page": 900_000})
    with pytest.raises((NotFoundError, DocumentError)):
        ada.figure_image(memory_id)


ODD = [
    ("episodic", {"event": "document_loaded", "document_id": ["a"], "pages": "many"}),
    ("semantic", {"event": "note", "document_ids": [["x"]], "concept": {"a": "b"}}),
    ("semantic", {"event": "note", "document_id": {"a": 1}}),
    ("episodic", {"event": "qa_interaction", "question_id": ["q"], "mode": ["x"]}),
    ("episodic", {"event": "qa_interaction", "mode": {"a": 1}, "document_ids": [{"x": 1}]}),
]
QUESTIONS = [
    "What documents have I loaded?",
    "What did I note about yaks?",
    "What did I ask today?",
    "Which questions were not answered?",
    "我今天学了什么？",
]


@pytest.mark.parametrize(("kind", "metadata"), ODD, ids=range(len(ODD)))
def test_odd_metadata_breaks_no_answer(ada, kind, metadata):
    ada.memory.add_memory("text about yaks", kind, metadata=metadata)
    ada.memory.add_memory("text about yaks", "working", metadata=metadata)
    for question in QUESTIONS:
        assert ada.ask(question).text
    assert ada.recall("yaks")
    ada.memory.often_asked()
    ada.generate_report()
    assert ada.memory.list(kinds=[MemoryKind(kind)])
