"""Documents, sentences and words: views of what the library holds, made when they are accessed.

    Doc -> Sentence -> Word        each is held from the left, and holds only
     `------> _Store <------'      what it needs to look

Nothing holds an object that holds it, so a document's memory, which Python does not see, is
returned as soon as the last view of it is gone.

A document does not change, and any number of threads may look at it. What is kept for the next look
is made as a whole before it is put in its place; of two threads that make it at once both are right.
"""

import array
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

from ._library import bounded, check, choose, ffi, formatted, lib, make, new_error, to_str
from ._errors import ArgumentError

_ID, _FORM, _LEMMA, _UPOS, _XPOS, _FEATS, _HEAD, _DEPREL, _DEPS, _MISC = range(10)
_DRAWINGS = ("text", "svg", "html", "tikz", "dot")
_DIRECTIONS = ("auto", "ltr", "rtl")


def _take(text: Any) -> str:
    """Of a dd_text that is ours to free."""
    if text.data == ffi.NULL:
        raise MemoryError("out of memory")
    try:
        return to_str(text)
    finally:
        lib.dp_free_text(text)


def _pairs(cell: str) -> Dict[str, str]:
    """Name=Value|Name=Value; an item without a value, as CoNLL-X allows, gets an empty one."""
    if cell == "_":
        return {}
    items = (item.partition("=") for item in cell.split("|"))
    return {name: value for name, _, value in items}


class Word:
    """One word of a sentence. Missing values are "_", as in CoNLL-U."""

    __slots__ = ("sentence", "id")

    sentence: "Sentence"
    id: int  #: its number in the sentence, from 1

    def __init__(self, sentence: "Sentence", number: int) -> None:
        self.sentence = sentence
        self.id = number

    @property
    def form(self) -> str:
        return self.sentence.forms[self.id - 1]

    @property
    def lemma(self) -> str:
        return self.sentence.lemmas[self.id - 1]

    @property
    def upos(self) -> str:
        return self.sentence.upos[self.id - 1]

    @property
    def xpos(self) -> str:
        return self.sentence.xpos[self.id - 1]

    @property
    def feats(self) -> Dict[str, str]:
        return _pairs(self.sentence._column(_FEATS)[self.id - 1])

    @property
    def misc(self) -> Dict[str, str]:
        """As it was read."""
        return _pairs(self.sentence._column(_MISC)[self.id - 1])

    @property
    def head(self) -> int:
        """The number of its head, 0 for the root, -1 if it is unknown."""
        return self.sentence.heads[self.id - 1]

    @property
    def deprel(self) -> str:
        return self.sentence.deprels[self.id - 1]

    @property
    def score(self) -> Optional[float]:
        """By how much the transition that attached it led; None if scores were not requested."""
        return self.sentence.scores[self.id - 1]

    @property
    def parent(self) -> Optional["Word"]:
        """Its head as a word; None for the root, or if the head is unknown."""
        head = self.head
        return Word(self.sentence, head) if head > 0 else None

    @property
    def children(self) -> List["Word"]:
        """The words that depend on it, in order."""
        return [Word(self.sentence, child) for child in self.sentence._children()[self.id]]

    @property
    def subtree(self) -> List["Word"]:
        """The word itself and all words that descend from it, in order."""
        children = self.sentence._children()
        seen, waiting = {self.id}, [self.id]
        while waiting:
            for child in children[waiting.pop()]:
                if child not in seen:  # heads that were read need not make a tree
                    seen.add(child)
                    waiting.append(child)
        return [Word(self.sentence, word) for word in sorted(seen)]

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Word) and self.sentence is other.sentence
                and self.id == other.id)

    def __hash__(self) -> int:
        return hash((id(self.sentence), self.id))

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        return f"<Word {self.id} {self.form!r} head={self.head} deprel={self.deprel!r}>"


class Words(Sequence[Word]):
    """The words of a sentence; words[0] is the first."""

    __slots__ = ("_sentence",)

    def __init__(self, sentence: "Sentence") -> None:
        self._sentence = sentence

    def __len__(self) -> int:
        return len(self._sentence)

    @overload
    def __getitem__(self, index: int) -> Word: ...

    @overload
    def __getitem__(self, index: slice) -> List[Word]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Word, List[Word]]:
        if isinstance(index, slice):
            return [Word(self._sentence, i + 1) for i in range(len(self))[index]]
        return Word(self._sentence, range(len(self))[index] + 1)

    def __repr__(self) -> str:
        return repr(list(self))


class Token(NamedTuple):
    """A stretch of the text: one word, or several that are written as one."""

    form: str
    words: List[Word]


