"""What goes through pipe() beside the texts."""

import pickle

import pytest

RECORDS = [{"id": i, "body": f"Birds sing {i}.", "more": [1, None]} for i in range(10)]


@pytest.mark.parametrize("threads", [1, 3])
def test_mappings_come_back_with_their_documents(nlp, threads):
    docs = list(nlp.pipe(RECORDS, field="body", threads=threads, batch_size=3))
    assert [doc.context for doc in docs] == RECORDS
    assert all(doc.context is record for doc, record in zip(docs, RECORDS))
    assert [doc.text for doc in docs] == [record["body"] for record in RECORDS]
    assert docs[3].to_conllu() == nlp("Birds sing 3.").to_conllu()


def test_pairs_come_back_as_pairs(nlp):
    pairs = [("Birds sing.", {"k": 1}), (b"The cat sleeps.", None)]
    made = list(nlp.pipe(pairs, as_tuples=True))
    assert [(doc.text, context) for doc, context in made] == [("Birds sing.", {"k": 1}),
                                                              ("The cat sleeps.", None)]


def test_words_too(nlp):
    (doc,) = nlp.pipe([{"w": ["Birds", "sing"], "id": 1}], field="w", format="words")
    assert doc.context["id"] == 1 and doc.n_words == 2


def test_other_texts_have_no_context(nlp):
    assert nlp("Birds sing.").context is None
    assert next(nlp.pipe(["Birds sing."])).context is None


def test_a_context_is_pickled(nlp):
    (doc,) = nlp.pipe(RECORDS[:1], field="body")
    assert pickle.loads(pickle.dumps(doc)).context == RECORDS[0]


def test_what_is_wrong_is_told(nlp):
    with pytest.raises(KeyError, match="item 0 of pipe.*has no 'text'; field= names another"):
        list(nlp.pipe(RECORDS))
    with pytest.raises(TypeError, match="item 1, counted from 0, is int"):
        list(nlp.pipe([{"text": "Birds sing."}, {"text": 5}]))
    with pytest.raises(TypeError, match="takes pairs of a text and its context; item 0"):
        list(nlp.pipe(["ab"], as_tuples=True))
