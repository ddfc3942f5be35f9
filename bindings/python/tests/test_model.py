import gc
import os
import pathlib
import pickle

import pytest

import dodona

from conftest import TEST, TRAIN


def test_model_goes_to_a_file_and_back(nlp, tmp_path, monkeypatch):
    path = tmp_path / "all.dodona"
    nlp.save(path)
    again = dodona.load(path)
    assert again.components == ("tokenizer", "tagger", "lemmatizer", "parser")
    assert again.facts == nlp.facts and again.facts["system"] == "arc-eager"
    assert again.labels == nlp.labels and "nsubj" in again.labels
    assert again.beam == 1
    monkeypatch.setenv("DODONA_MODEL", os.fspath(path))
    assert dodona.default_model() == path
    assert dodona.load()("Birds sing.").to_conllu() == nlp("Birds sing.").to_conllu()


def test_models_by_name_and_language(tmp_path, monkeypatch):
    shelf, own = tmp_path / "shelf", tmp_path / "data" / "dodona" / "models"
    for folder, name, language in ((shelf, "demo", "xx"), (own, "other", "yy"), (own, "demo", "zz")):
        folder.mkdir(parents=True, exist_ok=True)
        dodona.train(TRAIN, only="tagger", language=language).save(folder / f"{name}.dodona")
    monkeypatch.setenv("DODONA_MODELS", os.fspath(shelf))
    monkeypatch.setenv("XDG_DATA_HOME", os.fspath(tmp_path / "data"))
    found = dodona.models()
    assert found["demo"] == shelf / "demo.dodona" and found["other"] == own / "other.dodona"
    assert dodona.load("demo").facts["language"] == "xx"
    assert dodona.load("yy").facts["language"] == "yy"
    monkeypatch.setenv("DODONA_MODEL", "yy")
    assert dodona.default_model() == own / "other.dodona"
    assert dodona.load().facts["language"] == "yy"
    with pytest.raises(dodona.FileError, match="there is no model 'dmo' in .*did you mean 'demo'"):
        dodona.load("dmo")
    with pytest.raises(dodona.FileError, match="No such file"):
        dodona.load(pathlib.Path("demo"))
    with pytest.raises(dodona.ArgumentError, match="language: 'x y'"):
        dodona.train(TRAIN, only="tagger", language="x y")


def test_model_without_tokenizer_refuses_text(parser):
    assert parser.components == ("parser",)
    with pytest.raises(dodona.DataError, match="no tokenizer"):
        parser("Birds sing.")


def test_model_without_parser_tags(tmp_path):
    tagger = dodona.train(TRAIN, only=["tokenizer", "tagger"])
    sentence = tagger("Birds sing.").sentences[0]
    assert sentence.upos[0] == "NOUN" and list(sentence.heads) == [-1, -1, -1]
    assert tagger.labels == () and list(sentence.labels) == [-1, -1, -1]


def test_folds_in_threads_and_small_models(tmp_path):
    sizes = []
    for name, options in (("one", {}), ("three", {"threads": 3}),
                          ("small", {"tagger_bytes": 3000, "lemmatizer_bytes": 1000,
                                     "parser_bytes": 20000})):
        model = dodona.train(TRAIN, only="all", jackknife=4, iterations=4, **options)
        model.save(tmp_path / name)
        sizes.append((tmp_path / name).stat().st_size)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "three").read_bytes()
    assert sizes[2] < sizes[0]


def test_errors_have_file_line_and_reason(parser, tmp_path):
    bad = tmp_path / "bad:1: file.conllu"
    bad.write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tb\t_\t_\t_\t_\t9\tx\t_\t_\n\n")
    with pytest.raises(dodona.FormatError) as info:
        parser.parse_conllu(bad)
    error = info.value
    assert (error.file, error.line, error.column) == (os.fspath(bad), 3, 7)
    assert str(error) == f"{bad}:3: {error.reason}" and "9" in error.reason
    assert isinstance(error, ValueError) and isinstance(error, dodona.Error)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.file, copy.line) == (str(error), error.file, error.line)


def test_errors_in_text(parser):
    with pytest.raises(dodona.FormatError) as info:
        parser.parse_conllu("\n\n1\ta\n\n")
    assert (info.value.file, info.value.line) == ("<text>", 1)


