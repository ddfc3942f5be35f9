"""Pictures of trees."""

from typing import Any

from ._library import bounded, check, choose, ffi, lib, make, new_error, to_str

_FORMATS = ("text", "svg", "html", "tikz", "dot")
_DIRECTIONS = ("auto", "ltr", "rtl")


class Drawing:
    """What the sentences of one picture are drawn with."""

    def __init__(self, format: str, *, direction: str, width: int, **flags: bool) -> None:
        options = ffi.new("dd_draw_options *")
        lib.dd_draw_options_init(options)
        options.format = choose("format", format, _FORMATS)
        options.direction = choose("direction", direction, _DIRECTIONS)
        options.width = bounded("width", width, 0, lib.DD_DRAW_MAX_WIDTH)
        for name, value in flags.items():
            setattr(options, name, bool(value))
        self._handle = make(lib.dd_drawing_new, lib.dd_drawing_free, "dd_drawing", options)

    def draw(self, sentence: Any, gold: Any) -> str:
        """Of two dd_sentences; gold may be NULL."""
        text, error = ffi.new("dd_text *"), new_error()
        check(lib.dd_draw(self._handle, sentence, gold, text, error), error)
        return to_str(text[0])

    def begin(self) -> str:
        text, error = ffi.new("dd_text *"), new_error()
        check(lib.dd_draw_begin(self._handle, text, error), error)
        return to_str(text[0])

    def end(self) -> str:
        return to_str(lib.dd_draw_end(self._handle))
