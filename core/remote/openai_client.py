"""Connections to OpenAI-compatible endpoints: what is sent, and when it is sent again."""

import httpx2
import openai

from core.remote.address import SENT_HEADERS, USER_AGENT, host_of, is_loopback
from core.remote.retry import delay_for

CONNECT_SECONDS = 10.0
FAILURES = (openai.APIError, httpx2.RequestError)


def open_client(base_url: str, *, key: str | None, timeout: float, setting: str) -> openai.OpenAI:
    """Return a client of its own connections that sends nothing but what it is told.

    `timeout` is in seconds. Nothing is read from `OPENAI_*` variables, nothing is said about this
    machine, nobody is redirected, and nothing is sent twice. Raises `ConfigurationError`.
    """
    seconds = httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS))

    def only_own_headers(request: httpx2.Request) -> None:
        for header in list(request.headers):
            if header not in SENT_HEADERS:
                del request.headers[header]
        request.headers["user-agent"] = USER_AGENT
        if key is None:
            request.headers.pop("authorization", None)

    return openai.OpenAI(
        base_url=base_url,
        api_key=key or "none",
        max_retries=0,
        default_headers={"Authorization": f"Bearer {key}"} if key else None,
        timeout=seconds,
        http_client=httpx2.Client(
            timeout=seconds,
            # A proxy of the environment is for other hosts, never for this machine.
            trust_env=not is_loopback(host_of(base_url, setting=setting)),
            # Passages and the key go to the configured host and to no other.
            follow_redirects=False,
            event_hooks={"request": [only_own_headers]},
        ),
    )


def retry_delay(exc: Exception, attempt: int, *, max_retries: int, jitter: float) -> float | None:
    """Return seconds until the request is sent again, None when it is not.

    `attempt` counts from 0; `jitter` is in [0, 1) (see `core.remote.retry.backoff`).
    """
    if isinstance(exc, openai.APIStatusError):
        status, headers = exc.status_code, exc.response.headers
        return delay_for(status, headers, attempt, max_retries=max_retries, jitter=jitter)
    return delay_for(None, {}, attempt, max_retries=max_retries, jitter=jitter)
