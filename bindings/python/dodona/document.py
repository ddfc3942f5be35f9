"""Documents: the sentences of one text."""

import html
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union, overload

from . import _frames
from ._drawing import Drawing
from ._errors import ArgumentError
from ._library import ffi, formatted, lib, to_bytes
from ._store import Store
from ._table import table_of
from .sentence import Sentence, read_store
from .words import Chunk, Token, Word

_SHOWN = 200  # trees of a document in a notebook


def _restore(conllu: bytes, conllx: bool, source: Union[str, bytes, None],
             labels: Tuple[str, ...], context: Any = None) -> "Doc":
    """A document that was pickled."""
    return Doc(read_store(conllu, conllx, source, labels), context)


class Doc(Sequence[Sentence]):
    """The sentences of one text: doc[0] is the first. Made by NLP, and by dodona.read_conllu.

    >>> doc = nlp("Birds sing. The cat sleeps.")
    >>> len(doc), doc[1].text, [word.form for word in doc.words]
    (2, 'The cat sleeps.', ['Birds', 'sing', '.', 'The', 'cat', 'sleeps', '.'])
    """

    __slots__ = ("_store", "_made", "context")

    def __init__(self, store: Store, context: Any = None) -> None:
        self._store = store
        self.context = context  # what came with the text in NLP.pipe: the mapping, or None
        self._made: Dict[str, List[Sentence]] = {}

    @staticmethod
    def from_conllu(text: Union[str, bytes]) -> "Doc":
        """The document of a text in CoNLL-U, whatever it looks like; dodona.read_conllu also reads
        files.

        >>> doc = nlp("Birds sing.")
        >>> dodona.Doc.from_conllu(doc.to_conllu()).to_conllu() == doc.to_conllu()
        True
        """
        return Doc(read_store(to_bytes(text)))

    # ---- sentences and words

    @property
    def sentences(self) -> List[Sentence]:
        """All sentences in order, as the document itself."""
        found = self._made.get("sentences")
        if found is None:
            store = self._store
            made = [Sentence(store, i) for i in range(store.handle.count)]
            # Words are equal only if their sentence is the same: all threads get the first list.
            found = self._made.setdefault("sentences", made)
        return found

    @property
    def sents(self) -> List[Sentence]:
        """The sentences, by the name that spaCy has for them."""
        return self.sentences

    @property
    def noun_chunks(self) -> List[Chunk]:
        """The noun chunks of all sentences in order; see Sentence.noun_chunks."""
        return [chunk for sentence in self.sentences for chunk in sentence.noun_chunks]

    @property
    def words(self) -> List[Word]:
        """The words of all sentences in order."""
        return [word for sentence in self.sentences for word in sentence]

    @property
    def tokens(self) -> List[Token]:
        """The tokens of all sentences in order."""
        return [token for sentence in self.sentences for token in sentence.tokens]

    @property
    def n_words(self) -> int:
        """The number of words; reading it does not touch the sentences."""
        return int(self._store.handle.words)

    @property
    def labels(self) -> Tuple[str, ...]:
        """What the numbers in sentence.labels stand for: the model's labels, or, if the document
        was only read, its own in alphabetical order."""
        return self._store.labels

    @overload
    def __getitem__(self, index: int) -> Sentence: ...

    @overload
    def __getitem__(self, index: slice) -> List[Sentence]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Sentence, List[Sentence]]:
        return self.sentences[index]

    def __len__(self) -> int:
        return int(self._store.handle.count)

    # ---- text

    @property
    def text(self) -> str:
        """The text that was parsed, every character of it; word.start and word.end are places in
        it. If the document was read from CoNLL-U, it is that of the sentences, with a space
        between them, or none after SpaceAfter=No, or an empty line before a paragraph.

        >>> nlp("Birds  sing.").text
        'Birds  sing.'
        """
        return self._store.text

    def to_conllu(self) -> str:
        """Every byte of every sentence as it would be written."""
        return formatted(lib.dp_format, self._store.handle).decode("utf-8", "replace")

    def to_json(self) -> str:
        """A line for each sentence, as `dodona parse --to json` writes it; see Sentence.to_json."""
        return "".join(sentence.to_json() for sentence in self)

    def to_dict(self) -> Dict[str, Any]:
        """The text, and for each sentence what Sentence.to_dict() has.

        >>> doc = nlp("Birds sing. The cat sleeps.").to_dict()
        >>> doc["text"], [sentence["text"] for sentence in doc["sentences"]]
        ('Birds sing. The cat sleeps.', ['Birds sing.', 'The cat sleeps.'])
        """
        return {"text": self.text, "sentences": [sentence.to_dict() for sentence in self]}

    def to_columns(self, columns: Optional[Iterable[str]] = None) -> Dict[str, Any]:
        """Columns with a row for each word: the number of its sentence, from 0, its ten columns,
        with None where there is "_", and its start and end in the text. Texts are lists; numbers
        are arrays, in which -1 is unknown. columns: as in NLP.to_columns, which takes many texts
        at once and is much faster.

        >>> nlp("Birds sing.").to_columns(["form", "deprel"])
        {'form': ['Birds', 'sing', '.'], 'deprel': ['nsubj', 'root', 'punct']}
        """
        return _frames.to_columns(table_of(self._store, columns))

    def to_pandas(self, columns: Optional[Iterable[str]] = None) -> Any:
        """A pandas.DataFrame with a row for each word; see to_columns. Of many texts
        NLP.to_pandas makes one at once."""
        return _frames.to_pandas(table_of(self._store, columns))

    def to_arrow(self, columns: Optional[Iterable[str]] = None) -> Any:
        """A pyarrow.Table with a row for each word; see to_columns."""
        return _frames.to_arrow(table_of(self._store, columns))

    def to_polars(self, columns: Optional[Iterable[str]] = None) -> Any:
        """A polars.DataFrame with a row for each word; see to_columns."""
        return _frames.to_polars(table_of(self._store, columns))

    def to_displacy(self) -> List[Dict[str, Any]]:
        """For each sentence what Sentence.to_displacy() has; displacy.render takes the list."""
        return [sentence.to_displacy() for sentence in self]

    def to_stanza(self) -> List[List[Dict[str, Any]]]:
        """As Stanza's Document.to_dict() has it, and its constructor takes it:
        stanza.Document(doc.to_stanza(), doc.text)."""
        return [sentence.to_stanza() for sentence in self]

    def to_tokenlists(self) -> List[Dict[str, Any]]:
        """For each sentence the arguments of TokenList in the package conllu."""
        return [sentence.to_tokenlist() for sentence in self]

    # ---- pictures

    def draw(self, format: str = "text", *, gold: Optional["Doc"] = None, width: int = 0,
             one_row: bool = False, tags: bool = True, constraints: bool = True,
             title: bool = True, colour: bool = False, direction: str = "auto",
             enhanced: bool = True) -> str:
        """All trees, as a whole file of that format; see Sentence.draw."""
        if gold is not None and len(gold) != len(self):
            raise ArgumentError(f"gold has {len(gold)} sentences, not {len(self)}")
        drawing = Drawing(format, width=width, one_row=one_row, tags=tags,
                          constraints=constraints, title=title, colour=colour,
                          direction=direction, enhanced=enhanced)
        right = [ffi.NULL] * len(self) if gold is None else [one._handle for one in gold]
        parts = [drawing.draw(one._handle, other) for one, other in zip(self, right)]
        return drawing.begin() + "".join(parts) + drawing.end()

    def _repr_html_(self) -> str:
        """For notebooks: all trees, each a picture."""
        parts = []
        for sentence in self[:_SHOWN]:
            picture = sentence._repr_svg_() or f"<p>{html.escape(sentence.text)}</p>"
            parts.append(f'<div style="overflow-x:auto;margin:0 0 1em">{picture}</div>')
        if len(self) > _SHOWN:
            parts.append(f"<p>… and {len(self) - _SHOWN:,} sentences more</p>")
        return f'<div class="dodona-doc">{"".join(parts)}</div>'

    # ---- as an object

    def __reduce__(self) -> Tuple[Any, ...]:
        store = self._store
        return _restore, (formatted(lib.dp_format, store.handle), store.conllx, store.source,
                          store.labels, self.context)

    def __copy__(self) -> "Doc":
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Doc":
        return self

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Doc of {len(self)} sentences, {self.n_words} words>"
