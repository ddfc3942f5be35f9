import gc
import json
import threading

import pytest

import dodona

from conftest import TEST

TEXT = "The king doesn't sing. Birds sing in the cold wind."


@pytest.fixture()
def doc(nlp):
    return nlp(TEXT)


def columns(conllu):
    """Cells of the words, sentence by sentence, read by other code."""
    sentences = []
    for block in conllu.strip("\n").split("\n\n"):
        lines = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        sentences.append([cells for cells in lines if cells[0].isdigit()])
    return sentences


def test_words_have_what_conllu_has(doc):
    for sentence, lines in zip(doc.sentences, columns(doc.to_conllu())):
        assert len(sentence.words) == len(sentence) == len(lines)
        for word, cells in zip(sentence.words, lines):
            feats = dict(item.split("=") for item in cells[5].split("|") if item != "_")
            assert [str(word.id), word.form, word.lemma, word.upos, word.xpos, str(word.head),
                    word.deprel] == cells[:5] + cells[6:8]
            assert word.feats == feats


def test_pipeline_tags_and_lemmatizes(doc):
    assert [word.upos for word in doc.sentences[0].words][:2] == ["DET", "NOUN"]
    assert doc.sentences[1].words[0].lemma == "bird"


def test_tokens_are_words_or_several(doc):
    tokens = doc.sentences[0].tokens
    assert [token.form for token in tokens] == ["The", "king", "doesn't", "sing", "."]
    assert [word.form for word in tokens[2].words] == ["does", "n't"]
    assert doc.sentences[0].text == "The king doesn't sing."
    assert str(doc) == TEXT


def test_tree(doc):
    for sentence in doc.sentences:
        assert [root.head for root in sentence.roots] == [0]
        assert sentence.root.parent is None
        assert sentence.root.subtree == list(sentence.words)
        for word in sentence.words:
            assert all(child.parent == word for child in word.children)
            inside = {word}
            for other in sentence.words:
                above = other
                while above is not None and above != word:
                    above = above.parent
                if above is not None:
                    inside.add(other)
            assert word.subtree == sorted(inside, key=lambda w: w.id)


def test_subtree_of_a_cycle_ends():
    doc = dodona.read_conllu("1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\ty\t_\t_\n\n")
    assert len(doc[0].words[0].subtree) == 2
    assert doc[0].root is None


ROW = "{}\t{}\t_\t_\t_\t_\t0\troot\t_\t_"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("char", "\x0b\x0c\x1c\x1d\x1e\x85\xa0\u2028\u2029")
def test_only_newlines_part_lines(char, end):
    text = f"{char}a{char}#b{char}"
    row = ROW.format(1, text) + end + end
    sentence = dodona.read_conllu(f"# text = {text}{end}# c{char}# d{end}{row}")[0]
    assert sentence.comments == [f"# text = {text}", f"# c{char}# d"]
    assert sentence.text == text
    bare = dodona.read_conllu(row)[0]
    assert bare.comments == []
    assert bare.text == bare.tokens[0].form == text


def test_byte_order_mark_is_no_text():
    row = ROW.format(1, "a") + "\n\n"
    assert dodona.read_conllu(f"\ufeff# text = a\n{row}")[0].comments == ["# text = a"]
    assert dodona.read_conllu(f"\ufeff{row}")[0].tokens[0].form == "a"


def test_words_are_a_sequence(doc):
    words = doc.sentences[1].words
    assert words[-1].form == "."
    assert [word.form for word in words[:2]] == ["Birds", "sing"]
    with pytest.raises(IndexError):
        words[len(words)]


def test_buffers(doc, nlp):
    sentence = doc.sentences[0]
    assert sentence.heads.format == "i" and sentence.heads.itemsize == 4
    assert list(sentence.heads) == [word.head for word in sentence.words]
    assert [nlp.labels[label] for label in sentence.labels] == sentence.deprels
    assert sentence.heads is sentence.heads
    with pytest.raises(TypeError):
        sentence.heads[0] = 1


