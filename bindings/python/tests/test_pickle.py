"""Models, documents and sentences in other processes."""

import copy
import gc
import multiprocessing
import os
import pickle
import shutil

import pytest

import dodona

from conftest import TEST, TRAIN

TEXT = "The king doesn't sing.  Birds sing in the cold wind."


def again(thing, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(thing, protocol))


@pytest.fixture(name="path")
def path_of_a_model(nlp, tmp_path):
    """Without saving the shared one, which would then have a file."""
    path = tmp_path / "demo.dodona"
    copy_of_it = dodona.train(TRAIN, jackknife="no", system="arc-eager", iterations=5)
    copy_of_it.save(path)
    return path


@pytest.fixture(name="environment")
def environment_of_children(monkeypatch):
    package = os.path.dirname(os.path.dirname(dodona.__file__))
    monkeypatch.setenv("PYTHONPATH", package)


# ---- models


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_model_is_its_file(path, protocol):
    nlp = dodona.load(path)
    data = pickle.dumps(nlp, protocol)
    assert len(data) < 1000 and again(nlp) is nlp
    wanted, checksum = nlp(TEXT).to_conllu(), nlp.checksum
    del nlp
    gc.collect()
    revived = pickle.loads(data)
    assert revived(TEXT).to_conllu() == wanted
    assert (revived.path, revived.checksum) == (path, checksum)
    assert pickle.loads(data) is revived


def test_a_model_that_is_saved_has_a_file(tmp_path):
    nlp = dodona.train(TRAIN, only="parser", iterations=1)
    assert nlp.path is None
    with pytest.raises(pickle.PicklingError, match="in no file yet.*save"):
        pickle.dumps(nlp)
    assert copy.deepcopy(nlp) is nlp and copy.copy(nlp) is nlp
    nlp.save(tmp_path / "a")
    nlp.save(tmp_path / "b")
    assert nlp.path == tmp_path / "a" and again(nlp).facts == nlp.facts
    assert dodona.load(tmp_path / "b").checksum == nlp.checksum


def test_a_relative_path_is_kept_whole(path, monkeypatch, tmp_path):
    monkeypatch.chdir(path.parent)
    data = pickle.dumps(dodona.load("demo.dodona"))
    gc.collect()
    monkeypatch.chdir("/")
    assert pickle.loads(data).path == path


def test_a_file_that_changed_is_refused(path):
    data = pickle.dumps(dodona.load(path))
    gc.collect()
    dodona.train(TRAIN, only="parser", iterations=1).save(path)
    with pytest.raises(dodona.ModelError, match="not the model that was pickled") as info:
        pickle.loads(data)
    assert info.value.file == os.fspath(path)


def test_a_file_that_is_gone_is_refused(path):
    data = pickle.dumps(dodona.load(path))
    gc.collect()
    path.unlink()
    with pytest.raises(dodona.FileError, match="a pickled model is gone") as info:
        pickle.loads(data)
    assert info.value.file == os.fspath(path)


@pytest.mark.parametrize("wanted", ["demo", None])
def test_a_model_with_a_name_is_found_elsewhere(path, tmp_path, monkeypatch, wanted):
    """As on another machine, where the package is installed in another place."""
    if wanted is None:
        monkeypatch.setenv("DODONA_MODEL", "demo")
    monkeypatch.setenv("DODONA_MODELS", os.fspath(path.parent))
    data = pickle.dumps(dodona.load(wanted))
    gc.collect()
    (tmp_path / "there").mkdir()
    shutil.move(path, tmp_path / "there" / "demo.dodona")
    monkeypatch.setenv("DODONA_MODELS", os.fspath(tmp_path / "there"))
    assert len(pickle.loads(data)(TEXT)) == 2
    gc.collect()
    dodona.train(TRAIN, only="parser", iterations=1).save(tmp_path / "there" / "demo.dodona")
    with pytest.raises(dodona.ModelError, match="not the model that was pickled"):
        pickle.loads(data)


# ---- documents


def everything(doc):
    return (doc.to_conllu(), doc.to_json(), doc.text, doc.labels,
            [(list(s.heads), list(s.labels), s.scores, s.id, s.start, s.end) for s in doc],
            [(word.start, word.end, word.misc) for word in doc.words])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_documents(nlp, protocol):
    read = dodona.read_conllu(TEST)
    for doc in (nlp(TEXT, scores=True), nlp(TEXT.encode()), nlp(""), read,
                next(nlp.pipe([TEXT]))):
        copied = again(doc, protocol)
        assert copied is not doc and everything(copied) == everything(doc)
        assert copy.deepcopy(doc) is doc


def test_conllx_stays_conllx(tmp_path):
    path = tmp_path / "x.conllx"
    path.write_text("1\ta\tb\tN\tN\tx|y\t0\troot\t_\t_\n\n")
    for doc in (dodona.read_conllu(path), dodona.read_conllu(path.read_text(), format="conllx")):
        assert everything(again(doc)) == everything(doc)
        assert again(doc[0])[0].feats == {"x": "", "y": ""}


def test_sentences_words_and_tokens(nlp):
    sentence = nlp(TEXT)[1]
    copied = again(sentence)
    assert copied.to_conllu() == sentence.to_conllu() and copied.id == sentence.id == "2"
    assert list(copied.labels) == list(sentence.labels) and copied.label_names == nlp.labels
    assert copied.start == 0  # it has left its document
    words = again(sentence[:2])
    assert [word.deprel for word in words] == sentence.deprels[:2]
    assert words[0].sentence is words[1].sentence
    assert again(sentence.tokens)[0].words[0].form == "Birds"
    assert again(sentence.root).subtree[0].form == "Birds"


def test_trees_steps_and_evaluations(nlp):
    assert again(nlp.nbest(TEXT[:22], 2))[0].sentence.text == TEXT[:22]
    gold = dodona.read_conllu(TEST)
    steps = list(dodona.oracle(gold[0], "arc-hybrid"))
    assert again(steps) == steps
    evaluation = dodona.evaluate(gold, gold)
    assert dict(again(evaluation)) == dict(evaluation)


# ---- other processes


def parse_in_child(job):
    nlp, text = job
    return nlp(text)


@pytest.mark.usefixtures("environment")
def test_a_pool_of_processes(path):
    """Spawned ones, which get everything by pickle."""
    nlp = dodona.load(path)
    texts = [TEXT, "Birds sing.", ""]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        docs = pool.map(nlp, texts)
        assert [everything(doc) for doc in docs] == [everything(nlp(text)) for text in texts]
        assert pool.apply(len, (nlp(TEXT),)) == 2
        dodona.train(TRAIN, only="parser", iterations=1).save(path)
        with pytest.raises(dodona.ModelError, match="not the model that was pickled"):
            pool.apply(parse_in_child_of_pickle, (pickle.dumps(nlp).replace(
                nlp.checksum.encode(), b"0" * 16), TEXT))


def parse_in_child_of_pickle(data, text):
    return pickle.loads(data)(text)


@pytest.mark.usefixtures("environment")
def test_joblib(path):
    joblib = pytest.importorskip("joblib")
    nlp = dodona.load(path)
    texts = [TEXT, "Birds sing."]
    found = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(lambda text: nlp(text))(text) for text in texts)
    assert [doc.to_conllu() for doc in found] == [nlp(text).to_conllu() for text in texts]
