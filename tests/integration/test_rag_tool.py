"""The knowledge tool with its real stores, readers and embedder."""

from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.errors import ConfigurationError
from core.settings import load_settings
from core.tools import RAGTool
from core.wiring import build_services
from tests.servers.openai_server import OpenAIServer

DATA = Path(__file__).parents[1] / "data"
MILL = DATA / "two_columns_en.pdf"
PYTHON = (
    "Python is a high-level programming language first released by Guido van Rossum in 1991. "
    "Python's design philosophy emphasizes code readability and concise syntax."
)
LEARNING = (
    "Machine learning is a branch of artificial intelligence. It mainly includes supervised "
    "learning, unsupervised learning, and reinforcement learning."
)
SECRET = "The password of the vault is marzipan."


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """One process, as an application has it; every test has a namespace of its own."""
    folder = tmp_path_factory.mktemp("rag")
    made = build_services(load_settings(env_file=None, data_dir=folder, refine_enabled=False))
    yield made
    made.close()


@pytest.fixture
def tool(request, services):
    return RAGTool(rag_namespace=request.node.name, services=services)


@pytest.fixture
def do(tool):
    return tool.execute


def names(do):
    return [line.split()[1] for line in do("stats", language="en").splitlines() if "•" in line]


# adding


def test_a_text_is_kept_under_its_name(tool, do):
    told = do("add_text", text=PYTHON, document_id="python_intro")
    assert told.startswith("✅ Document added: python_intro.md (passages: 1, ")
    assert f"namespace: {tool.rag_namespace})" in told
    assert names(do) == ["python_intro.md"]


def test_the_same_text_changes_nothing_and_another_takes_its_place(do):
    do("add_text", text=PYTHON, document_id="intro")
    assert "nothing changed" in do("add_text", text=PYTHON, document_id="intro")
    told = do("add_text", text=LEARNING, document_id="intro")
    assert "It replaces intro.md." in told
    assert names(do) == ["intro.md"]
    assert "supervised learning" in do("search", query="kinds of machine learning")
    assert "Guido" not in do("search", query="Who released Python first?", min_score=0)


def test_a_text_with_two_names_stays_as_long_as_one_of_them_has_it(do):
    do("add_text", text=PYTHON, document_id="a")
    assert "is there already as a.md" in do("add_text", text=PYTHON, document_id="b")
    do("add_text", text=LEARNING, document_id="a")
    assert sorted(names(do)) == ["a.md", "b.md"]
    assert "Guido" in do("search", query="Who released Python first?")
    do("add_text", text="Oak is pegged with oak.", document_id="b")
    assert "Guido" not in do("search", query="Who released Python first?", min_score=0)


def test_without_a_name_a_text_has_one_of_its_own(do):
    do("add_text", text=PYTHON)
    do("add_text", text=LEARNING)
    assert "nothing changed" in do("add_text", text=PYTHON)
    assert len(names(do)) == 2


@pytest.mark.parametrize(
    "name", ["../evil", "a/b", "a\\b", "/etc/passwd", "", " ", "..", "x" * 101]
)
def test_a_name_is_never_a_path(do, services, name):
    told = do("add_text", text=PYTHON, document_id=name)
    assert told.startswith("❌ ")
    assert "cannot be a document_id" in told
    assert names(do) == []
    assert not list(services.settings.data_dir.parent.rglob("*evil*"))


def test_a_file_is_loaded(do):
    told = do("add_document", file_path=str(MILL))
    assert told.startswith("✅ Document added: two_columns_en.pdf (passages: ")
    assert "nothing changed" in do("add_document", file_path=str(MILL))
    assert names(do) == ["two_columns_en.pdf"]


def test_a_file_may_be_named_otherwise_and_lie_in_the_folder_of_the_tool(services, tmp_path):
    (tmp_path / "notes.md").write_text("# Oak\n\nOak is pegged with oak.", encoding="utf-8")
    tool = RAGTool(tmp_path, rag_namespace="folder", services=services)
    told = tool.execute("add_document", file_path="notes.md", document_id="oak notes")
    assert told.startswith("✅ Document added: oak notes.md")
    assert "oak notes.md, part 1 (Oak)" in tool.execute("search", query="How is oak pegged?")
    (tmp_path / "notes.md").write_text("# Teak\n\nTeak is oiled.", encoding="utf-8")
    told = tool.execute("add_document", file_path="notes.md", document_id="oak notes")
    assert "It replaces oak notes.md." in told


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "There is no file"), (b"", "This file is empty"), (b"%PDF-1.7\n\x00\xff", "damaged")],
    ids=["missing", "empty", "broken"],
)
def test_a_file_that_cannot_be_loaded_is_told_and_nothing_is_kept(do, tmp_path, content, told):
    path = tmp_path / "a.pdf"
    if content is not None:
        path.write_bytes(content)
    done = do("add_document", file_path=str(path))
    assert done.startswith("❌ ")
    assert told in done
    assert names(do) == []


