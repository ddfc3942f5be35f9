"""One document that many threads read: each gets what one thread alone gets."""

import sys
import threading

import pytest

import dodona

from conftest import TEST

THREADS = 8
COLUMNS = ("forms", "lemmas", "upos", "xpos", "deprels")

OF_A_SENTENCE = {
    "to_conllu": lambda s: s.to_conllu(),
    "id": lambda s: (s.id, s.line, len(s)),
    "text": lambda s: s.text,
    "tokens": lambda s: [(token.form, [word.id for word in token.words]) for token in s.tokens],
    "comments": lambda s: s.comments,
    "scores": lambda s: list(s.scores),
    "constraints": lambda s: s.constraints,
    "columns": lambda s: [getattr(s, name) for name in COLUMNS],
    "heads": lambda s: list(s.heads),
    "labels": lambda s: [s.label_names[label] for label in s.labels],
    "tree": lambda s: (s.root.id, [len(word.subtree) for word in s.words]),
    "words": lambda s: [(word.feats, word.misc, word.score) for word in s.words],
    "text drawing": lambda s: s.draw(),
    "svg drawing": lambda s: s.draw("svg", gold=s, title=True),
    "oracle": lambda s: [step.loss for step in dodona.oracle(s, "covington")],
}
OF_A_DOC = {
    "to_conllu": lambda doc: doc.to_conllu(),
    "str": str,
    "labels": lambda doc: doc.labels,
    "drawing": lambda doc: doc.draw("tikz"),
    "evaluation": lambda doc: str(dodona.evaluate(doc, doc)),
}


def look(doc, first="to_conllu"):
    """What every way of reading gives, beginning with the one that is named."""
    found = {}
    for name in sorted(OF_A_SENTENCE, key=lambda name: name != first):
        found[name] = [OF_A_SENTENCE[name](sentence) for sentence in doc.sentences]
    for name, read in OF_A_DOC.items():
        found["doc", name] = read(doc)
    return found


def in_threads(work):
    """Does the work in all threads at once; what each returned or raised."""
    found, start = [None] * THREADS, threading.Barrier(THREADS)

    def run(number):
        start.wait()
        try:
            found[number] = work()
        except Exception as failure:
            found[number] = failure

    threads = [threading.Thread(target=run, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.fixture(autouse=True)
def frequent_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture(params=["parsed", "read"])
def make(request, nlp):
    text = "# constraint = not-arc 1 2\n# note = x\n" + TEST.read_text("utf-8")
    if request.param == "read":
        return lambda: dodona.read_conllu(text)
    return lambda: nlp.parse_conllu(text, tag=True, scores=True)


def test_every_result_is_that_of_one_thread(make):
    wanted = look(make())
    for first in OF_A_SENTENCE:
        doc = make()  # of which nothing has been read, so that all threads fill in the same
        for found in in_threads(lambda: look(doc, first)):
            assert found == wanted


def test_one_sentence_is_formatted_over_and_over(make):
    sentence = make()[0]
    wanted = sentence.to_conllu()
    found = in_threads(lambda: {sentence.to_conllu() for _ in range(500)})
    assert found == [{wanted}] * THREADS


def test_all_threads_get_the_same_sentences(make):
    for _ in range(50):
        doc = make()
        found = in_threads(lambda: doc.sentences)
        assert all(sentences is found[0] for sentences in found)
        assert len({sentences[0].words[0] for sentences in found}) == 1
