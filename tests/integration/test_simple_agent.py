"""An agent with tools against a real local model server, and without any model."""

import json

import pytest

from core.domain.memory import MemoryKind
from core.errors import InvalidInputError, ModelResponseError, ModelUnavailableError, StoreError
from core.settings import load_settings
from core.tools import HelloAgentsLLM, MemoryTool, RAGTool, SimpleAgent, Tool, ToolRegistry
from tests.servers.openai_server import OpenAIServer, Reply, Status


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def llm(server):
    settings = load_settings(
        env_file=None, llm_base_url=server.base_url, llm_model_id="m", llm_max_retries=0
    )
    made = HelloAgentsLLM(settings=settings)
    yield made
    made.model.close()


@pytest.fixture
def memory(services):
    return MemoryTool(user_id="ada", services=services)


@pytest.fixture
def registry(memory, services):
    tools = ToolRegistry()
    tools.register_tool(memory)
    tools.register_tool(RAGTool(services=services))
    return tools


@pytest.fixture
def agent(llm, registry):
    made = SimpleAgent("Intelligent Assistant", llm)
    made.tool_registry = registry
    return made


def calls(*made, text=""):
    return Reply([text] if text else [], calls=[(name, json.dumps(a)) for name, a in made])


def told(server):
    """The tools' messages in the last request."""
    return [m["content"] for m in server.requests[-1].messages if m["role"] == "tool"]


def test_the_model_remembers_and_looks_up(server, agent, memory):
    server.script(
        calls(("memory", {"action": "add", "content": "The user is called Zhang San."})),
        "Hello Zhang San!",
    )
    assert agent.run("Please remember my name is Zhang San.") == "Hello Zhang San!"
    assert told(server)[0].startswith("✅ Memory added (ID: ")
    (kept,) = memory.memory_manager.list()
    assert kept.content == "The user is called Zhang San."
    assert kept.kind is MemoryKind.WORKING
    assert server.requests[0].tools == ["memory", "rag"]
    assert "Intelligent Assistant" in server.requests[0].text("system")
    server.script(
        calls(("memory", {"action": "search", "query": "what the user is called"})), "Zhang San."
    )
    assert agent.run("What is my name?") == "Zhang San."
    assert "The user is called Zhang San." in told(server)[0]
    roles = [m["role"] for m in server.requests[2].messages]
    assert roles == ["system", "user", "assistant", "user"], "the first exchange comes along"
    assert [turn.content for turn in agent.history] == [
        "Please remember my name is Zhang San.",
        "Hello Zhang San!",
        "What is my name?",
        "Zhang San.",
    ]
    agent.clear_history()
    assert agent.history == ()


def test_several_calls_at_once_are_all_answered(server, agent):
    server.script(
        calls(
            ("rag", {"action": "add_text", "text": "Oak is pegged.", "document_id": "oak"}),
            ("rag", {"action": "stats"}),
            text="One moment.",
        ),
        "Done.",
    )
    assert agent.run("Keep that oak is pegged.") == "Done."
    added, stats = told(server)
    assert "oak.md" in added
    assert "Documents: 1" in stats


def test_what_is_wrong_with_a_call_comes_back_to_the_model(server, agent):
    server.script(
        Reply(calls=[("memory", '{"action": "add", ')]),
        calls(("memori", {"action": "add"})),
        calls(("memory", {"action": "ad"})),
        calls(("memory", {"action": "add", "content": "x", "importance": 7})),
        "I give up.",
    )
    assert agent.run("Remember x.") == "I give up."
    broken, unknown, action, bounds = told(server)
    assert "not a JSON object" in broken
    assert "There is no tool “memori”. Use one of: memory, rag." in unknown
    assert "Use one of: add, search," in action
    assert "within 0…1" in bounds


def test_a_repeated_call_is_not_made_twice_and_then_an_answer_is_due(server, agent, memory):
    add = calls(("memory", {"action": "add", "content": "oak"}))
    server.script(add, add, "Done.")
    assert agent.run("Remember oak.") == "Done."
    first, again = told(server)
    assert first in again
    assert "it was not made again" in again
    assert [request.tools for request in server.requests[1:]] == [["memory", "rag"], []]
    assert memory.memory_manager.list()[0].sightings == 1


def test_after_another_call_a_call_may_be_meant_again(server, agent, memory):
    add = calls(("memory", {"action": "add", "content": "oak"}))
    server.script(add, calls(("memory", {"action": "search", "query": "oak"})), add, "Done.")
    assert agent.run("Remember oak.") == "Done."
    assert "seen 2 times" in told(server)[2]
    assert memory.memory_manager.list()[0].sightings == 2


def test_the_steps_are_bounded_and_that_is_said(server, llm, registry):
    agent = SimpleAgent("a", llm, tool_registry=registry, max_steps=2)
    server.script(calls(("memory", {"action": "stats"})))
    reply = agent.run("Go on.")
    assert reply.startswith("I stopped after 2 steps without having finished.")
    assert "Memories: 0" in reply
    assert len(server.requests) == 2
    with pytest.raises(InvalidInputError, match="at least one step"):
        SimpleAgent("a", llm, max_steps=0)


def test_the_tokens_of_a_message_are_bounded_and_that_is_said(server, llm, registry):
    llm.answer_budget = 1000
    agent = SimpleAgent("a", llm, tool_registry=registry)
    stats = json.dumps({"action": "stats"})
    server.script(Reply(calls=[("memory", stats)], usage=(900, 100)))
    reply = agent.run("Go on.")
    assert "LLM_ANSWER_BUDGET" in reply
    assert "Memories: 0" in reply
    assert len(server.requests) == 1


