"""Streams: texts in batches, and batches in threads."""

import collections
import concurrent.futures
from typing import Any, Callable, Deque, Iterable, Iterator, List, Optional, Sequence, TypeVar, Union

from ._library import type_name
from ._making import check_words, conllu_of_words
from ._reading import Stop

Item = Union[str, bytes, Sequence[str]]  # a text, or the words of a sentence
Batch = List[Union[str, bytes]]
Result = TypeVar("Result")

_BATCH_BYTES = 1 << 16  # a batch ends behind the text that reaches this


def make_batches(items: Iterable[Item], size: int, format: str) -> Iterator[Batch]:
    batch: Batch = []
    filled = 0
    for number, item in enumerate(items):
        text = _text_of(item, number, format)
        batch.append(text)
        filled += len(text)
        if len(batch) == size or filled >= _BATCH_BYTES:
            yield batch
            batch, filled = [], 0
    if batch:
        yield batch


def _text_of(item: Item, number: int, format: str) -> Union[str, bytes]:
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
