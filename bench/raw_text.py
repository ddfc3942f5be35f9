#!/usr/bin/env python3
"""Writes a treebank as running text: raw_text.py [--flat] TREEBANK.conllu

The texts of the sentences, with a space between them unless the last token has SpaceAfter=No, and
an empty line before `# newpar` and `# newdoc`; with --flat all is one paragraph.
"""
import sys


def sentences(path):
    """Yields text, whether a paragraph begins, and whether a space follows."""
    text, paragraph, covered, misc = None, False, 0, "_"
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            line = line.rstrip("\r\n")
            columns = line.split("\t")
            if line.startswith("# text ="):
                text = line.split("=", 1)[1].strip()
            elif line.startswith(("# newpar", "# newdoc")):
                paragraph = True
            elif line.startswith("#"):
                continue
            elif not line:
                if text is None:
                    sys.exit(f"{path}: a sentence has no '# text'")
                yield text, paragraph, "SpaceAfter=No" not in misc.split("|")
                text, paragraph, covered = None, False, 0
            elif "-" in columns[0]:
                covered, misc = int(columns[0].split("-")[1]), columns[9]
            elif "." not in columns[0] and int(columns[0]) > covered:
                misc = columns[9]


def main():
    flat, path = "--flat" in sys.argv[1:], sys.argv[-1]
    whole, gap = [], ""
    for text, paragraph, space in sentences(path):
        whole.append("\n\n" if whole and paragraph and not flat else gap)
        whole.append(text)
        gap = " " if space else ""
    sys.stdout.buffer.write(("".join(whole) + "\n").encode())


if __name__ == "__main__":
    main()
