#!/usr/bin/env python3
"""Writes sentences of CoNLL-U files with the constraints that a case study puts on them.

    constrain.py commands all FILE...   sentences whose first word is a verb and the root: that arc
    constrain.py ranges all FILE...     sentences with multiword tokens: each is a span
    constrain.py clitics all FILE...    Arabic sentences: a preposition of one letter, the word
                                        behind it and pronouns that are suffixes of either are a span

With `right` in place of `all`, spans that the gold tree breaks are left out. Standard error gets the
numbers of sentences and constraints, and of constraints that the gold tree breaks.
"""
import sys

PREPOSITIONS = {"بِ", "لِ", "كَ", "لَ", "ب", "ل", "ك"}
SUFFIXES = {"هُ", "هِ", "هَا", "هُم", "هِم", "هُمَا", "هِمَا", "هُنَّ", "نَا", "ي", "يَ", "كَ", "كُم"}


def sentences(path):
    with open(path, encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            if block.strip():
                yield block.strip("\n").split("\n")


def words_of(lines):
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [row for row in rows if row[0].isdigit()]


def commands(lines):
    first = words_of(lines)[0]
    is_command = first[3] == "VERB" and first[6] == "0"
    return ["arc 0 root 1"] if is_command else []


def spans(groups):
    return [f"span {first} {last} any" for first, last in groups]


def ranges(lines):
    ids = [line.split("\t")[0] for line in lines if not line.startswith("#")]
    return spans(i.split("-") for i in ids if "-" in i)


def clitics(lines):
    groups, first = [], None
    words = words_of(lines)
    for at, word in enumerate(words, start=1):
        proclitic = at > 1 and words[at - 2][3] == "ADP" and words[at - 2][1] in PREPOSITIONS
        suffix = at > 1 and word[4].startswith("SP") and word[1] in SUFFIXES
        if not (proclitic or suffix):
            first = at
        elif groups and groups[-1][1] == at - 1:
            groups[-1] = (groups[-1][0], at)
        else:
            groups.append((first, at))
    return spans(groups)


def is_broken(constraint, lines):
    """Whether the gold tree has no or several words of the span with a head outside."""
    kind, first, last, _ = constraint.split()
    if kind != "span":
        return False
    words = words_of(lines)[int(first) - 1 : int(last)]
    return sum(not int(first) <= int(word[6]) <= int(last) for word in words) != 1


def main():
    study = {"commands": commands, "ranges": ranges, "clitics": clitics}[sys.argv[1]]
    takes_all = {"all": True, "right": False}[sys.argv[2]]
    count = broken = chosen = 0
    for path in sys.argv[3:]:
        for lines in sentences(path):
            constraints = study(lines)
            if not constraints:
                continue
            wrong = [constraint for constraint in constraints if is_broken(constraint, lines)]
            if not takes_all:
                constraints = [constraint for constraint in constraints if constraint not in wrong]
            chosen += 1
            count += len(constraints)
            broken += len(wrong) if takes_all else 0
            print("\n".join([f"# constraint = {c}" for c in constraints] + lines), end="\n\n")
    print(f"{chosen} {count} {broken}", file=sys.stderr)


main()
