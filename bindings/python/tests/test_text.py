"""The text of a document and the places of its words in it, and what stands beside the words."""

import random

import pytest

import dodona

from conftest import TEST, TRAIN

TEXT = "  The king doesn't\r\nsing.\n\nBirds 𝒔ing—in the\u00a0cold wind.  "

ENHANCED = """# newpar id = p1
# sent_id = a
# note
# text = Don't sing
# constraint = arc 0 _ 3
1-2\tDon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tGloss=no
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t3:aux|3.1:aux:x\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\t_
3\tsing\tsing\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No
3.1\thear\thear\tVERB\tVB\tVoice=Pass\t_\t_\t3:conj\tCopyOf=3

1\ta\t_\t_\t_\t_\t_\t_\t_\t_
2\tb\t_\t_\t_\t_\t_\t_\t_\t_

# newpar
# text = c
1\tx\t_\t_\t_\t_\t_\t_\t_\t_

"""


def test_the_text_is_what_was_parsed(nlp):
    for text in (TEXT, TEXT.encode()):
        for doc in (nlp(text), next(nlp.pipe([text])), next(nlp.pipe([text], threads=2))):
            assert doc.text == str(doc) == TEXT
    assert nlp("").text == ""


def test_words_have_places(nlp):
    doc = nlp(TEXT)
    for token in doc.tokens:
        assert doc.text[token.start:token.end] == token.form
        assert all((word.start, word.end) == (token.start, token.end) for word in token.words)
        assert all(word.token == token for word in token.words)
    assert (doc[0].start, doc[-1].end) == (2, len(TEXT) - 2)
    assert TEXT[doc[1].start:doc[1].end] == "Birds 𝒔ing—in the\u00a0cold wind."


ODD = ["Birds", "sing", ".", " ", "\n", "\r\n", "\n\n", "\t", "\u00a0", "\u2028", "\u3000", "don't",
       "\0", "\ud800", "\udfff", "𝒔", "é", "e\u0301", "\ufeff", "\ufffd", "\u200b", "\x85", "\x1f",
       "the", "x" * 1100, "中文", "، ", "…"]


@pytest.mark.parametrize("seed", range(40))
def test_places_are_those_of_the_library(nlp, seed):
    """TokenRange counts while it cuts, and the package looks afterwards."""
    chosen = random.Random(seed)
    text = "".join(chosen.choice(ODD) for _ in range(chosen.randrange(1, 60)))
    doc = nlp(text, ranges=True)
    assert doc.text == text
    for token in doc.tokens:
        assert token.misc["TokenRange"] == f"{token.start}:{token.end}"


def test_places_in_broken_bytes(nlp):
    broken = b"Birds \xff\xe4\xb8 \xed\xa0\x80 sing. \xf0\x9f\x98 Dogs bark.\x00"
    doc = nlp(broken, ranges=True)
    assert doc.text == broken.decode("utf-8", "replace")
    assert [token.misc["TokenRange"] for token in doc.tokens] == [
        f"{token.start}:{token.end}" for token in doc.tokens]


def test_text_of_what_was_read():
    doc = dodona.read_conllu(ENHANCED)
    assert doc.text == "Don't singa b\n\nc"  # after SpaceAfter=No, and before a paragraph
    assert [(word.start, word.end) for word in doc.words] == [
        (0, 5), (0, 5), (6, 10), (10, 11), (12, 13), (None, None)]
    assert doc[2].text == "c" and doc[2].start is None
    whole = dodona.read_conllu(TEST)
    for token in whole.tokens:
        assert whole.text[token.start:token.end] == token.form
    for sentence in whole:
        assert whole.text[sentence.start:sentence.end] == sentence.text
        places = [(token["start"], token["end"]) for token in sentence.to_dict()["tokens"]]
        assert places == [(token.start - sentence.start, token.end - sentence.start)
                          for token in sentence.tokens]


