#!/usr/bin/env python3
"""What most of several analyses of the same words say, in CoNLL-U: vote.py tags|trees FILE...

tags: UPOS, XPOS and FEATS together, `_` where no two agree; of several choices with as many votes, that of the
first file. trees: heads with their labels; `_` where no two agree. A tree of which more than a tenth is left open,
or that is none as arcs of several make a circle, is left out. Other columns are those of the first file.
"""

import sys

TAGS, TREES = slice(3, 6), slice(6, 8)


def sentences(path):
    """Words of each sentence, as lists of columns."""
    words = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line == "\n":
                yield words
                words = []
            elif not line.startswith("#"):
                columns = line.rstrip("\n").split("\t")
                if columns[0].isdigit():
                    words.append(columns)


def vote(analyses, columns):
    """Sets the columns of the first analysis to the vote, and says how many words have none."""
    open_words = 0
    for words in zip(*analyses):
        choices = [tuple(word[columns]) for word in words]
        best = max(choices, key=choices.count)
        if choices.count(best) < 2:
            best = ("_",) * len(best)
            open_words += 1
        words[0][columns] = best
    return open_words


def is_tree(words):
    """Whether heads, as far as they are known, lead to one root and in no circle."""
    heads = [int(word[6]) if word[6] != "_" else 0 for word in words]
    if sum(word[6] == "0" for word in words) > 1:
        return False
    for at in range(1, len(heads) + 1):
        for _ in heads:
            if at:
                at = heads[at - 1]
        if at:
            return False
    return True


def main():
    kind, *files = sys.argv[1:]
    columns = {"tags": TAGS, "trees": TREES}[kind]
    for analyses in zip(*map(sentences, files), strict=True):
        words = analyses[0]
        open_words = vote(analyses, columns)
        if kind == "tags" or (open_words * 10 <= len(words) and is_tree(words)):
            for word in words:
                word[8:] = "__"
                print(*word, sep="\t")
            print()


main()
