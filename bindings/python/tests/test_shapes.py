"""Shapes for other packages: what they would make of the same CoNLL-U, written down by hand; and the
packages themselves, where they are installed."""

import json
import sys

import pytest

import dodona

from test_text import ENHANCED, TEXT


def test_dictionaries_are_json(nlp):
    doc = nlp(TEXT)
    lines = [json.loads(line) for line in doc.to_json().splitlines()]
    assert [sentence.to_dict() for sentence in doc] == lines
    assert doc.to_dict() == {"text": TEXT, "sentences": lines}
    assert json.loads(json.dumps(doc.to_dict())) == doc.to_dict()


def test_pandas(nlp):
    pandas = pytest.importorskip("pandas")
    doc = nlp(TEXT)
    frame = doc.to_pandas()
    assert list(frame.columns) == ["sentence", "id", "form", "lemma", "upos", "xpos", "feats",
                                   "head", "deprel", "deps", "misc", "start", "end"]
    assert len(frame) == doc.n_words
    for row, word in zip(frame.itertuples(), doc.words):
        assert doc[row.sentence][row.id - 1] == word
        assert (row.form, row.lemma, row.upos, row.head, row.deprel, row.start, row.end) == (
            word.form, word.lemma, word.upos, word.head, word.deprel, word.start, word.end)
    assert frame.feats[0] == "Definite=Def|PronType=Art" and frame.deps[0] is None
    assert len(doc[1].to_pandas()) == len(doc[1]) and set(doc[1].to_pandas().sentence) == {0}
    empty = nlp("").to_pandas()
    assert len(empty) == 0 and list(empty.columns) == list(frame.columns)
    both = pandas.concat([frame, empty])
    assert both.start.dtype == frame.start.dtype
    read = dodona.read_conllu(ENHANCED).to_pandas()
    assert pandas.isna(read.start[5]) and read["head"][5] == -1 and read.form[5] == "x"


def test_without_pandas(nlp, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="needs the package pandas"):
        nlp(TEXT).to_pandas()


def test_stanza():
    doc = dodona.read_conllu(ENHANCED)
    assert doc.to_stanza()[0] == [
        {"id": (1, 2), "text": "Don't", "feats": "Typo=Yes", "misc": "Gloss=no", "start_char": 0,
         "end_char": 5},
        {"id": 1, "text": "Do", "lemma": "do", "upos": "AUX", "xpos": "VB", "feats": "Mood=Imp",
         "head": 3, "deprel": "aux", "deps": "3:aux|3.1:aux:x"},
        {"id": 2, "text": "n't", "lemma": "not", "upos": "PART", "xpos": "RB", "head": 3,
         "deprel": "advmod", "deps": "3:advmod"},
        {"id": 3, "text": "sing", "lemma": "sing", "upos": "VERB", "xpos": "VB", "head": 0,
         "deprel": "root", "deps": "0:root", "misc": "SpaceAfter=No", "start_char": 6,
         "end_char": 10}]
    assert doc.to_stanza()[2] == [{"id": 1, "text": "x"}]
    assert doc[0].to_stanza() == doc.to_stanza()[0]


def test_stanza_itself(nlp):
    stanza = pytest.importorskip("stanza.models.common.doc")
    doc = nlp(TEXT)
    made = stanza.Document(doc.to_stanza(), doc.text)
    assert [word.text for word in made.iter_words()] == [word.form for word in doc.words]
    assert [word.head for word in made.iter_words()] == [word.head for word in doc.words]


def test_tokenlists():
    first, second, _ = dodona.read_conllu(ENHANCED).to_tokenlists()
    assert first["metadata"] == {"newpar id": "p1", "sent_id": "a", "text": "Don't sing",
                                 "constraint": "arc 0 _ 3"}
    assert first["tokens"][:2] == [
        {"id": (1, "-", 2), "form": "Don't", "lemma": "_", "upos": "_", "xpos": None,
         "feats": {"Typo": "Yes"}, "head": None, "deprel": "_", "deps": None,
         "misc": {"Gloss": "no"}},
        {"id": 1, "form": "Do", "lemma": "do", "upos": "AUX", "xpos": "VB",
         "feats": {"Mood": "Imp"}, "head": 3, "deprel": "aux",
         "deps": [("aux", 3), ("aux:x", (3, ".", 1))], "misc": None}]
    assert [token["id"] for token in first["tokens"]] == [(1, "-", 2), 1, 2, 3, (3, ".", 1)]
    assert [token["head"] for token in second["tokens"]] == [None, None]


def test_conllu_itself(nlp):
    conllu = pytest.importorskip("conllu")
    for doc in (nlp(TEXT), dodona.read_conllu(ENHANCED)):
        wanted = conllu.parse(doc.to_conllu())
        made = [conllu.TokenList(**sentence) for sentence in doc.to_tokenlists()]
        assert made == list(wanted)
        assert [one.serialize() for one in made] == [one.serialize() for one in wanted]
