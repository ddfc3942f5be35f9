"""The shapes that other packages give to sentences: pandas, Stanza and conllu."""

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .words import DEPREL, DEPS, FEATS, FORM, HEAD, ID, LEMMA, MISC, UPOS, XPOS

if TYPE_CHECKING:
    from .sentence import Sentence

_NAMES = {FORM: "form", LEMMA: "lemma", UPOS: "upos", XPOS: "xpos", FEATS: "feats",
          DEPREL: "deprel", DEPS: "deps", MISC: "misc"}

NodeId = Union[int, Tuple[int, str, int]]


# ---- pandas


def _word_rows(number: int, sentence: "Sentence") -> Iterable[Dict[str, Any]]:
    for word, place in zip(sentence, map(sentence._place_of, range(1, len(sentence) + 1))):
        cells = {name: sentence._column(column)[word.id - 1] for column, name in _NAMES.items()}
        row: Dict[str, Any] = {"sentence": number, "id": word.id}
        row.update((name, None if cell == "_" and name != "form" else cell)
                   for name, cell in cells.items())
        row.update(head=word.head, start=place[0], end=place[1])
        yield row


def to_pandas(sentences: Sequence["Sentence"]) -> Any:
    try:
        import pandas
    except ImportError as failure:
        raise ImportError("to_pandas() needs the package pandas, which is not installed; to_dict() "
                          "has the same without it") from failure
    columns = ["sentence", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel",
               "deps", "misc", "start", "end"]
    rows = [row for number, sentence in enumerate(sentences)
            for row in _word_rows(number, sentence)]
    frame = pandas.DataFrame(rows, columns=columns)
    # Whole numbers also where some are missing.
    return frame.astype({"sentence": "int64", "id": "int64", "head": "int64", "start": "Int64",
                         "end": "Int64"})


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
