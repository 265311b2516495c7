"""Response headers that keep the page from asking any other host, whatever an answer contains."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

POLICY = "; ".join(
    (
        "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'",
        "connect-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Callable[[], Awaitable[Message]], Send], Awaitable[None]]


class SecurityHeaders:
    """ASGI middleware that adds the headers to every HTTP response.

    Gradio's own page needs inline styles and scripts, and compiles its HTML templates with
    `Function`, hence the two `unsafe` words; other hosts are what is kept out.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[Message]],
        send: Send,
    ) -> None:
        """Pass a request on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)
