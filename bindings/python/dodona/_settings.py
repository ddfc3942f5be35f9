"""The settings of training as keyword arguments, made from the library's rows.

A type checker cannot ask the library, so that it has Settings; a test compares that with the rows.
"""

import inspect
import math
import os
import textwrap
from typing import (Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, TypedDict,
                    Union)

from ._errors import ArgumentError, raise_error
from ._library import Path, c_str, check, ffi, lib, make, new_error


class Settings(TypedDict, total=False):
    """What train() takes besides files and callbacks; None is the default."""

    only: Union[str, Iterable[str], None]
    jackknife: Union[int, str, None]
    jackknifed: Optional[Path]
    components_from: Optional[Path]
    threads: Union[int, str, None]
    tokenizer: Optional[str]
    keep_tokens: Optional[Path]
    abbreviations: Optional[Path]
    tagger_bytes: Optional[int]
    tagger: Optional[str]
    tagger_iterations: Optional[int]
    tagger_layers: Optional[int]
    tagger_width: Optional[int]
    tagger_silver: Optional[Path]
    lemmatizer_bytes: Optional[int]
    parser_bytes: Optional[int]
    scorer: Optional[str]
    system: Optional[str]
    oracle: Optional[str]
    loss: Optional[str]
    explore: Optional[float]
    explore_from: Optional[int]
    beam: Optional[int]
    update: Optional[str]
    margin: Optional[int]
    prune: Optional[float]
    iterations: Optional[int]
    silver: Optional[Path]
    silver_weight: Optional[float]
    silver_window: Optional[int]
    silver_probabilities: Optional[bool]
    soft: Optional[bool]
    checkpoint: Optional[Path]
    resume: Optional[bool]
    start_from: Optional[Path]
    inputs: Union[str, Iterable[str], None]
    encoder: Optional[str]
    layers: Optional[int]
    width: Optional[int]
    hidden: Optional[int]
    weight_bits: Optional[int]
    batch_words: Union[int, str, None]
    rate: Optional[float]
    dropout: Optional[float]
    input_dropout: Optional[float]
    vectors: Optional[Path]
    vectors_words: Optional[int]
    seed: Optional[int]
    max_words: Optional[int]
    single_root: Optional[str]
    unbuildable: Optional[str]
    tidy: Optional[bool]
    templates: Optional[Path]
    language: Optional[str]
    treebank: Optional[str]
    model_version: Optional[str]
    licence: Optional[str]
    format: Optional[str]
    skip_bad: Optional[bool]


_TYPES: Dict[int, Any] = {
    lib.DD_SETTING_FLAG: Optional[bool],
    lib.DD_SETTING_WHOLE: Optional[int],
    lib.DD_SETTING_REAL: Optional[float],
    lib.DD_SETTING_CHOICE: Optional[str],
    lib.DD_SETTING_LIST: Union[str, Iterable[str], None],
    lib.DD_SETTING_TEXT: Optional[str],
}


_ARGUMENTS = {"from": "format"}  # `from` is a word of Python's own


class Row(NamedTuple):
    """A setting, with its name in Python and its default as a value of Python."""

    name: str
    argument: str
    kind: int
    value: str  #: what stands for it in the program's help
    default: Any  #: None: as the note says
    note: str
    low: float
    high: float
    choices: Tuple[str, ...]
    help: str

    def type(self) -> Any:
        if not {"FILE", "MODEL"}.isdisjoint(self.value.split("|")):
            return Optional[Path]
        if self.kind == lib.DD_SETTING_WHOLE and self.choices:
            return Union[int, str, None]
        return _TYPES[self.kind]

    def describe(self) -> str:
        """As in the program's help."""
        parts, values = [self.help], list(self.choices)
        if self.low < self.high < math.inf:
            values.insert(0, f"{self.low:.15g} to {self.high:.15g}")
        if values:
            parts.append(f"({', '.join(values)})")
        return " ".join([*parts, f"[{self.note if self.default is None else self.default}]"])


