"""One error tree. The docstring is the message unless a more exact sentence is given; it says what to do."""

from __future__ import annotations


class RecollectError(Exception):
    """Something went wrong; run the command again with --debug to see where."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or " ".join((type(self).__doc__ or "").split()))


class UsageError(RecollectError):
    """The call has the wrong arguments."""


class NotFound(RecollectError):
    """Nothing has that id."""


class Ambiguous(RecollectError):
    """More than one thing has that name; give more characters."""


class Refused(RecollectError):
    """The change was refused and nothing was written."""


def require_text(value: object, what: str) -> None:
    """UsageError for what a program gave where a text is needed."""
    if not isinstance(value, str):
        raise UsageError(f"{what} must be text, not {value!r:.60}.")


class TextMissing(UsageError, Refused):
    """A text is needed, and there is none."""


class SettingsError(RecollectError):
    """A setting is unknown or has the wrong type."""


class SettingUnknown(SettingsError, KeyError):
    """No setting has that name; `recollect settings list` shows them all."""

    __str__ = Exception.__str__  # that of a KeyError puts the sentence in quotes


class StoreError(RecollectError):
    """The database could not be used."""


class StoreBusy(StoreError):
    """Another process has been writing to the database for too long; try again in a moment."""


class StoreFull(StoreError):
    """The disk is full: nothing was written. Free some space and try again."""


class Stopped(StoreError):
    """The work was stopped before it was done; nothing was written."""


class StoreTooNew(StoreError):
    """The database was written by a newer Recollect; upgrade this one."""


class StoreDamaged(StoreError):
    """The database file is damaged."""


class OutOfTime(RecollectError):
    """There was not enough time."""


class FileError(RecollectError):
    """A file could not be read or written."""


class OutsideRoot(FileError):
    """That path is outside the folder it must stay in."""


class ArtifactsInvalid(RecollectError):
    """The new artifacts of a project are invalid; nothing was changed."""


class ProviderError(RecollectError):
    """The model could not be asked, or did not answer."""

    def __init__(self, message: str = "", *, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy  # what a person can do about it, as one sentence


class ProviderBusy(ProviderError):
    """The model is busy; it did nothing, so it may be asked again."""

    def __init__(self, message: str = "", *, remedy: str = "", wait_seconds: float = 0.0) -> None:
        super().__init__(message, remedy=remedy)
        self.wait_seconds = wait_seconds  # what the provider asks for, 0 when it does not say


class AnswerLost(ProviderError):
    """The connection was lost in the middle of the answer."""


class CeilingReached(ProviderError):
    """A token limit has been reached, so the model was not asked."""


class ContextTooLong(ProviderError):
    """The conversation is longer than the model's window."""

    def __init__(self, message: str = "", *, limit_tokens: int = 0) -> None:
        super().__init__(message)
        self.limit_tokens = limit_tokens  # what the provider said, 0 when it did not


class ReplyInvalid(ProviderError):
    """The model's reply does not fit what was asked for."""

    def __init__(self, message: str = "", *, remedy: str = "", said: str = "", mendable: bool = False) -> None:
        super().__init__(message, remedy=remedy)
        self.said = said  # the reply, as far as it came
        self.mendable = mendable  # asked once more, with what was wrong, the model may do better


class ReplyEmpty(ReplyInvalid):
    """The model's answer is empty."""


class RequestCancelled(ProviderError):
    """The request to the model was cancelled; there is no answer."""


class RequestTimedOut(ProviderError):
    """The model did not answer in time."""


class CompactionRefused(Refused):
    """The conversation cannot be compacted now."""
