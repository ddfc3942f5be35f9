"""Words of many documents as columns, which glue/table.c makes.

    stores -> Table -> columns as Python, pandas, Arrow and Polars have them (_frames.py)
"""

import array
import itertools
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._errors import ArgumentError
from ._library import check, ffi, lib, new_error, text_to_bytes, to_str
from ._reading import Call
from ._store import Store
from .words import DEPREL, DEPS, FEATS, FORM, LEMMA, MISC, UPOS, XPOS, pairs

_TEXTS = {"form": FORM, "lemma": LEMMA, "upos": UPOS, "xpos": XPOS, "feats": FEATS,
          "deprel": DEPREL, "deps": DEPS, "misc": MISC}
_NUMBERS = {"sentence": "i", "id": "i", "head": "i", "start": "q", "end": "q"}
_OF_PAIRS = ("feats", "misc")  # whose items can be columns: "feats.Number"
DOC_COLUMNS = ("sentence", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps",
               "misc", "start", "end")
ALL_COLUMNS = ("doc_id", *DOC_COLUMNS)


class Texts(NamedTuple):
    """A column of texts: values[code] for each word, None where a code is -1."""

    codes: memoryview  # of int32
    values: List[str]


def check_columns(columns: Optional[Iterable[str]], known: Sequence[str]) -> Tuple[str, ...]:
    """All that are known by default."""
    if columns is None:
        return tuple(known)
    if isinstance(columns, str):
        raise TypeError(f"columns is a list of names, not one str; pass [{columns!r}]")
    chosen = tuple(columns)
    for name in chosen:
        whole, dot, item = name.partition(".")
        if name not in known and not (dot and item and whole in _OF_PAIRS):
            raise ArgumentError(f"there is no column {name!r}; there are {', '.join(known)}, and "
                                "items of feats and misc, such as feats.Number")
        if chosen.count(name) > 1:
            raise ArgumentError(f"column {name!r} is there twice")
    return chosen


def check_categories(categories: Iterable[str], columns: Sequence[str]) -> Tuple[str, ...]:
    if isinstance(categories, str):
        raise TypeError(f"categories is a list of names, not one str; pass [{categories!r}]")
    chosen = tuple(categories)
    for name in chosen:
        if name not in columns or name == "doc_id" or name in _NUMBERS:
            raise ArgumentError(f"categories: {name!r} is no column of texts that was asked for")
    return chosen


def _clean_text(source: Union[str, bytes]) -> bytes:
    """A running text as its tokens have it: the library replaces what is no character."""
    if isinstance(source, bytes):
        source = source.decode("utf-8", "replace")
    return text_to_bytes(source).replace(b"\0", b"\xef\xbf\xbd")


class Table:
    """Grows by documents, which can be freed once they are in it."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = columns
        self.ids: List[Any] = []  # of the documents
        bits = {1 << _TEXTS[name.partition(".")[0]] for name in columns
                if name.partition(".")[0] in _TEXTS}
        self._places = "start" in columns or "end" in columns
        made = lib.dp_table_new(sum(bits), self._places)
        if made == ffi.NULL:
            raise MemoryError("out of memory")
        self._handle = ffi.gc(made, lib.dp_table_free)

    def __len__(self) -> int:
        return int(self._handle.rows)

    def add(self, store: Store, id: Any = None, only: int = -1, call: Optional[Call] = None) -> None:
        """only: the one sentence whose words are wanted, which then is number 0."""
        read = store.source is None or not self._places
        text = b"" if read else _clean_text(store.source or b"")
        call, error = call or Call(), new_error()
        status = lib.dp_table_add(self._handle, len(self.ids), store.handle, only,
                                  ffi.NULL if read else ffi.from_buffer(text), len(text),
                                  call.cancel, error)
        call.check(status, error)
        self.ids.append(id)

    # ---- columns

    def _view(self, pointer: Any, code: str) -> memoryview:
        size = len(self) * (8 if code == "q" else 4)
        if not size:  # which cannot be cast
            return memoryview(array.array(code))
        return memoryview(ffi.buffer(pointer, size)).toreadonly().cast(code)

    def documents(self) -> memoryview:
        """For each word the number of its document, an index into `ids`."""
        return self._view(self._handle.document, "i")

    def is_number(self, name: str) -> bool:
        return name in _NUMBERS

    def numbers(self, name: str) -> memoryview:
        """A view that is valid as long as the table is, and does not grow. -1: unknown."""
        return self._view(getattr(self._handle, name), _NUMBERS[name])

    def texts(self, name: str) -> Texts:
        """The codes are as valid as those of numbers()."""
        whole, _, item = name.partition(".")
        column = _TEXTS[whole]
        joined = to_str(lib.dp_table_values(self._handle, column))
        found = Texts(self._view(self._handle.codes[column], "i"), joined.split("\n")[:-1])
        return _items(found, item) if item else found


def _items(cells: Texts, item: str) -> Texts:
    """A column of the values that an item has in another column's cells."""
    numbers: Dict[str, int] = {}
    new_codes = []
    for cell in cells.values:
        value = pairs(cell).get(item)
        new_codes.append(-1 if value is None else numbers.setdefault(value, len(numbers)))
    new_codes.append(-1)  # of -1
    codes = array.array("i", map(new_codes.__getitem__, cells.codes))
    return Texts(memoryview(codes), list(numbers))


def chunks(stores: Iterable[Tuple[Store, Any]], columns: Sequence[str],
           size: Optional[int] = None) -> Iterator[Table]:
    """Tables of that many documents each, or one of all."""
    rest = iter(stores)
    while True:
        table, call = Table(columns), Call()
        for store, id in itertools.islice(rest, size):
            table.add(store, id, call=call)
        if size is None or table.ids:
            yield table
        if size is None or len(table.ids) < size:
            return


def table_of(store: Store, columns: Optional[Iterable[str]], only: int = -1) -> Table:
    table = Table(check_columns(columns, DOC_COLUMNS))
    table.add(store, only=only)
    return table
