"""Noun chunks: noun phrases without what follows their nouns, by the relations of Universal
Dependencies alone, which are the same in all languages."""

from typing import TYPE_CHECKING, Dict, Iterator, List, Tuple

if TYPE_CHECKING:
    from .sentence import Sentence

_NOMINAL = frozenset(("NOUN", "PROPN", "PRON"))
# A nominal so attached is a function word, or fills a place, and is no phrase of its own.
_NEVER_ROOT = frozenset(("aux", "case", "cc", "cop", "det", "discourse", "expl", "fixed", "goeswith",
                         "mark", "punct", "reparandum"))
# What belongs to a noun, and to what belongs to it ...
_PARTS = frozenset(("amod", "clf", "compound", "det", "fixed", "flat", "goeswith", "nummod"))
# ... and to the latter only: "a very cold and dry wind", "the king's cat".
_PARTS_OF_PARTS = _PARTS | {"advmod", "case", "cc", "conj", "punct"}

Found = Tuple[int, int, int]  # root, first and last word


def _is_part(deprel: str, of_root: bool) -> bool:
    parts = _PARTS if of_root else _PARTS_OF_PARTS
    return deprel == "nmod:poss" or deprel.partition(":")[0] in parts


def _members(sentence: "Sentence", root: int, taken: Dict[int, int]) -> Dict[int, int]:
    """The words of a chunk that need not stand side by side."""
    children, deprels = sentence._children(), sentence.deprels
    members, waiting = {root: root}, [root]
    while waiting:
        head = waiting.pop()
        for child in children[head]:
            if child not in members and child not in taken and _is_part(deprels[child - 1],
                                                                        head == root):
                members[child] = root
                waiting.append(child)
    return members


def _edge(members: Dict[int, int], root: int, step: int, upos: List[str],
          taken: Dict[int, int]) -> int:
    """How far words of the chunk follow each other, with punctuation between them or without."""
    edge, at = root, root + step
    while 1 <= at <= len(upos) and at not in taken and (at in members or upos[at - 1] == "PUNCT"):
        if at in members and upos[at - 1] != "PUNCT":
            edge = at
        at += step
    return edge


def _depths(sentence: "Sentence") -> List[Tuple[int, int]]:
    """Depths and numbers of words; heads that were read need not make a tree, and what hangs on a
    cycle is left out."""
    children = sentence._children()
    found, level, depth = [], list(children[0]), 0
    while level:
        found += [(depth, word) for word in level]
        level = [child for word in level for child in children[word]]
        depth += 1
    return sorted(found)


def find(sentence: "Sentence") -> Iterator[Found]:
    """From the top of the tree downwards: what is part of a chunk is none itself."""
    upos, deprels = sentence.upos, sentence.deprels
    taken: Dict[int, int] = {}
    found: List[Found] = []
    for _, word in _depths(sentence):
        if (word in taken or upos[word - 1] not in _NOMINAL
                or deprels[word - 1].partition(":")[0] in _NEVER_ROOT):
            continue
        members = _members(sentence, word, taken)
        first = _edge(members, word, -1, upos, taken)
        last = _edge(members, word, 1, upos, taken)
        taken.update((inside, word) for inside in range(first, last + 1))
        found.append((word, first, last))
    return iter(sorted(found, key=lambda chunk: chunk[1]))
