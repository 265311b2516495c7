"""Every failure of the assistant, cut by who must act.

AssistantError
├─ ConfigurationError          the operator: a setting is wrong or a package is missing
│  ├─ UnknownBackendError
│  └─ MissingDependencyError
├─ DocumentError               the learner: this file cannot be read as it is
│  ├─ UnsupportedFormatError  EncryptedDocumentError  EmptyDocumentError  ScannedDocumentError
│  ├─ DamagedDocumentError  DocumentTooLargeError  DocumentTooComplexError
│  └─ NothingPerceivedError
├─ ModelError                  retry, or switch the model
│  ├─ ModelUnavailableError  ModelResponseError  ModelBudgetError
│  └─ EmbeddingError             the embedder, not the language model
├─ StoreError                  the operator: a database did not answer or does not fit
│  └─ DimensionMismatchError
├─ NotFoundError               the thing is not there (any more)
├─ JobStoppedError  JobInterruptedError   background work that did not come to its end
└─ InvalidInputError           the learner: empty question, too long a note

`code` is the stable key of the error: the interface looks its words up in `app/i18n.py`;
`message` and `remedy` are the same two sentences in English for scripts, logs and the API.
"""

from typing import ClassVar


class AssistantError(Exception):
    """A failure with a remedy. `str(error)` is what happened; `remedy` is what to do next."""

    code: ClassVar[str] = "assistant_error"
    default_message: ClassVar[str] = "Something went wrong."
    default_remedy: ClassVar[str] = "Try again; if it happens again, look at the log."

    def __init__(
        self, message: str | None = None, *, remedy: str | None = None, **details: object
    ) -> None:
        self.message = message or self.default_message
        self.remedy = remedy or self.default_remedy
        self.details = details
        super().__init__(self.message)

    @property
    def sentence(self) -> str:
        """What happened and what to do, as one line."""
        return f"{self.message} {self.remedy}"


class ConfigurationError(AssistantError):
    """A setting cannot be used."""

    code = "configuration"
    default_message = "The configuration cannot be used."
    default_remedy = "Correct the setting in the .env file and start again."


class UnknownBackendError(ConfigurationError):
    """A setting names a backend that does not exist; the message lists the choices."""

    code = "unknown_backend"


class MissingDependencyError(ConfigurationError):
    """A configured backend needs a package that is not installed; the remedy names it."""

    code = "missing_dependency"


class DocumentError(AssistantError):
    """A file cannot be used. Nothing of it was kept."""

    code = "document"
    default_message = "This file cannot be read."
    default_remedy = "Open it in the program it comes from, save it anew and load that."


class UnsupportedFormatError(DocumentError):
    """No reader for the content, or the content is not what the file name says."""

    code = "unsupported_format"
    default_message = "This file cannot be read, or it is not what its name says."
    default_remedy = (
        "Load a PDF, Word (docx), PowerPoint (pptx), Excel (xlsx, xls), EPUB, HTML, Markdown, "
        "text, CSV, JSON, source code or picture file; save other documents as one of these."
    )


class EncryptedDocumentError(DocumentError):
    """The file opens only with a password."""

    code = "encrypted"
    default_message = "This file is protected with a password."
    default_remedy = (
        "Save a copy without the password in the program you read it with and load the copy."
    )


class EmptyDocumentError(DocumentError):
    """The file has no bytes, no pages, or nothing on its pages."""

    code = "empty"
    default_message = "This file is empty."
    default_remedy = "Check that the file was saved or downloaded completely and load it again."


class ScannedDocumentError(DocumentError):
    """The pages are pictures in which no text could be recognised, or recognition is off."""

    code = "scanned"
    default_message = "This file has pictures but no text that could be recognised."
    default_remedy = "Scan the pages again, straight, sharp and in 200 dpi or more, and load that."


