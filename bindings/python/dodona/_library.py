"""The C library, and the small things that every part of the package needs from it."""

import os
import re
from typing import Any, Callable, Dict, Optional, Sequence, Union

from ._native import ffi as ffi, lib as lib
from ._errors import ArgumentError, raise_error

SURROGATE = re.compile("[\ud800-\udfff]")
VERSION: str = ffi.string(lib.dd_version()).decode()

Path = Union[str, "os.PathLike[str]"]
# A file, or its contents; see is_text.
Source = Union[str, bytes, "os.PathLike[str]"]


def is_text(source: Source) -> bool:
    """CoNLL-U itself: bytes, or a string that is empty or has more than one line. Anything else
    names a file."""
    return isinstance(source, bytes) or isinstance(source, str) and (not source or "\n" in source)


def type_name(value: object) -> str:
    return type(value).__name__


def to_bytes(text: Union[str, bytes]) -> bytes:
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if not isinstance(text, bytes):
        raise TypeError(f"expected str or bytes, not {type_name(text)}")
    return text


def text_to_bytes(text: Union[str, bytes]) -> bytes:
    """Of running text, where the library replaces what is no character: half a surrogate pair
    becomes one U+FFFD, so that all characters after it keep their places."""
    try:
        return text.encode() if isinstance(text, str) else to_bytes(text)
    except UnicodeEncodeError:
        return SURROGATE.sub("\ufffd", str(text)).encode()


def to_path(path: Path) -> bytes:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"expected the name of a file, as str or os.PathLike, not {type_name(path)}")
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ArgumentError("a file name has a NUL in it")
    return encoded


def to_str(text: Any) -> str:
    """Of a dd_text."""
    return str(ffi.buffer(text.data, text.size)[:], "utf-8", "replace") if text.size else ""


def c_str(pointer: Any) -> str:
    return str(ffi.string(pointer), "utf-8", "replace") if pointer != ffi.NULL else ""


class Text:
    """A dd_text over bytes that live as long as this does."""

    def __init__(self, text: Union[str, bytes]) -> None:
        self.bytes = to_bytes(text)
        self.buffer = ffi.from_buffer(self.bytes)
        self.value = ffi.new("dd_text *", (self.buffer, len(self.bytes)))[0]


def new_error() -> Any:
    return ffi.new("dd_error *")


def check(status: int, error: Any, files: Sequence[str] = ()) -> None:
    """Raises the error unless the status is DD_OK; `files` are those that it may be about."""
    if status != lib.DD_OK:
        raise_error(status, error.line, error.column, c_str(error.message), files)


def formatted(format: Callable[..., int], handle: Any) -> bytes:
    """What a function appends to the buffer that it is given."""
    out, error = ffi.new("dd_buffer *"), new_error()
    try:
        check(format(handle, out, error), error)
        return bytes(ffi.buffer(out.data, out.size)) if out.size else b""
    finally:
        lib.dd_buffer_free(out)


def format_sentence(sentence: Any, format: Optional[int] = None) -> bytes:
    """As a writer of the format writes it; its CoNLL by default."""
    as_format = lib.DD_FORMAT_AUTO if format is None else format

    def append(handle: Any, out: Any, error: Any) -> int:
        return int(lib.dd_sentence_format(handle, as_format, out, error))

    return formatted(append, sentence)


def make(new: Callable[..., int], free: Any, type_name: str, *arguments: Any,
         files: Sequence[str] = ()) -> Any:
    """What a dd_*_new or similar function returns, freed when it is no longer used."""
    out, error = ffi.new(type_name + " **"), new_error()
    check(new(out, *arguments, error), error, files)
    return ffi.gc(out[0], free)


class Watch:
    """What the library hands back to a callback as `user`."""

    def __init__(self) -> None:
        self.failure: Optional[BaseException] = None  #: what a callback raised


def keep_failure(kind: Any, failure: BaseException, traceback: Any) -> None:
    """For callbacks whose first argument is `user`: C cannot pass an exception on, so it is
    kept until the call is over. KeyboardInterrupt may occur anywhere in a callback."""
    ffi.from_handle(traceback.tb_frame.f_locals["user"]).failure = failure


def choose(name: str, value: Any, choices: Sequence[str]) -> int:
    """The number of an enum's value."""
    if value not in choices:
        raise ArgumentError(f"{name} must be one of {', '.join(choices)}; it is {value!r}")
    return choices.index(value)


def bounded(name: str, value: Optional[int], low: int, high: int) -> int:
    if not isinstance(value, int) or not low <= value <= high:
        raise ArgumentError(f"{name} must lie between {low} and {high}; it is {value!r}")
    return int(value)


def _format_names(is_offered: Callable[[Any], bool]) -> Dict[str, int]:
    names: Dict[str, int] = {}
    index = 0
    while (row := lib.dd_format_at(index)) != ffi.NULL:
        if is_offered(row):
            names[c_str(row.name)] = row.format
        index += 1
    return names


# In the order of dd_format.
INPUTS = tuple(_format_names(lambda row: bool(row.is_read)))
CONLL = INPUTS[:lib.DD_FORMAT_CONLLX + 1]
OUTPUTS = _format_names(lambda row: bool(row.is_written))
