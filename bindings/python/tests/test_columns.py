"""Columns of all words: beside what words say one by one, from many texts, and as other packages
have them."""

import array
import gc
import itertools
import random
import sys
import weakref

import pytest

import dodona

from conftest import TEST
from frames_standin import make_polars, make_pyarrow
from test_text import ENHANCED, ODD, TEXT

TEXTS = ["Birds sing. The cat sleeps.", "The king doesn't sing.", "", "Birds sing in the cold wind."]
NAMES = ["sentence", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps",
         "misc", "start", "end"]


def cells_of(word):
    """Slow and obvious."""
    sentence = word.sentence

    def known(cell):
        return None if cell == "_" else cell

    cells = {"id": word.id, "form": word.form, "lemma": known(word.lemma), "upos": known(word.upos),
             "xpos": known(word.xpos), "head": word.head, "deprel": known(word.deprel)}
    for name, column in (("feats", 5), ("deps", 8), ("misc", 9)):
        cells[name] = known(sentence._column(column)[word.id - 1])
    cells["start"] = -1 if word.start is None else word.start
    cells["end"] = -1 if word.end is None else word.end
    return cells


def rows_of(docs):
    return [{"doc_id": number, "sentence": place, **cells_of(word)} for number, doc in enumerate(docs)
            for place, sentence in enumerate(doc) for word in sentence]


def rows_in(columns):
    return [dict(zip(columns, cells)) for cells in zip(*columns.values())]


def without_id(rows):
    return [{name: cell for name, cell in row.items() if name != "doc_id"} for row in rows]


# ---- one document


@pytest.mark.parametrize("seed", range(40))
def test_columns_are_those_of_the_words(nlp, seed):
    chosen = random.Random(seed)
    text = "".join(chosen.choice(ODD) for _ in range(chosen.randrange(1, 60)))
    for doc in (nlp(text), nlp(text.encode("utf-8", "surrogatepass")), nlp(text, scores=True)):
        assert rows_in(doc.to_columns()) == without_id(rows_of([doc]))


CONLLX = "1\tDon't\t_\t_\t_\t_\t2\tx\t_\t_\n2\tsing\t_\tV\t_\t_\t0\troot\t0\troot\n\n"


PLAIN = CONLLX.replace("\t0\troot\n", "\t_\t_\n")


@pytest.mark.parametrize("conllu", [
    ENHANCED, ENHANCED.replace("\n", "\r\n"), "\ufeff" + ENHANCED, ENHANCED * 3,
    ENHANCED.replace("SpaceAfter=No", "SpaceAfter=No|x=y"), TEST.read_text("utf-8"),
    "# newparagraph\n" + PLAIN * 2 + "#newdoc id = x\n" + PLAIN + "# \tnewpar\n" + PLAIN],
    ids=["enhanced", "carriage returns", "mark", "thrice", "misc", "treebank", "paragraphs"])
def test_columns_of_what_was_read(nlp, conllu):
    for doc in (dodona.Doc.from_conllu(conllu), nlp.parse_conllu(conllu)):
        assert rows_in(doc.to_columns()) == without_id(rows_of([doc]))
        for sentence in doc:
            rows = rows_in(sentence.to_columns())
            assert rows == [{"sentence": 0, **cells_of(word)} for word in sentence]


