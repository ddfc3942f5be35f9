"""The keyword arguments of train(), which are made from the library's rows."""

import inspect
import os
import pathlib
import typing

import pytest

import dodona
from dodona import _settings

from conftest import TRAIN

CALLBACKS = ["train", "dev", "progress", "data", "component"]


def refuse(message, kind=dodona.ArgumentError, **settings):
    with pytest.raises(kind) as caught:
        dodona.train(TRAIN, **settings)
    assert str(caught.value) == message
    return caught.value


def test_signature_shows_the_settings():
    parameters = inspect.signature(dodona.train).parameters
    assert list(parameters) == CALLBACKS + list(_settings.ROWS)
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    assert defaults["explore_from"] == 1 and defaults["prune"] == 1.5
    assert defaults["skip_bad"] is False and defaults["jackknife"] == "auto"
    assert defaults["only"] is None  # it depends on the treebank
    assert defaults["system"] is None and defaults["oracle"] == "auto"
    assert all(type(defaults[name]) is int for name in ("beam", "layers", "seed", "margin"))
    assert defaults["iterations"] is None  # it depends on the scorer


def test_type_checkers_see_the_same():
    assert _settings.Settings.__annotations__ == {
        argument: row.type() for argument, row in _settings.ROWS.items()}
    hints = typing.get_type_hints(dodona.train)
    for argument, hint in typing.get_type_hints(_settings.Settings).items():
        assert hints[argument] == hint


def test_help_names_each_setting_with_its_default():
    text = " ".join(dodona.train.__doc__.split())
    assert "explore_from: first iteration that explores (1 to 1000000) [1]" in text
    assert "oracle: what to learn from: " in text
    assert "(static, nondet, dynamic, auto) [auto]" in text
    assert ("lemmatizer_bytes: approximate size of the lemmatizer's weights in bytes; the smallest "
            "weights are left out [no limit]") in text
    for row in _settings.ROWS.values():
        assert f"{row.argument}: {row.help}" in text
    assert max(map(len, dodona.train.__doc__.splitlines())) <= 100


def facts(**settings):
    return dodona.train(TRAIN, **{"iterations": 1, "only": "parser", **settings}).facts


def test_values_of_python_are_understood():
    assert facts(beam=2, system="arc-hybrid", margin=7)["margin"] == "7"
    assert facts(explore=0.5, explore_from=3)["explore"] == "0.5 from iteration 3"
    assert facts(prune=1e-5)["prune"] == "1e-05"
    assert facts(only=("tagger", "parser"))["components"] == "tagger parser"
    assert facts(only="tagger,parser")["components"] == "tagger parser"
    assert facts(only={"parser"})["components"] == "parser"
    assert facts(licence="\u00a9 me")["licence"] == "\u00a9 me"
    assert facts(threads="auto") == facts(threads=1) == facts()
    assert facts(seed=2**63 - 1)["seed"] == str(2**63 - 1)
    assert facts(single_root="no", unbuildable="lift-head")["pseudo-projective"] == "head"


def test_none_is_the_default(tmp_path):
    for name, settings in (("a", {}), ("b", dict.fromkeys(_settings.ROWS))):
        dodona.train(TRAIN, **{**settings, "only": "parser", "iterations": 2}).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("value, passed", [(True, True), (False, False), (None, False),
                                           ("yes", True), ("no", False)])
def test_flags(tmp_path, value, passed):
    path = tmp_path / "bad.conllu"
    path.write_bytes(b"1\tbad\n\n" + pathlib.Path(TRAIN).read_bytes())
    if passed:
        dodona.train(path, iterations=1, skip_bad=value)
        return
    with pytest.raises(dodona.FormatError):
        dodona.train(path, iterations=1, skip_bad=value)


def test_templates_are_a_set_a_file_or_themselves(tmp_path):
    path = tmp_path / "my.templates"
    path.write_text("S0.form B0.form\n")
    for value in (path, os.fspath(path), path.read_text()):
        assert facts(templates=value)["templates"] == "1"
    assert facts(templates="standard")["system"] == "arc-eager"
    path.write_text("S0.form\nS0.word\n")
    for value, name in ((path, os.fspath(path)), (path.read_text(), "templates")):
        error = refuse(f"{name}:2: unknown attribute 'word'", dodona.FormatError, templates=value)
        assert (error.file, error.line, error.reason) == (name, 2, "unknown attribute 'word'")
    error = refuse("standrad: No such file or directory; did you mean the set 'standard'?",
                   dodona.FileError, templates="standrad")
    assert error.file == "standrad"


def test_what_is_wrong_is_refused_by_its_name_in_python():
    refuse("there is no setting 'itrations'; did you mean 'iterations'?", itrations=3)
    refuse("there is no setting 'explore_form'; did you mean 'explore_from'?", explore_form=3)
    refuse("there is no setting 'parts'", parts="all")
    refuse("there is no setting 'from'; did you mean 'format'?", **{"from": "conllu"})
    refuse("format: 'connlu' is not one of auto, conllu, conllx; did you mean 'conllu'?",
           format="connlu")
    refuse("explore_from: '0' is not a whole number from 1 to 1000000", explore_from=0)
    refuse("beam: '2.0' is not a whole number from 1 to 1000", beam=2.0)
    refuse("beam: 'True' is not a whole number from 1 to 1000", beam=True)
    refuse("threads: 'many' is not a whole number from 1 to 256, or auto", threads="many")
    refuse("explore: 'nan' is not a number from 0 to 1", explore=float("nan"))
    refuse("oracle: 'delphi' is not one of static, nondet, dynamic, auto", oracle="delphi")
    refuse("only: 'chunker' is not one of tokenizer, tagger, lemmatizer, parser, all",
           only=["parser", "chunker"])
    refuse("only: '' is not one of tokenizer, tagger, lemmatizer, parser, all", only=[])
    refuse("skip_bad: 'maybe' is neither yes nor no", skip_bad="maybe")
    refuse("licence: has a NUL in it", licence="a\0b")
    refuse("jackknife: needs 'only' with tagger and parser", jackknife=2, only="parser")
    refuse("arc-eager has no loss 'upper'; it has only one, the exact one", beam=2, loss="upper")
    with pytest.raises(dodona.ArgumentError, match="arc-lazy"):
        dodona.train(TRAIN, system="arc-lazy")
