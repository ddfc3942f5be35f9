#!/usr/bin/env python3
"""Sentences of 3 to 80 words, each once, for the teacher to label: words.py WORDS <CONLLU >OUT.xz

One sentence a line, words separated by tabs, U+0001 before a word that no space precedes, until there are about WORDS
words. Words of a multiword token are joined."""

import lzma
import sys


def read_sentences(file):
    words, space, last = [], True, 0
    for line in file:
        if line == "\n":
            yield words
            words, space, last = [], True, 0
        elif line[0] != "#":
            cells = line.rstrip("\n").split("\t")
            after = "SpaceAfter=No" not in cells[9]
            if "-" in cells[0]:
                last, last_after = int(cells[0].split("-")[1]), after
            elif "." not in cells[0]:
                words.append(("" if space else "\x01") + cells[1])
                number = int(cells[0])
                space = after if number > last else number == last and last_after


most, count, seen = int(sys.argv[1]), 0, set()
with lzma.open(sys.stdout.buffer, "wt", preset=4, encoding="utf-8", newline="\n") as out:
    for words in read_sentences(sys.stdin):
        line = "\t".join(words)
        if 3 <= len(words) <= 80 and hash(line) not in seen:
            seen.add(hash(line))
            count += len(words)
            print(line, file=out)
        if count >= most:
            break
