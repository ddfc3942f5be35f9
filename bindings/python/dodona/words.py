"""Words, and the tokens and empty nodes beside them: small views that hold their sentence."""

from typing import (TYPE_CHECKING, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union,
                    overload)

if TYPE_CHECKING:
    from .sentence import Sentence

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)


def pairs(cell: str) -> Dict[str, str]:
    """Name=Value|Name=Value; an item without a value, as CoNLL-X allows, gets an empty one."""
    if cell == "_":
        return {}
    items = (item.partition("=") for item in cell.split("|"))
    return {name: value for name, _, value in items}


def arcs(cell: str) -> List[Tuple[str, str]]:
    """head:deprel|head:deprel, where deprel may have colons of its own."""
    if cell == "_":
        return []
    items = (item.partition(":") for item in cell.split("|"))
    return [(head, deprel) for head, _, deprel in items]


class Word:
    """One word of a sentence: a node of its tree. Missing values are "_", as in CoNLL-U.

    >>> word = nlp("Birds sing.")[0][0]
    >>> word.form, word.lemma, word.upos, word.head, word.deprel
    ('Birds', 'bird', 'NOUN', 2, 'nsubj')
    """

    __slots__ = ("sentence", "id")

    sentence: "Sentence"
    id: int  #: its number in the sentence, from 1

    def __init__(self, sentence: "Sentence", number: int) -> None:
        self.sentence = sentence
        self.id = number

    # ---- its columns

    @property
    def form(self) -> str:
        """The word itself."""
        return self.sentence.forms[self.id - 1]

    @property
    def text(self) -> str:
        """The same as form."""
        return self.form

    @property
    def lemma(self) -> str:
        """Its base form."""
        return self.sentence.lemmas[self.id - 1]

    @property
    def upos(self) -> str:
        """Its universal part of speech."""
        return self.sentence.upos[self.id - 1]

    @property
    def xpos(self) -> str:
        """Its tag in the treebank's own tagset."""
        return self.sentence.xpos[self.id - 1]

    @property
    def feats(self) -> Dict[str, str]:
        """Its features.

        >>> nlp("Birds sing.")[0][0].feats
        {'Number': 'Plur'}
        """
        return pairs(self.sentence._column(FEATS)[self.id - 1])

    @property
    def deps(self) -> List[Tuple[str, str]]:
        """Its enhanced dependencies as they were read: pairs of head and deprel. A head is a
        string, as it may be an empty node such as "5.1"."""
        return arcs(self.sentence._column(DEPS)[self.id - 1])

    @property
    def misc(self) -> Dict[str, str]:
        """Whatever else there is, such as SpaceAfter."""
        return pairs(self.sentence._column(MISC)[self.id - 1])

    @property
    def head(self) -> int:
        """The number of its head, 0 for the root, -1 if it is unknown; see also parent."""
        return self.sentence.heads[self.id - 1]

    @property
    def deprel(self) -> str:
        """Its relation to its head."""
        return self.sentence.deprels[self.id - 1]

    @property
    def score(self) -> Optional[float]:
        """By how much the transition that attached it led; None if scores were not requested."""
        return self.sentence.scores[self.id - 1]

    @property
    def probability(self) -> Optional[float]:
        """How probable it is that its head and deprel are right; None if scores were not requested,
        or the model was trained without a dev file."""
        value = self.misc.get("Prob")
        return None if value is None else float(value)

    # ---- its place in the text

    @property
    def token(self) -> "Token":
        """The token that it is, or is a part of."""
        return self.sentence._token(self.sentence._token_numbers()[self.id - 1])

    @property
    def start(self) -> Optional[int]:
        """Where its token begins in the text of the document, in characters (code points) from 0;
        None if the text does not have it.

        >>> doc = nlp("Birds sing.")
        >>> word = doc[0][1]
        >>> doc.text[word.start:word.end]
        'sing'
        """
        return self.sentence._place_of(self.id)[0]

    @property
    def end(self) -> Optional[int]:
        """The position after the last character of its token; see start."""
        return self.sentence._place_of(self.id)[1]

    # ---- its place in the tree

    @property
    def parent(self) -> Optional["Word"]:
        """Its head as a word; None for the root, or if the head is unknown."""
        head = self.head
        return Word(self.sentence, head) if head > 0 else None

    @property
    def children(self) -> List["Word"]:
        """The words that depend on it, in order.

        >>> [child.form for child in nlp("Birds sing.")[0].root.children]
        ['Birds', '.']
        """
        return [Word(self.sentence, child) for child in self.sentence._children()[self.id]]

    @property
    def lefts(self) -> List["Word"]:
        """Those of its children that stand before it."""
        return [child for child in self.children if child.id < self.id]

    @property
    def rights(self) -> List["Word"]:
        """Those of its children that stand behind it."""
        return [child for child in self.children if child.id > self.id]

    @property
    def ancestors(self) -> List["Word"]:
        """Its head, the head of that, and so on up to the root of the sentence."""
        found: List[Word] = []
        above = self.parent
        while above is not None and above != self and above not in found:  # heads that were read
            found.append(above)  # need not make a tree
            above = above.parent
        return found

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

    @property
    def left_edge(self) -> "Word":
        """The first word of its subtree."""
        return self.subtree[0]

    @property
    def right_edge(self) -> "Word":
        """The last word of its subtree."""
        return self.subtree[-1]

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


