#!/usr/bin/env python3
"""How far the probabilities of `dodona parse --scores` are from the truth:

    calibration.py GOLD PARSED

Both have the same words; PARSED has Prob= in MISC. Words are put into ten groups by their probability; for each
the mean probability stands beside the share of words whose head and label are right. The expected calibration
error is the mean difference of the two over all words (Naeini et al. 2015).
"""
import re
import sys


def words(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            cells = line.rstrip("\r\n").split("\t")
            if len(cells) == 10 and cells[0].isdigit():
                yield cells


def main():
    groups = [[0, 0.0, 0] for _ in range(10)]  # words, sum of probabilities, right words
    total = 0
    for gold, parsed in zip(words(sys.argv[1]), words(sys.argv[2])):
        found = re.search(r"(?:^|\|)Prob=([0-9.]+)", parsed[9])
        if not found:
            sys.exit(f"{sys.argv[2]}: a word has no Prob=; was the model trained with --dev?")
        group = groups[min(9, int(float(found[1]) * 10))]
        group[0] += 1
        group[1] += float(found[1])
        group[2] += gold[6:8] == parsed[6:8]
        total += 1
    print("probability   words   mean   right")
    for i, (count, mean, right) in enumerate(groups):
        if count:
            print(f"{i / 10:.1f} to {(i + 1) / 10:.1f} {count:9,} {mean / count:6.3f} {right / count:7.3f}")
    error = sum(abs(mean - right) for _, mean, right in groups) / total
    print(f"expected calibration error {error:.4f} over {total:,} words")


if __name__ == "__main__":
    main()