class _Store:
    """The library's document, and the labels that its label numbers refer to."""

    __slots__ = ("handle", "nlp", "_labels")

    def __init__(self, handle: Any, nlp: Any) -> None:
        self.handle = ffi.gc(handle, lib.dp_free)
        self.nlp = nlp
        self._labels: Optional[Tuple[str, ...]] = None

    def column(self, index: int, column: int) -> List[str]:
        sentence = self.handle.sentences[index]
        text = _take(lib.dp_column(sentence, column))
        return text.split("\t") if lib.dd_sentence_size(sentence) else []

    @property
    def labels(self) -> Tuple[str, ...]:
        if self._labels is None:
            if self.nlp is not None:
                self._labels = self.nlp.labels
            else:
                columns = (self.column(i, _DEPREL) for i in range(self.handle.count))
                self._labels = tuple(sorted({label for column in columns for label in column}))
        return self._labels


class Sentence:
    """The words of a sentence and its tree."""

    __slots__ = ("_store", "_index", "_handle", "_columns", "_child_lists", "_heads", "_labels",
                 "_scores")

    def __init__(self, store: _Store, index: int) -> None:
        self._store = store
        self._index = index
        self._handle = store.handle.sentences[index]
        self._columns: Dict[int, List[str]] = {}
        self._child_lists: Optional[List[List[int]]] = None
        self._heads: Optional[memoryview] = None
        self._labels: Optional[memoryview] = None
        self._scores: Optional[List[Optional[float]]] = None

    def __len__(self) -> int:
        return int(lib.dd_sentence_size(self._handle))

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @property
    def id(self) -> str:
        """`# sent_id`, or its position in the file, from 1."""
        return to_str(lib.dd_sentence_id(self._handle))

    @property
    def line(self) -> int:
        """The line of the file that it starts in, from 1."""
        return int(lib.dd_sentence_line(self._handle))

    @property
    def words(self) -> Words:
        return Words(self)

    # ---- columns: one call each, whatever the number of words

    def _column(self, column: int) -> List[str]:
        found = self._columns.get(column)
        if found is None:
            made = self._store.column(self._index, column)
            found = self._columns.setdefault(column, made)
        return found

    @property
    def forms(self) -> List[str]:
        return self._column(_FORM)

    @property
    def lemmas(self) -> List[str]:
        return self._column(_LEMMA)

    @property
    def upos(self) -> List[str]:
        return self._column(_UPOS)

    @property
    def xpos(self) -> List[str]:
        return self._column(_XPOS)

    @property
    def deprels(self) -> List[str]:
        return self._column(_DEPREL)

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
                numbers = array.array("i", [number[label] for label in self.deprels])
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
            scores: List[Optional[float]] = [None] * len(self)
            for cells in self._rows():
                score = _pairs(cells[_MISC]).get("Score")
                if score is not None and cells[_ID].isdigit():
                    scores[int(cells[_ID]) - 1] = float(score)
            self._scores = scores
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
    def constraints(self) -> List[str]:
        """As they would be written in comments: "arc 3 nsubj 2"."""
        found: List[str] = []
        text = ffi.new("dd_text *")
        while lib.dd_sentence_constraint(self._handle, len(found), text):
            found.append(to_str(text[0]))
        return found

    # ---- text

    def to_conllu(self) -> str:
        """Every byte as it would be written, including the empty line after it."""
        return formatted(lib.dd_sentence_format, self._handle).decode("utf-8", "replace")

    def to_json(self) -> str:
        """As a line of JSON, with its line end; docs/json.md has the schema."""
        return formatted(lib.dd_sentence_json, self._handle).decode("utf-8")

    @property
    def comments(self) -> List[str]:
        return [line for line in self._lines() if line.startswith("#")]

    @property
    def text(self) -> str:
        """`# text`, or the tokens put together."""
        for comment in self.comments:
            name, _, value = comment[1:].partition("=")
            if name.strip(" \t") == "text":
                return value.strip(" \t")
        parts = []
        for cells, _ in self._token_lines():
            parts.append(cells[_FORM])
            parts.append("" if "SpaceAfter=No" in cells[_MISC].split("|") else " ")
        return "".join(parts).strip(" ")

    @property
    def tokens(self) -> List[Token]:
        """The words as they are written: several words may be one token, such as "don't"."""
        return [Token(cells[_FORM], self.words[first - 1:last])
                for cells, (first, last) in self._token_lines()]

    def _lines(self) -> Iterator[str]:
        # Only "\n" parts lines, with a "\r" before it or not: what else Unicode has for that, and
        # splitlines() knows, may stand in words and comments. A file may begin with U+FEFF.
        text = self.to_conllu()
        start = 1 if self.line == 1 and text.startswith("\ufeff") else 0
        for line in text[start:].split("\n"):
            yield line[:-1] if line.endswith("\r") else line

    def _rows(self) -> Iterator[List[str]]:
        for line in self._lines():
            cells = line.split("\t")
            if len(cells) == 10 and not line.startswith("#"):
                yield cells

    def _token_lines(self) -> Iterator[Tuple[List[str], Tuple[int, int]]]:
        done = 0
        for cells in self._rows():
            if "." in cells[_ID]:
                continue
            first, _, last = cells[_ID].partition("-")
            if int(first) > done:
                done = int(last or first)
                yield cells, (int(first), done)

    # ---- pictures

    def draw(self, format: str = "text", *, gold: Optional["Sentence"] = None, width: int = 0,
             one_row: bool = False, tags: bool = True, constraints: bool = True,
             title: bool = False, colour: bool = False, direction: str = "auto") -> str:
        """The tree as "text", "svg", "html", "tikz" or "dot"; what differs from `gold` is marked.
        width: columns or pixels at which rows are broken, 0 for the default."""
        drawing = _Drawing(format, width=width, one_row=one_row, tags=tags,
                           constraints=constraints, title=title, colour=colour,
                           direction=direction)
        picture = drawing.draw(self, gold)
        return picture.rstrip("\n") if format == "text" else picture

    def _repr_svg_(self) -> str:
        return self.draw("svg")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Sentence {self.id!r}: {self.text!r}>"


