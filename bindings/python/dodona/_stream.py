"""Streams: texts in batches, batches in threads, and texts that cannot be parsed."""

import collections
import concurrent.futures
import sys
import warnings
from typing import (Any, Callable, Deque, Iterable, Iterator, List, Mapping, NamedTuple, Optional,
                    Sequence, Sized, Tuple, TypeVar, Union)

from ._errors import ArgumentError, Error, FileError
from ._library import type_name
from ._making import check_words, conllu_of_words
from ._reading import TEXT_NAME, Stop

Text = Union[str, bytes]
# A text, the words of a sentence, or a record that has either; or one of these with its context.
Item = Union[Text, Sequence[str], Mapping[str, Any], Tuple[Any, Any]]
# What a context is found by: from an item and its number to the item itself and its context.
Contexts = Callable[[Any, int], Tuple[Any, Any]]


class Entry(NamedTuple):
    """An item of the stream."""

    number: int  # from 0
    text: Union[Text, Exception]  # or why it has none
    context: Any  # what came with it


Batch = List[Entry]
Result = TypeVar("Result")

_BATCH_BYTES = 1 << 16  # a batch ends behind the text that reaches this


# ---- items


def make_batches(items: Iterable[Any], size: int, format: str, field: str,
                 contexts: Contexts) -> Iterator[Batch]:
    batch: Batch = []
    filled = 0
    for number, item in enumerate(items):
        entry = _entry(item, number, format, field, contexts)
        batch.append(entry)
        filled += 0 if isinstance(entry.text, Exception) else len(entry.text)
        if len(batch) == size or filled >= _BATCH_BYTES:
            yield batch
            batch, filled = [], 0
    if batch:
        yield batch


def _entry(item: Any, number: int, format: str, field: str, contexts: Contexts) -> Entry:
    context = None
    try:
        item, context = contexts(item, number)
        if isinstance(item, Mapping):
            item = _field_of(item, number, field)
        return Entry(number, _text_of(item, number, format), context)
    except (TypeError, KeyError, Error) as failure:  # whose turn comes after the items before it
        return Entry(number, failure, context)


def _field_of(record: Mapping[str, Any], number: int, field: str) -> Any:
    if field in record:
        return record[field]
    raise KeyError(f"item {number} of pipe(), counted from 0, has no {field!r}; field= names another")


def _text_of(item: Any, number: int, format: str) -> Text:
    if format == "words":
        return conllu_of_words(check_words(item, 'pipe() with format="words"'))
    if isinstance(item, (str, bytes)):
        return item
    hint = '; lists of words need format="words"' if isinstance(item, (list, tuple)) else ""
    raise TypeError(f"pipe() takes texts, as str or bytes; item {number}, counted from 0, is "
                    f"{type_name(item)}{hint}")


# ---- contexts


def record_context(item: Any, number: int) -> Tuple[Any, Any]:
    return item, item if isinstance(item, Mapping) else None


def pair_context(item: Any, number: int) -> Tuple[Any, Any]:
    if isinstance(item, tuple) and len(item) == 2:
        return item[0], item[1]
    raise TypeError(f"pipe() with as_tuples takes pairs of a text and its context; item {number}, "
                    f"counted from 0, is {type_name(item)}")


def id_context(item: Any, number: int) -> Tuple[Any, Any]:
    return item, item.get("id", number) if isinstance(item, Mapping) else number


def context_by_ids(ids: Union[None, str, Iterable[Any]], texts: Any) -> Contexts:
    """ids: a field of the records, or an id for each text."""
    if ids is None:
        return id_context
    if isinstance(ids, str):
        return _context_by_field(ids)
    if not hasattr(ids, "__iter__"):
        raise TypeError(f"ids has an id for each text, or names a field; it is {type_name(ids)}")
    if isinstance(ids, Sized) and isinstance(texts, Sized) and len(ids) != len(texts):
        raise ArgumentError(f"there are {len(ids)} ids for {len(texts)} texts")
    rest = iter(ids)

    def next_id(item: Any, number: int) -> Tuple[Any, Any]:
        for id in rest:
            return item, id
        raise ValueError(f"there are only {number} ids, and more texts")

    return next_id


def _context_by_field(name: str) -> Contexts:
    def context(item: Any, number: int) -> Tuple[Any, Any]:
        if not isinstance(item, Mapping):
            raise TypeError(f"ids={name!r} names a field of the records; item {number}, counted "
                            f"from 0, is {type_name(item)}")
        if name not in item:
            raise KeyError(f"item {number}, counted from 0, has no {name!r}, which ids= names")
        return item, item[name]

    return context


# ---- texts that cannot be parsed


class Skipped(NamedTuple):
    """A text that could not be parsed, and was left out."""

    number: int  #: of the text in the stream, from 0
    context: Any  #: what came with it: the mapping, the other half of the pair, or the id
    error: Exception  #: why it could not be parsed


Errors = Union[str, Callable[[Skipped], object]]


class Skips:
    """What becomes of texts that cannot be parsed."""

    def __init__(self, errors: Errors) -> None:
        if not callable(errors) and errors not in ("raise", "skip"):
            raise ArgumentError("errors must be 'raise', 'skip', or a function that takes a Skipped; "
                                f"it is {errors!r}")
        self.wanted = errors != "raise"
        self._tell = errors if callable(errors) else None
        self._count = 0
        self._first: Optional[Skipped] = None

    def take(self, entry: Entry, error: BaseException) -> None:
        """Raises the error unless such texts are skipped, and it is the text's own."""
        if not self.wanted or not is_of_text(error):
            raise error
        assert isinstance(error, Exception)
        skipped = Skipped(entry.number, entry.context, error)
        self._count += 1
        self._first = self._first or skipped
        if self._tell is not None:
            self._tell(skipped)

    def warn(self) -> None:
        """At the end, if nobody has been told."""
        if self._tell is None and self._first is not None:
            texts = "1 text was" if self._count == 1 else f"{self._count:,} texts were"
            warnings.warn(f"{texts} skipped; the first is number {self._first.number}, counted from "
                          f"0: {self._first.error}", stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """The stacklevel of a warning that names the line outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


def is_of_text(error: BaseException) -> bool:
    """Other texts may do without it: it is not about a file that options name."""
    if isinstance(error, Error):
        return not isinstance(error, FileError) and error.file in (None, TEXT_NAME)
    return isinstance(error, (TypeError, KeyError))


# ---- threads


def process(parse: Callable[[Batch, Optional[Stop]], Result], batches: Iterator[Batch],
            threads: int) -> Iterator[Result]:
    """What is made of each batch, in order."""
    if threads == 1:
        return (parse(batch, None) for batch in batches)
    return _process_in_threads(parse, batches, threads)


def _process_in_threads(parse: Callable[[Batch, Optional[Stop]], Result], batches: Iterator[Batch],
                        threads: int) -> Iterator[Result]:
    ahead = 2 * threads  # enough to keep every thread at work while a result is looked at
    running: Deque[Any] = collections.deque()
    stop = Stop()
    with concurrent.futures.ThreadPoolExecutor(threads, "dodona") as pool:
        try:
            for batch in batches:
                running.append(pool.submit(parse, batch, stop))
                if len(running) >= ahead:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            stop.now()  # nobody wants what is still running
            for future in running:
                future.cancel()
