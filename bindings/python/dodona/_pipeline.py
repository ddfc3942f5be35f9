"""Streams of texts through a model: documents, and frames of all their words."""

import functools
import inspect
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence,
                    Tuple, TypeVar, Union, overload)

from . import _frames
from ._library import bounded, ffi, lib, text_to_bytes, to_bytes, type_name
from ._options import TEXT, TextOptions, takes
from ._reading import Stop, make_options, parse_one, parse_texts
from ._store import Store
from ._stream import (Batch, Contexts, Entry, Errors, Item, Skips, context_by_ids, make_batches,
                      is_of_text, pair_context, process, record_context)
from ._table import ALL_COLUMNS, check_categories, check_columns, chunks
from .document import Doc

if TYPE_CHECKING:  # which every type checker knows, installed or not
    from typing_extensions import Unpack

# What a text has become: its document, or why there is none.
Outcome = Tuple[Entry, Union[Store, BaseException]]
Columns = Dict[str, _frames.Column]
Ids = Union[None, str, Iterable[Any]]
_Function = TypeVar("_Function", bound=Callable[..., Any])


class StreamOptions(TextOptions, total=False):
    """What pipe() takes besides the texts, but as_tuples."""

    threads: Union[int, str]
    batch_size: int
    format: str
    field: str
    errors: Errors


def _check_texts(texts: Any, call: str) -> None:
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"{call} takes many texts, not one {type_name(texts)}: call the model itself "
                        "with it, or pipe() with a list")
    if not hasattr(texts, "__iter__"):
        raise TypeError(f"{call} takes an iterable of texts, not {type_name(texts)}")


def _pass(batches: Iterable[List[Outcome]], skips: Skips) -> Iterator[Tuple[Store, Any]]:
    for outcomes in batches:
        for entry, made in outcomes:
            if isinstance(made, BaseException):
                skips.take(entry, made)
            else:
                yield made, entry.context
    skips.warn()


class Pipes:
    """Texts to documents."""

    _model: Any
    _take_parser: Callable[[], Any]
    _give_parser: Callable[[Any], None]

    def _parse_entries(self, options: Any, entries: Sequence[Entry], stop: Optional[Stop],
                       ) -> Tuple[List[Store], Optional[BaseException]]:
        """The documents of those before the first that fails, and its error."""
        running_text = options.format == lib.DD_FORMAT_TEXT
        conllx = options.format == lib.DD_FORMAT_CONLLX
        texts: List[Any] = [entry.text for entry in entries]
        encoded = [(text_to_bytes if running_text else to_bytes)(text) for text in texts]
        parser = self._take_parser()
        try:
            handles, failure = parse_texts(self._model, parser, encoded, options, stop)
        finally:
            self._give_parser(parser)
        return [Store(handle, self, conllx, text if running_text else None)
                for handle, text in zip(handles, texts)], failure

    def _parse_batch(self, options: Any, skip: bool, batch: Batch, stop: Optional[Stop],
                     ) -> List[Outcome]:
        """In order, up to the first text that fails, or all of them."""
        outcomes: List[Outcome] = []
        while len(outcomes) < len(batch):
            rest = batch[len(outcomes):]
            wrong = next((i for i, entry in enumerate(rest) if isinstance(entry.text, Exception)),
                         len(rest))
            stores, failure = self._parse_entries(options, rest[:wrong], stop)
            outcomes += zip(rest, stores)
            if failure is None and wrong < len(rest):
                failure = rest[wrong].text  # type: ignore[assignment]
            if failure is not None:
                outcomes.append((rest[len(stores)], failure))
                if not skip or not is_of_text(failure):
                    break
        return outcomes

    def _stream(self, texts: Any, contexts: Contexts, errors: Errors, threads: Union[int, str],
                batch_size: int, format: str, field: str, options: Any,
                ) -> Iterator[Tuple[Store, Any]]:
        """Each document with its context."""
        count = lib.dd_available_threads() if threads == "auto" else threads
        bounded("threads", count, 1, lib.DD_MAX_THREADS)
        bounded("batch_size", batch_size, 1, 1 << 20)
        skips = Skips(errors)
        how = make_options("conllu" if format == "words" else format, **options)
        if skips.wanted:  # what even an empty text fails with is not the text's fault
            lib.dp_free(parse_one(self._model, ffi.NULL, b"", how))
        batches = make_batches(texts, batch_size, format, field, contexts)
        parse = functools.partial(self._parse_batch, how, skips.wanted)
        return _pass(process(parse, batches, count), skips)

    @takes(TEXT)
    def pipe(self, texts: Iterable[Item], *, threads: Union[int, str] = 1, batch_size: int = 64,
             format: str = "text", field: str = "text", as_tuples: bool = False,
             errors: Errors = "raise", **options: "Unpack[TextOptions]") -> Iterator[Any]:
        """Parses a stream of texts: a document for each, in order. format: "text", "conllu",
        "conllx", "vertical" (one token per line), "auto", or "words", where each item is a
        sentence, as a list of words.

        Texts are taken from the iterable as they are needed, and processed in batches of
        batch_size; with threads > 1 that many batches are parsed at a time, on as many cores;
        threads="auto" uses as many as the process may.

        >>> [doc[0].root.form for doc in nlp.pipe(["Birds sing.", "The cat sleeps."])]
        ['sing', 'sleeps']

        An item may be a mapping, such as a line of JSON, whose field has the text: doc.context is
        then the mapping. With as_tuples items are pairs of a text and anything, and so are the results:
        (doc, anything).

        >>> [(doc.context["id"], doc.n_words) for doc in nlp.pipe([{"id": 7, "text": "Birds sing."}])]
        [(7, 3)]

        errors: what is done when a text cannot be parsed. "raise" raises the error, after the
        documents before it; "skip" leaves the text out, and warns at the end; a function is called
        with a Skipped for each text that is left out.

        >>> skipped = []
        >>> [doc.text for doc in nlp.pipe(["Birds sing.", None, "Go."], errors=skipped.append)]
        ['Birds sing.', 'Go.']
        >>> [(one.number, str(one.error)) for one in skipped]
        [(1, 'pipe() takes texts, as str or bytes; item 1, counted from 0, is NoneType')]
        """
        _check_texts(texts, "pipe()")
        stream = self._stream(texts, pair_context if as_tuples else record_context, errors, threads,
                              batch_size, format, field, options)
        docs = (Doc(store, context) for store, context in stream)
        return ((doc, doc.context) for doc in docs) if as_tuples else docs


