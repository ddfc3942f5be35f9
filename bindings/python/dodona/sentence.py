"""Sentences: views of what the library holds, made when they are accessed.

    Doc -> Sentence -> Word        each is held from the left, and holds only
     `------> Store <------'       what it needs to look

Nothing holds an object that holds it, so a document's memory, which Python does not see, is
returned as soon as the last view of it is gone.

A document does not change, and any number of threads may look at it. What is kept for the next look
is made as a whole before it is put in its place; of two threads that make it at once both are right.
"""

import array
import json
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union, cast, overload

from . import _chunks, _frames, shapes
from ._drawing import Drawing
from ._errors import ArgumentError
from ._library import ffi, format_sentence, lib, to_bytes, to_str
from ._reading import make_options, parse_one
from ._store import Line, Place, Store
from ._table import table_of
from .words import (DEPREL, DEPS, FEATS, FORM, ID, LEMMA, MISC, UPOS, XPOS, Chunk, EmptyNode, Token,
                    Word, Words, arcs, pairs)


def read_store(conllu: bytes, conllx: bool = False, source: Union[str, bytes, None] = None,
               labels: Optional[Tuple[str, ...]] = None) -> Store:
    """A document that is only read."""
    options = make_options("conllx" if conllx else "conllu", conll=True)
    return Store(parse_one(ffi.NULL, ffi.NULL, conllu, options), None, conllx, source, labels)


def _restore(conllu: bytes, conllx: bool, labels: Tuple[str, ...]) -> "Sentence":
    """A sentence that was pickled."""
    return Sentence(read_store(conllu, conllx, None, labels), 0)


