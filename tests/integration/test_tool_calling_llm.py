"""Tool calling against a real HTTP server."""

import json

import pytest

from core.adapters import make_tool_llm
from core.errors import ConfigurationError, ModelResponseError, ModelUnavailableError
from core.llms.tool_calling import ToolCallingOpenAI, compatible_address
from core.ports.tool_calling import AgentTurn, ToolCall, ToolSpec
from core.settings import load_settings
from tests.servers.openai_server import OpenAIServer, Reply, Silence, Status

CLOCK = ToolSpec(
    name="clock",
    description="Tells the time.",
    parameters={"type": "object", "properties": {"zone": {"type": "string"}}},
)
ASK = [
    AgentTurn(role="system", content="Be brief."),
    AgentTurn(role="user", content="几点了？\ud800"),
]


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def make(server):
    made: list[ToolCallingOpenAI] = []

    def make_llm(**changes) -> ToolCallingOpenAI:
        options = {
            "base_url": server.base_url,
            "api_key": "sk-secret",
            "timeout": 5.0,
            "max_retries": 2,
            "max_tokens": 300,
            "sleep": lambda _: None,
            "jitter": lambda: 0.0,
        }
        made.append(ToolCallingOpenAI("test-model", **{**options, **changes}))
        return made[-1]

    yield make_llm
    for llm in made:
        llm.close()


def whole(message, finish="stop"):
    """A complete reply as some server words it."""
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return Status(200, body=json.dumps({"id": "c", "choices": [choice]}))


def test_a_call_and_its_answer(server, make):
    server.script(
        Reply(["Let me look."], calls=[("clock", '{"zone": "UTC"}')], usage=(20, 7)), "It is noon."
    )
    llm, counted = make(), []
    reply = llm.respond(ASK, tools=[CLOCK], on_usage=counted.append)
    call = ToolCall(id="call_0", name="clock", arguments='{"zone": "UTC"}')
    assert reply.text == "Let me look."
    assert reply.calls == (call,)
    assert [(u.prompt_tokens, u.completion_tokens, u.estimated) for u in counted] == [
        (20, 7, False)
    ]
    turns = [
        *ASK,
        AgentTurn(role="assistant", content=reply.text, calls=reply.calls),
        AgentTurn(role="tool", content="12:00", call_id=call.id),
    ]
    assert llm.respond(turns, tools=[CLOCK], on_usage=counted.append).text == "It is noon."
    assert counted[1].estimated
    first, second = (request.body for request in server.requests)
    assert first == {
        "model": "test-model",
        "max_tokens": 300,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "几点了？?"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "clock",
                    "description": "Tells the time.",
                    "parameters": dict(CLOCK.parameters),
                },
            }
        ],
    }
    assert second["messages"][2:] == [
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [
                {
                    "id": "call_0",
                    "type": "function",
                    "function": {"name": "clock", "arguments": '{"zone": "UTC"}'},
                }
            ],
        },
        {"role": "tool", "content": "12:00", "tool_call_id": "call_0"},
    ]


def test_without_tools_none_are_offered_and_none_are_called(server, make):
    server.script(Reply(["Noon."], calls=[("clock", "{}")]))
    reply = make().respond(ASK)
    assert (reply.text, reply.calls) == ("Noon.", ())
    assert "tools" not in server.requests[0].body


def test_thoughts_are_left_out(server, make):
    server.script(Reply(["<think>It asks for the time.</think>\n\nNoon."]))
    assert make().respond(ASK, tools=[CLOCK]).text == "Noon."


