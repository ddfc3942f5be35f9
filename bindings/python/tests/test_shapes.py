"""Shapes for other packages: what they would make of the same CoNLL-U, written down by hand; and the
packages themselves, where they are installed."""

import json
import sys
import types

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


# ---- displaCy


def test_displacy():
    wanted = {
        "words": [{"text": "Do", "tag": "AUX", "lemma": "do"},
                  {"text": "n't", "tag": "PART", "lemma": "not"},
                  {"text": "sing", "tag": "VERB", "lemma": "sing"}],
        "arcs": [{"start": 0, "end": 2, "label": "aux", "dir": "left"},
                 {"start": 1, "end": 2, "label": "advmod", "dir": "left"}]}
    doc = dodona.read_conllu(ENHANCED)
    assert doc[0].to_displacy() == wanted
    assert doc.to_displacy() == [wanted, doc[1].to_displacy(), doc[2].to_displacy()]
    assert doc[2].to_displacy() == {"words": [{"text": "x", "tag": "_", "lemma": None}], "arcs": []}
    rows = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    assert dodona.read_conllu(rows)[0].to_displacy()["arcs"] == [
        {"start": 0, "end": 1, "label": "dep", "dir": "right"}]


def test_displacy_itself(nlp):
    displacy = pytest.importorskip("spacy.displacy")
    doc = nlp(TEXT)
    picture = displacy.render(doc.to_displacy(), manual=True, jupyter=False)
    assert picture.count("<svg") == len(doc) and "nsubj" in picture


# ---- NetworkX


class Graph:
    def __init__(self):
        self.nodes, self.edges = {}, {}

    def add_node(self, node, **attributes):
        self.nodes[node] = attributes

    def add_edge(self, head, dependent, **attributes):
        self.edges[head, dependent] = attributes


def test_networkx_calls(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", types.SimpleNamespace(DiGraph=Graph))
    graph = dodona.read_conllu(ENHANCED)[0].to_networkx()
    assert graph.nodes[1] == {"form": "Do", "lemma": "do", "upos": "AUX", "xpos": "VB",
                              "feats": {"Mood": "Imp"}}
    assert graph.edges == {(3, 1): {"deprel": "aux"}, (3, 2): {"deprel": "advmod"}}


def test_networkx_itself(nlp):
    networkx = pytest.importorskip("networkx")
    for sentence in nlp(TEXT):
        graph = sentence.to_networkx()
        assert networkx.is_arborescence(graph) and list(graph) == [word.id for word in sentence]
        for word in sentence:
            assert networkx.ancestors(graph, word.id) == {above.id for above in word.ancestors}
            assert graph.nodes[word.id]["form"] == word.form
            if word.parent:
                assert graph.edges[word.head, word.id]["deprel"] == word.deprel
    assert dodona.read_conllu(ENHANCED)[1].to_networkx().number_of_edges() == 0


# ---- NLTK


def test_nltk_calls(monkeypatch):
    made = types.SimpleNamespace(DependencyGraph=lambda text, **how: (text, how))
    monkeypatch.setitem(sys.modules, "nltk.parse.dependencygraph", made)
    first, second, _ = dodona.read_conllu(ENHANCED)
    assert first.to_nltk() == (
        "1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t_\t_\n2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_\n"
        "3\tsing\tsing\tVERB\tVB\t_\t0\troot\t_\t_",
        {"cell_separator": "\t", "top_relation_label": "root"})
    assert second.to_nltk()[0].startswith("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n")


def test_nltk_itself(nlp):
    pytest.importorskip("nltk")
    for sentence in nlp(TEXT):
        graph = sentence.to_nltk()
        assert graph.root["address"] == sentence.root.id
        for word in sentence:
            node = graph.nodes[word.id]
            assert (node["word"], node["lemma"], node["ctag"], node["tag"], node["head"],
                    node["rel"]) == (word.form, word.lemma, word.upos, word.xpos, word.head, word.deprel)
        assert graph.tree().label() == sentence.root.form


@pytest.mark.parametrize("package, call", [("networkx", "to_networkx"), ("nltk", "to_nltk")])
def test_without_the_package(nlp, monkeypatch, package, call):
    for name in (package, "nltk.parse.dependencygraph"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf"{call}\(\) needs the package {package}, which is not"):
        getattr(nlp(TEXT)[0], call)()
