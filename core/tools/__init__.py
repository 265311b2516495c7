"""The tools of *Hello-Agents*, chapter 8: memory and knowledge for agents and scripts."""

from core.tools.agent import SimpleAgent
from core.tools.llm import HelloAgentsLLM
from core.tools.memory_tool import MemoryTool
from core.tools.rag_tool import RAGTool
from core.tools.registry import ToolRegistry
from core.tools.tool import Tool

__all__ = ["HelloAgentsLLM", "MemoryTool", "RAGTool", "SimpleAgent", "Tool", "ToolRegistry"]
