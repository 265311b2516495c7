"""A streamed reply with retries, the same for every provider."""

import logging
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.errors import ModelError, ModelResponseError
from core.llms.usage import UsageCount
from core.ports.llm import OnUsage
from core.remote.address import hide

log = logging.getLogger(__name__)

E = TypeVar("E", bound=Exception)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrying(Generic[E]):
    """How a provider's failures are met.

    `failures` are what its requests raise; `delay` gives seconds until the next attempt (0 is the
    first), None when there is to be none; `error` words a failure before the first piece. `key` is
    taken out of every exception.
    """

    failures: tuple[type[E], ...]
    delay: Callable[[E, int], float | None]
    error: Callable[[E], ModelError]
    key: str | None
    sleep: Callable[[float], None]

    def stream(
        self,
        request: Callable[[], Generator[str, None, None]],
        usage: UsageCount,
        on_usage: OnUsage | None,
    ) -> Iterator[str]:
        """Yield the pieces of a request, and count it at its end, however it ends.

        Only a request of which nothing was handed on yet is sent again. Raises `ModelError`.
        """
        try:
            yield from self._pieces(request, usage)
        finally:
            if on_usage is not None and usage.total is not None:
                on_usage(usage.total)

    def _pieces(
        self, request: Callable[[], Generator[str, None, None]], usage: UsageCount
    ) -> Iterator[str]:
        attempt, begun = 0, False
        while True:
            try:
                with closing(request()) as pieces:
                    for piece in pieces:
                        begun = True
                        yield piece
                return
            except self.failures as exc:
                hide(exc, self.key)
                if begun:
                    raise ModelResponseError("The language model's answer broke off.") from exc
                delay = self.delay(exc, attempt)
                if delay is None:
                    raise self.error(exc) from exc
            finally:
                usage.request_ended()
            attempt += 1
            log.warning("Model request failed; retry %d in %.1f s", attempt, delay)
            self.sleep(delay)
