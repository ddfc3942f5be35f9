#!/usr/bin/env python3
"""What --tidy changes: trees that break the rules, accuracy, and speed, with it and without it.

    tidy.py PROGRAM MODEL GOLD [RUNS]

GOLD is a CoNLL-U file with gold trees. It is parsed with tags predicted by the model, which needs a
tagger. Counted are the sentences in which a word depends on one whose UPOS is PUNCT, and those in
which a word has two subjects or two objects, as 'dodona check' finds them. For the speed the words
are tagged beforehand, and the two ways of parsing take turns; a ratio is the median of the runs'."""
import os
import re
import statistics
import subprocess
import sys
import tempfile

WAYS = ["--no-tidy", "--tidy"]


def run(*command):
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode not in (0, 1):
        sys.exit(result.stderr)
    return result


def sentences(path):
    """Words as columns, with the line that each stands in."""
    words = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        columns = line.rstrip("\n").split("\t")
        if len(columns) == 10 and columns[0].isdigit():
            words.append((number, columns))
        elif not line.strip() and words:
            yield words
            words = []


def under_punctuation(path):
    def has(words):
        heads = (int(columns[6]) for _, columns in words)
        return any(head > 0 and words[head - 1][1][3] == "PUNCT" for head in heads)
    return sum(map(has, sentences(path)))


def with_rivals(program, path):
    faults = run(program, "check", "-q", "--only", "subjects,objects", "--max", "0", path).stdout
    lines = {int(line) for line in re.findall(r":(\d+): word ", faults)}
    return sum(any(number in lines for number, _ in words) for words in sentences(path))


def las(program, gold, path):
    return re.search(r"^LAS .*?([\d.]+)", run(program, "eval", gold, path).stdout, re.M).group(1)


def words_per_second(program, model, path, way):
    told = run(program, "parse", "--verbose", way, "-m", model, "-o", os.devnull, path).stderr
    return int(re.search(r"([\d,]+) words/s", told).group(1).replace(",", ""))


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    program, model, gold = sys.argv[1:4]
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 9
    with tempfile.TemporaryDirectory() as folder:
        parsed = folder + "/parsed.conllu"
        for way in WAYS:
            run(program, "parse", "-q", "--tag", way, "-m", model, "-o", parsed, gold)
            print("%-10s LAS %s, words under punctuation in %d sentences, two subjects or objects in "
                  "%d" % (way, las(program, gold, parsed), under_punctuation(parsed),
                          with_rivals(program, parsed)), flush=True)
        print("%-10s           words under punctuation in %d sentences, two subjects or objects in %d"
              % ("gold", under_punctuation(gold), with_rivals(program, gold)), flush=True)
        speeds = {way: [] for way in WAYS}
        for _ in range(runs + 1):
            for way in WAYS:
                speeds[way].append(words_per_second(program, model, parsed, way))
        speeds = {way: speeds[way][1:] for way in WAYS}  # the first is to warm up
        ratios = [tidy / plain for plain, tidy in zip(*(speeds[way] for way in WAYS))]
        print("words/s %s without, %s with, ratio %.3f (%d runs in turn, %.3f to %.3f)"
              % (*(f"{statistics.median(speeds[way]):,.0f}" for way in WAYS),
                 statistics.median(ratios), runs, min(ratios), max(ratios)))


main()