class NothingPerceivedError(DocumentError):
    """No words were found in a picture or recording, and none were given with it."""

    code = "nothing_perceived"
    default_message = "No words were found in this picture or recording, and none were given."
    default_remedy = "Say in words what is to be seen or heard in it."


class DamagedDocumentError(DocumentError):
    """The file is truncated or broken beyond what the readers can repair."""

    code = "damaged"
    default_message = "This file is damaged or cut off."
    default_remedy = "Download or export it again, or save it anew in its program, and load that."


class DocumentTooLargeError(DocumentError):
    """The file or its number of pages is over the limit; `details` has both numbers."""

    code = "too_large"
    default_message = "This file is too large."
    default_remedy = "Split it into smaller files and load the parts you need."


class DocumentTooComplexError(DocumentError):
    """Reading it passed the limit of time or memory: a hostile or extremely complex file."""

    code = "too_complex"
    default_message = "Reading this file took more time or memory than is allowed."
    default_remedy = "Save it anew as PDF, or split it, and load the result."


class ModelError(AssistantError):
    """The language model did not give a usable answer."""

    code = "model"
    default_message = "The language model did not give a usable answer."
    default_remedy = "Try again, or choose another model in the settings."


class ModelUnavailableError(ModelError):
    """No connection, a timeout, a rate limit or a server error, after the retries."""

    code = "model_unavailable"
    default_message = "The language model could not be reached."
    default_remedy = "Wait a moment and ask again; the operator can check LLM_BASE_URL and the key."


class ModelResponseError(ModelError):
    """The model answered, but cut off or in a form that cannot be used."""

    code = "model_response"
    default_message = "The language model's answer broke off or could not be read."
    default_remedy = "Ask again; if it stays so, choose another model."


class EmbeddingError(ModelError):
    """The embedder gave no vectors, or none that can be used. Nothing takes their place."""

    code = "embedding"
    default_message = "The embedding model did not give usable vectors."
    default_remedy = "Try again; the operator can check the EMBED_ settings."


class ModelBudgetError(ModelError):
    """The calls of one question have used up its tokens; nothing was sent."""

    code = "model_budget"
    default_message = "This question has used up its budget of model tokens."
    default_remedy = "Ask a shorter question; the operator can raise LLM_ANSWER_BUDGET."


class StoreError(AssistantError):
    """A store did not answer, or answered with an error."""

    code = "store"
    default_message = "The store of your documents did not answer."
    default_remedy = "Try again; the operator can check the disk and the database settings."


class DimensionMismatchError(StoreError):
    """Vectors of another length than the index holds: the embedder was changed."""

    code = "dimension_mismatch"
    default_message = "The search index was made with another embedding model."
    default_remedy = "Set the former model again, or load the documents again (re-index)."


class NotFoundError(AssistantError):
    """The thing asked for does not exist in this learner's namespace."""

    code = "not_found"
    default_message = "This is not there (any more)."
    default_remedy = "Refresh the list and choose again."


class JobStoppedError(AssistantError):
    """The learner stopped a job; nothing it did was kept."""

    code = "load_stopped"
    default_message = "Loading was stopped."
    default_remedy = "Choose the file again to load it."


class JobInterruptedError(AssistantError):
    """The application ended, or had to be ended, while a job ran."""

    code = "load_interrupted"
    default_message = "Loading this file was interrupted several times."
    default_remedy = "Try again; if it happens again, split the file or look at the log."


class InvalidInputError(AssistantError):
    """An argument cannot be used: an empty question, an empty note."""

    code = "invalid_input"
    default_message = "There is nothing to work with."
    default_remedy = "Write something and try again."


def error_of(code: str, *, message: str, remedy: str) -> AssistantError:
    """Return the error of a stored code, with its sentences; an unknown code is a plain one."""
    kinds: list[type[AssistantError]] = [AssistantError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    found = next((kind for kind in kinds if kind.code == code), AssistantError)
    return found(message, remedy=remedy)
