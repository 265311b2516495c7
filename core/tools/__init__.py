"""The tools of *Hello-Agents*, chapter 8: memory and knowledge for agents and scripts."""

from core.tools.agent import SimpleAgent
from core.tools.arguments import Parameter
from core.tools.llm import HelloAgentsLLM
from core.tools.memory_tool import MemoryTool
from core.tools.rag_tool import RAGTool
from core.tools.registry import ToolRegistry
from core.tools.tool import ActionSpec, Tool

__all__ = [
    "ActionSpec",
    "HelloAgentsLLM",
    "MemoryTool",
    "Parameter",
    "RAGTool",
    "SimpleAgent",
    "Tool",
    "ToolRegistry",
]
