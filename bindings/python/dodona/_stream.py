"""Streams: texts in batches, and batches in threads."""

import collections
import concurrent.futures
from typing import (Any, Callable, Deque, Iterable, Iterator, List, Mapping, NamedTuple, Optional,
                    Sequence, Tuple, TypeVar, Union)

from ._library import type_name
from ._making import check_words, conllu_of_words
from ._reading import Stop

Text = Union[str, bytes]
# A text, the words of a sentence, or a record that has either; or one of these with its context.
Item = Union[Text, Sequence[str], Mapping[str, Any], Tuple[Any, Any]]


class Batch(NamedTuple):
    texts: List[Text]
    contexts: List[Any]  # what came with each


Result = TypeVar("Result")

_BATCH_BYTES = 1 << 16  # a batch ends behind the text that reaches this


def make_batches(items: Iterable[Item], size: int, format: str, field: str,
                 as_tuples: bool) -> Iterator[Batch]:
    batch, filled = Batch([], []), 0
    for number, item in enumerate(items):
        context = None
        if as_tuples:
            item, context = _pair_of(item, number)
        elif isinstance(item, Mapping):
            item, context = _field_of(item, number, field), item
        text = _text_of(item, number, format)
        batch.texts.append(text)
        batch.contexts.append(context)
        filled += len(text)
        if len(batch.texts) == size or filled >= _BATCH_BYTES:
            yield batch
            batch, filled = Batch([], []), 0
    if batch.texts:
        yield batch


def _pair_of(item: Item, number: int) -> Tuple[Any, Any]:
    if isinstance(item, tuple) and len(item) == 2:
        return item
    raise TypeError(f"pipe() with as_tuples takes pairs of a text and its context; item {number}, "
                    f"counted from 0, is {type_name(item)}")


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
