#!/usr/bin/env python3
"""The words of CoNLL-U in lower case, a sentence a line, as fastText reads them: words.py <CONLLU"""

import sys

words = []
for line in sys.stdin:
    if line[0].isdigit():
        number, word = line.split("\t", 2)[:2]
        if number.isdigit():
            words.append(word.lower().replace(" ", ""))
    elif line == "\n":
        print(*words)
        words = []
