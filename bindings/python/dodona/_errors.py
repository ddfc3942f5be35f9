"""What goes wrong, with the file, the line and the reason."""

from typing import Optional, Sequence, Tuple


class Error(Exception):
    """The message is "FILE:LINE: reason" or "reason", and its parts are attributes.

    file    name of the file, or "<text>" for text passed directly; None if there is no file
    line    counted from 1; None if there is no line
    column  of the ten columns of CoNLL, counted from 1; None if there is no column
    reason  the message without file and line
    """

    def __init__(self, message: str, file: Optional[str] = None, line: Optional[int] = None,
                 column: Optional[int] = None, reason: Optional[str] = None) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.reason = message if reason is None else reason

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Tuple[object, ...]:
        return type(self), (self.message, self.file, self.line, self.column, self.reason)


class FileError(Error, OSError):
    """A file cannot be opened, read, written or decompressed."""


class FormatError(Error, ValueError):
    """Text breaks a rule of its format."""


class DataError(Error, ValueError):
    """Well-formed input that cannot be used: no heads, constraints that cannot hold, ..."""


class ModelError(Error, ValueError):
    """A damaged, truncated or foreign model file."""


class ArgumentError(Error, ValueError):
    """An option or argument is out of bounds."""


# By dd_status.
_KINDS = {4: FileError, 5: FormatError, 6: DataError, 7: ModelError, 8: ArgumentError}


def split_message(message: str, line: int, files: Sequence[str]) -> Tuple[Optional[str], str]:
    """File and reason. Names may have colons and digits in them, so known ones come first."""
    for file in files:
        for head in (f"{file}:{line}: ", f"{file}: "):
            if message.startswith(head):
                return file, message[len(head):]
    file, found, reason = message.partition(f":{line}: ")
    return (file, reason) if line and found else (None, message)


def raise_error(status: int, line: int, column: int, message: str, files: Sequence[str]) -> None:
    if status == 3:
        raise MemoryError(message)
    file, reason = split_message(message, line, files)
    raise _KINDS.get(status, Error)(message, file, line or None, column or None, reason)