def _default(kind: int, text: str) -> Any:
    if kind == lib.DD_SETTING_FLAG:
        return text == "yes"
    if kind == lib.DD_SETTING_WHOLE:
        return int(text) if text.lstrip("-").isdigit() else text  # one of its choices
    return float(text) if kind == lib.DD_SETTING_REAL else text


def _row(setting: Any) -> Row:
    name, kind = c_str(setting.name), setting.kind
    choices: List[str] = []
    while (choice := lib.dd_setting_choice(setting, len(choices))) != ffi.NULL:
        choices.append(c_str(choice))
    given = setting.default_value != ffi.NULL
    return Row(name, _ARGUMENTS.get(name, name.replace("-", "_")), kind, c_str(setting.value),
               _default(kind, c_str(setting.default_value)) if given else None,
               c_str(setting.default_note), setting.low, setting.high, tuple(choices),
               c_str(setting.help))


def _rows() -> List[Row]:
    rows: List[Row] = []
    while (setting := lib.dd_setting_at(len(rows))) != ffi.NULL:
        rows.append(_row(setting))
    return rows


ROWS: Dict[str, Row] = {row.argument: row for row in _rows()}


def in_python(message: str) -> str:
    """A message that starts with the name of a setting, with its name in Python."""
    for row in ROWS.values():
        if message.startswith(f"{row.name}: "):
            return row.argument + message[len(row.name):]
    return message


def to_text(row: Row, value: Any) -> bytes:
    """A value as the library reads it."""
    if row.kind == lib.DD_SETTING_FLAG and not isinstance(value, str):
        value = "yes" if value else "no"
    elif row.kind == lib.DD_SETTING_LIST and not isinstance(value, str):
        value = ",".join(value)
    text = os.fsencode(value if isinstance(value, (bytes, os.PathLike)) else str(value))
    if b"\0" in text:
        raise ArgumentError(f"{row.argument}: has a NUL in it")
    return text


def _refuse(status: int, error: Any) -> None:
    raise_error(status, 0, 0, in_python(c_str(error.message)), ())


def _unknown(settings: Any, argument: str) -> None:
    error = new_error()
    if argument in _ARGUMENTS:
        raise ArgumentError(f"there is no setting '{argument}'; did you mean "
                            f"'{_ARGUMENTS[argument]}'?")
    status = lib.dd_settings_set(settings, os.fsencode(argument.replace("_", "-")), ffi.NULL, error)
    raise_error(status, 0, 0, c_str(error.message).replace("-", "_"), ())


def make_settings(values: Mapping[str, Any]) -> Any:
    """A dd_settings with these values; what is None stays as it is."""
    settings, error = make(lib.dd_settings_new, lib.dd_settings_free, "dd_settings"), new_error()
    for argument, value in values.items():
        if argument not in ROWS:
            _unknown(settings, argument)
        if value is None:
            continue
        row = ROWS[argument]
        status = lib.dd_settings_set(settings, row.name.encode(), to_text(row, value), error)
        if status != lib.DD_OK:
            _refuse(status, error)
    return settings


def check_training(status: int, error: Any, files: List[str]) -> None:
    """As check(), but settings have their names in Python."""
    if status == lib.DD_ERROR_ARGUMENT:
        _refuse(status, error)
    check(status, error, files)


def signature(function: Any) -> inspect.Signature:
    """The function's own, with the settings in place of its last parameter, `**settings`."""
    own = inspect.signature(function)
    kept = [parameter for parameter in own.parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
    made = [inspect.Parameter(row.argument, inspect.Parameter.KEYWORD_ONLY, default=row.default,
                              annotation=row.type()) for row in ROWS.values()]
    return own.replace(parameters=[*kept, *made])


def document() -> str:
    """A paragraph for each setting."""
    return "\n".join(textwrap.fill(f"{row.argument}: {row.describe()}", 90, initial_indent="    ",
                                   subsequent_indent="        ", break_on_hyphens=False)
                     for row in ROWS.values())