class Sentence(Sequence[Word]):
    """The words of a sentence and its tree: sentence[0] is the first word.

    >>> sentence = nlp("Birds sing.")[0]
    >>> sentence.text, len(sentence), sentence[0].form, [word.form for word in sentence[1:]]
    ('Birds sing.', 3, 'Birds', ['sing', '.'])
    """

    __slots__ = ("_store", "_index", "_handle", "_columns", "_child_lists", "_heads", "_labels",
                 "_scores", "_lines", "_numbers")

    def __init__(self, store: Store, index: int) -> None:
        self._store = store
        self._index = index
        self._handle = store.handle.sentences[index]
        self._columns: Dict[int, List[str]] = {}
        self._child_lists: Optional[List[List[int]]] = None
        self._heads: Optional[memoryview] = None
        self._labels: Optional[memoryview] = None
        self._scores: Optional[List[Optional[float]]] = None
        self._lines: Optional[List[Line]] = None
        self._numbers: Optional[List[int]] = None

    @staticmethod
    def from_conllu(text: Union[str, bytes]) -> "Sentence":
        """The one sentence of this text in CoNLL-U.

        >>> sentence = nlp("Birds sing.")[0]
        >>> dodona.Sentence.from_conllu(sentence.to_conllu()).deprels == sentence.deprels
        True
        """
        store = read_store(to_bytes(text))
        if store.handle.count != 1:
            raise ArgumentError(f"expected one sentence; the text has {store.handle.count}")
        return Sentence(store, 0)

    # ---- words

    def __len__(self) -> int:
        return int(lib.dd_sentence_size(self._handle))

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @overload
    def __getitem__(self, index: int) -> Word: ...

    @overload
    def __getitem__(self, index: slice) -> List[Word]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Word, List[Word]]:
        return self.words[index]

    @property
    def words(self) -> Words:
        """All words in order, as the sentence itself."""
        return Words(self)

    @property
    def id(self) -> str:
        """`# sent_id`, or its position in the file, from 1."""
        return to_str(lib.dd_sentence_id(self._handle))

    @property
    def line(self) -> int:
        """The line of the file that it starts in, from 1."""
        return int(lib.dd_sentence_line(self._handle))

    # ---- columns: one call each, whatever the number of words

    def _column(self, column: int) -> List[str]:
        found = self._columns.get(column)
        if found is None:
            made = self._store.column(self._index, column)
            found = self._columns.setdefault(column, made)
        return found

    @property
    def forms(self) -> List[str]:
        """The form of each word."""
        return self._column(FORM)

    @property
    def lemmas(self) -> List[str]:
        """The lemma of each word."""
        return self._column(LEMMA)

    @property
    def upos(self) -> List[str]:
        """The universal part of speech of each word."""
        return self._column(UPOS)

    @property
    def xpos(self) -> List[str]:
        """The treebank's own tag of each word."""
        return self._column(XPOS)

    @property
    def deprels(self) -> List[str]:
        """The relation of each word to its head."""
        return self._column(DEPREL)

    # ---- buffers

    def _view(self, owned: Any) -> memoryview:
        # Whoever holds the view holds the pointer, and what that holds, with it.
        return memoryview(ffi.buffer(owned, 4 * len(self))).toreadonly().cast("i")

    @property
    def heads(self) -> memoryview:
        """The head of each word as int32, without a copy: heads[0] is that of word 1."""
        if self._heads is None:
            store = self._store
            heads = lib.dd_sentence_heads(self._handle) + 1
            self._heads = self._view(ffi.gc(heads, lambda _: store))
        return self._heads

    @property
    def labels(self) -> memoryview:
        """The label of each word as int32, without a copy: a number in label_names, or -1 if the
        model has no such label."""
        if self._labels is None:
            nlp = self._store.nlp
            if nlp is None:
                number = {label: i for i, label in enumerate(self._store.labels)}
                numbers = array.array("i", [number.get(label, -1) for label in self.deprels])
                self._labels = memoryview(numbers).toreadonly()
            else:
                found = lib.dp_labels(self._handle, nlp._model)
                if found == ffi.NULL:
                    raise MemoryError("out of memory")
                self._labels = self._view(ffi.gc(found, lib.dp_free_labels))
        return self._labels

    @property
    def label_names(self) -> Tuple[str, ...]:
        """What the numbers in `labels` stand for; see Doc.labels."""
        return self._store.labels

    @property
    def scores(self) -> List[Optional[float]]:
        """For each word, by how much the transition that attached it led over the next best one,
        if the sentence was parsed with scores=True."""
        if self._scores is None:
            found = [pairs(cell).get("Score") for cell in self._column(MISC)]
            self._scores = [None if score is None else float(score) for score in found]
        return self._scores

    # ---- the tree

    def _children(self) -> List[List[int]]:
        if self._child_lists is None:
            lists: List[List[int]] = [[] for _ in range(len(self) + 1)]
            for word, head in enumerate(self.heads, 1):
                if head >= 0:
                    lists[head].append(word)
            self._child_lists = lists
        return self._child_lists

    @property
    def roots(self) -> List[Word]:
        """The words that depend on the root; in most trees there is one."""
        return [Word(self, word) for word in self._children()[0]]

    @property
    def root(self) -> Optional[Word]:
        """The first of `roots`; None if there is none."""
        roots = self.roots
        return roots[0] if roots else None

    @property
    def noun_chunks(self) -> List["Chunk"]:
        """Its noun phrases without what follows their nouns, in order; no two share a word. Each
        is the stretch of words around a noun, name or pronoun that are its determiners, numerals,
        adjectives, and the parts of compounds and names; docs/python.md has the rule.

        >>> [chunk.text for chunk in nlp("The cat sleeps in the cold wind.")[0].noun_chunks]
        ['The cat', 'the cold wind']
        """
        return [Chunk(self, root, first, last) for root, first, last in _chunks.find(self)]

    @property
    def constraints(self) -> List[str]:
        """As they would be written in comments: "arc 3 nsubj 2"."""
        found: List[str] = []
        text = ffi.new("dd_text *")
        while lib.dd_sentence_constraint(self._handle, len(found), text):
            found.append(to_str(text[0]))
        return found

    # ---- tokens, and what is no word

    def _token_lines(self) -> List[Line]:
        if self._lines is None:
            self._lines = list(self._store.token_lines(self._index))
        return self._lines

    def _token_numbers(self) -> List[int]:
        """For each word the number of its token, from 0."""
        if self._numbers is None:
            self._numbers = [number for number, line in enumerate(self._token_lines())
                             for _ in range(line.first, line.last + 1)]
        return self._numbers

    def _token(self, number: int) -> Token:
        line = self._token_lines()[number]
        start, end = self._store.places[self._index][number]
        return Token(line.cells[FORM], self.words[line.first - 1:line.last], start, end,
                     pairs(line.cells[FEATS]), pairs(line.cells[MISC]))

    def _place_of(self, word: int) -> Place:
        return self._store.places[self._index][self._token_numbers()[word - 1]]

    @property
    def tokens(self) -> List[Token]:
        """The words as they are written: several words may be one token, such as "don't"."""
        return [self._token(number) for number in range(len(self._token_lines()))]

    @property
    def empty_nodes(self) -> List[EmptyNode]:
        """The nodes of the enhanced graph that are no words, in order; most often there are none."""
        rows = (row for row in self._store.rows(self._index) if "." in row[ID])
        return [EmptyNode(row[ID], row[FORM], row[LEMMA], row[UPOS], row[XPOS], pairs(row[FEATS]),
                          arcs(row[DEPS]), pairs(row[MISC])) for row in rows]

    @property
    def comments(self) -> List[str]:
        """All comments, from their "#" on."""
        return self._store.comments(self._index)

    @property
    def metadata(self) -> Dict[str, str]:
        """The comments as names and values; one without "=" has an empty value.

        >>> nlp("Birds sing.")[0].metadata
        {'newdoc': '', 'newpar': '', 'sent_id': '1', 'text': 'Birds sing.'}
        """
        items = (comment[1:].partition("=") for comment in self.comments)
        return {name.strip(): value.strip() for name, _, value in items}

    # ---- text

    @property
    def text(self) -> str:
        """`# text`, or the tokens put together. It has one space where the text of the document
        has any white space."""
        return self._store.sentence_text(self._index)

    @property
    def start(self) -> Optional[int]:
        """Where its first token begins in the text of the document; see Word.start."""
        places = self._store.places[self._index]
        return places[0][0] if places else None

    @property
    def end(self) -> Optional[int]:
        """The position after the last character of its last token; see Word.start."""
        places = self._store.places[self._index]
        return places[-1][1] if places else None

    def to_conllu(self) -> str:
        """Every byte as it would be written, including the empty line after it."""
        return format_sentence(self._handle).decode("utf-8", "replace")

    def to_json(self) -> str:
        """As a line of JSON, with its line end; docs/input.md has the schema."""
        return format_sentence(self._handle, lib.DD_FORMAT_JSON).decode("utf-8")

    def to_dict(self) -> Dict[str, Any]:
        """What to_json() writes, as Python has it.

        >>> nlp("Birds sing.")[0].to_dict()["words"][0]["deprel"]
        'nsubj'
        """
        return cast(Dict[str, Any], json.loads(self.to_json()))

    def to_columns(self, columns: Optional[Iterable[str]] = None) -> Dict[str, Any]:
        """Columns with a row for each word; see Doc.to_columns."""
        return _frames.to_columns(table_of(self._store, columns, self._index))

    def to_pandas(self, columns: Optional[Iterable[str]] = None) -> Any:
        """A pandas.DataFrame with a row for each word; see Doc.to_pandas."""
        return _frames.to_pandas(table_of(self._store, columns, self._index))

    def to_arrow(self, columns: Optional[Iterable[str]] = None) -> Any:
        """A pyarrow.Table with a row for each word; see Doc.to_columns."""
        return _frames.to_arrow(table_of(self._store, columns, self._index))

    def to_polars(self, columns: Optional[Iterable[str]] = None) -> Any:
        """A polars.DataFrame with a row for each word; see Doc.to_columns."""
        return _frames.to_polars(table_of(self._store, columns, self._index))

    def to_displacy(self) -> Dict[str, Any]:
        """What spaCy's displaCy draws: displacy.render(s.to_displacy(), manual=True).

        >>> nlp("Birds sing.")[0].to_displacy()["arcs"][0]
        {'start': 0, 'end': 1, 'label': 'nsubj', 'dir': 'left'}
        """
        return shapes.to_displacy(self)

    def to_networkx(self) -> Any:
        """A networkx.DiGraph. Nodes are the numbers of words, with form, lemma, upos, xpos and
        feats; edges lead from a head to its dependents, with deprel. The root of the sentence is the
        node without a head."""
        return shapes.to_networkx(self)

    def to_nltk(self) -> Any:
        """An nltk.parse.DependencyGraph."""
        return shapes.to_nltk(self)

    def to_stanza(self) -> List[Dict[str, Any]]:
        """A dictionary for each token and word, as Stanza's Sentence.to_dict() has them."""
        return shapes.to_stanza(self)

    def to_tokenlist(self) -> Dict[str, Any]:
        """The arguments of TokenList in the package conllu: conllu.TokenList(**s.to_tokenlist())."""
        return shapes.to_tokenlist(self)

    # ---- pictures

    def draw(self, format: str = "text", *, gold: Optional["Sentence"] = None, width: int = 0,
             one_row: bool = False, tags: bool = True, constraints: bool = True,
             title: bool = False, colour: bool = False, direction: str = "auto",
             enhanced: bool = True) -> str:
        """The tree as "text", "svg", "html", "tikz" or "dot"; what differs from `gold` is marked.
        width: columns or pixels at which rows are broken, 0 for the default. enhanced: with empty
        nodes, and arcs of DEPS that the tree does not have, unless `gold` is given."""
        drawing = Drawing(format, width=width, one_row=one_row, tags=tags,
                          constraints=constraints, title=title, colour=colour,
                          direction=direction, enhanced=enhanced)
        picture = drawing.draw(self._handle, ffi.NULL if gold is None else gold._handle)
        return picture.rstrip("\n") if format == "text" else picture

    def _repr_svg_(self) -> Optional[str]:
        """For notebooks, which show the plain text where there is no picture."""
        return self.draw("svg", width=900) if len(self) <= lib.DD_DRAW_MAX_WORDS else None

    # ---- as an object

    def __reduce__(self) -> Tuple[Any, ...]:
        conllu = format_sentence(self._handle)
        return _restore, (conllu, self._store.conllx, self._store.labels)

    def __copy__(self) -> "Sentence":
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Sentence":
        return self

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Sentence {self.id!r}: {self.text!r}>"