def test_missing_files(parser, tmp_path):
    for call in (dodona.load, dodona.read_conllu, parser.parse_conllu, dodona.train):
        with pytest.raises(dodona.FileError) as info:
            call(tmp_path / "none")
        assert info.value.file == os.fspath(tmp_path / "none")
        assert "No such file" in info.value.reason and isinstance(info.value, OSError)


def test_foreign_models(tmp_path):
    path = tmp_path / "foreign"
    path.write_bytes(b"no model" * 100)
    with pytest.raises(dodona.ModelError) as info:
        dodona.load(path)
    assert info.value.file == os.fspath(path)


def test_no_default_model(monkeypatch):
    monkeypatch.setattr("dodona.model.default_model", lambda: None)
    with pytest.raises(dodona.FileError, match="no default model"):
        dodona.load()


# ---- training


def test_training_tells_how_it_goes():
    reports, about = [], []
    model = dodona.train([TRAIN], TEST, only="parser", system="arc-eager", iterations=3, progress=reports.append,
                         data=about.append)
    finished = [report for report in reports if report.finished]
    assert [report.iteration for report in finished] == [1, 2, 3]
    assert all(50 < report.dev_las <= report.dev_uas <= 100 for report in finished)
    assert finished[0].best and about[0].sentences == 68 and about[0].skipped == 0
    assert about[0].in_part == 8 and about[0].arcs_left_out == 8
    assert model.facts["iterations"].endswith("of 3")


def test_training_tells_what_it_leaves_out(tmp_path):
    dev, about = tmp_path / "dev.conllu", []
    rows = [line.split("\t") for line in open(TEST, encoding="utf-8").read().splitlines()]
    dev.write_text("".join("\t".join("_" if at == 4 else cell for at, cell in enumerate(row)) + "\n"
                           for row in rows), encoding="utf-8")
    dodona.train(TRAIN, dev, only="parser", system="arc-eager", iterations=1, data=about.append)
    assert about[0].left_out == ("XPOS",) and about[0].unknown_heads == about[0].without_heads == 0


def test_training_is_reproducible(tmp_path):
    for name in "ab":
        dodona.train(TRAIN, only="parser", iterations=2, system="arc-hybrid").save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_training_stops_when_told():
    model = dodona.train(TRAIN, only="parser", system="arc-eager", iterations=50,
                         progress=lambda report: report.iteration < 2 or not report.finished)
    assert model.facts["iterations"].startswith("2 of 50")
    assert len(model.parse(["Birds", "sing"]).roots) == 1


@pytest.mark.parametrize("kind", [KeyboardInterrupt, RuntimeError])
def test_training_raises_what_the_callback_raises(kind):
    calls = []

    def progress(report):
        calls.append(report)
        raise kind("mine")

    with pytest.raises(kind, match="mine"):
        dodona.train(TRAIN, iterations=50, progress=progress)
    assert len(calls) == 1
    with pytest.raises(kind):
        dodona.train(TRAIN, iterations=50, data=progress)


def test_training_tells_of_its_components():
    seen = []
    dodona.train(TRAIN, only="all", iterations=1, jackknife=2, component=seen.append)
    own = [(step.component, step.iteration) for step in seen if step.fold is None]
    assert own[0] == ("tokenizer", 1) and own[-1] == ("lemmatizer", seen[-1].iterations)
    assert {step.component for step in seen} == {"tokenizer", "tagger", "lemmatizer"}
    assert {(step.fold, step.folds) for step in seen} == {(None, None), (1, 2), (2, 2)}
    assert all(0 < step.accuracy <= 1 for step in seen)
    ends = [step for step in seen if step.finished]
    assert all(step.examples == step.all_examples and step.seconds >= 0 for step in ends)
    assert all(step.words == 584 for step in ends if step.component == "tagger" and not step.fold)
    assert ends[-1].seconds_left == 0


@pytest.mark.parametrize("options", [{}, {"jackknife": 3, "threads": 2}])
def test_training_of_a_component_can_be_stopped(options):
    seen = []

    def stop(step):
        seen.append(step)
        if step.component == "tagger" and bool(step.fold) == bool(options):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dodona.train(TRAIN, only="all", iterations=1, component=stop, **options)
    assert seen[-1].component == "tagger" and seen[-1].iteration == 1


def test_models_and_parsers_die_in_any_order():
    """As garbage that is collected together."""
    for _ in range(20):
        model = dodona.train(TRAIN, iterations=1)
        model.parse(["Birds", "sing"])
        model.itself = model
        del model
        gc.collect()
