"""Noun chunks, in trees of several languages written down by hand, and what else trees have."""

import random

import pytest

import dodona

from conftest import TEST


def tree(text):
    """FORM/UPOS/HEAD/DEPREL for each word, and "(FORM" before the words of a multiword token."""
    lines, number = [], 0
    for item in text.split():
        if item.startswith("("):
            form, count = item[1:].rsplit("/", 1)
            lines.append("\t".join([f"{number + 1}-{number + int(count)}", form, *"_" * 8]))
            continue
        number += 1
        form, upos, head, deprel = item.split("/")
        lines.append("\t".join([str(number), form, "_", upos, "_", "_", head, deprel, "_", "_"]))
    return dodona.Doc.from_conllu("\n".join(lines) + "\n\n")


CASES = {
    "nested ones are parted": (
        "The/DET/2/det cat/NOUN/7/nsubj of/ADP/6/case my/PRON/6/nmod:poss old/ADJ/6/amod "
        "aunt/NOUN/2/nmod sleeps/VERB/0/root", ["The cat", "my old aunt"]),
    "possessors are inside": (
        "the/DET/2/det king/NOUN/5/nmod:poss 's/PART/2/case two/NUM/5/nummod cats/NOUN/0/root",
        ["the king 's two cats"]),
    "coordinated nouns are two, adjectives one": (
        "very/ADV/2/advmod big/ADJ/5/amod and/CCONJ/4/cc bad/ADJ/2/conj cats/NOUN/0/root "
        "and/CCONJ/8/cc the/DET/8/det dogs/NOUN/5/conj", ["very big and bad cats", "the dogs"]),
    "compounds and names": (
        "New/PROPN/2/compound York/PROPN/3/compound mayor/NOUN/6/nsubj Ann/PROPN/3/flat "
        "Lee/PROPN/3/flat slept/VERB/0/root", ["New York mayor Ann Lee"]),
    "appositions, and pronouns": (
        "She/PRON/2/nsubj saw/VERB/0/root Ann/PROPN/2/obj ,/PUNCT/6/punct a/DET/6/det "
        "poet/NOUN/3/appos", ["She", "Ann", "a poet"]),
    "no expletives, and no pronouns that are determiners": (
        "There/PRON/2/expl is/VERB/0/root whose/PRON/4/det cat/NOUN/2/nsubj", ["whose cat"]),
    "punctuation between words, not around them": (
        '"/PUNCT/4/punct a/DET/4/det "/PUNCT/4/punct cat/NOUN/0/root "/PUNCT/4/punct',
        ['a " cat']),
    "adjectives behind": (
        "La/DET/2/det maison/NOUN/0/root blanche/ADJ/2/amod de/ADP/5/case Jean/PROPN/2/nmod",
        ["La maison blanche", "Jean"]),
    "whole tokens": (
        "La/DET/2/det cour/NOUN/0/root (du/2 de/ADP/5/case le/DET/5/det roi/NOUN/2/nmod",
        ["La cour", "du roi"]),
    "what is cut off": (  # the verb stands between the noun and its adjective
        "magnam/ADJ/3/amod habet/VERB/0/root domum/NOUN/2/obj", ["domum"]),
    "a possessor that is cut off is a phrase of its own": (
        "patris/NOUN/3/nmod:poss habet/VERB/0/root domum/NOUN/2/obj", ["patris", "domum"]),
    "participles with a noun of their own": (
        "der/DET/5/det von/ADP/3/case mir/PRON/4/obl gelesene/ADJ/5/amod Text/NOUN/0/root",
        ["mir", "gelesene Text"]),
    "postpositions and classifiers": (
        "三/NUM/2/nummod 本/NOUN/3/clf 本/NOUN/0/root を/ADP/3/case", ["三 本 本"]),
    "none": ("Go/VERB/0/root !/PUNCT/1/punct", []),
}


@pytest.mark.parametrize("text, wanted", CASES.values(), ids=CASES)
def test_noun_chunks(text, wanted):
    doc = tree(text)
    assert [chunk.text for chunk in doc.noun_chunks] == wanted


def test_a_chunk_is_a_sequence_of_words(nlp):
    doc = nlp("The cat sleeps. Birds sing in the cold wind.")
    chunks = doc.noun_chunks
    assert chunks == doc[0].noun_chunks + doc[1].noun_chunks
    chunk = chunks[-1]
    assert chunk.text == str(chunk) == "the cold wind" == doc.text[chunk.start:chunk.end]
    assert chunk.root == chunk[-1] == chunk.words[2] and len(chunk) == 3 and chunk[0] in chunk
    assert [word.form for word in chunk[:2]] == ["the", "cold"] and chunk.sentence is doc[1]
    assert repr(chunk) == "<Chunk 'the cold wind' root='wind'>" and len({chunk, chunks[-1]}) == 1
    assert chunk != chunks[0] and chunk != chunk.words
    assert nlp.parse(["The", "cat"], upos=["DET", "NOUN"]).noun_chunks[0].root.form == "cat"
    assert dodona.Doc.from_conllu("# text = c\n1\tx\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
                                  ).noun_chunks[0].text == "x"  # which is not in the text


@pytest.mark.parametrize("seed", range(30))
def test_chunks_of_any_graph(seed):
    """Each has its root, no two share a word, and none is lost but below words never used."""
    chosen = random.Random(seed)
    size = chosen.randrange(1, 30)
    rels = ["det", "amod", "nmod:poss", "compound", "flat", "nsubj", "obj", "conj", "punct", "case"]
    tags = ["NOUN", "PROPN", "PRON", "DET", "ADJ", "VERB", "PUNCT"]
    doc = tree(" ".join(f"w{i}/{chosen.choice(tags)}/{chosen.randrange(size + 1)}/{chosen.choice(rels)}"
                        for i in range(size)))
    words = [word for chunk in doc.noun_chunks for word in chunk]
    assert len(words) == len(set(words)) and words == sorted(words, key=lambda word: word.id)
    for chunk in doc.noun_chunks:
        assert chunk.root in chunk and chunk.root.upos in ("NOUN", "PROPN", "PRON")
        for word in chunk:
            assert word == chunk.root or chunk.root in word.ancestors or word.upos == "PUNCT"


def test_sides_and_edges(nlp):
    for doc in (nlp("Birds sing in the cold wind. The king doesn't sing."), dodona.read_conllu(TEST)):
        for word in doc.words:
            assert word.lefts + word.rights == word.children
            assert all(child.id < word.id for child in word.lefts)
            assert all(child.id > word.id for child in word.rights)
            assert [word.left_edge, word.right_edge] == [word.subtree[0], word.subtree[-1]]
            assert word.text == word.form
        assert doc.sents is doc.sentences
