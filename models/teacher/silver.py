#!/usr/bin/env python3
"""What the teacher has labelled as CoNLL-U: silver.py WORDS.xz LABELS [SENTENCES]

WORDS.xz is a file of words.py, LABELS the folder that `teacher.py label` wrote. FORM, UPOS, XPOS, FEATS, HEAD and DEPREL
are filled. MISC has HeadProb= and DepProb=, the probabilities in per cent of the head, and of the label given that head,
if they are below 99, and SpaceAfter=No. SENTENCES: only the first so many.
"""

import array
import itertools
import json
import lzma
import pathlib
import sys


def read_column(folder, name, kind):
    column = array.array(kind)
    column.frombytes(lzma.open(folder / f"{name}.xz").read())
    return column


def main():
    words, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    most = int(sys.argv[3]) if len(sys.argv) > 3 else None
    labels, upos, xpos, feats = json.loads((folder / "names.json").read_text())
    head, label, upos_of, xpos_of, feats_of, head_p, label_p = (
        read_column(folder, name, kind) for name, kind in (
            ("head", "h"), ("label", "B"), ("upos", "B"), ("xpos", "H"), ("feats", "H"), ("head-p", "B"),
            ("label-p", "B")))
    at, write = 0, sys.stdout.write
    with lzma.open(words, "rt", encoding="utf-8", newline="\n") as file:
        for line in itertools.islice(file, most):
            forms = line.rstrip("\n").split("\t")
            rows = []
            for i, form in enumerate(forms, 1):
                misc = []
                if head_p[at] < 99:
                    misc.append(f"HeadProb={head_p[at]}")
                if label_p[at] < 99:
                    misc.append(f"DepProb={label_p[at]}")
                if i < len(forms) and forms[i][0] == "\x01":
                    misc.append("SpaceAfter=No")
                rows.append(f"{i}\t{form.lstrip(chr(1))}\t_\t{upos[upos_of[at]]}\t{xpos[xpos_of[at]]}\t"
                            f"{feats[feats_of[at]]}\t{i + head[at] if head[at] else 0}\t{labels[label[at]]}\t_\t"
                            f"{'|'.join(misc) or '_'}\n")
                at += 1
            write("".join(rows) + "\n")


main()
