"""Models that parse: text, words and CoNLL-U, one by one or in a stream."""

import functools
import itertools
import os
import pathlib
import pickle
import weakref
from typing import (TYPE_CHECKING, Any, Dict, Iterable, List, MutableMapping, NamedTuple, Optional,
                    Sequence, Tuple, Union)

from ._errors import ArgumentError, FileError, ModelError
from ._library import (Path, Source, bounded, check, ffi, format_sentence, lib, new_error, text_to_bytes,
                       to_path, to_str, type_name)
from ._making import Arc, Span, check_words, constrain, document_of_words
from ._options import PARSE, TEXT, ParseOptions, TextOptions, takes
from ._origin import Origin
from ._pipeline import Pipeline
from ._reading import (TEXT_NAME, Call, make_options, parse_one, parse_source, tidy_value)
from ._store import Store
from .catalogue import default_model, find_model
from .document import Doc
from .evaluation import Evaluation, evaluate_model
from .sentence import Sentence

if TYPE_CHECKING:  # which every type checker knows, installed or not
    from typing_extensions import Unpack

_PARTS = {"tokenizer": 1, "tagger": 2, "lemmatizer": 4, "parser": 8}


class Tree(NamedTuple):
    """One of the best trees of a sentence."""

    score: float
    sentence: Sentence


# ---- from files


def load(model: Optional[Path] = None) -> "NLP":
    """Loads a model: from its file, or by a name or language, as in load("english") and load("en");
    the default one if none is given. models() has those that are found by name.

    >>> nlp = dodona.load()
    >>> [(word.form, word.deprel) for word in nlp("Birds sing.").words]
    [('Birds', 'nsubj'), ('sing', 'root'), ('.', 'punct')]
    """
    wanted = model if model is not None else default_model()
    if wanted is None:
        raise FileError("there is no default model; name one, or set DODONA_MODEL")
    path = os.fsdecode(find_model(wanted))
    name = "" if model is None else None
    if isinstance(model, str) and path != model:
        name = model
    return _load(Origin(os.path.abspath(path), name), path)


def _load(origin: Origin, path: str) -> "NLP":
    out, error = ffi.new("dd_model **"), new_error()
    check(lib.dd_model_load(out, os.fsencode(path), error), error, [path])
    return NLP(out[0], origin)


# Models in use, so that all that is unpickled in a process shares one. Those that nobody holds any
# longer are not kept.
_in_use: MutableMapping[Tuple[str, str], "NLP"] = weakref.WeakValueDictionary()


def _restore(origin: Origin, checksum: str) -> "NLP":
    """A model that was pickled."""
    found = _in_use.get((origin.path, checksum))
    if found is None:
        found = _load(origin, origin.find())
        if found.checksum != checksum:
            reason = "is not the model that was pickled: the file has changed since"
            raise ModelError(f"{origin.path}: {reason}", origin.path, reason=reason)
        _in_use[origin.path, checksum] = found
    return found


def read_conllu(source: Source, *, format: str = "auto") -> Doc:
    """Reads CoNLL-U (or CoNLL-X) without parsing it: a file, or text of more than one line.

    >>> gold = dodona.read_conllu("examples/demo-test.conllu")
    >>> gold[0].text, gold[0].root.form
    ('The leaves rustle in the cold wind.', 'rustle')
    """
    handle, conllx = parse_source(source, make_options(format, conll=True))
    return Doc(Store(handle, None, conllx))


def _free(parsers: List[Any], model: Any) -> None:
    for parser in parsers:
        lib.dd_parser_free(parser)
    lib.dd_model_free(model)


