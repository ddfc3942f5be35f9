"""Models that parse: text, words and CoNLL-U, one by one or in a stream."""

import collections
import concurrent.futures
import functools
import itertools
import os
from typing import (Any, Deque, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence,
                    Tuple, Union)

from ._errors import ArgumentError, FileError
from ._library import (CONLL, INPUTS, Path, Source, Text, bounded, check, choose, ffi, formatted,
                       is_text, lib, make, new_error, to_bytes, to_path, to_str)
from .catalogue import default_model, find_model
from .document import Doc, Sentence

# (head, dependent) or (head, deprel, dependent)
Arc = Union[Tuple[int, int], Tuple[int, Optional[str], int]]
# (first, last) or (first, last, mode)
Span = Union[Tuple[int, int], Tuple[int, int, str]]

_SPAN_MODES = ("any", "root", "none")
_PARTS = {"tokenizer": 1, "tagger": 2, "lemmatizer": 4, "parser": 8}
_TEXT_NAME = "<text>"
_BATCH_BYTES = 1 << 16  # a batch ends behind the text that reaches this


class Tree(NamedTuple):
    """One of the best trees of a sentence."""

    score: float
    sentence: Sentence


def load(model: Optional[Path] = None) -> "NLP":
    """Loads a model: from its file, or by a name or language, as in load("english") and load("en");
    the default one if none is given. models() has those that are found by name."""
    wanted = model if model is not None else default_model()
    if wanted is None:
        reason = "there is no default model; name one, or set DODONA_MODEL"
        raise FileError(reason)
    path = find_model(wanted)
    out, error = ffi.new("dd_model **"), new_error()
    check(lib.dd_model_load(out, path, error), error, [os.fsdecode(path)])
    return NLP(out[0])


def _options(format: str, conll: bool = False, presegmented: bool = False, ranges: bool = False,
             scores: bool = False, tag: bool = False, beam: int = 0,
             tidy: Optional[bool] = None) -> Any:
    """conll: with format "auto" the source is CoNLL whatever it looks like."""
    options = ffi.new("dp_options *")
    options.format = choose("format", format, CONLL if conll else INPUTS)
    options.conll = conll
    options.presegmented, options.ranges = presegmented, ranges
    options.scores, options.tag = scores, tag
    options.beam = bounded("beam", beam, 0, lib.DD_MAX_BEAM)
    options.tidy = _tidy(tidy)
    return options


def _tidy(tidy: Optional[bool]) -> int:
    if tidy is None:
        return int(lib.DD_TIDY_AUTO)
    return int(lib.DD_TIDY_YES if tidy else lib.DD_TIDY_NO)


def _parse_texts(model: Any, parser: Any, texts: Sequence[bytes], options: Any,
                 nlp: Optional["NLP"]) -> Tuple[List[Doc], Optional[BaseException]]:
    """The documents up to the first text that fails, and its error."""
    bytes_ = b"".join(texts)
    out, done = ffi.new("dp_document *[]", len(texts)), ffi.new("int *")
    error = new_error()
    status = lib.dp_parse_texts(model, parser, _TEXT_NAME.encode(), ffi.from_buffer(bytes_),
                                [len(text) for text in texts], len(texts), options, out, done,
                                error)
    docs = [Doc(out[i], nlp) for i in range(done[0])]
    try:
        check(status, error, [_TEXT_NAME])
    except Exception as failure:  # told when the documents before it have been handed out
        return docs, failure
    return docs, None


def _read(source: Source, options: Any, model: Any, parser: Any, nlp: Optional["NLP"]) -> Doc:
    if is_text(source):
        assert not isinstance(source, os.PathLike)
        docs, failure = _parse_texts(model, parser, [to_bytes(source)], options, nlp)
        if failure is not None:
            raise failure
        return docs[0]
    assert not isinstance(source, bytes)
    path, out, error = to_path(source), ffi.new("dp_document **"), new_error()
    status = lib.dp_parse_file(model, parser, path, options, out, error)
    check(status, error, [os.fsdecode(path)])
    return Doc(out[0], nlp)


def read_conllu(source: Source, *, format: str = "auto") -> Doc:
    """Reads CoNLL-U (or CoNLL-X) without parsing it: a file, or text of more than one line."""
    return _read(source, _options(format, conll=True), ffi.NULL, ffi.NULL, None)


def _free(parsers: List[Any], model: Any) -> None:
    for parser in parsers:
        lib.dd_parser_free(parser)
    lib.dd_model_free(model)