def test_what_servers_send_otherwise_is_understood(server, make):
    calls = [{"function": {"name": "clock", "arguments": {"zone": "UTC"}}}]
    server.script(whole({"content": None, "tool_calls": calls}))
    (call,) = make().respond(ASK, tools=[CLOCK]).calls
    assert call == ToolCall(id="call_0", name="clock", arguments='{"zone": "UTC"}')


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "clock", "arguments": {"zone": "UTC"}}\n```',
        '<tool_call>\n{"name": "clock", "arguments": {"zone": "UTC"}}\n</tool_call>',
        '{"name": "clock", "arguments": {"zone": "UTC"}}',
    ],
    ids=["fence", "tag", "plain"],
)
def test_a_call_that_a_small_model_writes_as_text_is_one(server, make, text):
    server.script(text)
    reply = make().respond(ASK, tools=[CLOCK])
    assert reply.text == ""
    assert reply.calls == (ToolCall(id="call_0", name="clock", arguments='{"zone": "UTC"}'),)
    assert make().respond(ASK).text == text, "where no tools are offered it is text"


@pytest.mark.parametrize(
    "text",
    [
        'Write {"name": "clock", "arguments": {}} to call it.',
        '{"name": "Zhang San", "age": 30}',
        '{"name": "clock", "arguments": "now"}',
        '{"name": "clock", "arguments"',
        "[" * 9000,
    ],
)
def test_other_text_is_no_call(server, make, text):
    server.script(text)
    assert make().respond(ASK, tools=[CLOCK]).text == text


@pytest.mark.parametrize(
    "step",
    [
        whole({"content": ""}),
        whole({"content": None, "tool_calls": [{"id": "x"}]}),
        whole({"content": None, "tool_calls": "clock"}),
        Status(200, body='{"id": "c", "choices": []}'),
        Status(200, body='{"id": "c"}'),
        Status(200, body='{"choices": [{"message"'),
        Status(200, body="null"),
        Reply(calls=[("clock", '{"zone')], finish="length"),
        Reply(finish="length"),
    ],
    ids=["empty", "nameless", "word", "none", "nothing", "cut", "null", "cut call", "all thoughts"],
)
def test_a_reply_that_is_none_is_a_failure(server, make, step):
    server.script(step)
    with pytest.raises(ModelResponseError):
        make().respond(ASK, tools=[CLOCK])
    assert len(server.requests) == 1


def test_a_busy_server_is_asked_again(server, make):
    server.script(Status(429), Status(503), Reply(calls=[("clock", "{}")]))
    assert make().respond(ASK, tools=[CLOCK]).calls[0].name == "clock"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (Status(401, body='{"error": {"message": "{authorization}"}}'), "refused the key"),
        (Status(500), "has a problem"),
        (Silence(), "did not answer within"),
    ],
    ids=["key", "broken", "silent"],
)
def test_a_server_that_fails_is_told(server, make, step, told):
    server.script(step)
    with pytest.raises(ModelUnavailableError, match=told) as caught:
        make(timeout=0.3, max_retries=1).respond(ASK, tools=[CLOCK])
    assert "sk-secret" not in repr(caught.value.__cause__)


def test_the_newer_name_of_the_limit_is_found(server, make):
    refusal = {"error": {"message": "use max_completion_tokens", "param": "max_tokens"}}
    server.script(Status(400, body=json.dumps(refusal)), "Noon.")
    assert make().respond(ASK, tools=[CLOCK], max_tokens=50).text == "Noon."
    assert server.requests[1].body["max_completion_tokens"] == 50


@pytest.mark.parametrize(
    ("given", "used"),
    [
        (
            "https://dashscope.aliyuncs.com/api/v1",
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
        ),
        ("http://127.0.0.1:9/x/api/v1/", "http://127.0.0.1:9/x/compatible-mode/v1"),
        ("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1"),
    ],
)
def test_dashscope_calls_tools_at_its_compatible_address(given, used):
    assert compatible_address(given) == used


def test_the_settings_name_the_model(server):
    assert make_tool_llm(load_settings(env_file=None)) is None
    given = {"llm_base_url": server.base_url, "llm_model_id": "m"}
    llm = make_tool_llm(load_settings(env_file=None, **given))
    assert llm is not None
    assert llm.name == "m"
    assert llm.respond(ASK).text == "Hello from the model."
    with pytest.raises(ConfigurationError, match="no model is named"):
        make_tool_llm(load_settings(env_file=None, llm_api_key="k"))
    named = load_settings(env_file=None, llm_provider="dashscope", llm_api_key="k")
    assert "dashscope.aliyuncs.com" in repr(make_tool_llm(named))
