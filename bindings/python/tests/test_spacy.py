"""The component for spaCy: with a stand-in for spaCy, and with spaCy itself where it is installed."""

import importlib
import pickle
import sys

import pytest

import dodona

import spacy_standin

pytest.importorskip("numpy")

try:
    from importlib.metadata import entry_points
except ImportError:  # Python 3.8's has another interface, which spaCy knows
    entry_points = None

TEXT = "The king sings.  Birds sing\nin the cold wind."


@pytest.fixture(name="path")
def path_of_the_model(nlp, tmp_path):
    nlp.save(tmp_path / "demo.dodona")
    return str(tmp_path / "demo.dodona")


@pytest.fixture(name="standin")
def language_of_the_standin(monkeypatch):
    for name, module in spacy_standin.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "dodona.spacy", raising=False)
    importlib.import_module("dodona.spacy")
    yield spacy_standin.Language
    sys.modules.pop("dodona.spacy", None)


def check_tree(doc, nlp, **how):
    """Against what the model makes of the same words."""
    for sentence in doc.sents:
        words = [token for token in sentence if not token.is_space]
        wanted = nlp.parse([token.text for token in words], **how)
        for token, word in zip(words, wanted):
            assert (token.pos_, token.tag_, token.lemma_) == (word.upos, word.xpos, word.lemma)
            assert str(token.morph) == "|".join(f"{k}={v}" for k, v in word.feats.items())
            if word.head == 0:
                assert token.head == token and token.dep_ == "ROOT"
            else:
                assert token.head == words[word.head - 1] and token.dep_ == word.deprel
        for token in sentence:
            if token.is_space:
                assert token.pos_ == "SPACE" and token.dep_ == "dep" and token.head in words


def test_the_entry_point_is_there():
    if entry_points is None:
        pytest.skip("importlib.metadata is missing")
    found = entry_points()
    group = (found.select(group="spacy_factories") if hasattr(found, "select")
             else found.get("spacy_factories", ()))
    values = {point.name: point.value for point in group}
    if not values:
        pytest.skip("the package is not installed")
    assert values["dodona"] == "dodona.spacy:make_component"


def test_tokens_are_spacys_and_sentences_ours(standin, nlp, path):
    pipeline = standin()
    pipeline.add_pipe("dodona", config={"model": path})
    doc = pipeline(TEXT)
    assert [[token.text for token in sentence] for sentence in doc.sents] == [
        ["The", "king", "sings", ".", " "],
        ["Birds", "sing", "\n", "in", "the", "cold", "wind", "."]]
    check_tree(doc, nlp)


def test_sentences_that_were_set_are_kept(standin, nlp, path):
    pipeline = standin()
    component = pipeline.add_pipe("dodona", config={"model": path})
    doc = spacy_standin.Doc(pipeline.vocab, TEXT)
    for token in doc:
        token.is_sent_start = token.text in ("The", "sing")
    component(doc)
    assert [sentence[0].text for sentence in doc.sents] == ["The", "sing"]
    check_tree(doc, nlp)


def test_many_documents(standin, nlp, path):
    pipeline = standin()
    component = pipeline.add_pipe("dodona", config={"model": path, "beam": 2, "tidy": True})
    texts = [TEXT, "", "   ", "Birds sing.", "\n\nBirds sing.", "Dogs bark. " * 30]
    docs = [spacy_standin.Doc(pipeline.vocab, text) for text in texts]
    found = list(component.pipe(iter(docs), batch_size=4))
    assert [id(doc) for doc in found] == [id(doc) for doc in docs]
    assert [len(doc.sents) for doc in docs] == [2, 0, 1, 1, 1, 30]
    assert docs[4][0].head.text == "Birds" and docs[4][0].pos_ == "SPACE"
    assert docs[2][0].dep_ == "ROOT"
    for doc in docs[3:]:
        check_tree(doc, nlp, beam=2, tidy=True)


def test_words_with_line_breaks(standin, nlp, path):
    pipeline = standin()
    component = pipeline.add_pipe("dodona", config={"model": path})
    doc = spacy_standin.Doc(pipeline.vocab, "Birds\n\tsing . ", r"Birds\s+sing|\S")
    assert [token.text for token in component(doc)] == ["Birds\n\tsing", "."]
    assert len(doc.sents) == 1


def test_models_that_lack_something(standin, tmp_path):
    from conftest import TRAIN
    for only in ("parser", "tagger", "tokenizer,lemmatizer"):
        dodona.train(TRAIN, only=only, iterations=1).save(tmp_path / "part.dodona")
        pipeline = standin()
        pipeline.add_pipe("dodona", config={"model": str(tmp_path / "part.dodona")})
        doc = pipeline(TEXT)
        assert doc[1].dep_ == ("" if only != "parser" else doc[1].dep_) and doc[0].is_sent_start
        assert bool(doc[1].pos_) == (only == "tagger")
        assert len(doc.sents) == (2 if "tokenizer" in only else 1)
        assert bool(doc[1].lemma_) == ("lemmatizer" in only)


def test_the_component_pickles(standin, path):
    component = standin().add_pipe("dodona", config={"model": path, "beam": 3})
    copied = pickle.loads(pickle.dumps(component))
    assert copied.beam == 3 and copied.model is component.model


def test_spacy_itself(nlp, path):
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("dodona", config={"model": path})
    doc = pipeline(TEXT)
    assert [sentence.text.strip() for sentence in doc.sents] == [
        "The king sings.", "Birds sing\nin the cold wind."]
    check_tree(doc, nlp)
    assert [len(list(one.sents)) for one in pipeline.pipe([TEXT, "", "Birds sing."])] == [2, 0, 1]