def test_buffers_are_not_copies(nlp):
    one, other = nlp(TEXT).sentences[0], None
    assert ffi_address(one.heads) == ffi_address(one.heads[:])
    other = nlp(TEXT).sentences[0]
    assert ffi_address(one.heads) != ffi_address(other.heads)
    from dodona._native import ffi, lib
    assert ffi_address(one.heads) == int(ffi.cast("intptr_t", lib.dd_sentence_heads(one._handle)
                                                  + 1))


def ffi_address(view):
    from dodona._native import ffi
    return int(ffi.cast("intptr_t", ffi.from_buffer(view)))


def test_buffers_hold_their_document(nlp):
    views = []
    for _ in range(200):
        views.append((nlp(TEXT).sentences[0].heads, nlp(TEXT).sentences[0].labels))
    gc.collect()
    waste = [nlp(TEXT) for _ in range(200)]
    assert len({(tuple(heads), tuple(labels)) for heads, labels in views}) == 1
    assert len(waste) == 200


def test_documents_are_no_cycles(nlp):
    gc.collect()
    gc.disable()
    try:
        doc = nlp(TEXT)
        assert doc.sentences[0].words[0].subtree and doc.sentences[0].labels
        del doc
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_labels_of_what_was_only_read():
    doc = dodona.read_conllu(TEST)
    assert list(doc.labels) == sorted(set(doc.labels))
    for sentence in doc.sentences:
        assert [doc.labels[label] for label in sentence.labels] == sentence.deprels


def test_unknown_heads():
    doc = dodona.read_conllu("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    assert doc[0].words[0].head == -1 and doc[0].words[0].parent is None


def test_reading_gives_every_byte_back():
    assert dodona.read_conllu(TEST).to_conllu() == TEST.read_text("utf-8")
    assert dodona.read_conllu(TEST.read_bytes()).to_conllu() == TEST.read_text("utf-8")


def test_json_has_the_words():
    doc = dodona.read_conllu(TEST)
    lines = doc.to_json().splitlines()
    assert len(lines) == len(doc)
    for line, sentence in zip(lines, doc):
        assert line + "\n" == sentence.to_json()
        made = json.loads(line)
        assert (made["sent_id"], made["text"]) == (sentence.id, sentence.text)
        assert [(w["id"], w["form"], w["head"], w["deprel"]) for w in made["words"]] == [
            (w.id, w.form, w.head, w.deprel) for w in sentence]
    assert len(dodona.read_conllu("")) == 0


def test_one_document_in_many_threads(nlp):
    doc = nlp(" ".join([TEXT] * 50))
    wanted = [[nlp.labels.index(d) for d in sentence.deprels] for sentence in doc.sentences]
    found = []
    threads = [threading.Thread(target=lambda: found.append([list(s.labels) for s in doc]))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 4


def test_notebooks_show_all_trees(doc, nlp, monkeypatch):
    shown = doc._repr_html_()
    assert shown.count("<svg") == shown.count("</svg>") == 2
    assert all(f">{form}<" in shown for form in ("king", "Birds", "wind"))
    assert "<html" not in shown and "sentences more" not in shown
    monkeypatch.setattr("dodona.document._SHOWN", 1)
    assert doc._repr_html_().count("<svg") == 1 and "1 sentences more" in doc._repr_html_()
    long = nlp.parse(["<a>"] * 2001)
    assert long._repr_svg_() is None
    listed = dodona.Doc.from_conllu(long.to_conllu())._repr_html_()
    assert "<svg" not in listed and "&lt;a&gt; &lt;a&gt;" in listed


def test_drawings(doc):
    sentence = doc.sentences[1]
    for form in sentence.forms:
        assert form in sentence.draw() and form in sentence._repr_svg_()
    assert sentence._repr_svg_().startswith("<svg") and "<text" in sentence._repr_svg_()
    assert "digraph" in doc.draw("dot") and "dependency" in sentence.draw("tikz")
    assert doc.draw("html").lower().startswith("<!doctype html>")
    with pytest.raises(dodona.ArgumentError, match="format must be one of"):
        sentence.draw("png")
    gold = dodona.read_conllu(TEST)
    with pytest.raises(dodona.DataError):
        sentence.draw(gold=gold.sentences[0])