@pytest.mark.parametrize("path", ["x" * 5000, "~nobody-of-this-name/a.pdf", "a\x00.pdf", ".", ""])
def test_a_path_that_names_no_file_is_told(do, path):
    assert "There is no file" in do("add_document", file_path=path)


def test_a_name_with_letters_that_no_database_keeps(do):
    assert do("add_text", text="oak \ud800", document_id="oak\ud800").startswith("✅")
    assert names(do) == ["oak\ufffd.md"]


def test_what_fails_replaces_nothing(do, tmp_path):
    do("add_text", text=PYTHON, document_id="intro")
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\n\x00\xff")
    done = do("add_document", file_path=str(tmp_path / "a.pdf"), document_id="intro")
    assert done.startswith("❌ ")
    assert "Guido" in do("search", query="Who released Python first?")


def test_a_size_of_passages_that_is_not_used_is_told(do):
    told = do("add_text", text=PYTHON, chunk_size=50, chunk_overlap=10)
    assert "chunk_size=50, chunk_overlap=10 was not used" in told
    assert "CHUNK_SIZE" in told
    assert "not used" not in do("add_text", text=LEARNING, chunk_size=1000, chunk_overlap=200)
    assert "not used" not in do("add_text", text="Oak is pegged.", chunk_size=100)


# finding and answering


def test_search_tells_name_place_score_and_text_best_first(do):
    assert do("search", query="Python") == (
        "🔍 The knowledge base is empty. Add something with add_document or add_text."
    )
    do("add_text", text=LEARNING, document_id="ml_basics")
    do("add_text", text=PYTHON, document_id="python_intro")
    found = do("search", query="History of Python programming language", limit=3, min_score=0.1)
    head, first, text = found.splitlines()[:3]
    assert head.startswith("🔍 Found")
    assert first.startswith("1. python_intro.md, part 1 (score 0.")
    assert text == f"   {PYTHON[:200]}"
    assert do("search", question="Python", limit=1).count("part 1") == 1
    assert "Nothing about “a snake” was found" in do("search", query="a snake", min_score=1.0)
    assert "python_intro" not in do("search", query="Python", include_citations=False)
    assert len(do("search", query="Python", max_chars=40)) < 150


def test_an_answer_has_proven_quotes_with_pages(do):
    do("add_document", file_path=str(MILL))
    do("add_text", text=PYTHON, document_id="python_intro")
    told = do("ask", question="Who first released Python?")
    assert "Guido van Rossum in 1991. [1]" in told
    assert "📚 Sources (quotes found letter by letter):" in told
    quote = (
        "Python is a high-level programming language first released by Guido van Rossum in 1991."
    )
    assert f"[1] python_intro.md, part 1: “{quote}”" in told
    assert "Sources" not in do(
        "ask", question="Who first released Python?", include_citations=False
    )
    from_pdf = do("ask", query="What was the mill built of?", enable_advanced_search=False)
    assert "two_columns_en.pdf, page " in from_pdf
    assert "[1]" in from_pdf.splitlines()[0]


def test_what_the_documents_do_not_answer_is_refused(do):
    assert do("ask", question="Who wrote Hamlet?") != ""
    do("add_text", text=PYTHON, document_id="python_intro")
    told = do("ask", question="Who wrote the tragedy of Hamlet?")
    assert "[1]" not in told
    assert "Sources" not in told


def test_chinese(do):
    do("add_text", text="注意力机制让模型关注输入中最重要的部分。", document_id="注意力")
    told = do("ask", question="注意力机制有什么作用？")
    assert "📚 来源（引文已逐字核对）：" in told
    assert "[1] 注意力.md，第 1 部分：“注意力机制让模型关注输入中最重要的部分。”" in told
    assert do("ask").startswith("❌ 缺少问题。")


def test_limits_shorten_quotes_but_leave_out_no_source(do):
    do("add_text", text=PYTHON, document_id="python_intro")
    told = do("ask", question="Who first released Python?", limit=1, max_chars=30)
    for number in ("[1]", "[2]"):
        assert (number in told.partition("📚")[0]) == (f"\n{number} python" in told)
    assert "..." in told.partition("📚")[2]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "There is no question. Give it as question (or query)."),
        ({"query": "x", "limit": 0}, "“limit” must be within 1…100"),
        ({"query": "x" * 2001}, "longer than 2000 characters"),
        ({"query": "x", "min_scor": 1}, "Known are: "),
    ],
)
def test_arguments_that_do_not_fit_are_told(do, given, told):
    do("add_text", text=PYTHON)
    done = do("search", **given)
    assert done.startswith("❌ ")
    assert told in done


# isolation


