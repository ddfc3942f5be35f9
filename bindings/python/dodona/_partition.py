"""Texts by partitions, for engines that send functions to workers: what is sent is small, and the
model is loaded once a process, where it is mapped and so shared by all processes of a machine."""

import functools
from typing import Any, Dict, Iterable, Iterator, Optional, Tuple

from .model import NLP, load


@functools.lru_cache(maxsize=4)
def _model(wanted: Optional[str]) -> NLP:
    return load(wanted)


class Texts:
    """Parses texts one after the other; None stays None. It pickles, as it holds no model."""

    def __init__(self, model: Optional[str] = None, to: str = "conllu", **how: Any) -> None:
        if to not in ("conllu", "json"):
            raise ValueError(f"to must be conllu or json; it is {to!r}")
        self.model, self.to = model, to
        self.how: Dict[str, Any] = how

    def _format(self, doc: Any) -> str:
        if self.to == "conllu":
            return str(doc.to_conllu())
        return "[" + ",".join(sentence.to_json().strip() for sentence in doc.sentences) + "]"

    def __call__(self, texts: Iterable[Optional[str]]) -> Iterator[Optional[str]]:
        """As many as there are texts: None for None, and for a text that is skipped."""
        count = 0

        def given() -> Iterator[Tuple[str, int]]:
            nonlocal count
            for text in texts:
                count += 1
                if text is not None:
                    yield text, count - 1

        at = 0
        for doc, place in _model(self.model).pipe(given(), as_tuples=True, **self.how):
            yield from (None for _ in range(at, place))
            yield self._format(doc)
            at = place + 1
        yield from (None for _ in range(at, count))
