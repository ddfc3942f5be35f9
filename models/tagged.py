#!/usr/bin/env python3
"""Sentences that were tagged by hand, as a treebank to learn a tagger from: tagged.py FILE TREEBANK >CONLLU

A line is a sentence of words with their XPOS. UPOS and FEATS are those that TREEBANK most often has for both, or for
the XPOS alone; VBP is plural, as in all of these sentences. There are no lemmas, and the trees mean nothing."""

import collections
import sys

PLURAL = ("VERB", "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin")

UNKNOWN = collections.Counter([("X", "_")])


def rows(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line[0].isdigit():
                yield line.split("\t")


seen = collections.defaultdict(collections.Counter)
for row in rows(sys.argv[2]):
    for key in (row[1].lower(), row[4]), row[4]:
        seen[key][row[3], row[5]] += 1

with open(sys.argv[1], encoding="utf-8") as sentences:
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), 1):
            form, _, xpos = word.rpartition("/")
            counts = seen.get((form.lower(), xpos)) or seen.get(xpos) or UNKNOWN
            upos, feats = PLURAL if xpos == "VBP" else counts.most_common(1)[0][0]
            head, label = (0, "root") if number == 1 else (1, "dep")
            print(number, form, "_", upos, xpos, feats, head, label, "_", "_", sep="\t")
        print()
