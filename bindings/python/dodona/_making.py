"""Sentences of words, and constraints on their trees."""

from typing import Any, Iterable, Optional, Sequence, Tuple, Union

from ._errors import ArgumentError
from ._library import Text, check, choose, ffi, lib, make, new_error, text_to_bytes, type_name
from .words import FEATS, LEMMA, UPOS, XPOS

# (head, dependent) or (head, deprel, dependent)
Arc = Union[Tuple[int, int], Tuple[int, Optional[str], int]]
# (first, last) or (first, last, mode)
Span = Union[Tuple[int, int], Tuple[int, int, str]]

_SPAN_MODES = ("any", "root", "none")


def check_words(words: Union[bytes, Sequence[str]], call: str) -> Sequence[str]:
    if isinstance(words, (str, bytes)) or not hasattr(words, "__iter__"):
        raise TypeError(f"{call} takes the words of a sentence, as a list of str, not "
                        f"{type_name(words)}; call the model itself to parse text")
    made = list(words)
    for word in made:
        if not isinstance(word, str):
            raise TypeError(f"{call} takes words that are str, not {type_name(word)}")
    return made


def document_of_words(words: Sequence[str], lemmas: Optional[Sequence[str]],
                      upos: Optional[Sequence[str]], xpos: Optional[Sequence[str]],
                      feats: Optional[Sequence[str]]) -> Any:
    """Of one sentence."""
    texts = [Text(word) for word in words]
    forms = ffi.new("dd_text[]", [text.value for text in texts])
    sentence = make(lib.dd_sentence_new, lib.dd_sentence_free, "dd_sentence")
    error, out = new_error(), ffi.new("dp_document **")
    check(lib.dd_sentence_set_words(sentence, forms, len(texts), error), error)
    columns = ((LEMMA, "lemmas", lemmas), (UPOS, "upos", upos), (XPOS, "xpos", xpos),
               (FEATS, "feats", feats))
    for column, name, values in columns:
        if values is not None:
            _set_column(sentence, column, name, values, len(texts))
    ffi.gc(sentence, None)  # the document owns it from now on
    check(lib.dp_wrap(out, sentence, error), error)
    return out[0]


def _set_column(sentence: Any, column: int, name: str, values: Sequence[str], count: int) -> None:
    if isinstance(values, (str, bytes)) or len(values) != count:
        raise ArgumentError(f"{name} must have one value for each of the {count} words")
    error = new_error()
    for word, value in enumerate(values, 1):
        text = Text(value)
        status = lib.dd_sentence_set_cell(sentence, word, column, text.value, error)
        check(status, error)


def conllu_of_words(words: Sequence[str]) -> bytes:
    """A sentence of words alone, for the reader, which checks them, but for what parts columns
    and lines."""
    rows = []
    for number, word in enumerate(words, 1):
        if not word or not {"\t", "\n", "\r"}.isdisjoint(word):
            raise ArgumentError(f"word {number}, {word!r}, is empty, or has a tab or line break in "
                                "it")
        rows.append(f"{number}\t{word}" + 8 * "\t_" + "\n")
    if not rows:
        raise ArgumentError("a sentence has no words")
    return text_to_bytes("".join(rows) + "\n")


def constrain(sentence: Any, arcs: Iterable[Arc], forbidden: Iterable[Tuple[int, int]],
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