def test_too_many_calls_of_one_step_are_told(server, agent, memory):
    many = [("memory", {"action": "add", "content": f"fact number {n}"}) for n in range(10)]
    server.script(calls(*many), "Done.")
    agent.run("Remember a lot.")
    assert len(told(server)) == 10
    assert told(server)[8].startswith("❌ More than 8 calls at once")
    assert len(memory.memory_manager.list()) == 8


def test_only_files_that_the_user_named_are_opened(server, agent, tmp_path):
    named, secret = tmp_path / "named.txt", tmp_path / "secret.txt"
    named.write_text("Oak is pegged with pegs of oak.", encoding="utf-8")
    secret.write_text("The key is under the mat.", encoding="utf-8")
    server.script(
        calls(("rag", {"action": "add_document", "file_path": str(secret)})),
        calls(("rag", {"action": "add_document", "file_path": str(named)})),
        "Loaded.",
    )
    agent.run(f"Please load {named}.")
    refused, loaded = told(server)
    assert refused.startswith("❌ The user named no file")
    assert loaded.startswith("✅ Document added: named.txt")


def test_nothing_is_erased_that_the_user_did_not_speak_of_deleting(server, agent, memory):
    memory.execute("add", content="oak", memory_type="semantic")
    clear = calls(
        ("memory", {"action": "clear_all"}), ("rag", {"action": "clear", "confirm": True})
    )
    server.script(clear, "Shall I?")
    agent.run("What do you know?")
    assert [message.startswith("❌ The user did not") for message in told(server)] == [True, True]
    assert len(memory.memory_manager.list()) == 1
    server.script(clear, "Done.")
    agent.run("Yes, delete all of it.")
    assert told(server)[0].startswith("🧽 Deleted all 1 memories")
    assert memory.memory_manager.list() == []


def test_a_model_that_fails_is_raised_and_leaves_no_trace_in_the_history(server, agent):
    server.script(Status(503))
    with pytest.raises(ModelUnavailableError):
        agent.run("Hello")
    assert agent.history == ()
    server.script("Hello!")
    assert agent.run("Hello") == "Hello!"


def test_a_model_without_words_after_its_calls_is_told_of_with_the_result(server, agent):
    server.script(calls(("memory", {"action": "add", "content": "oak"})), Reply())
    reply = agent.run("Remember oak.")
    assert "then gave no answer" in reply
    assert "✅ Memory added" in reply
    assert len(agent.history) == 2
    server.script(Reply())
    with pytest.raises(ModelResponseError):
        agent.run("Hello")


def test_an_own_prompt_and_no_tools(server, llm):
    agent = SimpleAgent("a", llm, system_prompt="Speak like a sailor.")
    server.script("Ahoy!")
    assert agent.run("Hello") == "Ahoy!"
    assert server.requests[0].text("system") == "Speak like a sailor."
    assert server.requests[0].tools == []
    assert agent.run("  ") == "There is nothing written. Write a question."


@pytest.fixture
def plain(registry):
    made = HelloAgentsLLM(settings=load_settings(env_file=None))
    assert not made.configured
    assert made.name == ""
    return SimpleAgent("a", made, tool_registry=registry)


def test_without_a_model_the_tools_work_by_rules(plain, registry):
    remembered = plain.run("Hello! Please remember my name is Zhang San, I am a Python developer")
    assert "I have remembered: my name is Zhang San, I am a Python developer" in remembered
    assert "No language model is configured" in remembered
    assert "LLM_MODEL_ID" in remembered
    assert "Zhang San" in plain.run("What is my name?")
    registry.get_tool("rag").execute(
        "add_text", text="The mill was built in 1871 of oak.", document_id="mill"
    )
    answer = plain.run("When was the mill built?")
    assert "The mill was built in 1871 of oak. [1]" in answer
    assert "[1] mill.md, part 1" in answer
    assert "I found nothing about this" in plain.run("Who wrote the tragedy of Hamlet?")
    assert "I can remember what you ask me to remember" in plain.run("Hello!")


def test_without_a_model_it_speaks_chinese_too(plain):
    remembered = plain.run("你好！请记住我叫张三，是一名 Python 开发者")
    assert "我记住了：我叫张三，是一名 Python 开发者" in remembered
    assert "尚未配置语言模型" in remembered
    assert "张三" in plain.run("我叫什么名字？")
    assert "张三" in plain.run("你知道我是谁吗？")
    assert "没有找到" in plain.run("谁写了《哈姆雷特》？")


class Closed(Tool):
    """A tool whose store does not answer."""

    def __init__(self):
        super().__init__("closed", "Closed tool", [])

    def answer_plainly(self, text, language):
        raise StoreError("The disk is full.", remedy="Make room.")


def test_without_a_model_a_failure_is_told_and_the_other_tools_go_on(plain, registry):
    registry.register_tool(Closed())
    reply = plain.run("Remember that oak is pegged.")
    assert "I have remembered: oak is pegged." in reply
    assert "❌ The disk is full. Make room." in reply


def test_without_a_model_and_tools_it_says_so():
    reply = SimpleAgent("a", None).run("What is oak?")
    assert reply.startswith("I have no tools")
    assert "No language model is configured" in reply
