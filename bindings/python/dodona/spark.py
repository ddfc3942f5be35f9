"""Functions for Spark. They are plain Python; importing them does not import Spark.

    >>> from dodona.spark import in_pandas, partitions
    >>> texts.mapPartitions(partitions("english"))
    >>> frame.mapInPandas(in_pandas("text", "english"), "id long, text string, parsed string")

Spark pickles what these return; that is a path and a few options, and no model.
"""

from typing import Any, Iterable, Iterator, Optional

from ._partition import Texts


def partitions(model: Optional[str] = None, *, to: str = "conllu", **how: Any) -> Texts:
    """For RDD.mapPartitions: from an iterator of texts to an iterator of CoNLL-U, or of JSON. `how`
    is for NLP.pipe."""
    return Texts(model, to, **how)


class InPandas:
    """For DataFrame.mapInPandas: from an iterator of pandas frames to one of frames with a further
    column."""

    def __init__(self, texts: Texts, column: str, into: str) -> None:
        self.texts, self.column, self.into = texts, column, into

    def __call__(self, frames: Iterable[Any]) -> Iterator[Any]:
        for frame in frames:
            given = (text if isinstance(text, str) else None for text in frame[self.column])
            yield frame.assign(**{self.into: list(self.texts(given))})


def in_pandas(column: str, model: Optional[str] = None, *, into: str = "parsed",
              to: str = "conllu", **how: Any) -> InPandas:
    """See InPandas. `how` is for NLP.pipe."""
    return InPandas(Texts(model, to, **how), column, into)