class NLP(Pipeline):
    """A model, and what its components make of text. It may be used by any number of threads, and
    pickled for other processes.

    >>> nlp
    <NLP tokenizer tagger lemmatizer parser>
    """

    def __init__(self, model: Any, origin: Optional[Origin] = None) -> None:
        # Idle ones; each serves one thread at a time. The model must outlive them, and garbage is
        # collected in any order, so that they are freed together.
        self._parsers: List[Any] = []
        self._model = ffi.gc(model, functools.partial(_free, self._parsers))
        self._labels: Optional[Tuple[str, ...]] = None
        self._origin = origin

    # ---- what it is

    @property
    def components(self) -> Tuple[str, ...]:
        """Which of tokenizer, tagger, lemmatizer and parser it has."""
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
            labels: List[str] = []
            text = ffi.new("dd_text *")
            while lib.dd_model_label_at(self._model, len(labels), text):
                labels.append(to_str(text[0]))
            self._labels = tuple(labels)
        return self._labels

    @property
    def beam(self) -> int:
        """The beam it was trained with; 1 means that it parses greedily."""
        return int(lib.dd_model_beam(self._model))

    # ---- its file

    @property
    def path(self) -> Optional[pathlib.Path]:
        """The file that it was loaded from, or first saved to; None if there is none."""
        return None if self._origin is None else pathlib.Path(self._origin.path)

    @property
    def checksum(self) -> str:
        """Of the bytes that save() writes: 16 hexadecimal digits."""
        return f"{lib.dd_model_checksum(self._model):016x}"

    def save(self, path: Path) -> None:
        """Writes the model to a file."""
        encoded, error = to_path(path), new_error()
        check(lib.dd_model_save(self._model, encoded, error), error, [os.fsdecode(encoded)])
        if self._origin is None:
            self._origin = Origin(os.path.abspath(os.fsdecode(encoded)), None)

    def evaluate(self, gold: Path, *, given: str = "auto", threads: int = 1,
                 rule: str = "conll2018", punct: bool = True) -> Evaluation:
        """Parses a treebank and scores the result against it. given: what the model gets of it, its
        "text", its "words", or these with their "tags"; as little as it can do with by default."""
        count = bounded("threads", threads, 1, lib.DD_MAX_THREADS)
        return evaluate_model(self._model, gold, given, count, rule, punct)

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._origin is None:
            raise pickle.PicklingError("this model is in no file yet, and models are pickled by the "
                                       "names of their files; save() it first")
        _in_use[self._origin.path, self.checksum] = self
        return _restore, (self._origin, self.checksum)

    def __copy__(self) -> "NLP":
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> "NLP":
        return self

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

    # ---- parsing

    @takes(TEXT)
    def __call__(self, text: Union[str, bytes], *, arcs: Iterable[Arc] = (),
                 forbidden: Iterable[Tuple[int, int]] = (), spans: Iterable[Span] = (),
                 leaves: Iterable[int] = (), timeout: Optional[float] = None,
                 **options: "Unpack[TextOptions]") -> Doc:
        """Tokenizes, tags, lemmatizes and parses plain text, with the components that the model
        has. Constraints, if there are any, are for a text of one sentence. timeout: seconds after
        which TimeoutError is raised.

        >>> nlp("Birds sing. The cat sleeps.")
        <Doc of 2 sentences, 7 words>
        >>> nlp("Birds sing.", arcs=[(0, 1)])[0].root.form
        'Birds'
        """
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"a model takes text, as str or bytes, not {type_name(text)}; pipe() "
                            "takes many texts, and parse() the words of a sentence")
        arcs, forbidden, spans, leaves = list(arcs), list(forbidden), list(spans), list(leaves)
        how = make_options("text", **options)
        if not (arcs or forbidden or spans or leaves):
            return self._parse_text(text, how, timeout=timeout)
        doc = self._parse_text(text, how, parse=False, timeout=timeout)
        if len(doc) != 1:
            raise ArgumentError(f"constraints are for one sentence; the text has {len(doc)}")
        constrain(doc[0]._handle, arcs, forbidden, spans, leaves)
        self._parse_sentence(doc[0]._handle, how, timeout)
        return doc

    def _parse_text(self, text: Union[str, bytes], options: Any, parse: bool = True,
                    timeout: Optional[float] = None) -> Doc:
        parser = self._take_parser() if parse else ffi.NULL
        try:
            handle = parse_one(self._model, parser, text_to_bytes(text), options, timeout)
        finally:
            if parse:
                self._give_parser(parser)
        return Doc(Store(handle, self, source=text))

    def _parse_sentence(self, sentence: Any, options: Any, timeout: Optional[float]) -> None:
        call, parser, error = Call(timeout=timeout), self._take_parser(), new_error()
        try:
            status = lib.dp_parse_sentence(parser, sentence, options, call.cancel, error)
        finally:
            self._give_parser(parser)
        call.check(status, error, [TEXT_NAME])

    @takes(PARSE)
    def parse(self, words: Sequence[str], *, lemmas: Optional[Sequence[str]] = None,
              upos: Optional[Sequence[str]] = None, xpos: Optional[Sequence[str]] = None,
              feats: Optional[Sequence[str]] = None, arcs: Iterable[Arc] = (),
              forbidden: Iterable[Tuple[int, int]] = (), spans: Iterable[Span] = (),
              leaves: Iterable[int] = (), timeout: Optional[float] = None,
              **options: "Unpack[ParseOptions]") -> Sentence:
        """Parses one sentence of words, with tags if they are known.

        arcs: arcs that the tree has, as (head, dependent) or (head, deprel, dependent); 0 is the
        root. forbidden: arcs (head, dependent) that it does not have. spans: (first, last) or
        (first, last, mode) of words that are one subtree, with mode "any", "root" or "none".
        leaves: words without dependents. timeout: as in __call__.

        >>> nlp.parse(["Birds", "sing", "."]).deprels
        ['nsubj', 'root', 'punct']
        """
        words = check_words(words, "parse()")
        doc = Doc(Store(document_of_words(words, lemmas, upos, xpos, feats), self))
        constrain(doc[0]._handle, arcs, forbidden, spans, leaves)
        how = make_options("conllu", rows=PARSE, **options)
        self._parse_sentence(doc[0]._handle, how, timeout)
        return doc[0]

    def nbest(self, words: Union[str, Sequence[str], Sentence], k: int, *, beam: int = 0,
              lemmas: Optional[Sequence[str]] = None, upos: Optional[Sequence[str]] = None,
              xpos: Optional[Sequence[str]] = None, feats: Optional[Sequence[str]] = None,
              arcs: Iterable[Arc] = (), forbidden: Iterable[Tuple[int, int]] = (),
              spans: Iterable[Span] = (), leaves: Iterable[int] = (), scores: bool = False,
              tidy: Optional[bool] = None, timeout: Optional[float] = None) -> List[Tree]:
        """The k best trees of one sentence, the best first; there can be fewer. The sentence is
        given as text, as words, or as one that was read. beam: at least k; 0 for the larger of k
        and the model's own. Constraints, tidy and timeout: as in parse().

        >>> best, *others = nlp.nbest("Birds sing.", 3, beam=8)
        >>> best.sentence.deprels, all(tree.score <= best.score for tree in others)
        (['nsubj', 'root', 'punct'], True)
        """
        bounded("k", k, 1, lib.DD_MAX_BEAM)
        bounded("beam", beam, 0, lib.DD_MAX_BEAM)
        doc = self._doc_of_one(words, lemmas, upos, xpos, feats)
        if len(doc) != 1:
            raise ArgumentError(f"the best trees are for one sentence; the text has {len(doc)}")
        sentence = doc[0]._handle
        constrain(sentence, arcs, forbidden, spans, leaves)
        call, parser, error = Call(timeout=timeout), self._take_parser(), new_error()
        lib.dd_parser_set_tidy(parser, tidy_value(tidy))
        lib.dd_parser_set_cancel(parser, call.cancel)
        try:
            call.check(lib.dd_parser_annotate(parser, sentence, False, error), error, [TEXT_NAME])
            width = beam or max(k, self.beam)
            call.check(lib.dd_parser_search(parser, sentence, width, k, error), error, [TEXT_NAME])
            return [self._tree(parser, rank, sentence, scores)
                    for rank in range(lib.dd_parser_trees(parser))]
        finally:
            lib.dd_parser_set_tidy(parser, lib.DD_TIDY_AUTO)
            lib.dd_parser_set_cancel(parser, ffi.NULL)
            self._give_parser(parser)

    def _doc_of_one(self, words: Union[str, Sequence[str], Sentence],
                    lemmas: Optional[Sequence[str]], upos: Optional[Sequence[str]],
                    xpos: Optional[Sequence[str]], feats: Optional[Sequence[str]]) -> Doc:
        """What nbest() is given, not yet parsed."""
        if isinstance(words, Sentence):
            return self._reread(format_sentence(words._handle))
        if isinstance(words, str):
            return self._parse_text(words, make_options("text"), parse=False)
        words = check_words(words, "nbest()")
        return Doc(Store(document_of_words(words, lemmas, upos, xpos, feats), self))

    def _reread(self, conllu: bytes) -> Doc:
        return Doc(Store(parse_one(self._model, ffi.NULL, conllu, make_options("conllu")), self))

    def _tree(self, parser: Any, rank: int, sentence: Any, scores: bool) -> Tree:
        error = new_error()
        check(lib.dd_parser_attach(parser, rank, sentence, scores, error), error)
        copy = self._reread(format_sentence(sentence))
        return Tree(lib.dd_parser_tree_score(parser, rank), copy[0])

    @takes(PARSE)
    def parse_conllu(self, source: Source, *, format: str = "auto",
                     timeout: Optional[float] = None, **options: "Unpack[ParseOptions]") -> Doc:
        """Parses CoNLL-U (or CoNLL-X): a file, or text of more than one line. Only HEAD and DEPREL
        change, and missing tags and lemmas are filled in; with tag=True all are replaced. timeout:
        as in __call__.

        >>> nlp.parse_conllu("examples/demo-test.conllu")
        <Doc of 16 sentences, 142 words>
        """
        how = make_options(format, conll=True, rows=PARSE, **options)
        parser = self._take_parser()
        try:
            handle, conllx = parse_source(source, how, self._model, parser, timeout)
        finally:
            self._give_parser(parser)
        return Doc(Store(handle, self, conllx))

    def __repr__(self) -> str:
        return f"<NLP {' '.join(self.components)}>"
