#!/usr/bin/env python3
"""Lists what is wrong in a parsed file, sentence by sentence: mistakes.py GOLD SYSTEM

Both have the same text. What SYSTEM has is followed by what GOLD has, in brackets: sentence ends, words,
UPOS, lemmas, heads, and relations without their subtypes, as the CoNLL 2018 rules compare them.
"""
import dataclasses
import sys


@dataclasses.dataclass
class Word:
    place: tuple  # first and last character of its token, number within the token, form
    upos: str
    lemma: str
    head: tuple  # the place of the head, None for the root
    relation: str

    @property
    def form(self):
        return self.place[3]


@dataclasses.dataclass
class Sentence:
    name: str
    text: str
    start: int  # characters of the file before it, without spaces
    end: int
    words: list


def places(lines, start):
    """Where the words of a sentence are, and where it ends."""
    found, covered = [], 0
    for cells in lines:
        first, _, last = cells[0].partition("-")
        if int(first) > covered:
            begin, covered = int(first), int(last or first)
            span = start, start + len("".join(cells[1].split()))
            start = span[1]
        if not last:
            found.append((*span, int(first) - begin, cells[1]))
    return found, start


def words(lines, found):
    for place, cells in zip(found, (cells for cells in lines if "-" not in cells[0])):
        head = found[int(cells[6]) - 1] if cells[6] != "0" else None
        yield Word(place, cells[3], cells[2], head, cells[7].partition(":")[0])


def sentences(path):
    end = 0
    with open(path, encoding="utf-8") as file:
        blocks = file.read().strip("\n").split("\n\n")
    for block in blocks:
        comments = dict(line[2:].partition(" = ")[::2] for line in block.split("\n") if line[0] == "#")
        lines = [line.split("\t") for line in block.split("\n") if line[0] != "#"]
        lines = [cells for cells in lines if "." not in cells[0]]
        start, (found, end) = end, places(lines, end)
        yield Sentence(comments.get("sent_id"), comments.get("text"), start, end, list(words(lines, found)))


def cuts(gold, starts, ends):
    """Where the sentence begins or ends in one file only."""
    if gold.start not in starts:
        yield "joined with the sentence before"
    if gold.end not in ends:
        yield "joined with the next sentence"
    for word in gold.words:
        if word.place[1] in ends and word.place[1] < gold.end:
            yield f"cut after {word.form}"


def segmentation(gold, system):
    """Words that one file only has."""
    ours = {word.place for word in gold.words}
    theirs = {place for place in system if gold.start <= place[0] < gold.end}
    if ours != theirs:
        yield f"words: {forms(theirs - ours)} ({forms(ours - theirs)})"


def forms(where):
    return " ".join(place[3] for place in sorted(where))


def attachment(word):
    return f"{word.relation} of {word.head[3]}" if word.head else "root"


def annotation(gold, system):
    for word in gold.words:
        other = system.get(word.place)
        if not other:
            continue
        wrong = [f"{getattr(other, name)} ({getattr(word, name)})" for name in ("upos", "lemma")
                 if getattr(other, name) != getattr(word, name)]
        if (other.head, other.relation) != (word.head, word.relation):
            wrong.append(f"{attachment(other)} ({attachment(word)})")
        if wrong:
            yield f"{word.form}: {', '.join(wrong)}"


def main():
    parsed = list(sentences(sys.argv[2]))
    system = {word.place: word for sentence in parsed for word in sentence.words}
    starts, ends = {sentence.start for sentence in parsed}, {sentence.end for sentence in parsed}
    for gold in sentences(sys.argv[1]):
        wrong = [*cuts(gold, starts, ends), *segmentation(gold, system), *annotation(gold, system)]
        if wrong:
            print(f"{gold.name}: {gold.text}", *wrong, sep="\n    ")


if __name__ == "__main__":
    main()
