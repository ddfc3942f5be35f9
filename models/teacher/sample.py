#!/usr/bin/env python3
"""Paragraphs for the teacher to label: sample.py TEXT TREEBANK >SAMPLE

TEXT is one paragraph a line, plain or packed by xz. The sample has the paragraphs whose words and pairs of words are
most like those of TREEBANK/train.conllu (by the difference of log probabilities: Moore and Lewis 2010), and random ones
besides, so that no kind of text is missing. They come in a random order, with an empty line after each.
"""

import collections
import lzma
import math
import pathlib
import random
import re
import sys
import tomllib

HOW = tomllib.loads((pathlib.Path(__file__).parent / "settings.toml").read_text())["sample"]
TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")


def read_lines(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8", errors="ignore") as file:
        return [line.strip() for line in file if line.strip()]


def read_texts(path):
    with open(path, encoding="utf-8") as file:
        return [line[9:].strip() for line in file if line.startswith("# text = ")]


def tokens(text):
    return ["<s>"] + ["0" if t[0].isdigit() else t.lower() for t in TOKEN.findall(text[:HOW["characters"]])]


def count(texts):
    words, pairs = collections.Counter(), collections.Counter()
    for text in texts:
        found = tokens(text)
        words.update(found[1:])
        pairs.update(zip(found, found[1:]))
    return words, pairs


def log_odds(near, far, prior):
    """How much likelier each word or pair is in the treebank, of those that are not too rare to tell."""
    near_sum, far_sum = sum(near.values()), sum(far.values())
    scale = near_sum / far_sum
    return {key: math.log((near[key] + 0.5) / (near_sum + prior)) - math.log((far[key] + 0.5) / (far_sum + prior))
            for key in near.keys() | far.keys() if near[key] + far[key] * scale >= HOW["least"]}


def take(order, lines, most, taken):
    words = 0
    for i in order:
        if words >= most:
            break
        if i not in taken:
            taken.add(i)
            words += lines[i].count(" ") + 1


def main():
    text, treebank = sys.argv[1:]
    random.seed(HOW["seed"])
    lines = read_lines(text)
    near = count(read_texts(pathlib.Path(treebank) / "train.conllu"))
    far = count(random.sample(lines, min(len(lines), HOW["lines"])))
    word_odds, pair_odds = (log_odds(n, f, prior) for n, f, prior in zip(near, far, HOW["priors"]))

    def likeness(line):
        found = tokens(line)
        odds = sum(word_odds.get(word, HOW["unknown"]) for word in found[1:])
        odds += sum(pair_odds.get(pair, 0) for pair in zip(found, found[1:]))
        return odds / (len(found) + 5)

    scores = [likeness(line) for line in lines]
    taken = set()
    take(sorted(range(len(lines)), key=lambda i: -scores[i]), lines, HOW["nearest_words"], taken)
    take(random.sample(range(len(lines)), len(lines)), lines, HOW["random_words"], taken)
    for i in random.sample(sorted(taken), len(taken)):
        print(lines[i] + "\n")


main()
