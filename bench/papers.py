#!/usr/bin/env python3
"""Makes docs/results.md, the page that sets the results of papers.plan beside those of the papers:

    dodona experiment --report REPORT bench/papers.plan
    bench/papers.py REPORT bench/papers.plan.jsonl docs

The tables are those of the report. This script adds what only the papers ask for: the averages that they
print, and the sizes of configurations, from the lines of any file given before the last argument that have
"sizes" (build/bench/sizes prints such lines). The part "Reading" is written by hand: it is taken over from
the page that is there.
"""
import csv
import json
import pathlib
import shutil
import sys

# UAS and LAS that the papers print, or that follow from their tables.
PUBLISHED = {
    ("arc-standard", "static", ""): "81.44 / 74.34 T14",
    ("arc-standard", "nondet", ""): "81.82 / 74.62 T14",
    ("arc-standard", "dynamic", ""): "82.44 / 75.57 T14",
    ("lr-spine", "static", ""): "81.54 / 74.52 T14",
    ("lr-spine", "nondet", ""): "82.44 / 75.30 T14",
    ("lr-spine", "dynamic", ""): "83.28 / 76.42 T14",
    ("attardi", "static", ""): "83.26 / 77.93 A14",
    ("attardi", "dynamic", ""): "83.78 / 78.64 A14",
    ("covington", "static", ""): "82.72 / 78.39 C15, 83.48 / 76.75 N17",
    ("covington", "dynamic", ""): "83.52 / 79.13 C15, 84.46 / 77.92 N17",
    ("covington-nm", "dynamic", ""): "84.74 / 78.24 N17",
    ("covington-nm", "dynamic", "lower"): "84.67 / 78.18 N17",
    ("covington-nm", "dynamic", "pc-upper"): "84.63 / 78.12 N17",
    ("arc-eager", "dynamic", ""): "84.32 / 77.68 N17",
    ("arc-eager-nm", "dynamic", ""): "84.28 / 77.68 N17",
}

COMPARISON = """## Beside the papers

The papers' averages are of other treebanks, so compare differences, not levels. They count punctuation, and each is
a mean over five seeds.

| system | oracle | UAS / LAS here, test | UAS / LAS in the papers |
|---|---|---|---|
{rows}

T14: mean of the ten CoNLL 2007 languages in Table 1 of tabular-oracles-2014. A14: mean of the nineteen CoNLL
languages in Table 1 of attardi-oracle-2014. C15: Table 2 of covington-oracle-2015. N17: Tables 3 and 4 of
nonmonotonic-covington-2017.

- *Dynamic over static*: the papers report gains in UAS and LAS of +1.00 and +1.23 (arc-standard), +1.74 and +1.90
  (lr-spine), +0.52 and +0.71 (attardi), +0.80 and +0.74 or +0.98 and +1.17 (covington).
- *covington-nm over covington*: nonmonotonic-covington-2017 gains +1.49 LAS over its static and +0.32 over its
  dynamic oracle, with the loss upper.
- *Arcs longer than 7*: that paper reports a precision of 58.41 for covington and 63.19 for covington-nm, both dynamic
  (section 6.3); [ours](#arcs-by-length).
- *Non-monotonic arcs*: for covington-nm with the dynamic oracle it reports that 36.86 % of the arc transitions removed
  an arc, of which 60.31 % built a gold arc and 5.99 % were harmful (section 6.3); [ours](#non-monotonic-arcs).

"""

SIZES = """## Sizes of configurations

Nodes on the stack, in the buffer, and in the reduced buffer of the oracle: the right stack of arc-standard and
lr-spine, the reduced buffer of attardi. Means over all configurations that training visits on all treebanks. *Share*
is the mean of (stack + reduced) / length of the sentence. The papers report a share of 0.29 for arc-standard on the
Penn Treebank (tabular-oracles-2014, section 5.3); for attardi on Czech a stack of 7.2, at most 87, a buffer of 11, at
most 192, and a reduced buffer of 2.6, at most 23 (attardi-oracle-2014, section 6).

| system | stack | largest | buffer | largest | reduced | largest | share |
|---|--:|--:|--:|--:|--:|--:|--:|
{rows}

The longest list T[i, j] of lr-spine, in {tables} tables filled as section 6.3 of tabular-oracles-2014 says, for one in 500
configurations visited in training. Figure 3 of the paper shows at most 50, and growth in proportion to i + j - 1.

| i + j - 1 | {diagonals} |
|---|{rule}
| longest list | {longest} |

"""

