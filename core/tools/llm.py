"""The language model of an agent, as the settings name it."""

from core import adapters
from core.ports.tool_calling import ToolCallingLLM
from core.settings import Settings, load_settings


class HelloAgentsLLM:
    """The configured model, or none: then an agent works by rules and says so.

    `settings` are those of the environment and `.env` when left out (`LLM_MODEL_ID`,
    `LLM_API_KEY`, `LLM_BASE_URL`, …). `answer_budget` is the most tokens, sent and received, that
    an agent spends on one message. Making one opens nothing. Raises `ConfigurationError` for
    settings that cannot be used, e.g. a key without a model.
    """

    def __init__(self, *, settings: Settings | None = None) -> None:
        settings = settings or load_settings()
        self.model: ToolCallingLLM | None = adapters.make_tool_llm(settings)
        self.answer_budget = settings.llm_answer_budget

    @property
    def configured(self) -> bool:
        """Whether there is a model."""
        return self.model is not None

    @property
    def name(self) -> str:
        """Model id; "" without a model."""
        return "" if self.model is None else self.model.name
