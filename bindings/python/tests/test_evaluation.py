import pytest

import dodona

from conftest import TEST, TRAIN


def test_a_file_agrees_with_itself():
    evaluation = dodona.evaluate(TEST, TEST)
    assert all(metric.f1 == 1 for metric in evaluation.values())
    assert list(evaluation)[:3] == ["Tokens", "Sentences", "Words"]
    assert evaluation.confusions == [] and "CoNLL 2018" in evaluation.rule


def test_counts_are_right(parser):
    gold, system = dodona.read_conllu(TEST), parser.parse_conllu(TEST)
    evaluation = dodona.evaluate(gold, system, rule="conllx")
    right = labelled = words = 0
    for one, other in zip(gold.sentences, system.sentences):
        words += len(one)
        for a, b in zip(one.words, other.words):
            right += a.head == b.head
            labelled += a.head == b.head and a.deprel == b.deprel
    assert evaluation["UAS"].correct == right and evaluation["LAS"].correct == labelled
    assert evaluation.uas == pytest.approx(right / words)
    assert sum(metric.gold for metric in evaluation.by_label.values()) == words
    assert dodona.evaluate(TEST, system)["UAS"].correct == right
    assert dodona.evaluate(TEST, system, punct=False)["UAS"].gold < words


def test_other_words_are_refused():
    with pytest.raises(dodona.Error):
        dodona.evaluate(TEST, TRAIN)
    with pytest.raises(dodona.FormatError) as info:
        dodona.evaluate(TEST, b"1\ta\n\n")
    assert info.value.file == "<system>" and info.value.line == 1
    with pytest.raises(dodona.ArgumentError):
        dodona.evaluate(TEST, TEST, rule="mine")


def test_a_model_is_scored_on_a_treebank(nlp, parser):
    words = nlp.evaluate(TEST, given="words", threads=2)
    assert words["Words"].f1 == 1 and words["UPOS"].f1 < 1
    assert nlp.evaluate(TEST)["Words"].f1 < 1
    assert nlp.evaluate(TEST, given="tags").las == dodona.evaluate(TEST, nlp.parse_conllu(TEST)).las
    assert parser.evaluate(TEST, rule="conllx").las > 0.5
    with pytest.raises(dodona.DataError, match="no tokenizer"):
        parser.evaluate(TEST, given="text")
    with pytest.raises(dodona.FileError):
        nlp.evaluate("absent.conllu")
    with pytest.raises(dodona.ArgumentError, match="given"):
        nlp.evaluate(TEST, given="trees")