SIZES_FILE = ("| [sizes.csv](results/sizes.csv) | treebank and system | sizes of configurations in training with "
              "the dynamic oracle |\n")


def comparison(means):
    rows = []
    for row in csv.DictReader(means.open()):
        published = PUBLISHED.get((row["system"], row["oracle"], row["loss"]))
        if published:
            oracle = f'{row["oracle"]} {row["loss"]}'.strip()
            here = f'{float(row["test_uas"]):.2f} / {float(row["test_las"]):.2f}'
            rows.append(f'| {row["system"]} | {oracle} | {here} | {published} |')
    return COMPARISON.format(rows="\n".join(rows))


def add(total, sizes):
    """Adds up counts, and keeps the largest of what is a maximum."""
    for key in ("configurations", "share", "tables"):
        total[key] = total.get(key, 0) + sizes[key]
    for key in ("stack", "buffer", "reduced"):
        before = total.get(key, (0, 0))
        total[key] = (before[0] + sizes[key][0], max(before[1], sizes[key][1]))
    longest = total.setdefault("longest", [])
    longest.extend([0] * (len(sizes["longest"]) - len(longest)))
    for i, size in enumerate(sizes["longest"]):
        longest[i] = max(longest[i], size)


def read_sizes(paths):
    """Sums by treebank and system, and by system, both in the order of the lines."""
    cells, systems = {}, {}
    for path in paths:
        for line in open(path):
            run = json.loads(line)
            if run.get("sizes"):
                add(cells.setdefault((run["treebank"], run["system"]), {}), run["sizes"])
                add(systems.setdefault(run["system"], {}), run["sizes"])
    return cells, systems


def numbers(sums, digits):
    n = sums["configurations"]
    values = []
    for key in ("stack", "buffer", "reduced"):
        values += [f"{sums[key][0] / n:.{digits}f}", str(sums[key][1])]
    return values + [f'{sums["share"] / n:.{digits}f}']


def size_section(systems):
    rows = [" | ".join([f"| {name}", *numbers(sums, 2)]) + " |" for name, sums in systems.items()]
    longest = systems["lr-spine"]["longest"]
    at = [i for i in (1, 2, 3, 5, 10, 20, 30, 40, 60, 80, 100) if i <= len(longest)]
    return SIZES.format(rows="\n".join(rows), tables=systems["lr-spine"]["tables"],
                        diagonals=" | ".join(map(str, at)), rule="--:|" * len(at),
                        longest=" | ".join(str(longest[i - 1]) for i in at))


def write_sizes(path, cells):
    with path.open("w") as out:
        out.write("treebank,system,configurations,stack,largest_stack,buffer,largest_buffer,reduced,"
                  "largest_reduced,share\n")
        for (treebank, system), sums in cells.items():
            out.write(",".join([treebank, system, str(sums["configurations"]), *numbers(sums, 4)]) + "\n")


def section(page, title):
    """From the line of a title of the second level up to the next one."""
    start = page.index(f"## {title}\n")
    end = page.find("\n## ", start)
    return page[start:end + 1] if end >= 0 else page[start:]


def put_before(page, title, text):
    before, found, after = page.partition(f"## {title}\n")
    if not found:
        sys.exit(f"papers.py: the report has no part '{title}'")
    return before + text + found + after


def main(report, results, docs):
    report, docs = pathlib.Path(report), pathlib.Path(docs)
    page = (report / "results.md").read_text()
    cells, systems = read_sizes(results)
    if "lr-spine" not in systems:
        sys.exit("papers.py: there are no sizes of lr-spine: make them with build/bench/sizes")
    page = page.replace("-->", "The parts Reading, Beside the papers and Sizes of\nconfigurations are from bench/papers.py. -->", 1)
    page = page.replace("`man dodona-experiment`", "[experiments.md](experiments.md)", 1)
    page = put_before(page, "Means over all treebanks", section((docs / "results.md").read_text(), "Reading"))
    page = put_before(page, "Which system and oracle win", comparison(report / "results" / "means.csv"))
    page = put_before(page, "Time and memory", size_section(systems))
    (docs / "results.md").write_text(page + SIZES_FILE)
    for file in (report / "results").iterdir():
        shutil.copy(file, docs / "results")
    write_sizes(docs / "results" / "sizes.csv", cells)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: papers.py REPORT RESULTS... DOCS")
    main(sys.argv[1], sys.argv[2:-1], sys.argv[-1])
