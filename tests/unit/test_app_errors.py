"""From a failure to words."""

import logging

import pytest

from app.desk import Told, shape
from app.errors import UNEXPECTED, Failure, attempt
from app.i18n import Words
from app.presenters import failure_html, failure_text
from core.errors import AssistantError, EncryptedDocumentError


def fail(error: Exception) -> Failure:
    def action() -> None:
        raise error

    result = attempt(action)
    assert isinstance(result, Failure)
    return result


def test_a_result_passes() -> None:
    assert attempt(lambda: 7) == 7


def test_our_errors_are_told_by_their_code() -> None:
    failure = fail(EncryptedDocumentError())
    assert failure_text(failure, Words("en")) == (
        "This file is protected with a password.",
        "Save a copy without the password in its program and load the copy.",
    )
    assert "密码" in failure_text(failure, Words("zh"))[0]
    assert failure.reference == ""


def test_a_bug_is_logged_with_its_traceback_and_shown_by_its_reference(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        failure = fail(ZeroDivisionError("secret detail"))
    assert failure.code == UNEXPECTED
    assert failure.reference in caplog.text
    assert "Traceback" in caplog.text
    for language in ("en", "zh"):
        html = failure_html(failure, Words(language))
        assert failure.reference in html
        assert "secret detail" not in html


def test_a_code_without_words_shows_the_errors_own_sentences() -> None:
    class NewError(AssistantError):
        code = "new_kind_of_error"

    failure = fail(NewError("It <b>broke</b>.", remedy="Mend it."))
    html = failure_html(failure, Words("zh"))
    assert "It &lt;b&gt;broke&lt;/b&gt;." in html
    assert "Mend it." in html
    # The class lives in this test only; the table must not be asked to know it.
    del NewError


def test_stopping_the_program_is_not_caught() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt(stop)


def test_outputs_stay_on_failure_and_the_notice_clears_on_success() -> None:
    words = Words("en")
    failed = shape(Failure(code="not_found"), 2, words)
    assert len(failed) == 3
    assert "not there any more" in failed[-1]
    assert shape(("a", "b"), 2, words) == ["a", "b", ""]
    assert shape(None, 0, words) == [""]
    assert "Saved." in shape(Told(values=("a",), message="Saved."), 1, words)[1]
    with pytest.raises(TypeError):
        shape(("a",), 2, words)