class NLP:
    """A model, and what its components make of text. It may be used by any number of threads."""

    def __init__(self, model: Any) -> None:
        # Idle ones; each serves one thread at a time. The model must outlive them, and garbage is
        # collected in any order, so that they are freed together.
        self._parsers: List[Any] = []
        self._model = ffi.gc(model, functools.partial(_free, self._parsers))
        self._labels: Optional[Tuple[str, ...]] = None
        self._has_parser = "parser" in self.components

    # ---- what it is

    @property
    def components(self) -> Tuple[str, ...]:
        bits = lib.dd_model_components(self._model)
        return tuple(name for name, bit in _PARTS.items() if bits & bit)

    @property
    def facts(self) -> Dict[str, str]:
        """System, oracle, data hash, licence, ...: what `dodona info` prints."""
        facts: Dict[str, str] = {}
        key, value = ffi.new("dd_text *"), ffi.new("dd_text *")
        for i in itertools.count():
            if not lib.dd_model_fact(self._model, i, key, value):
                return facts
            facts[to_str(key[0])] = to_str(value[0])
        return facts

    @property
    def labels(self) -> Tuple[str, ...]:
        """The labels of its trees, in the order that sentence.labels numbers them."""
        if self._labels is None:
            labels, text = [], ffi.new("dd_text *")
            while lib.dd_model_label_at(self._model, len(labels), text):
                labels.append(to_str(text[0]))
            self._labels = tuple(labels)
        return self._labels

    @property
    def beam(self) -> int:
        """The beam it was trained with; 1 means that it parses greedily."""
        return int(lib.dd_model_beam(self._model))

    def save(self, path: Path) -> None:
        """Writes the model to a file."""
        encoded, error = to_path(path), new_error()
        check(lib.dd_model_save(self._model, encoded, error), error, [os.fsdecode(encoded)])

    # ---- parsers

    def _take_parser(self) -> Any:
        try:
            return self._parsers.pop()
        except IndexError:
            out, error = ffi.new("dd_parser **"), new_error()
            check(lib.dd_parser_new(out, self._model, error), error)
            return out[0]

    def _give_parser(self, parser: Any) -> None:
        self._parsers.append(parser)

    def _how(self, format: str, **how: Any) -> Any:
        options = _options(format, **how)
        if not self._has_parser:
            options.beam = -1  # tags and lemmas only
        return options

    # ---- parsing

    def __call__(self, text: Union[str, bytes], *, arcs: Iterable[Arc] = (),
                 forbidden: Iterable[Tuple[int, int]] = (), spans: Iterable[Span] = (),
                 leaves: Iterable[int] = (), presegmented: bool = False, ranges: bool = False,
                 scores: bool = False, beam: int = 0, tidy: Optional[bool] = None) -> Doc:
        """Tokenizes, tags, lemmatizes and parses plain text, with the components that the model
        has. Constraints, if there are any, are for a text of one sentence.

        presegmented: each line is a sentence. ranges: add TokenRange= to MISC. scores: keep each
        word's margin. beam: 0 for the model's own. tidy: no words below punctuation, no two
        subjects or objects of one word; None for what the model says.
        """
        arcs, forbidden, spans, leaves = list(arcs), list(forbidden), list(spans), list(leaves)
        options = self._how("text", presegmented=presegmented, ranges=ranges, scores=scores,
                            beam=beam, tidy=tidy)
        if not (arcs or forbidden or spans or leaves):
            return self._parse_text(text, options)
        doc = self._parse_text(text, options, parse=False)
        if len(doc) != 1:
            raise ArgumentError(f"constraints are for one sentence; the text has {len(doc)}")
        _constrain(doc[0]._handle, arcs, forbidden, spans, leaves)
        self._parse_sentence(doc[0]._handle, options)
        return doc

    def _parse_text(self, text: Union[str, bytes], options: Any, parse: bool = True) -> Doc:
        parser = self._take_parser() if parse else ffi.NULL
        try:
            docs, failure = _parse_texts(self._model, parser, [to_bytes(text)], options, self)
        finally:
            if parse:
                self._give_parser(parser)
        if failure is not None:
            raise failure
        return docs[0]

    def _parse_sentence(self, sentence: Any, options: Any) -> None:
        parser, error = self._take_parser(), new_error()
        try:
            status = lib.dp_parse_sentence(parser, sentence, options, error)
        finally:
            self._give_parser(parser)
        check(status, error, [_TEXT_NAME])

    def parse(self, words: Sequence[str], *, lemmas: Optional[Sequence[str]] = None,
              upos: Optional[Sequence[str]] = None, xpos: Optional[Sequence[str]] = None,
              feats: Optional[Sequence[str]] = None, arcs: Iterable[Arc] = (),
              forbidden: Iterable[Tuple[int, int]] = (), spans: Iterable[Span] = (),
              leaves: Iterable[int] = (), scores: bool = False, beam: int = 0,
              tidy: Optional[bool] = None) -> Sentence:
        """Parses one sentence of words, with tags if they are known.

        arcs: arcs that the tree has, as (head, dependent) or (head, deprel, dependent); 0 is the
        root. forbidden: arcs (head, dependent) that it does not have. spans: (first, last) or
        (first, last, mode) of words that are one subtree, with mode "any", "root" or "none".
        leaves: words without dependents. tidy: as in __call__.
        """
        doc = self._doc_of_words(words, lemmas, upos, xpos, feats)
        _constrain(doc[0]._handle, arcs, forbidden, spans, leaves)
        options = self._how("conllu", scores=scores, beam=beam, tidy=tidy)
        self._parse_sentence(doc[0]._handle, options)
        return doc[0]

    def nbest(self, words: Union[str, Sequence[str], Sentence], k: int, *, beam: int = 0,
              lemmas: Optional[Sequence[str]] = None, upos: Optional[Sequence[str]] = None,
              xpos: Optional[Sequence[str]] = None, feats: Optional[Sequence[str]] = None,
              arcs: Iterable[Arc] = (), forbidden: Iterable[Tuple[int, int]] = (),
              spans: Iterable[Span] = (), leaves: Iterable[int] = (), scores: bool = False,
              tidy: Optional[bool] = None) -> List[Tree]:
        """The k best trees of one sentence, the best first; there can be fewer. The sentence is
        given as text, as words, or as one that was read. beam: at least k; 0 for the larger of k
        and the model's own. Constraints and tidy: as in parse()."""
        bounded("k", k, 1, lib.DD_MAX_BEAM)
        bounded("beam", beam, 0, lib.DD_MAX_BEAM)
        if isinstance(words, Sentence):
            doc = _read(words.to_conllu().encode(), _options("conllu"), self._model, ffi.NULL, self)
        elif isinstance(words, str):
            doc = self._parse_text(words, self._how("text"), parse=False)
        else:
            doc = self._doc_of_words(words, lemmas, upos, xpos, feats)
        if len(doc) != 1:
            raise ArgumentError(f"the best trees are for one sentence; the text has {len(doc)}")
        sentence = doc[0]._handle
        _constrain(sentence, arcs, forbidden, spans, leaves)
        parser, error = self._take_parser(), new_error()
        lib.dd_parser_set_tidy(parser, _tidy(tidy))
        try:
            check(lib.dd_parser_annotate(parser, sentence, False, error), error, [_TEXT_NAME])
            width = beam or max(k, self.beam)
            check(lib.dd_parser_search(parser, sentence, width, k, error), error, [_TEXT_NAME])
            return [self._tree(parser, rank, sentence, scores)
                    for rank in range(lib.dd_parser_trees(parser))]
        finally:
            lib.dd_parser_set_tidy(parser, lib.DD_TIDY_AUTO)
            self._give_parser(parser)

    def _tree(self, parser: Any, rank: int, sentence: Any, scores: bool) -> Tree:
        error = new_error()
        check(lib.dd_parser_attach(parser, rank, sentence, scores, error), error)
        text = formatted(lib.dd_sentence_format, sentence)
        copy = _read(text, _options("conllu"), self._model, ffi.NULL, self)
        return Tree(lib.dd_parser_tree_score(parser, rank), copy[0])

    def parse_conllu(self, source: Source, *, format: str = "auto", tag: bool = False,
                     scores: bool = False, beam: int = 0, tidy: Optional[bool] = None) -> Doc:
        """Parses CoNLL-U (or CoNLL-X): a file, or text of more than one line. Only HEAD and DEPREL
        change, and missing tags and lemmas are filled in; with tag=True all are replaced."""
        parser = self._take_parser()
        try:
            options = self._how(format, conll=True, tag=tag, scores=scores, beam=beam, tidy=tidy)
            return _read(source, options, self._model, parser, self)
        finally:
            self._give_parser(parser)

    def pipe(self, texts: Iterable[Union[str, bytes]], *, threads: Union[int, str] = 1,
             batch_size: int = 64, format: str = "text", presegmented: bool = False,
             ranges: bool = False, tag: bool = False, scores: bool = False, beam: int = 0,
             tidy: Optional[bool] = None) -> Iterator[Doc]:
        """Parses a stream of texts: a document for each, in order. format: "text", "conllu",
        "conllx", "vertical" (one token per line) or "auto".

        Texts are taken from the iterable as they are needed, and processed in batches of
        batch_size; with threads > 1 that many batches are parsed at a time, on as many cores;
        threads="auto" uses as many as the process may.
        """
        count = lib.dd_available_threads() if threads == "auto" else threads
        bounded("threads", count, 1, lib.DD_MAX_THREADS)
        bounded("batch_size", batch_size, 1, 1 << 20)
        options = self._how(format, presegmented=presegmented, ranges=ranges, tag=tag,
                            scores=scores, beam=beam, tidy=tidy)
        return self._pipe(_batches(texts, batch_size), count, options)

    def _parse_batch(self, batch: List[bytes], options: Any,
                     ) -> Tuple[List[Doc], Optional[BaseException]]:
        parser = self._take_parser()
        try:
            return _parse_texts(self._model, parser, batch, options, self)
        finally:
            self._give_parser(parser)

    def _pipe(self, batches: Iterator[List[bytes]], threads: int, options: Any) -> Iterator[Doc]:
        if threads == 1:
            results: Iterator[Tuple[List[Doc], Optional[BaseException]]] = (
                self._parse_batch(batch, options) for batch in batches)
        else:
            results = self._parse_batches(batches, threads, options)
        for docs, failure in results:
            yield from docs
            if failure is not None:
                raise failure

    def _parse_batches(self, batches: Iterator[List[bytes]], threads: int, options: Any,
                       ) -> Iterator[Tuple[List[Doc], Optional[BaseException]]]:
        ahead = 2 * threads  # enough to keep every thread at work while a result is looked at
        running: Deque[Any] = collections.deque()
        with concurrent.futures.ThreadPoolExecutor(threads, "dodona") as pool:
            try:
                for batch in batches:
                    running.append(pool.submit(self._parse_batch, batch, options))
                    if len(running) >= ahead:
                        yield running.popleft().result()
                while running:
                    yield running.popleft().result()
            finally:
                for future in running:
                    future.cancel()

    # ---- sentences of words

    def _doc_of_words(self, words: Sequence[str], lemmas: Optional[Sequence[str]],
                      upos: Optional[Sequence[str]], xpos: Optional[Sequence[str]],
                      feats: Optional[Sequence[str]]) -> Doc:
        if isinstance(words, (str, bytes)):
            raise ArgumentError("words must be a sequence of words; call the model to parse text")
        texts = [Text(word) for word in words]
        forms = ffi.new("dd_text[]", [text.value for text in texts])
        sentence = make(lib.dd_sentence_new, lib.dd_sentence_free, "dd_sentence")
        error, out = new_error(), ffi.new("dp_document **")
        check(lib.dd_sentence_set_words(sentence, forms, len(texts), error), error)
        columns = ((2, "lemmas", lemmas), (3, "upos", upos), (4, "xpos", xpos), (5, "feats", feats))
        for column, name, values in columns:
            if values is not None:
                _set_column(sentence, column, name, values, len(texts))
        ffi.gc(sentence, None)  # the document owns it from now on
        check(lib.dp_wrap(out, sentence, error), error)
        return Doc(out[0], self)

    def __repr__(self) -> str:
        return f"<NLP {' '.join(self.components)}>"


