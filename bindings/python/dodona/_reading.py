"""From texts and files to the library's documents, in calls that Ctrl-C can end."""

import os
import threading
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from ._errors import ArgumentError
from ._library import (CONLL, INPUTS, Source, Watch, check, choose, ffi, is_text,
                       keep_failure, lib, make, new_error, to_bytes, to_path, type_name)
from ._options import TEXT, Row, set_options

TEXT_NAME = "<text>"
_CONLLX_ENDS = tuple(end + packed for end in (b".conll", b".conllx")
                     for packed in (b"", b".gz", b".zst"))


def tidy_value(tidy: Optional[bool]) -> int:
    if tidy is None:
        return int(lib.DD_TIDY_AUTO)
    return int(lib.DD_TIDY_YES if tidy else lib.DD_TIDY_NO)


def make_options(format: str, conll: bool = False, rows: Mapping[str, Row] = TEXT,
                 **options: Any) -> Any:
    """conll: with format "auto" the source is CoNLL whatever it looks like. rows: the options that
    are offered."""
    made = ffi.new("dp_options *")
    made.format = choose("format", format, CONLL if conll else INPUTS)
    made.conll = conll
    set_options(options, rows, ffi.addressof(made, "input"), ffi.addressof(made, "parse"), made)
    return made


# ---- calls that can be ended


@ffi.def_extern(name="dp_on_pause", error=False, onerror=keep_failure)
def _on_pause(user: Any) -> bool:
    """There is nothing to do: this is where Python raises KeyboardInterrupt."""
    return True


class Stop:
    """Ends calls in other threads: Python raises KeyboardInterrupt in the main one alone."""

    def __init__(self) -> None:
        self.cancel = new_cancel()

    def now(self) -> None:
        lib.dd_cancel_now(self.cancel)


def new_cancel() -> Any:
    return make(lib.dd_cancel_new, lib.dd_cancel_free, "dd_cancel")


class Call:
    """One call into the library that Ctrl-C, a timeout or `cancel` itself can end."""

    def __init__(self, cancel: Any = None, timeout: Optional[float] = None) -> None:
        self._kept = Watch()
        self._handle = ffi.new_handle(self._kept)
        self._timeout = check_timeout(timeout)
        self.cancel = new_cancel() if cancel is None else cancel
        if threading.current_thread() is threading.main_thread():
            lib.dd_cancel_when(self.cancel, lib.dp_on_pause, self._handle)
        if self._timeout is not None:
            lib.dd_cancel_after(self.cancel, self._timeout)

    def check(self, status: int, error: Any, files: Sequence[str] = ()) -> None:
        if self._kept.failure is not None:
            raise self._kept.failure
        if status == lib.DD_INTERRUPTED and self._timeout is not None:
            raise TimeoutError(f"not done within {self._timeout:g} seconds")
        if status == lib.DD_INTERRUPTED:
            raise InterruptedError("stopped from another thread")
        check(status, error, files)


def check_timeout(timeout: Optional[float]) -> Optional[float]:
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float))):
        raise TypeError(f"timeout is a number of seconds, or None; not {type_name(timeout)}")
    if timeout is not None and not timeout > 0:
        raise ArgumentError(f"timeout must be above 0; it is {timeout!r}")
    return timeout


def parse_texts(model: Any, parser: Any, texts: Sequence[bytes], options: Any,
                stop: Optional[Stop] = None, timeout: Optional[float] = None,
                ) -> Tuple[List[Any], Optional[BaseException]]:
    """The documents up to the first text that fails, and its error. Without a parser texts are
    only read."""
    joined = b"".join(texts)
    out, done = ffi.new("dp_document *[]", len(texts)), ffi.new("int *")
    call, error = Call(None if stop is None else stop.cancel, timeout), new_error()
    status = lib.dp_parse_texts(model, parser, TEXT_NAME.encode(), ffi.from_buffer(joined),
                                [len(text) for text in texts], len(texts), options, call.cancel,
                                out, done, error)
    made = list(out[0:done[0]])
    try:
        call.check(status, error, [TEXT_NAME])
    except Exception as failure:  # told when the documents before it have been handed out
        return made, failure
    except KeyboardInterrupt:
        for document in made:
            lib.dp_free(document)
        raise
    return made, None


def parse_one(model: Any, parser: Any, text: bytes, options: Any,
              timeout: Optional[float] = None) -> Any:
    """The document of one text."""
    made, failure = parse_texts(model, parser, [text], options, timeout=timeout)
    if failure is not None:
        raise failure
    return made[0]


def parse_source(source: Source, options: Any, model: Any = ffi.NULL, parser: Any = ffi.NULL,
                 timeout: Optional[float] = None) -> Tuple[Any, bool]:
    """The document of a file, or of its contents, and whether it is CoNLL-X."""
    if not isinstance(source, (str, bytes, os.PathLike)):
        raise TypeError("expected a file, or its contents as a str of several lines or bytes, not "
                        + type_name(source))
    if is_text(source):
        assert not isinstance(source, os.PathLike)
        made = parse_one(model, parser, to_bytes(source), options, timeout)
        return made, is_conllx(options, b"")
    assert not isinstance(source, bytes)
    path, out, error = to_path(source), ffi.new("dp_document **"), new_error()
    call = Call(timeout=timeout)
    status = lib.dp_parse_file(model, parser, path, options, call.cancel, out, error)
    call.check(status, error, [os.fsdecode(path)])
    return out[0], is_conllx(options, path)


def is_conllx(options: Any, path: bytes) -> bool:
    """What the library takes a file for."""
    if options.format != lib.DD_FORMAT_AUTO:
        return bool(options.format == lib.DD_FORMAT_CONLLX)
    return path.endswith(_CONLLX_ENDS)
