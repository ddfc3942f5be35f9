#!/usr/bin/env python3
"""Sentences that were cut by hand, as a treebank to learn a tokenizer from: sentences.py FILE >CONLLU

A line is a paragraph; | cuts a token where there is no space, and ¶ ends a sentence. There are no tags,
and the trees mean nothing."""

import sys


def rows(sentence):
    number = 0
    for run in sentence.split():
        tokens = run.split("|")
        for left, token in zip(range(len(tokens) - 1, -1, -1), tokens):
            number += 1
            space = "SpaceAfter=No" if left else "_"
            head, label = (0, "root") if number == 1 else (1, "dep")
            yield f"{number}\t{token}\t_\t_\t_\t_\t{head}\t{label}\t_\t{space}"


with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        if line.startswith("# "):
            continue
        mark = "# newpar\n"
        for sentence in line.strip().split(" ¶ "):
            print(mark + "# text = " + sentence.replace("|", ""), *rows(sentence), "", sep="\n")
            mark = ""