def test_columns_of_conllx(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text(CONLLX * 2)
    doc = dodona.read_conllu(path)
    assert rows_in(doc.to_columns()) == without_id(rows_of([doc]))
    assert doc.to_columns(["deps", "misc"])["misc"] == [None, "root"] * 2


def test_words_alone_have_columns(nlp):
    sentence = nlp.parse(["Birds", "sing", "_"], upos=["NOUN", "VERB", "PUNCT"])
    columns = sentence.to_columns(["form", "upos", "start", "lemma"])
    assert columns["form"] == ["Birds", "sing", "_"] and columns["upos"][1] == "VERB"
    assert list(columns["start"]) == [0, 6, 11]


def test_many_values():
    """More than the first tables of values have room for."""
    rows = "".join(f"{i}\tw{i % 5000}é\tx\t_\t_\tA={i}|B={i % 3}\t{i - 1}\tdep\t_\t_\n"
                   for i in range(1, 20001)) + "\n"
    columns = dodona.Doc.from_conllu(rows).to_columns(["form", "lemma", "feats.B", "feats.C", "head"])
    assert columns["form"] == [f"w{i % 5000}é" for i in range(1, 20001)]
    assert columns["feats.B"] == [str(i % 3) for i in range(1, 20001)]
    assert set(columns["lemma"]) == {"x"} and set(columns["feats.C"]) == {None}
    assert columns["head"] == array.array("i", range(20000))


# ---- many texts


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_many_texts(nlp, threads, batch_size):
    texts = TEXTS * 5
    columns = nlp.to_columns(texts, threads=threads, batch_size=batch_size)
    assert rows_in(columns) == rows_of(nlp.pipe(texts))
    assert list(columns) == ["doc_id", *NAMES]
    assert {name: type(column) for name, column in columns.items() if type(column) is not list} == {
        name: array.array for name in ("sentence", "id", "head", "start", "end")}


def test_other_formats(nlp):
    words = [["Birds", "sing"], ["The", "cat", "sleeps"]]
    assert nlp.to_columns(words, format="words")["form"] == sum(words, [])
    blocks = [sentence.to_conllu() for sentence in dodona.read_conllu(TEST)]
    assert rows_in(nlp.to_columns(blocks, format="conllu")) == rows_of(nlp.pipe(blocks,
                                                                               format="conllu"))


def test_ids(nlp):
    def ids(texts, **how):
        return list(dict.fromkeys(nlp.to_columns(texts, columns=["doc_id"], **how)["doc_id"]))

    records = [{"id": f"r{i}", "body": "Birds sing.", "url": i * 10} for i in range(3)]
    assert ids(["Go.", "", "Go."]) == [0, 2]
    assert ids(["Go.", "Go."], ids=["a", ("b", 1)]) == ["a", ("b", 1)]
    assert ids(iter(["Go.", "Go."]), ids=itertools.count(5)) == [5, 6]
    assert ids(records, field="body") == ["r0", "r1", "r2"]
    assert ids(records, field="body", ids="url") == [0, 10, 20]
    assert ids([{"text": "Go."}, {"text": "Go."}]) == [0, 1]
    with pytest.raises(dodona.ArgumentError, match="there are 1 ids for 2 texts"):
        ids(["Go.", "Go."], ids=["a"])
    with pytest.raises(ValueError, match="only 1 ids, and more texts"):
        ids(iter(["Go.", "Go."]), ids=["a"], errors="skip")
    with pytest.raises(KeyError, match="item 0, counted from 0, has no 'uri', which ids= names"):
        ids(records, field="body", ids="uri")
    with pytest.raises(TypeError, match="ids='url' names a field of the records; item 0"):
        ids(["Go."], ids="url")
    with pytest.raises(TypeError, match="ids has an id for each text, or names a field; it is int"):
        ids(["Go."], ids=3)


def test_chosen_columns(nlp):
    columns = nlp.to_columns(["Birds sing."], columns=["feats.Number", "id", "misc.SpaceAfter"])
    assert columns == {"feats.Number": [word.feats.get("Number") for word in nlp("Birds sing.").words], "id": array.array("i", [1, 2, 3]),
                       "misc.SpaceAfter": [None, "No", None]}
    for wrong, message in ((["from"], "there is no column 'from'; there are doc_id, sentence, id"),
                           (["upos.x"], "no column 'upos.x'"), (["feats."], "no column 'feats.'"),
                           (["id", "id"], "column 'id' is there twice")):
        with pytest.raises(dodona.ArgumentError, match=message):
            nlp.to_columns(["Birds sing."], columns=wrong)
    with pytest.raises(TypeError, match=r"columns is a list of names, not one str; pass \['id'\]"):
        nlp.to_columns(["Birds sing."], columns="id")
    with pytest.raises(dodona.ArgumentError, match="there is no column 'doc_id'"):
        nlp("Birds sing.").to_columns(["doc_id"])
    assert nlp("Birds sing.").to_columns([]) == {}


def test_wrong_arguments(nlp):
    with pytest.raises(TypeError, match=r"to_columns\(\) takes many texts, not one str"):
        nlp.to_columns("Birds sing.")
    with pytest.raises(dodona.ArgumentError, match="chunk_size must lie between 1"):
        nlp.to_columns(["Birds sing."], chunk_size=0)
    with pytest.raises(TypeError, match="there is no option 'baem' here"):
        nlp.to_columns(["Birds sing."], baem=3)


def test_chunks(nlp):
    texts = TEXTS * 4
    chunks = list(nlp.to_columns(texts, chunk_size=5, batch_size=3))
    assert len(chunks) == 4 and [chunk["doc_id"][0] for chunk in chunks] == [0, 5, 11, 15]
    whole = nlp.to_columns(texts)
    assert [row for chunk in chunks for row in rows_in(chunk)] == rows_in(whole)
    assert len(list(nlp.to_columns(TEXTS, chunk_size=2))) == 2
    assert list(nlp.to_columns([], chunk_size=2)) == []
    assert nlp.to_columns([])["form"] == []


@pytest.mark.parametrize("threads", [1, 2])
def test_chunks_are_parsed_when_they_are_asked_for(nlp, threads):
    taken = []

    class Text(str):
        pass

    def endless():
        for number in itertools.count():
            text = Text(f"Birds sing {number}.")
            taken.append(weakref.ref(text))
            yield text

    chunks = nlp.to_columns(endless(), chunk_size=10, batch_size=2, threads=threads,
                            columns=["doc_id", "form"])
    for first in range(0, 100, 10):
        assert sorted(set(next(chunks)["doc_id"])) == list(range(first, first + 10))
        gc.collect()
        assert len(taken) <= first + 30  # what is ahead, and no more
        assert sum(ref() is not None for ref in taken) <= 20  # texts, as documents, were let go
    chunks.close()


def test_texts_that_fail_are_left_out(nlp):
    texts = ["Birds sing.", None, "The cat sleeps.", float("nan")]
    skipped = []
    columns = nlp.to_columns(texts, ids=list("abcd"), errors=skipped.append)
    assert sorted(set(columns["doc_id"])) == ["a", "c"]
    assert [(one.number, one.context, type(one.error)) for one in skipped] == [
        (1, "b", TypeError), (3, "d", TypeError)]
    with pytest.raises(TypeError, match="item 1"):
        nlp.to_columns(texts)


# ---- pandas


def test_pandas_frames_of_many_texts(nlp):
    pandas = pytest.importorskip("pandas")
    frame = nlp.to_pandas(TEXTS, ids=["a", "b", "c", "d"])
    columns = nlp.to_columns(TEXTS, ids=["a", "b", "c", "d"])
    assert list(frame.columns) == list(columns) and len(frame) == len(columns["form"])
    for name, column in columns.items():
        assert list(frame[name]) == list(column), name
    assert [str(kind) for kind in frame.dtypes[["doc_id", "sentence", "form", "head", "start"]]] == [
        "object", "int64", "object", "int64", "Int64"]
    assert frame.form[0] is frame.form[frame.form == "Birds"].iloc[-1]  # one object for both
    assert frame.groupby("lemma").size().sum() == len(frame)
    assert nlp.to_pandas(["Go."], ids=[7]).doc_id.dtype == "int64"
    empty = nlp.to_pandas([])
    assert list(empty.columns) == list(frame.columns) and len(empty) == 0
    assert len(pandas.concat([frame, empty])) == len(frame)
    chunks = list(nlp.to_pandas(TEXTS, ids=["a", "b", "c", "d"], chunk_size=1))
    pandas.testing.assert_frame_equal(pandas.concat(chunks, ignore_index=True), frame)
    assert len(chunks[2]) == 0


def test_pandas_categories(nlp):
    pandas = pytest.importorskip("pandas")
    frame = nlp.to_pandas(TEXTS, categories=["upos", "feats.Number"],
                          columns=["form", "upos", "feats.Number"])
    assert isinstance(frame.upos.dtype, pandas.CategoricalDtype)
    plain = nlp.to_pandas(TEXTS)
    assert list(frame.upos) == list(plain.upos)
    assert frame["feats.Number"].isna().sum() == (~plain.feats.fillna("").str.contains("Number=")).sum()
    for wrong in (["head"], ["doc_id"], ["lemma"]):
        with pytest.raises(dodona.ArgumentError, match="is no column of texts that was asked for"):
            nlp.to_pandas(TEXTS, categories=wrong, columns=["doc_id", "head", "form"])
    with pytest.raises(TypeError, match="categories is a list of names"):
        nlp.to_pandas(TEXTS, categories="upos")


def test_pandas_columns_as_texts_and_ids(nlp):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"key": ["x", "y"], "text": ["Birds sing.", "Go."]}, index=[10, 20])
    frame = nlp.to_pandas(table["text"], ids=table["key"])
    assert list(frame.merge(table, left_on="doc_id", right_on="key").text.unique()) == list(table.text)
    frame = nlp.to_pandas(table["text"], ids=table.index)
    assert list(frame.join(table.key, on="doc_id").key.unique()) == ["x", "y"]