class Chunk(Sequence[Word]):
    """A noun chunk: words of a sentence that stand side by side, and the one that the others depend
    on.

    >>> chunk, = nlp("The cat sleeps.").noun_chunks
    >>> chunk.text, chunk.root, [word.upos for word in chunk]
    ('The cat', <Word 2 'cat' head=3 deprel='nsubj'>, ['DET', 'NOUN'])
    """

    __slots__ = ("sentence", "_root", "_first", "_last")

    sentence: "Sentence"

    def __init__(self, sentence: "Sentence", root: int, first: int, last: int) -> None:
        self.sentence = sentence
        self._root, self._first, self._last = root, first, last

    @property
    def words(self) -> List[Word]:
        """Its words in order, as the chunk itself."""
        return self.sentence.words[self._first - 1:self._last]

    @property
    def root(self) -> Word:
        """The noun, name or pronoun on which the others depend."""
        return Word(self.sentence, self._root)

    @property
    def text(self) -> str:
        """It as it stands in the text of the document, with whole tokens: the text of French "le
        roi" may be "du roi"."""
        if self.start is None or self.end is None:
            return " ".join(word.form for word in self)
        return self.sentence._store.text[self.start:self.end]

    @property
    def start(self) -> Optional[int]:
        """Where it begins in the text of the document; see Word.start."""
        return self[0].start

    @property
    def end(self) -> Optional[int]:
        """The position after its last character; see Word.start."""
        return self[-1].end

    def __len__(self) -> int:
        return self._last - self._first + 1

    @overload
    def __getitem__(self, index: int) -> Word: ...

    @overload
    def __getitem__(self, index: slice) -> List[Word]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Word, List[Word]]:
        return self.words[index]

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Chunk) and self.root == other.root and self._first == other._first
                and self._last == other._last)

    def __hash__(self) -> int:
        return hash((self.root, self._first, self._last))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Chunk {self.text!r} root={self.root.form!r}>"


class Token(NamedTuple):
    """A stretch of the text: one word, or several that are written as one, such as "don't".

    >>> [(token.form, len(token.words)) for token in nlp("The king doesn't sing.")[0].tokens]
    [('The', 1), ('king', 1), ("doesn't", 2), ('sing', 1), ('.', 1)]
    """

    form: str
    words: List[Word]
    start: Optional[int]  #: in the text of the document, as Word.start
    end: Optional[int]
    feats: Dict[str, str]  #: those of its word, or, of a multiword token, of its own line
    misc: Dict[str, str]  #: likewise


class EmptyNode(NamedTuple):
    """A node of the enhanced graph that is no word of the text."""

    id: str  #: "5.1"
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: Dict[str, str]
    deps: List[Tuple[str, str]]  #: as Word.deps
    misc: Dict[str, str]
