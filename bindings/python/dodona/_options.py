"""The options of a parse as keyword arguments, made from the library's rows.

A type checker cannot ask the library, so that it has the classes here; a test compares them with the
rows.
"""

import inspect
import os
import textwrap
import weakref
from typing import (TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional,
                    TypedDict, TypeVar)

from ._errors import ArgumentError
from ._library import Path, bounded, c_str, check, ffi, lib, new_error, to_path, type_name

if TYPE_CHECKING:  # which every type checker knows, installed or not
    from typing_extensions import Unpack as Unpack

_Function = TypeVar("_Function", bound=Callable[..., Any])


class ParseOptions(TypedDict, total=False):
    """How sentences are parsed."""

    tag: bool
    tidy: Optional[bool]
    scores: bool
    beam: int
    max_words: int


class _ReadOptions(ParseOptions, total=False):
    given: str
    paragraphs: str
    ranges: bool


class TextOptions(_ReadOptions, total=False):
    """How plain text is read and parsed."""

    keep_tokens: Optional[Path]
    abbreviations: Optional[Path]


class PlanOptions(_ReadOptions, total=False):
    """What a plan has."""

    field: Optional[str]
    id: Optional[str]
    encoding: Optional[str]
    skip_bad: bool
    nbest: int


class Row(NamedTuple):
    """An option, with its name in Python."""

    argument: str
    kind: int
    stage: int
    offers: int
    low: int
    high: int
    help: str
    choices: List[str]
    file: bool  #: the text names one
    handle: Any

    @property
    def default(self) -> Any:
        return {lib.DD_OPTION_FLAG: False, lib.DD_OPTION_SWITCH: None, lib.DD_OPTION_WHOLE: 0,
                lib.DD_OPTION_CHOICE: self.choices[0] if self.choices else None,
                lib.DD_OPTION_TEXT: None}[self.kind]

    def type(self) -> Any:
        return {lib.DD_OPTION_FLAG: bool, lib.DD_OPTION_SWITCH: Optional[bool],
                lib.DD_OPTION_WHOLE: int, lib.DD_OPTION_CHOICE: str,
                lib.DD_OPTION_TEXT: Optional[Path] if self.file else Optional[str]}[self.kind]

    def value(self, given: Any) -> int:
        """As the library has it."""
        if self.kind == lib.DD_OPTION_WHOLE:
            return bounded(self.argument, given, 0, self.high)
        if self.kind == lib.DD_OPTION_SWITCH:
            return 0 if given is None else 2 if given else 1
        if self.kind == lib.DD_OPTION_CHOICE:
            if given not in self.choices:
                raise ArgumentError(f"{self.argument}: {given!r} is not one of "
                                    f"{', '.join(self.choices)}")
            return self.choices.index(given)
        return int(bool(given))


def _choices(row: Any) -> List[str]:
    found: List[str] = []
    while row.choices != ffi.NULL and row.choices[len(found)] != ffi.NULL:
        found.append(c_str(row.choices[len(found)]))
    return found


def _rows() -> List[Row]:
    rows: List[Row] = []
    while (row := lib.dd_parse_option_at(len(rows))) != ffi.NULL:
        rows.append(Row(c_str(row.name).replace("-", "_"), row.kind, row.stage, row.offers, row.low,
                        row.high, c_str(row.help), _choices(row),
                        row.value != ffi.NULL and c_str(row.value) == "FILE", row))
    return rows


ROWS: List[Row] = _rows()


def _offered(offer: int, reads: bool) -> Dict[str, Row]:
    return {row.argument: row for row in ROWS
            if row.offers & offer and row.stage != lib.DD_STAGE_RUN
            and (reads or row.stage != lib.DD_STAGE_READ)}


PARSE = _offered(lib.DD_OFFER_PYTHON, False)
TEXT = _offered(lib.DD_OFFER_PYTHON, True)
PLAN = _offered(lib.DD_OFFER_CORPUS, True)


def set_options(values: Mapping[str, Any], rows: Mapping[str, Row], reading: Any, parsing: Any,
                owner: Any) -> None:
    """Initialises a dd_input_options and a dd_parse_options, and sets what is given. They point to texts
    that live as long as the owner, which is the object in which they lie."""
    lib.dd_input_options_init_size(reading, ffi.sizeof("dd_input_options"))
    lib.dd_parse_options_init_size(parsing, ffi.sizeof("dd_parse_options"))
    error = new_error()
    for argument, given in values.items():
        if argument not in rows:
            raise TypeError(f"there is no option {argument!r} here; there are "
                            f"{', '.join(rows)}")
        row = rows[argument]
        if row.kind == lib.DD_OPTION_TEXT:
            _set_text(row, given, reading, parsing, owner)
            continue
        check(lib.dd_parse_option_set(row.handle, row.value(given), reading, parsing, error), error)


# Texts to which options point, by the object that must keep them.
_texts: "weakref.WeakKeyDictionary[Any, List[Any]]" = weakref.WeakKeyDictionary()


def _set_text(row: Row, given: Optional[Path], reading: Any, parsing: Any, owner: Any) -> None:
    if given is not None and not isinstance(given, (str, os.PathLike) if row.file else str):
        raise TypeError(f"{row.argument} is a str, or None; not {type_name(given)}")
    error = new_error()
    text = ffi.NULL
    if given is not None:
        text = ffi.new("char[]", to_path(given) if row.file else str(given).encode())
    _texts.setdefault(owner, []).append(text)
    check(lib.dd_parse_option_set_text(row.handle, text, reading, parsing, error), error)


def takes(rows: Mapping[str, Row]) -> Callable[[_Function], _Function]:
    """Shows the options in the signature of a function, in place of its `**options`, and behind its
    documentation."""
    def show(function: _Function) -> _Function:
        own = inspect.signature(function)
        kept = [parameter for parameter in own.parameters.values()
                if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
        made = [inspect.Parameter(row.argument, inspect.Parameter.KEYWORD_ONLY, default=row.default,
                                  annotation=row.type()) for row in rows.values()]
        text = "\n".join(textwrap.fill(f"{row.argument}: {row.help} [{row.default}]", 90,
                                       initial_indent=8 * " ", subsequent_indent=12 * " ",
                                       break_on_hyphens=False) for row in rows.values())
        function.__signature__ = own.replace(parameters=[*kept, *made])  # type: ignore[attr-defined]
        function.__doc__ = f"{(function.__doc__ or '').rstrip()}\n\n{text}\n"
        return function
    return show