# ---- Arrow and Polars: stand-ins here; the packages where they are installed


def expected(nlp):
    read = dodona.read_conllu(ENHANCED)
    return {name: [None if cell == -1 and name in ("start", "end") else cell for cell in column]
            for name, column in read.to_columns().items()}, read


def test_arrow_buffers(nlp, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", make_pyarrow())
    wanted, read = expected(nlp)
    assert {name: column.values for name, column in read.to_arrow().items()} == wanted
    assert {name: column.values for name, column in read[0].to_arrow(["id", "upos"]).items()} == {
        "id": [1, 2, 3], "upos": ["AUX", "PART", "VERB"]}
    made = nlp.to_arrow(TEXTS, ids=list("abcd"), categories=["upos", "deps"])
    assert type(made["upos"]).__name__ == "DictionaryArray"
    assert {name: column.values for name, column in made.items()} == {
        name: list(column) for name, column in nlp.to_columns(TEXTS, ids=list("abcd")).items()}
    assert nlp.to_arrow([])["upos"].values == []


def test_arrow_itself(nlp):
    pyarrow = pytest.importorskip("pyarrow")
    wanted, read = expected(nlp)
    assert read.to_arrow().to_pydict() == wanted
    made = nlp.to_arrow(TEXTS, categories=["upos", "deps"])
    assert pyarrow.types.is_dictionary(made.schema.field("upos").type)
    assert made.to_pydict() == {name: list(column) for name, column in nlp.to_columns(TEXTS).items()}
    assert nlp.to_arrow([]).num_rows == 0


def test_polars_series(nlp, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", make_polars())
    wanted, read = expected(nlp)
    assert {name: column.values for name, column in read.to_polars().items()} == wanted
    assert list(read[0].to_polars(["id"])["id"].values) == [1, 2, 3]
    made = nlp.to_polars(TEXTS, categories=["upos"])
    assert [made[name].dtype for name in ("doc_id", "id", "upos", "form", "end")] == [
        None, "Int32", "Categorical", "Utf8", "Int64"]


def test_polars_itself(nlp):
    polars = pytest.importorskip("polars")
    wanted, read = expected(nlp)
    assert read.to_polars().to_dict(as_series=False) == wanted
    made = nlp.to_polars(TEXTS, categories=["upos"])
    assert made["upos"].dtype == polars.Categorical and made.height == len(nlp.to_columns(TEXTS)["id"])


@pytest.mark.parametrize("package, call", [("pandas", "to_pandas"), ("pyarrow", "to_arrow"),
                                           ("polars", "to_polars")])
def test_without_the_package(nlp, monkeypatch, package, call):
    monkeypatch.setitem(sys.modules, package, None)
    message = rf"{call}\(\) needs the package {package}, which is not installed; to_columns\(\) has"
    for thing, arguments in ((nlp, [TEXTS]), (nlp(TEXT), []), (nlp(TEXT)[0], [])):
        with pytest.raises(ImportError, match=message):
            getattr(thing, call)(*arguments)
