#!/usr/bin/env python3
"""Forgets annotation of a treebank, for measuring training on partial trees.

    bench/forget_heads.py SHARE SEED < train.conllu > partial.conllu
    bench/forget_heads.py SHARE SEED --sentences < train.conllu > part.conllu

Makes HEAD and DEPREL of each word `_` with the probability SHARE; with --sentences leaves out each
sentence with that probability. The same seed gives the same result.
"""

import random
import sys


def main():
    share, seed = float(sys.argv[1]), int(sys.argv[2])
    whole_sentences = sys.argv[3:] == ["--sentences"]
    chance = random.Random(seed)
    keep = True
    at_start = True
    for line in sys.stdin:
        if at_start:
            keep = not whole_sentences or chance.random() >= share
        at_start = line.strip() == ""
        columns = line.split("\t")
        if not whole_sentences and len(columns) == 10 and columns[0].isdigit():
            if chance.random() < share:
                columns[6] = columns[7] = "_"
                line = "\t".join(columns)
        if keep:
            sys.stdout.write(line)


if __name__ == "__main__":
    main()