def test_a_namespace_is_of_its_own(services):
    one = RAGTool(rag_namespace="one", services=services)
    two = RAGTool(rag_namespace="two", services=services)
    other = RAGTool(rag_namespace="one", collection_name="other", services=services)
    one.execute("add_text", text=SECRET, document_id="secret")
    for tool in (two, other):
        tool.execute("add_text", text=PYTHON)
        assert "marzipan" not in tool.execute("ask", question="What is the password of the vault?")
        assert "marzipan" not in tool.execute("search", query="password", min_score=0)
    asked = "What is the password of the vault?"
    assert "marzipan" in two.execute("ask", question=asked, namespace="one")
    two.execute("clear", confirm=True)
    assert "marzipan" in one.execute("ask", question=asked)
    assert "Documents: 1" in other.execute("stats")


@pytest.mark.parametrize("name", ["ada", "pdf_ada", "../pdf_ada", "rag:x:y", "", "*", "%"])
def test_no_namespace_reaches_a_learner(services, name):
    ada = PDFLearningAssistant("ada", services=services)
    if not ada.documents():
        ada.load_document(MILL)
    tool = RAGTool(rag_namespace=name, services=services)
    assert "Documents: 0" in tool.execute("stats")
    tool.execute("clear", confirm=True)
    tool.execute("add_text", text=SECRET, document_id="secret")
    assert [d.name for d in ada.documents()] == ["two_columns_en.pdf"]
    assert "marzipan" not in ada.ask("What is the password of the vault?").text
    assert ada.notes() == []
    tool.execute("clear", confirm=True)


def test_names_that_look_alike_are_not_the_same(services):
    one = RAGTool(rag_namespace="c", collection_name="a:b", services=services)
    two = RAGTool(rag_namespace="b:c", collection_name="a", services=services)
    one.execute("add_text", text=SECRET)
    assert "Documents: 0" in two.execute("stats")


def test_clear_asks_first(do, tool, services):
    do("add_text", text=SECRET, document_id="secret")
    assert "Call clear again with confirm=True" in do("clear")
    assert "Call clear again" in do("clear", confirm=False)
    assert names(do) == ["secret.md"]
    told = do("clear", confirm=True)
    assert told == f"✅ Documents deleted from the namespace {tool.rag_namespace}: 1."
    assert names(do) == []
    assert "marzipan" not in do("search", query="password", min_score=0)
    assert services.memory.list(namespace=tool._base(None).namespace) == []


def test_what_is_cleared_is_on_no_disk_any_more(tmp_path):
    settings = load_settings(env_file=None, data_dir=tmp_path, refine_enabled=False)
    services = build_services(settings)
    tool = RAGTool(services=services)
    tool.execute("add_text", text=SECRET, document_id="marzipan")
    tool.execute("add_text", text=PYTHON, document_id="marzipan")
    assert "marzipan" in tool.execute("stats")
    tool.execute("clear", confirm=True)
    services.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert [path.name for path in files if b"marzipan" in path.read_bytes().lower()] == []


# settings


def test_another_server_than_that_of_the_settings_is_refused(services):
    with pytest.raises(ConfigurationError) as caught:
        RAGTool(qdrant_url="http://127.0.0.1:6333", services=services)
    assert "embedded Qdrant Edge" in caught.value.message
    assert "QDRANT_URL=http://127.0.0.1:6333" in caught.value.remedy
    with pytest.raises(ConfigurationError, match="qdrant_api_key") as caught:
        RAGTool(qdrant_api_key="sk-1", services=services)
    assert "sk-1" not in caught.value.sentence


def test_the_server_of_the_settings_may_be_repeated(tmp_path):
    settings = load_settings(
        env_file=None, data_dir=tmp_path, qdrant_url="http://127.0.0.1:6333", qdrant_api_key="k"
    )
    services = build_services(settings)
    RAGTool(qdrant_url="http://127.0.0.1:6333/", qdrant_api_key="k", services=services)
    assert not list(tmp_path.iterdir()), "making one opens nothing"


def test_a_model_answers_where_one_is_configured(tmp_path):
    with OpenAIServer("Guido van Rossum released it in 1991 [1].") as server:
        settings = load_settings(
            env_file=None,
            data_dir=tmp_path,
            refine_enabled=False,
            llm_base_url=server.base_url,
            llm_model_id="m",
        )
        services = build_services(settings)
        try:
            tool = RAGTool(services=services)
            tool.execute("add_text", text=PYTHON, document_id="python_intro")
            tool.execute("search", query="Who released Python first?")
            assert server.requests == [], "a search asks no model"
            told = tool.execute("ask", question="Who first released Python?")
            assert "Guido van Rossum released it in 1991 [1]." in told
            assert "[1] python_intro.md, part 1" in told
            assert "Answers: m" in tool.execute("stats")
        finally:
            services.close()
