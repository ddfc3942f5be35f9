"""Texts by partitions, for engines that send functions to workers: what is sent is small, and the
model is loaded once a process, where it is mapped and so shared by all processes of a machine."""

import functools
from typing import Any, Dict, Iterable, Iterator, Optional

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
        gaps = []

        def given() -> Iterator[str]:
            for text in texts:
                gaps.append(text is None)
                if text is not None:
                    yield text

        at = 0
        for doc in _model(self.model).pipe(given(), **self.how):
            while gaps[at]:
                yield None
                at += 1
            yield self._format(doc)
            at += 1
        yield from (None for _ in gaps[at:])