class _Drawing:
    """What the sentences of one picture are drawn with."""

    def __init__(self, format: str, *, direction: str, width: int, **flags: bool) -> None:
        options = ffi.new("dd_draw_options *")
        lib.dd_draw_options_init(options)
        options.format = choose("format", format, _DRAWINGS)
        options.direction = choose("direction", direction, _DIRECTIONS)
        options.width = bounded("width", width, 0, lib.DD_DRAW_MAX_WIDTH)
        for name, value in flags.items():
            setattr(options, name, bool(value))
        self._handle = make(lib.dd_drawing_new, lib.dd_drawing_free, "dd_drawing", options)

    def draw(self, sentence: Sentence, gold: Optional[Sentence]) -> str:
        text, error = ffi.new("dd_text *"), new_error()
        right = ffi.NULL if gold is None else gold._handle
        check(lib.dd_draw(self._handle, sentence._handle, right, text, error), error)
        return to_str(text[0])

    def begin(self) -> str:
        text, error = ffi.new("dd_text *"), new_error()
        check(lib.dd_draw_begin(self._handle, text, error), error)
        return to_str(text[0])

    def end(self) -> str:
        return to_str(lib.dd_draw_end(self._handle))


class Doc(Sequence[Sentence]):
    """The sentences of one text. Made by NLP, and by dodona.read_conllu."""

    __slots__ = ("_store", "_made")

    def __init__(self, handle: Any, nlp: Any = None) -> None:
        self._store = _Store(handle, nlp)
        self._made: Dict[str, List[Sentence]] = {}

    @property
    def sentences(self) -> List[Sentence]:
        found = self._made.get("sentences")
        if found is None:
            store = self._store
            made = [Sentence(store, i) for i in range(store.handle.count)]
            # Words are equal only if their sentence is the same: all threads get the first list.
            found = self._made.setdefault("sentences", made)
        return found

    @property
    def n_words(self) -> int:
        return int(self._store.handle.words)

    @property
    def labels(self) -> Tuple[str, ...]:
        """What the numbers in sentence.labels stand for: the model's labels, or, if the document
        was only read, its own in alphabetical order."""
        return self._store.labels

    def to_conllu(self) -> str:
        return formatted(lib.dp_format, self._store.handle).decode("utf-8", "replace")

    def to_json(self) -> str:
        """A line for each sentence; see Sentence.to_json."""
        return "".join(sentence.to_json() for sentence in self)

    def draw(self, format: str = "text", *, gold: Optional["Doc"] = None, width: int = 0,
             one_row: bool = False, tags: bool = True, constraints: bool = True,
             title: bool = True, colour: bool = False, direction: str = "auto") -> str:
        """All trees, as a whole file of that format; see Sentence.draw."""
        if gold is not None and len(gold) != len(self):
            raise ArgumentError(f"gold has {len(gold)} sentences, not {len(self)}")
        drawing = _Drawing(format, width=width, one_row=one_row, tags=tags,
                           constraints=constraints, title=title, colour=colour,
                           direction=direction)
        right: Sequence[Optional[Sentence]] = gold.sentences if gold else [None] * len(self)
        parts = [drawing.draw(one, other) for one, other in zip(self.sentences, right)]
        return drawing.begin() + "".join(parts) + drawing.end()

    @overload
    def __getitem__(self, index: int) -> Sentence: ...

    @overload
    def __getitem__(self, index: slice) -> List[Sentence]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Sentence, List[Sentence]]:
        return self.sentences[index]

    def __len__(self) -> int:
        return int(self._store.handle.count)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    def __repr__(self) -> str:
        return f"<Doc of {len(self)} sentences, {self.n_words} words>"
