"""As much of pyarrow and polars as the package calls, written from their documentation: buffers are
read as Arrow lays them out."""

import struct
import types


class ArrowArray:
    def __init__(self, values):
        self.values = list(values)

    def take(self, indices):
        return ArrowArray(None if i is None else self.values[i] for i in indices.values)

    @staticmethod
    def from_buffers(kind, length, buffers, null_count=-1):
        known, data = buffers
        form = {"int32": "i", "int64": "q"}[kind]
        values = list(struct.unpack(f"<{length}{form}", data))
        if known is not None:
            assert len(known) == (length + 7) // 8
            values = [value if known[i // 8] >> i % 8 & 1 else None for i, value in enumerate(values)]
        assert values.count(None) == null_count or null_count == -1
        return ArrowArray(values)


class DictionaryArray:
    def __init__(self, values):
        self.values = values

    @staticmethod
    def from_arrays(indices, dictionary):
        return DictionaryArray(dictionary.take(indices).values)


def make_pyarrow():
    module = types.ModuleType("pyarrow")
    module.int32, module.int64, module.string = lambda: "int32", lambda: "int64", lambda: "string"
    module.Array, module.DictionaryArray = ArrowArray, DictionaryArray
    module.array = lambda values, type=None: ArrowArray(values)
    module.py_buffer = bytes
    module.table = lambda columns: columns
    return module


class Series:
    def __init__(self, name, values, dtype=None):
        self.name, self.values, self.dtype = name, list(values), dtype

    def cast(self, dtype):
        return Series(self.name, self.values, dtype)


def make_polars():
    module = types.ModuleType("polars")
    module.Series = Series
    module.DataFrame = lambda series: {one.name: one for one in series}
    for name in ("Int32", "Int64", "Utf8", "Categorical"):
        setattr(module, name, name)
    return module
