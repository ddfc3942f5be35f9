import itertools
import os
import threading

import pytest

import dodona

from conftest import TEST, TRAIN

WORDS = ["The", "leaves", "rustle", "in", "the", "cold", "wind", "."]


def test_words(nlp):
    sentence = nlp.parse(WORDS)
    assert sentence.forms == WORDS
    assert len(sentence.roots) == 1 and "_" not in sentence.upos


def test_words_with_tags(nlp):
    upos = ["DET", "NOUN", "VERB", "ADP", "DET", "ADJ", "NOUN", "PUNCT"]
    feats = ["_"] * 7 + ["Foreign=Yes"]
    sentence = nlp.parse(WORDS, upos=upos, feats=feats)
    assert sentence.upos == upos and sentence.words[7].feats == {"Foreign": "Yes"}
    with pytest.raises(dodona.ArgumentError, match="upos must have one value"):
        nlp.parse(WORDS, upos=["X"])
    with pytest.raises(dodona.ArgumentError, match="is not Name=Value"):
        nlp.parse(WORDS, feats=["x"] * 8)


@pytest.mark.parametrize("words, reason", [
    ([], "at least one word"), ([""], "word 1 is empty"), (["a", "b\tc"], "word 2 has a tab"),
    (["a\nb"], "has a tab or newline"), (["\ud800"], "not UTF-8")])
def test_words_that_are_none(nlp, words, reason):
    with pytest.raises(dodona.ArgumentError, match=reason):
        nlp.parse(words)


def test_words_give_the_same_tree_as_conllu(parser):
    doc = parser.parse_conllu(TEST)
    read = dodona.read_conllu(TEST)
    for one, gold in zip(doc.sentences, read.sentences):
        feats = [cells[5] for cells in (line.split("\t") for line in gold.to_conllu().split("\n"))
                 if cells[0].isdigit()]
        other = parser.parse(gold.forms, lemmas=gold.lemmas, upos=gold.upos, xpos=gold.xpos,
                             feats=feats)
        assert list(one.heads) == list(other.heads) and one.deprels == other.deprels


def test_constraints_hold(nlp):
    sentence = nlp.parse(WORDS, arcs=[(0, "root", 2)], forbidden=[(2, 3)],
                         spans=[(4, 7), (8, 8, "none")], leaves=[1])
    assert sentence.words[1].head == 0 and sentence.words[1].deprel == "root"
    assert sentence.words[2].head != 2
    assert sum(not 4 <= head <= 7 for head in sentence.heads[3:7]) == 1
    assert sentence.words[7].children == [] and sentence.words[0].children == []
    assert sentence.constraints == ["arc 0 root 2", "not-arc 2 3", "span 4 7 any", "span 8 8 none",
                                    "leaf 1"]
    others = [word for word in range(1, 9) if word != 4]
    assert list(nlp.parse(WORDS, leaves=others).heads) == [4, 4, 4, 0, 4, 4, 4, 4]
    assert nlp.parse(WORDS, arcs=[(0, 2)]).root.id == 2
    for dependent in range(1, 9):
        for head in range(9):
            if head != dependent:
                found = nlp.parse(WORDS, arcs=[(head, dependent)]).heads[dependent - 1]
                assert found == head


def test_constraints_on_text(nlp):
    text = "Birds sing in the cold wind."
    assert nlp(text, arcs=[(0, 1)]).sentences[0].root.form == "Birds"
    with pytest.raises(dodona.ArgumentError, match="the text has 2"):
        nlp("Birds sing. Dogs bark.", arcs=[(0, 1)])


def test_constraints_that_cannot_hold(nlp):
    with pytest.raises(dodona.DataError, match="cycle"):
        nlp.parse(WORDS, arcs=[(1, 2), (2, 1)])
    with pytest.raises(dodona.ArgumentError, match="no word 9"):
        nlp.parse(WORDS, forbidden=[(9, 1)])
    with pytest.raises(dodona.DataError, match="no word of the sentence is left"):
        nlp.parse(WORDS, leaves=range(1, 9))
    with pytest.raises(dodona.ArgumentError, match="no word 0"):
        nlp.parse(WORDS, leaves=[0])
    with pytest.raises(dodona.ArgumentError, match="mode must be one of"):
        nlp.parse(WORDS, spans=[(1, 2, "some")])


