"""The scripts of the documents run in processes of their own and print what stands there."""

import json
import re

import pytest

from tests.evals.tutorial import FILES, Script, main, normalised, rewritten, run, scripts
from tests.servers.openai_server import OpenAIServer, Reply

SCRIPTS = [(path, script) for path in FILES for script in scripts(path)]
OF_NAME = {script.name: script for _, script in SCRIPTS}


@pytest.mark.parametrize(
    "script", [script for _, script in SCRIPTS], ids=[script.name for _, script in SCRIPTS]
)
def test_a_script_prints_what_the_document_says(script: Script, tmp_path):
    assert script.output.strip(), "run `python -m tests.evals.tutorial --write`"
    assert normalised(run(script.code, tmp_path)) == normalised(script.output)


def test_the_quick_start_scripts_of_the_text_are_all_there():
    assert {"quick-start", "memory", "knowledge", "operations", "health"} <= set(OF_NAME)
    for name in ("quick-start", "memory", "knowledge"):
        imports = re.findall(r"^(?:from|import) .*$", OF_NAME[name].code, re.MULTILINE)
        assert len(imports) == 1
        assert imports[0].startswith("from core.tools import SimpleAgent, HelloAgentsLLM")


def test_with_a_model_the_quick_start_remembers_and_answers(tmp_path):
    content = "The user is called Zhang San and is a Python developer"
    call = {"action": "add", "content": content, "memory_type": "semantic", "importance": 0.8}
    with OpenAIServer(
        Reply(calls=[("memory", json.dumps(call))]), "Hello, Zhang San! Nice to meet you."
    ) as server:
        settings = {
            "LLM_BASE_URL": server.base_url,
            "LLM_MODEL_ID": "test-model",
            "LLM_API_KEY": "sk-test",
        }
        printed = run(OF_NAME["quick-start"].code, tmp_path, settings)
        assert printed == "Hello, Zhang San! Nice to meet you.\n"
        # what is remembered is also read into the graph, by the model too
        first, second = [request for request in server.requests if request.tools]
    assert first.tools == ["memory", "rag"]
    assert first.text("system").startswith("You are an AI assistant with memory and knowledge")
    assert first.text("user").startswith("Hello! Please remember my name is Zhang San")
    assert second.messages[-1]["role"] == "tool"
    assert second.messages[-1]["content"].startswith("✅ Memory added (ID: ")
    later = (
        "from core.tools import MemoryTool\n"
        "print(MemoryTool('user123').execute('search', query='Python developer'))"
    )
    assert content in run(later, tmp_path), "another process finds it"
    assert content not in run(later.replace("user123", "user124"), tmp_path)


def test_with_a_model_the_knowledge_script_prints_the_same_but_for_who_answers(tmp_path):
    with OpenAIServer("Hello.") as server:
        settings = {"LLM_BASE_URL": server.base_url, "LLM_MODEL_ID": "test-model"}
        printed = run(OF_NAME["knowledge"].code, tmp_path, settings)
        assert server.requests == [], "adding, searching and counting ask no model"
    assert "Answers: test-model" in printed
    assert "1. python_intro.md, part 1 (score 0." in printed


def test_output_is_written_behind_its_script(tmp_path):
    text = "".join(
        f"<!-- script: {name} -->\n```python\nprint({name!r})\n```\n\n"
        f"<!-- output: {name} -->\n```text\nold\n```\n"
        for name in ("a", "b")
    )
    path = tmp_path / "doc.md"
    path.write_text(text, encoding="utf-8")
    assert [(s.name, s.output) for s in scripts(path)] == [("a", "old\n"), ("b", "old\n")]
    path.write_text(rewritten(path, {"b": "1\\2 new"}), encoding="utf-8")
    assert [s.output for s in scripts(path)] == ["old\n", "1\\2 new\n"]
    path.write_text(text.replace("output: b", "output: c"), encoding="utf-8")
    with pytest.raises(ValueError, match="no output of b"):
        scripts(path)


def test_the_command_tells_a_difference_and_writes_it_away(tmp_path, capsys):
    path = tmp_path / "doc.md"
    text = "<!-- script: a -->\n```python\nprint('new')\n```\n\n<!-- output: a -->\n```text\n```\n"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 1
    assert "doc.md a: different\nnew" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == text
    assert main(["--write", str(path)]) == 0
    assert main([str(path)]) == 0
    assert "doc.md a: as written" in capsys.readouterr().out


def test_a_script_that_fails_is_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        run("1 / 0", tmp_path)


def test_what_is_different_in_every_run_is_made_the_same():
    one = "(ID: 1a2b3c4d...) session_20260302_093000_1a2b3c 0.3 s, age_days=0.01 （ID：1a2b3c4d"
    two = "(ID: 9a2b3c4e...) session_20270302_103000_9a2b3c 12.4 s, age_days=1e-05 （ID：9a2b3c4e"
    assert normalised(one) == normalised(two)
    assert normalised("score 0.93") == "score 0.93"
