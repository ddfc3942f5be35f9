"""What is no text is refused with what to pass instead."""

import pytest

import dodona


@pytest.mark.parametrize("wrong", [None, 3, ["Birds", "sing"], ("Birds",)])
def test_a_model_takes_text(nlp, wrong):
    with pytest.raises(TypeError, match=f"takes text.*not {type(wrong).__name__}; pipe.*parse"):
        nlp(wrong)


@pytest.mark.parametrize("wrong", ["Birds sing.", b"Birds sing."])
def test_a_pipe_takes_many_texts(nlp, wrong):
    with pytest.raises(TypeError, match="many texts, not one (str|bytes): call the model itself"):
        nlp.pipe(wrong)  # before anything is taken from it
    with pytest.raises(TypeError):
        nlp.pipe(None)


def test_a_pipe_says_which_item_is_wrong(nlp):
    docs = nlp.pipe(["Birds sing.", None], batch_size=1)
    assert next(docs).n_words == 3
    with pytest.raises(TypeError, match="item 1, counted from 0, is NoneType$"):
        next(docs)
    with pytest.raises(TypeError, match='is list; lists of words need format="words"'):
        list(nlp.pipe([["Birds", "sing"]]))


def test_words(nlp):
    for call in (nlp.parse, lambda words: list(nlp.pipe([words], format="words"))):
        for wrong in ("Birds sing.", b"Birds", None, 3):
            with pytest.raises(TypeError, match="takes the words of a sentence, as a list of str"):
                call(wrong)
        with pytest.raises(TypeError, match="takes words that are str, not int"):
            call(["Birds", 3])
        for wrong in ([], [""], ["a\tb"], ["a\nb"]):
            with pytest.raises(dodona.ArgumentError):
                call(wrong)


def test_words_in_a_pipe(nlp):
    sentences = [["The", "king", "sings", "."], ("Birds", "sing"), iter(["Birds"])]
    docs = list(nlp.pipe(sentences, format="words"))
    assert [doc[0].forms for doc in docs] == [["The", "king", "sings", "."], ["Birds", "sing"],
                                              ["Birds"]]
    for doc in docs:
        assert doc[0].deprels == nlp.parse(doc[0].forms).deprels


@pytest.mark.parametrize("call", ["read_conllu", "parse_conllu", "load", "train", "evaluate"])
def test_files(nlp, call):
    calls = {"read_conllu": dodona.read_conllu, "parse_conllu": nlp.parse_conllu,
             "load": dodona.load, "train": dodona.train,
             "evaluate": lambda wrong: dodona.evaluate(wrong, wrong)}
    with pytest.raises(TypeError, match="file"):
        calls[call](3)