def _set_column(sentence: Any, column: int, name: str, values: Sequence[str], count: int) -> None:
    if isinstance(values, (str, bytes)) or len(values) != count:
        raise ArgumentError(f"{name} must have one value for each of the {count} words")
    error = new_error()
    for word, value in enumerate(values, 1):
        text = Text(value)
        status = lib.dd_sentence_set_cell(sentence, word, column, text.value, error)
        check(status, error)


def _constrain(sentence: Any, arcs: Iterable[Arc], forbidden: Iterable[Tuple[int, int]],
               spans: Iterable[Span], leaves: Iterable[int]) -> None:
    error = new_error()
    for arc in arcs:
        head, *label, dependent = arc
        text = Text(str(label[0]) if label and label[0] is not None else "")
        status = lib.dd_sentence_require_arc(sentence, head, text.value, dependent, error)
        check(status, error)
    for head, dependent in forbidden:
        check(lib.dd_sentence_forbid_arc(sentence, head, dependent, error), error)
    for span in spans:
        first, last, *mode = span
        kind = choose("a span's mode", mode[0] if mode else "any", _SPAN_MODES)
        check(lib.dd_sentence_require_span(sentence, first, last, kind, error), error)
    for word in leaves:
        check(lib.dd_sentence_require_leaf(sentence, word, error), error)


def _batches(texts: Iterable[Union[str, bytes]], size: int) -> Iterator[List[bytes]]:
    batch: List[bytes] = []
    filled = 0
    for text in texts:
        encoded = to_bytes(text)
        batch.append(encoded)
        filled += len(encoded)
        if len(batch) == size or filled >= _BATCH_BYTES:
            yield batch
            batch, filled = [], 0
    if batch:
        yield batch
