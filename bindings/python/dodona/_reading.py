"""From texts and files to the library's documents, in calls that Ctrl-C can end."""

import os
import threading
from typing import Any, List, Optional, Sequence, Tuple

from ._library import (CONLL, INPUTS, Source, Watch, bounded, check, choose, ffi, is_text,
                       keep_failure, lib, new_error, to_bytes, to_path, type_name)

TEXT_NAME = "<text>"
_CONLLX_ENDS = tuple(end + packed for end in (b".conll", b".conllx")
                     for packed in (b"", b".gz", b".zst"))


def tidy_value(tidy: Optional[bool]) -> int:
    if tidy is None:
        return int(lib.DD_TIDY_AUTO)
    return int(lib.DD_TIDY_YES if tidy else lib.DD_TIDY_NO)


def make_options(format: str, conll: bool = False, presegmented: bool = False,
                 ranges: bool = False, scores: bool = False, tag: bool = False, beam: int = 0,
                 tidy: Optional[bool] = None) -> Any:
    """conll: with format "auto" the source is CoNLL whatever it looks like."""
    options = ffi.new("dp_options *")
    options.format = choose("format", format, CONLL if conll else INPUTS)
    options.conll = conll
    options.presegmented, options.ranges = presegmented, ranges
    options.scores, options.tag = scores, tag
    options.beam = bounded("beam", beam, 0, lib.DD_MAX_BEAM)
    options.tidy = tidy_value(tidy)
    return options


# ---- calls that can be ended


@ffi.def_extern(name="dp_on_pause", error=False, onerror=keep_failure)
def _on_pause(user: Any) -> bool:
    """There is nothing to do: this is where Python raises KeyboardInterrupt."""
    return True


class Stop:
    """Ends calls in other threads: Python raises KeyboardInterrupt in the main one alone."""

    def __init__(self) -> None:
        self.flag = ffi.new("int *")

    def now(self) -> None:
        lib.dp_stop(self.flag)


class Call:
    """One call into the library that can be ended."""

    def __init__(self, stop: Optional[Stop] = None) -> None:
        self._kept = Watch()
        self._handle = ffi.new_handle(self._kept)
        self.watch = ffi.new("dp_watch *")
        self.watch.stop = ffi.NULL if stop is None else stop.flag
        if threading.current_thread() is threading.main_thread():
            self.watch.go_on, self.watch.user = lib.dp_on_pause, self._handle

    def check(self, status: int, error: Any, files: Sequence[str]) -> None:
        if self._kept.failure is not None:
            raise self._kept.failure
        if status == lib.DD_INTERRUPTED:
            raise InterruptedError("stopped from another thread")
        check(status, error, files)


def parse_texts(model: Any, parser: Any, texts: Sequence[bytes], options: Any,
                stop: Optional[Stop] = None) -> Tuple[List[Any], Optional[BaseException]]:
    """The documents up to the first text that fails, and its error. Without a parser texts are
    only read."""
    joined = b"".join(texts)
    out, done = ffi.new("dp_document *[]", len(texts)), ffi.new("int *")
    call, error = Call(stop), new_error()
    status = lib.dp_parse_texts(model, parser, TEXT_NAME.encode(), ffi.from_buffer(joined),
                                [len(text) for text in texts], len(texts), options, call.watch,
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


def parse_one(model: Any, parser: Any, text: bytes, options: Any) -> Any:
    """The document of one text."""
    made, failure = parse_texts(model, parser, [text], options)
    if failure is not None:
        raise failure
    return made[0]


def parse_source(source: Source, options: Any, model: Any = ffi.NULL, parser: Any = ffi.NULL,
                 ) -> Tuple[Any, bool]:
    """The document of a file, or of its contents, and whether it is CoNLL-X."""
    if not isinstance(source, (str, bytes, os.PathLike)):
        raise TypeError("expected a file, or its contents as a str of several lines or bytes, not "
                        + type_name(source))
    if is_text(source):
        assert not isinstance(source, os.PathLike)
        made = parse_one(model, parser, to_bytes(source), options)
        return made, is_conllx(options, b"")
    assert not isinstance(source, bytes)
    path, out, error = to_path(source), ffi.new("dp_document **"), new_error()
    call = Call()
    status = lib.dp_parse_file(model, parser, path, options, call.watch, out, error)
    call.check(status, error, [os.fsdecode(path)])
    return out[0], is_conllx(options, path)


def is_conllx(options: Any, path: bytes) -> bool:
    """What the library takes a file for."""
    if options.format != lib.DD_FORMAT_AUTO:
        return bool(options.format == lib.DD_FORMAT_CONLLX)
    return path.endswith(_CONLLX_ENDS)
