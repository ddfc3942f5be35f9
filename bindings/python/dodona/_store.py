"""What the views of a document share: the library's sentences, and what belongs to the whole."""

import json
import re
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._library import SURROGATE, ffi, format_sentence, lib, to_str
from .words import DEPREL, FORM, ID, MISC

_BEGINS_PARAGRAPH = re.compile(r"#[ \t]*(newpar|newdoc)\b")


class Line(NamedTuple):
    """The line of a token: its cells, and its words."""

    cells: List[str]
    first: int
    last: int


Place = Tuple[Optional[int], Optional[int]]


def _take(text: Any) -> str:
    """Of a dd_text that is ours to free."""
    if text.data == ffi.NULL:
        raise MemoryError("out of memory")
    try:
        return to_str(text)
    finally:
        lib.dp_free_text(text)


class Store:
    """The library's document, and the labels that its label numbers refer to."""

    __slots__ = ("handle", "nlp", "conllx", "source", "_labels", "_text", "_places")

    def __init__(self, handle: Any, nlp: Any = None, conllx: bool = False,
                 source: Union[str, bytes, None] = None,
                 labels: Optional[Tuple[str, ...]] = None) -> None:
        self.handle = ffi.gc(handle, lib.dp_free)
        self.nlp = nlp
        self.conllx = conllx
        self.source = source  #: the running text that it was made of, if it was
        self._labels = labels
        self._text: Optional[str] = None
        self._places: Optional[List[List[Place]]] = None

    # ---- one sentence

    def column(self, index: int, column: int) -> List[str]:
        if column == MISC:  # of which the library knows only what was read
            return [cells[MISC] for cells in self.rows(index) if cells[ID].isdigit()]
        sentence = self.handle.sentences[index]
        text = _take(lib.dp_column(sentence, column))
        return text.split("\t") if lib.dd_sentence_size(sentence) else []

    def lines(self, index: int) -> Iterator[str]:
        """As they would be written. Only "\\n" parts lines, with a "\\r" before it or not: what else
        Unicode has for that, and splitlines() knows, may stand in words and comments. A file may
        begin with U+FEFF."""
        sentence = self.handle.sentences[index]
        text = format_sentence(sentence).decode("utf-8", "replace")
        start = 1 if lib.dd_sentence_line(sentence) == 1 and text.startswith("\ufeff") else 0
        for line in text[start:].split("\n"):
            yield line[:-1] if line.endswith("\r") else line

    def rows(self, index: int) -> Iterator[List[str]]:
        """The cells of words, multiword tokens and empty nodes."""
        for line in self.lines(index):
            cells = line.split("\t")
            if len(cells) == 10 and not line.startswith("#"):
                yield cells

    def token_lines(self, index: int) -> Iterator[Line]:
        done = 0
        for cells in self.rows(index):
            if "." in cells[ID]:
                continue
            first, _, last = cells[ID].partition("-")
            if int(first) > done:
                done = int(last or first)
                yield Line(cells, int(first), done)

    def comments(self, index: int) -> List[str]:
        return [line for line in self.lines(index) if line.startswith("#")]

    def sentence_text(self, index: int) -> str:
        """`# text`, or the tokens put together."""
        for comment in self.comments(index):
            name, _, value = comment[1:].partition("=")
            if name.strip(" \t") == "text":
                return value.strip(" \t")
        parts = []
        for line in self.token_lines(index):
            parts.append(line.cells[FORM])
            parts.append("" if _is_glued(line) else " ")
        return "".join(parts).strip(" ")

    # ---- the whole

    @property
    def labels(self) -> Tuple[str, ...]:
        if self._labels is None:
            if self.nlp is not None:
                self._labels = self.nlp.labels
            else:
                columns = (self.column(i, DEPREL) for i in range(self.handle.count))
                self._labels = tuple(sorted({label for column in columns for label in column}))
        return self._labels

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = self._join() if self.source is None else _decode(self.source)
        return self._text

    def _join(self) -> str:
        parts: List[str] = []
        for index in range(self.handle.count):
            parts.append(self._gap(index))
            parts.append(self.sentence_text(index))
        return "".join(parts)

    def _gap(self, index: int) -> str:
        """What stands before a sentence, in a text that is put together."""
        if index == 0:
            return ""
        if any(_BEGINS_PARAGRAPH.match(comment) for comment in self.comments(index)):
            return "\n\n"
        before = list(self.token_lines(index - 1))
        return "" if before and _is_glued(before[-1]) else " "

    @property
    def places(self) -> List[List[Place]]:
        """Of all tokens, sentence by sentence."""
        if self._places is None:
            self._places = self._join_places() if self.source is None else self._find_places()
        return self._places

    def _find_places(self) -> List[List[Place]]:
        """In running text there is nothing between tokens but white space, so that the next place
        that has its form is a token's own."""
        found: List[List[Place]] = []
        text, at = SURROGATE.sub("\ufffd", self.text).replace("\0", "\ufffd"), 0
        for index in range(self.handle.count):
            places: List[Place] = []
            for line in self.token_lines(index):
                start = text.index(line.cells[FORM], at)
                at = start + len(line.cells[FORM])
                places.append((start, at))
            found.append(places)
        return found

    def _join_places(self) -> List[List[Place]]:
        """The library finds them in the text of each sentence."""
        found: List[List[Place]] = []
        at = 0
        for index in range(self.handle.count):
            at += len(self._gap(index))
            sentence = json.loads(format_sentence(self.handle.sentences[index], lib.DD_FORMAT_JSON))
            found.append([(None, None) if token["start"] is None
                          else (at + token["start"], at + token["end"])
                          for token in sentence["tokens"]])
            at += len(sentence["text"])
        return found


def _is_glued(line: Line) -> bool:
    """Whether no space follows the token."""
    return "SpaceAfter=No" in line.cells[MISC].split("|")


def _decode(source: Union[str, bytes]) -> str:
    return source.decode("utf-8", "replace") if isinstance(source, bytes) else source
