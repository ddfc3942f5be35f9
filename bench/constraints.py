#!/usr/bin/env python3
"""What constraints cost: parsing under constraints against parsing without them.

    constraints.py PROGRAM MODEL FILE [RUNS]

FILE is a CoNLL-U file with gold trees. First the whole file with one required arc of the gold tree
in each sentence; then how time grows with the length of sentences, which are made by joining those
of FILE. Each measurement is a process of its own; those to be compared take turns, and times are
medians. The sentences' order, arcs and spans are drawn with a fixed seed."""
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time

LENGTHS = [250, 500, 1000, 2000, 5000]
WORDS = 20000  # in each file of the second part


def read(path):
    """Sentences as lists of word lines, cut into columns."""
    sentences, words = [], []
    for line in open(path, encoding="utf-8"):
        columns = line.rstrip("\n").split("\t")
        if len(columns) == 10 and columns[0].isdigit():
            words.append(columns)
        elif not line.strip() and words:
            sentences.append(words)
            words = []
    return sentences


def heads_of(words):
    return [None] + [int(columns[6]) for columns in words]


def is_projective(heads):
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads) if h is not None]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def join(sentences, length):
    """One sentence of at least that many words: each root depends on the one before."""
    words, root = [], 0
    while len(words) < length:
        start = len(words)
        for columns in random.choice(sentences):
            head = int(columns[6])
            new = list(columns)
            new[0] = str(start + int(columns[0]))
            new[6] = str(start + head if head else root)
            if not head:
                next_root = int(new[0])
            words.append(new)
        root = next_root
    return words


def draw_arcs(heads, share):
    words = range(1, len(heads))
    return ["arc %d _ %d" % (heads[d], d) for d in words if random.random() < share]


def draw_not_arcs(heads, count):
    words = range(1, len(heads))
    pairs = [(random.randrange(len(heads)), random.choice(words)) for _ in range(count)]
    return ["not-arc %d %d" % (h, d) for h, d in pairs if heads[d] != h]


def draw_spans(heads, share):
    """Subtrees of two to eight words, disjoint, from the left to the right."""
    first, last, size = {}, {}, {}
    for word in range(1, len(heads)):
        node, steps = word, 0
        while node and steps < 8:
            first[node] = min(first.get(node, node), word)
            last[node] = max(last.get(node, node), word)
            size[node] = size.get(node, 0) + 1
            node, steps = heads[node], steps + 1
    spans, end = [], 0
    for word in sorted(first, key=lambda w: first[w]):
        fits = 2 <= size[word] <= 8 and last[word] - first[word] + 1 == size[word]
        if fits and first[word] > end and random.random() < share:
            spans.append("span %d %d any" % (first[word], last[word]))
            end = last[word]
    return spans


def write(path, sentences, constraints):
    with open(path, "w", encoding="utf-8") as out:
        for words, texts in zip(sentences, constraints):
            out.writelines("# constraint = %s\n" % text for text in texts)
            out.writelines("\t".join(columns) + "\n" for columns in words)
            out.write("\n")


def run(program, model, path):
    start = time.perf_counter()
    subprocess.run([program, "parse", "-q", "-m", model, "-o", "/dev/null", path], check=True)
    return time.perf_counter() - start


def measure(program, model, paths, runs):
    """Times of each path in turn, run by run."""
    times = {path: [] for path in paths}
    for path in paths:
        run(program, model, path)
    for _ in range(runs):
        for path in paths:
            times[path].append(run(program, model, path))
    return times


def one_arc_each(program, model, sentences, folder, runs):
    plain, bound = folder + "/plain.conllu", folder + "/bound.conllu"
    arcs = []
    for words in sentences:
        heads = heads_of(words)
        word = random.randrange(1, len(heads))
        arcs.append(["arc %d _ %d" % (heads[word], word)])
    write(plain, sentences, [[] for _ in sentences])
    write(bound, sentences, arcs)
    times = measure(program, model, [plain, bound], runs)
    ratios = [b / p for p, b in zip(times[plain], times[bound])]
    print("%d sentences, one required arc in each, %d runs in turn" % (len(sentences), runs))
    print("without %.3f s, with %.3f s, ratio %.3f (median of the runs' ratios; %.3f to %.3f)\n"
          % (statistics.median(times[plain]), statistics.median(times[bound]),
             statistics.median(ratios), min(ratios), max(ratios)))


def slope(points):
    """Of the line through logarithms, by least squares."""
    xs, ys = zip(*((math.log(x), math.log(y)) for x, y in points))
    mx, my = statistics.mean(xs), statistics.mean(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def growth(program, model, sentences, folder, runs):
    kinds = {
        "none": lambda heads: [],
        "arcs": lambda heads: draw_arcs(heads, 0.1),
        "spans": lambda heads: draw_spans(heads, 0.5),
        "both": lambda heads: draw_spans(heads, 0.5) + draw_arcs(heads, 0.1),
        "not-arcs": lambda heads: draw_not_arcs(heads, 3),
    }
    most = {"not-arcs": 1000}
    empty = folder + "/empty.conllu"
    write(empty, [], [])
    start = statistics.median(measure(program, model, [empty], runs)[empty])
    points = {kind: [] for kind in kinds}
    print("milliseconds a sentence by its number of words, less the %.1f ms of an empty file"
          % (1000 * start))
    print("%8s" % "words" + "".join("%10s" % kind for kind in kinds))
    for length in LENGTHS:
        joined = [join(sentences, length) for _ in range(WORDS // length)]
        paths = {}
        for kind, draw in kinds.items():
            if length <= most.get(kind, length):
                paths[kind] = "%s/%s-%d.conllu" % (folder, kind, length)
                write(paths[kind], joined, [draw(heads_of(words)) for words in joined])
        times = measure(program, model, list(paths.values()), runs)
        row = "%8d" % length
        for kind in kinds:
            if kind not in paths:
                row += "%10s" % "-"
                continue
            each = (statistics.median(times[paths[kind]]) - start) / len(joined)
            points[kind].append((sum(map(len, joined)) / len(joined), each))
            row += "%10.2f" % (1000 * each)
        print(row, flush=True)
    print("%8s" % "exponent" + "".join("%10.2f" % slope(points[kind]) for kind in kinds))


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    program, model, path = sys.argv[1:4]
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 9
    random.seed(1)
    sentences = read(path)
    with tempfile.TemporaryDirectory() as folder:
        one_arc_each(program, model, sentences, folder, runs)
        trees = [words for words in sentences if is_projective(heads_of(words))]
        growth(program, model, trees, folder, runs)


main()
