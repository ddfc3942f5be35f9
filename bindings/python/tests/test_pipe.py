"""What goes through pipe() beside the texts."""

import pickle
import warnings

import pytest

import dodona

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


# ---- texts that cannot be parsed

GOOD = "1\tBirds\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tsing\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
CONFLICT = "# constraint = arc 1 _ 2\n# constraint = arc 2 _ 1\n" + GOOD
BROKEN = "1\tBirds\n\n"
# In a record of its own, so that contexts can be told apart.
MIXED = [{"n": n, "text": text} for n, text in enumerate(
    [GOOD, CONFLICT, GOOD + GOOD, GOOD + BROKEN, None, GOOD, BROKEN, CONFLICT, GOOD, 3.5])]
WELL = [0, 2, 5, 8]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("batch_size", [1, 3, 4, 64])
def test_what_cannot_be_parsed_is_left_out(nlp, threads, batch_size):
    skipped = []
    docs = list(nlp.pipe(MIXED, format="conllu", errors=skipped.append, threads=threads,
                         batch_size=batch_size))
    assert [doc.context["n"] for doc in docs] == WELL
    assert [doc.to_conllu() for doc in docs] == [nlp.parse_conllu(MIXED[n]["text"]).to_conllu()
                                                 for n in WELL]
    assert [one.number for one in skipped] == [1, 3, 4, 6, 7, 9]
    assert all(one.context is MIXED[one.number] for one in skipped)
    assert [type(one.error) for one in skipped] == [
        dodona.DataError, dodona.FormatError, TypeError, dodona.FormatError, dodona.DataError,
        TypeError]
    assert skipped[0].error.reason.endswith("form a cycle through word 1")
    assert skipped[1].error.line == 4 and "item 4" in str(skipped[2].error)


def test_contexts_of_pairs_are_kept(nlp):
    pairs = [(record["text"], record["n"]) for record in MIXED]
    skipped = []
    made = nlp.pipe(pairs, format="conllu", as_tuples=True, errors=skipped.append)
    assert [n for _, n in made] == WELL
    assert [one.context for one in skipped] == [1, 3, 4, 6, 7, 9]


def test_a_warning_tells_how_many(nlp):
    with pytest.warns(UserWarning) as told:
        docs = nlp.pipe(MIXED, format="conllu", errors="skip")
        assert len(list(docs)) == len(WELL)
    assert [str(one.message) for one in told] == [
        "6 texts were skipped; the first is number 1, counted from 0: <text>:2: sentence '1': "
        "constraint 'arc 2 _ 1': the required arcs form a cycle through word 1"]
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="1 text was skipped; the first is number 0") as told:
        nlp.to_columns([None, "Birds sing."], errors="skip")
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(nlp.pipe(["Birds sing."], errors="skip"))
        list(nlp.pipe(MIXED, format="conllu", errors=lambda skipped: None))


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_are_raised_in_their_order(nlp, threads):
    docs = nlp.pipe(MIXED[2:], format="conllu", threads=threads)
    assert next(docs).context["n"] == 2
    with pytest.raises(dodona.FormatError):
        next(docs)
    docs = nlp.pipe(["Birds sing.", None], threads=threads)  # in one batch
    assert next(docs).n_words == 3
    with pytest.raises(TypeError):
        next(docs)


def test_only_the_texts_own_errors_are_skipped(nlp, parser, tmp_path):
    keep = tmp_path / "keep.txt"
    with pytest.raises(dodona.FileError):
        next(nlp.pipe(["Birds sing."], keep_tokens=keep, errors="skip"))
    keep.write_text("/cat(/\n")
    with pytest.raises(dodona.FormatError, match="keep.txt:1"):
        next(nlp.pipe(["Birds sing."], keep_tokens=keep, errors="skip"))
    with pytest.raises(dodona.DataError, match="tokenizer"):  # which no text can do without
        next(parser.pipe(["Birds sing."], errors="skip"))
    for wrong in ("ignore", None, 3):
        with pytest.raises(dodona.ArgumentError, match="errors must be 'raise', 'skip', or a function"):
            nlp.pipe(["Birds sing."], errors=wrong)

    def broken():
        yield "Birds sing."
        raise ValueError("the iterable's own")

    with pytest.raises(ValueError, match="the iterable's own"):
        list(nlp.pipe(broken(), errors="skip"))

    def refuse(skipped):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(nlp.pipe([None], errors=refuse))
    with pytest.raises(dodona.ArgumentError, match="max_words must lie between"):
        nlp.pipe(["Birds sing."], errors="skip", max_words=-1)


@pytest.mark.parametrize("format", ["text", "conllu", "conllx", "vertical", "auto", "words"])
def test_every_format_can_skip(nlp, format):
    good = ["Birds"] if format == "words" else GOOD.replace("VERB", "V_")
    docs = list(nlp.pipe([good, None, good], format=format, errors=lambda skipped: None))
    assert len(docs) == 2


def test_partitions_have_as_many_results(nlp, monkeypatch):
    from dodona import _partition
    monkeypatch.setattr(_partition, "_model", lambda wanted: nlp)
    texts = [None, GOOD, BROKEN, None, GOOD, CONFLICT, None]
    made = list(_partition.Texts(format="conllu", errors=lambda skipped: None)(texts))
    assert [text is None for text in made] == [True, False, True, True, False, True, True]
    assert made[1] == nlp.parse_conllu(GOOD).to_conllu()
    assert list(_partition.Texts()([None, None])) == [None, None]
    assert list(_partition.Texts()([])) == []