def test_tidy(nlp):
    # Words that are all tagged as punctuation but one have that for their head.
    upos = ["PUNCT"] * 8
    upos[5] = "NOUN"
    how = {"upos": upos, "xpos": ["."] * 8}
    star = [6, 6, 6, 6, 6, 0, 6, 6]
    assert list(nlp.parse(WORDS, tidy=True, **how).heads) == star
    assert all(list(tree.sentence.heads) == star
               for tree in nlp.nbest(WORDS, 3, beam=8, tidy=True, **how))
    plain = nlp.parse(WORDS, **how)
    assert list(plain.heads) == list(nlp.parse(WORDS, tidy=False, **how).heads) != star
    assert list(nlp.nbest(WORDS, 1, **how)[0].sentence.heads) != star
    text = plain.to_conllu()
    assert list(nlp.parse_conllu(text, tidy=True).sentences[0].heads) == star
    docs = nlp.pipe([text], format="conllu", tidy=True)
    assert list(next(docs).sentences[0].heads) == star
    # What is asked for comes first.
    assert nlp.parse(WORDS, tidy=True, arcs=[(1, 2)], **how).heads[1] == 1


def test_nbest(nlp):
    trees = nlp.nbest(WORDS, 4, beam=8)
    assert 1 < len(trees) <= 4
    scores = [tree.score for tree in trees]
    assert scores == sorted(scores, reverse=True)
    assert len({(tuple(t.sentence.heads), tuple(t.sentence.deprels)) for t in trees}) == len(trees)
    same = nlp.nbest(trees[0].sentence, 1, beam=8)[0].sentence
    assert list(same.heads) == list(trees[0].sentence.heads)
    constrained = nlp.nbest(WORDS, 4, beam=8, arcs=[(0, 2)])
    assert all(tree.sentence.root.id == 2 for tree in constrained)
    with pytest.raises(dodona.ArgumentError):
        nlp.nbest(WORDS, 4, beam=2)


def test_scores(nlp):
    assert nlp("Birds sing.").sentences[0].scores == [None] * 3
    scores = nlp("Birds sing.", scores=True).sentences[0].scores
    assert all(score > 0 for score in scores)


def test_conllu_of_a_file_and_of_text(parser):
    wanted = parser.parse_conllu(TEST).to_conllu()
    assert parser.parse_conllu(os.fspath(TEST)).to_conllu() == wanted
    assert parser.parse_conllu(TEST.read_text("utf-8")).to_conllu() == wanted
    assert parser.parse_conllu(TEST.read_bytes()).to_conllu() == wanted


def blocks(path):
    return [block + "\n\n" for block in path.read_text("utf-8").strip("\n").split("\n\n")]


@pytest.mark.parametrize("threads, size", itertools.product([1, 2, 5, "auto"], [1, 3, 64]))
def test_pipe_is_in_order(parser, threads, size):
    texts = blocks(TRAIN) * 3
    wanted = [parser.parse_conllu(text).to_conllu() for text in texts]
    docs = parser.pipe(iter(texts), format="conllu", threads=threads, batch_size=size)
    assert [doc.to_conllu() for doc in docs] == wanted


def test_pipe_of_text(nlp):
    texts = ["Birds sing. Dogs bark.", "", "The king doesn't sing."]
    assert [len(doc) for doc in nlp.pipe(texts)] == [2, 0, 1]
    assert [str(doc) for doc in nlp.pipe(texts, threads=2, batch_size=1)] == texts


def test_pipe_streams(nlp):
    taken = []

    def endless():
        for i in itertools.count():
            taken.append(i)
            yield f"Birds sing {i}."

    pipe = nlp.pipe(endless(), threads=2, batch_size=4)
    assert [next(pipe).sentences[0].forms[2] for _ in range(10)] == [str(i) for i in range(10)]
    assert len(taken) <= 10 + 4 * 4 + 4
    pipe.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_pipe_hands_out_what_stands_before_an_error(parser, threads):
    texts = blocks(TEST)[:5] + ["1\tx\n\n"] + blocks(TEST)[5:]
    pipe = parser.pipe(texts, format="conllu", threads=threads, batch_size=3)
    assert len([next(pipe) for _ in range(5)]) == 5
    with pytest.raises(dodona.FormatError, match="expected 10 columns"):
        next(pipe)


def test_pipe_passes_on_what_the_iterable_raises(nlp):
    def broken():
        yield "Birds sing."
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        list(nlp.pipe(broken(), threads=2))


def test_pipe_checks_arguments(nlp):
    for wrong in ({"threads": 0}, {"threads": "all"}, {"batch_size": 0}, {"format": "pdf"}, {"beam": -1}):
        with pytest.raises(dodona.ArgumentError):
            nlp.pipe([], **wrong)


def test_many_threads_share_a_model(nlp):
    wanted = nlp("Birds sing in the cold wind.").to_conllu()
    found = []

    def work():
        found.extend(nlp("Birds sing in the cold wind.").to_conllu() for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 200


def test_parsing_lets_other_threads_run(parser):
    """While one call parses, this thread counts."""
    text = TRAIN.read_bytes() * 40
    done = threading.Event()

    def work():
        parser.parse_conllu(text)
        done.set()

    thread = threading.Thread(target=work)
    count = 0
    thread.start()
    while not done.is_set():
        count += 1
    thread.join()
    assert count > 100
