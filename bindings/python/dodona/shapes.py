"""The shapes that other packages give to sentences: Stanza, conllu, spaCy's displaCy, NetworkX and
NLTK. _frames.py has tables."""

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from ._frames import need
from .words import DEPREL, DEPS, FEATS, FORM, HEAD, ID, LEMMA, MISC, UPOS, XPOS

if TYPE_CHECKING:
    from .sentence import Sentence

_NAMES = {FORM: "form", LEMMA: "lemma", UPOS: "upos", XPOS: "xpos", FEATS: "feats",
          DEPREL: "deprel", DEPS: "deps", MISC: "misc"}

NodeId = Union[int, Tuple[int, str, int]]


# ---- Stanza


def _stanza_entry(id: Union[int, Tuple[int, int]], cells: List[str],
                  place: Optional[Tuple[Optional[int], Optional[int]]]) -> Dict[str, Any]:
    """What is missing has no key."""
    entry: Dict[str, Any] = {"id": id, "text": cells[FORM]}
    entry.update((name, cells[column]) for column, name in _NAMES.items()
                 if name != "form" and cells[column] != "_")
    if cells[HEAD] != "_":
        entry["head"] = int(cells[HEAD])
    if place is not None and place[0] is not None:
        entry["start_char"], entry["end_char"] = place
    return entry


def to_stanza(sentence: "Sentence") -> List[Dict[str, Any]]:
    """Empty nodes are left out: Stanza has a list of its own for them."""
    entries: List[Dict[str, Any]] = []
    places = dict(zip((line.first for line in sentence._token_lines()),
                      sentence._store.places[sentence._index]))
    last = 0  # word of the multiword token that was begun
    for cells in sentence._store.rows(sentence._index):
        if "." in cells[ID]:
            continue
        first, _, end = cells[ID].partition("-")
        if end:
            last = int(end)
            entries.append(_stanza_entry((int(first), last), cells, places[int(first)]))
        else:
            place = places[int(first)] if int(first) > last else None
            entries.append(_stanza_entry(int(first), cells, place))
    return entries


# ---- conllu


def _node_id(text: str) -> NodeId:
    for between in "-.":
        first, found, last = text.partition(between)
        if found:
            return int(first), found, int(last)
    return int(text)


def _conllu_pairs(cell: str) -> Optional[Dict[str, Optional[str]]]:
    if cell == "_":
        return None
    items = (item.partition("=") for item in cell.split("|"))
    return {name: None if value == "_" else value for name, _, value in items}


def _conllu_deps(cell: str) -> Optional[List[Tuple[str, NodeId]]]:
    if cell == "_":
        return None
    items = (item.partition(":") for item in cell.split("|"))
    return [(deprel, _node_id(head)) for head, _, deprel in items]


def _conllu_token(cells: List[str], conllx: bool) -> Dict[str, Any]:
    return {
        "id": _node_id(cells[ID]), "form": cells[FORM], "lemma": cells[LEMMA],
        "upos": cells[UPOS], "xpos": None if cells[XPOS] == "_" else cells[XPOS],
        "feats": _conllu_pairs(cells[FEATS]),
        "head": None if cells[HEAD] == "_" else int(cells[HEAD]), "deprel": cells[DEPREL],
        # The last columns of CoNLL-X are others.
        "deps": cells[DEPS] if conllx else _conllu_deps(cells[DEPS]),
        "misc": cells[MISC] if conllx else _conllu_pairs(cells[MISC]),
    }


def to_tokenlist(sentence: "Sentence") -> Dict[str, Any]:
    rows = sentence._store.rows(sentence._index)
    tokens = [_conllu_token(cells, sentence._store.conllx) for cells in rows]
    bare = {"newdoc", "newpar"}  # which are kept without a value; other comments are not
    metadata = {name: value or None for name, value in sentence.metadata.items()
                if value or name in bare}
    return {"tokens": tokens, "metadata": metadata}


# ---- displaCy


def to_displacy(sentence: "Sentence") -> Dict[str, Any]:
    """The root has no arc, as in spaCy."""
    words = [{"text": word.form, "tag": word.upos, "lemma": None if word.lemma == "_" else word.lemma}
             for word in sentence]
    arcs = []
    for place, (head, deprel) in enumerate(zip(sentence.heads, sentence.deprels)):
        if head > 0:
            arcs.append({"start": min(place, head - 1), "end": max(place, head - 1), "label": deprel,
                         "dir": "left" if place < head - 1 else "right"})
    return {"words": words, "arcs": arcs}


# ---- NetworkX


def to_networkx(sentence: "Sentence") -> Any:
    graph = need("networkx", "to_networkx()", "heads and deprels have the same").DiGraph()
    for word in sentence:
        graph.add_node(word.id, form=word.form, lemma=word.lemma, upos=word.upos, xpos=word.xpos,
                       feats=word.feats)
    for number, (head, deprel) in enumerate(zip(sentence.heads, sentence.deprels), 1):
        if head > 0:
            graph.add_edge(head, number, deprel=deprel)
    return graph


# ---- NLTK


def to_nltk(sentence: "Sentence") -> Any:
    """It takes a label for what stands below the root, and parts lines at "\n" alone."""
    nltk = need("nltk.parse.dependencygraph", "to_nltk()", "heads and deprels have the same")
    rows = []
    for id, cells in enumerate(zip(*map(sentence._column, (FORM, LEMMA, UPOS, XPOS, FEATS))), 1):
        head = sentence.heads[id - 1]
        rows.append("\t".join([str(id), *cells, "_" if head < 0 else str(head),
                               sentence.deprels[id - 1], "_", "_"]))
    root = sentence.root
    return nltk.DependencyGraph("\n".join(rows), cell_separator="\t",
                                top_relation_label=root.deprel if root else "root")