def _takes_what_pipe_does(function: _Function) -> _Function:
    """Shows the arguments of pipe() in the signature, in place of `**options`."""
    own = inspect.signature(function)
    kept = [parameter for parameter in own.parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
    more = [parameter for name, parameter in inspect.signature(Pipes.pipe).parameters.items()
            if name not in ("self", "texts", "as_tuples")]
    function.__signature__ = own.replace(parameters=[*kept, *more])  # type: ignore[attr-defined]
    return function


class Pipeline(Pipes):
    """The part of an NLP that takes many texts."""

    def _tables(self, convert: Any, texts: Any, ids: Any, columns: Optional[Iterable[str]],
                categories: Iterable[str], chunk_size: Optional[int], *,
                threads: Union[int, str] = 1, batch_size: int = 64, format: str = "text",
                field: str = "text", errors: Errors = "raise", **options: Any) -> Any:
        _check_texts(texts, f"{convert.__name__}()")
        if chunk_size is not None:
            bounded("chunk_size", chunk_size, 1, 1 << 40)
        names = check_columns(columns, ALL_COLUMNS)
        wanted = check_categories(categories, names)
        stream = self._stream(texts, context_by_ids(ids, texts), errors, threads, batch_size, format,
                              field, options)
        made = (convert(table, wanted) for table in chunks(stream, names, chunk_size))
        return next(made) if chunk_size is None else made

    @overload
    def to_columns(self, texts: Iterable[Item], *, ids: Ids = None,
                   columns: Optional[Iterable[str]] = None, chunk_size: None = None,
                   **options: "Unpack[StreamOptions]") -> Columns: ...

    @overload
    def to_columns(self, texts: Iterable[Item], *, ids: Ids = None,
                   columns: Optional[Iterable[str]] = None, chunk_size: int,
                   **options: "Unpack[StreamOptions]") -> Iterator[Columns]: ...

    @_takes_what_pipe_does
    def to_columns(self, texts: Iterable[Item], *, ids: Ids = None,
                   columns: Optional[Iterable[str]] = None, chunk_size: Optional[int] = None,
                   **options: "Unpack[StreamOptions]") -> Any:
        """Parses a stream of texts into columns with a row for each word: a dictionary of lists,
        and of arrays of the numbers, in which -1 is unknown.

        doc_id is the text's number, from 0, or what `ids` has for it: a sequence with an id for
        each text, or, if the texts are records, the name of a field, which is "id" by default.
        columns: names of those that are wanted, in this order; all by default. "feats.Number" is
        the value of an item of FEATS, and "misc.SpaceAfter" that of an item of MISC.

        With chunk_size an iterator of such dictionaries is returned, each with the words of that
        many texts, which are parsed when it is asked for: memory holds one chunk. The other
        arguments are those of pipe().

        >>> nlp.to_columns(["Birds sing."], ids=["a"], columns=["doc_id", "form", "head"])
        {'doc_id': ['a', 'a', 'a'], 'form': ['Birds', 'sing', '.'], 'head': array('i', [2, 0, 2])}
        """
        return self._tables(_frames.to_columns, texts, ids, columns, (), chunk_size, **options)

    @_takes_what_pipe_does
    def to_pandas(self, texts: Iterable[Item], *, ids: Ids = None,
                  columns: Optional[Iterable[str]] = None, categories: Iterable[str] = (),
                  chunk_size: Optional[int] = None, **options: "Unpack[StreamOptions]") -> Any:
        """Parses a stream of texts into a pandas.DataFrame with a row for each word, or, with
        chunk_size, into an iterator of them; see to_columns(). Missing values are None or NA.
        categories: columns of texts that become Categorical."""
        return self._tables(_frames.to_pandas, texts, ids, columns, categories, chunk_size,
                            **options)

    @_takes_what_pipe_does
    def to_arrow(self, texts: Iterable[Item], *, ids: Ids = None,
                 columns: Optional[Iterable[str]] = None, categories: Iterable[str] = (),
                 chunk_size: Optional[int] = None, **options: "Unpack[StreamOptions]") -> Any:
        """The same as a pyarrow.Table. categories: columns that become dictionaries."""
        return self._tables(_frames.to_arrow, texts, ids, columns, categories, chunk_size, **options)

    @_takes_what_pipe_does
    def to_polars(self, texts: Iterable[Item], *, ids: Ids = None,
                  columns: Optional[Iterable[str]] = None, categories: Iterable[str] = (),
                  chunk_size: Optional[int] = None, **options: "Unpack[StreamOptions]") -> Any:
        """The same as a polars.DataFrame. categories: columns that become Categorical."""
        return self._tables(_frames.to_polars, texts, ids, columns, categories, chunk_size,
                            **options)