def test_what_is_no_word():
    sentence = dodona.read_conllu(ENHANCED)[0]
    assert sentence.metadata == {"newpar id": "p1", "sent_id": "a", "note": "",
                                 "text": "Don't sing", "constraint": "arc 0 _ 3"}
    assert sentence.comments[2] == "# note" and len(sentence) == 3
    token = sentence.tokens[0]
    assert (token.form, [word.form for word in token.words]) == ("Don't", ["Do", "n't"])
    assert (token.feats, token.misc) == ({"Typo": "Yes"}, {"Gloss": "no"})
    assert sentence.empty_nodes == [dodona.EmptyNode(
        "3.1", "hear", "hear", "VERB", "VB", {"Voice": "Pass"}, [("3", "conj")], {"CopyOf": "3"})]
    assert sentence[0].deps == [("3", "aux"), ("3.1", "aux:x")]
    assert dodona.read_conllu(ENHANCED)[1].empty_nodes == []


def test_documents_and_sentences_are_sequences(nlp):
    doc = nlp("Birds sing. The cat sleeps. Dogs bark.")
    assert len(doc) == 3 and doc[0] is doc.sentences[0] and doc[-1].text == "Dogs bark."
    assert [sentence.text for sentence in doc[1:]] == ["The cat sleeps.", "Dogs bark."]
    assert [sentence.id for sentence in doc] == ["1", "2", "3"] == [s.id for s in list(doc)]
    assert doc.words == [word for sentence in doc for word in sentence]
    assert len(doc.words) == doc.n_words == 10
    sentence = doc[1]
    assert sentence[0] == sentence.words[0] and sentence[-1].form == "."
    assert [word.form for word in sentence[:2]] == ["The", "cat"]
    assert sentence[1] in sentence and sentence.index(sentence[1]) == 1
    assert [word.form for word in reversed(sentence)] == sentence.forms[::-1]
    with pytest.raises(IndexError):
        sentence[len(sentence)]
    with pytest.raises(IndexError):
        doc[3]


def test_ancestors(nlp):
    for sentence in nlp(TEXT):
        for word in sentence:
            assert (word.ancestors[-1] if word.ancestors else word) == sentence.root
            assert word.ancestors == sorted(
                (other for other in sentence if word in other.subtree and other != word),
                key=lambda other: len(other.subtree))
    rows = "".join(f"{i}\ta\t_\t_\t_\t_\t{h}\tx\t_\t_\n" for i, h in ((1, 2), (2, 3), (3, 2)))
    cycle = dodona.read_conllu(rows + "\n")[0]
    assert [[word.id for word in one.ancestors] for one in cycle] == [[2, 3], [3], [2]]


def test_from_conllu(nlp):
    doc = nlp(TEXT)
    assert dodona.Doc.from_conllu(doc.to_conllu()).to_conllu() == doc.to_conllu()
    assert dodona.Doc.from_conllu(doc.to_conllu().encode()).to_json() == doc.to_json()
    assert len(dodona.Doc.from_conllu("")) == 0
    sentence = dodona.Sentence.from_conllu(doc[1].to_conllu())
    assert sentence.to_conllu() == doc[1].to_conllu()
    with pytest.raises(dodona.ArgumentError, match="one sentence; the text has 2"):
        dodona.Sentence.from_conllu(doc.to_conllu())
    with pytest.raises(dodona.FormatError):  # it is no name of a file
        dodona.Doc.from_conllu("examples/demo-test.conllu")


def test_scores_are_in_misc(nlp):
    word = nlp("Birds sing.", scores=True).words[0]
    assert float(word.misc["Score"]) == word.score and word.probability is None
    parser = dodona.train(TRAIN, TEST, only="parser", iterations=1)
    words = parser.parse_conllu(TEST, scores=True).words
    assert all(0 <= word.probability <= 1 for word in words)
    assert parser.parse_conllu(TEST)[0][0].probability is None
