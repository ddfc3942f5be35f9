"""The options of a parse, which are made from the library's rows."""

import inspect

import pytest

import dodona
from dodona import _options, corpus


@pytest.mark.parametrize("kind, rows", [(_options.ParseOptions, _options.PARSE),
                                        (_options.TextOptions, _options.TEXT),
                                        (_options.PlanOptions, _options.PLAN)])
def test_type_checkers_see_the_same(kind, rows):
    assert kind.__annotations__ == {argument: row.type() for argument, row in rows.items()}


@pytest.mark.parametrize("function, rows", [
    (dodona.NLP.__call__, _options.TEXT), (dodona.NLP.pipe, _options.TEXT),
    (dodona.NLP.parse, _options.PARSE), (dodona.NLP.parse_conllu, _options.PARSE),
    (corpus.plan, _options.PLAN)])
def test_signatures_and_help_show_them(function, rows):
    parameters = inspect.signature(function).parameters
    assert list(parameters)[-len(rows):] == list(rows)
    text = " ".join(function.__doc__.split())
    for row in rows.values():
        assert f"{row.argument}: {row.help}" in text
        assert parameters[row.argument].default == row.default


def test_what_is_not_offered_is_refused(nlp):
    with pytest.raises(TypeError, match="there is no option 'baem' here"):
        nlp("Birds sing.", baem=3)
    with pytest.raises(TypeError, match="there is no option 'ranges' here"):
        nlp.parse(["Birds"], ranges=True)
    with pytest.raises(dodona.ArgumentError, match="max_words must lie between 0 and"):
        nlp("Birds sing.", max_words=-1)


def test_max_words(nlp):
    text = "Birds sing, and the cat sleeps, and birds sing, and the cat sleeps."
    assert list(nlp(text, max_words=100)[0].heads) == list(nlp(text)[0].heads)
    assert nlp(text, max_words=4).n_words == nlp(text).n_words


def test_what_lines_and_tokens_are(nlp):
    text = "Birds sing\nThe cat sleeps"
    assert [sentence.text for sentence in nlp(text, paragraphs="line")] == text.split("\n")
    assert [word.form for word in nlp("can't stop", given="words")[0]] == ["can't", "stop"]
    with pytest.raises(dodona.ArgumentError, match="paragraphs: 'lines' is not one of auto, blank, line"):
        nlp(text, paragraphs="lines")


def test_lists_of_tokens(nlp, tmp_path):
    keep, short = tmp_path / "keep.txt", tmp_path / "short.txt"
    keep.write_text("# some\n/cat-\\d+/\n")
    short.write_text("fig.\n")
    text = "Birds sing of cat-12 in fig. The cat sleeps."
    listed = {"keep_tokens": keep, "abbreviations": str(short)}
    for doc in [nlp(text, **listed), *nlp.pipe([text], **listed)]:
        assert [word.form for word in doc[0]][3:6] == ["cat-12", "in", "fig."]
    keep.write_text("ok\n/cat(/\n")
    with pytest.raises(dodona.FormatError, match="keep.txt:2: column 6: nothing to match"):
        nlp(text, keep_tokens=keep)
    with pytest.raises(TypeError, match="keep_tokens is a str, or None; not int"):
        nlp(text, keep_tokens=3)
