"""How the parts of a worker say that a file cannot be used."""


class Failure(Exception):
    """A failure with the code of a `DocumentError` (or `not_found`)."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail)
        self.code = code
