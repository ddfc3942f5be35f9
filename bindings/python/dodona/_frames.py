"""Tables of words as Python, pandas, Arrow and Polars have them."""

import array
import importlib
from typing import Any, Dict, List, Sequence, Union

from ._library import ffi, lib
from ._table import Table, Texts

_NAMES = {"pyarrow": "arrow"}  # of packages, where to_...() goes by another
_POSITIONS = ("start", "end")  # which may be unknown

Column = Union[List[Any], "array.array[int]"]


def need(package: str, call: str, instead: str) -> Any:
    """Imports a package that is not required."""
    try:
        return importlib.import_module(package)
    except ImportError as failure:
        raise ImportError(f"{call} needs the package {package.partition('.')[0]}, which is not "
                          f"installed; {instead} without it") from failure


def _need_frames(package: str) -> Any:
    return need(package, f"to_{_NAMES.get(package, package)}()", "to_columns() has the same")


# ---- without any package


def _text_list(texts: Texts) -> List[Any]:
    values = [*texts.values, None]  # which -1 finds, too
    return list(map(values.__getitem__, texts.codes))


def _document_ids(table: Table) -> List[Any]:
    return list(map(table.ids.__getitem__, table.documents()))


def to_columns(table: Table, categories: Sequence[str] = ()) -> Dict[str, Column]:
    """Without categories, which Python has no type for."""
    made: Dict[str, Column] = {}
    for name in table.columns:
        if name == "doc_id":
            made[name] = _document_ids(table)
        elif table.is_number(name):
            numbers = table.numbers(name)
            made[name] = array.array(numbers.format, numbers.tobytes())
        else:
            made[name] = _text_list(table.texts(name))
    return made


# ---- pandas


def to_pandas(table: Table, categories: Sequence[str] = ()) -> Any:
    pandas = _need_frames("pandas")
    import numpy

    def taken(values: List[Any], codes: Any) -> Any:
        """values[code] for each code: references to the same few objects."""
        objects = numpy.empty(len(values), dtype=object)
        objects[:] = values
        return objects.take(codes)

    def column(name: str) -> Any:
        if name == "doc_id":
            ids = pandas.Series(table.ids, dtype=None if table.ids else object)
            return ids.take(numpy.asarray(table.documents())).array
        if table.is_number(name):
            numbers = numpy.array(table.numbers(name), dtype="int64")
            # Whole numbers also where some are missing.
            return (pandas.arrays.IntegerArray(numbers, numbers < 0) if name in _POSITIONS
                    else numbers)
        texts = table.texts(name)
        codes = numpy.asarray(texts.codes)
        if name in categories:
            return pandas.Categorical.from_codes(codes, texts.values)
        return taken([*texts.values, None], codes)

    return pandas.DataFrame({name: column(name) for name in table.columns},
                            columns=list(table.columns))


# ---- Arrow


def to_arrow(table: Table, categories: Sequence[str] = ()) -> Any:
    pyarrow = _need_frames("pyarrow")

    def numbers(view: memoryview, maybe_missing: bool) -> Any:
        count, kind = len(view), pyarrow.int64() if view.format == "q" else pyarrow.int32()
        if maybe_missing and min(view, default=0) < 0:
            return pyarrow.array([None if number < 0 else number for number in view], kind)
        return pyarrow.Array.from_buffers(kind, count, [None, pyarrow.py_buffer(view.tobytes())])

    def column(name: str) -> Any:
        if name == "doc_id":
            return pyarrow.array(table.ids).take(numbers(table.documents(), False))
        if table.is_number(name):
            return numbers(table.numbers(name), name in _POSITIONS)
        texts = table.texts(name)
        codes = _nullable(pyarrow, texts.codes)
        values = pyarrow.array(texts.values, pyarrow.string())
        if name in categories:
            return pyarrow.DictionaryArray.from_arrays(codes, values)
        return values.take(codes)

    return pyarrow.table({name: column(name) for name in table.columns})


def _nullable(pyarrow: Any, codes: memoryview) -> Any:
    """-1 is null."""
    bits = bytearray((len(codes) + 7) // 8)
    missing = lib.dp_known(ffi.from_buffer("int32_t[]", codes), len(codes),
                           ffi.from_buffer("uint8_t[]", bits))
    known = pyarrow.py_buffer(bytes(bits)) if missing else None
    return pyarrow.Array.from_buffers(pyarrow.int32(), len(codes),
                                      [known, pyarrow.py_buffer(codes.tobytes())], missing)


# ---- Polars


def to_polars(table: Table, categories: Sequence[str] = ()) -> Any:
    polars = _need_frames("polars")

    def column(name: str, values: Any) -> Any:
        if name == "doc_id":
            return polars.Series(name, values)
        if table.is_number(name):
            kind = polars.Int64 if name in _POSITIONS else polars.Int32
            known = ([None if number < 0 else number for number in values] if name in _POSITIONS
                     else list(values))
            return polars.Series(name, known, dtype=kind)
        series = polars.Series(name, values, dtype=polars.Utf8)
        return series.cast(polars.Categorical) if name in categories else series

    return polars.DataFrame([column(name, values) for name, values in to_columns(table).items()])
