#!/usr/bin/env python3
"""How fast nlp.pipe is beside the program, on the same input with the same model:

    bench/pipe.py PROGRAM MODEL TREEBANK.conllu [--threads 1 2] [--repeat 20] [--rounds 5]
    bench/pipe.py --frames MODEL TREEBANK.conllu [--rounds 5]

The treebank is parsed as CoNLL-U, a sentence an item, and, if the model has a tokenizer, as plain
text, a paragraph of ten sentences an item. Speeds are words a second without loading the model, and the
best of several rounds, taken in turn. `by processor` compares the processor time that each side takes
for a word (the program's with loading), which means something also on a machine that has other work.
For each document the pipe's consumer counts the words and reads a head of each sentence from its
buffer. `cores` is processor time by real time of the best round; `ready` is the mean number of the
process's threads that were running or ready to run, sampled in a round of its own (Linux only), which
shows whether the threads work side by side also where other programs take the cores.

With --frames it prints instead how fast the words of all sentences of the treebank, each a text of its
own, become rows of pandas frames, in rows a second of processor time.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time

import dodona
from dodona import _frames, _table


def measure_program(program, model, path, kind, threads):
    """Words a second, and words a second of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(
        [program, "parse", "--verbose", "--from", kind, "--threads", str(threads), "-m", model,
         "-o", "/dev/null", path],
        check=True, capture_output=True, text=True).stderr
    words, seconds = re.search(r"([\d,]+) words in ([\d.]+) s", told).groups()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    count = int(words.replace(",", ""))
    return count / float(seconds), count / used


def measure_pipe(nlp, items, kind, threads):
    """Words a second, words a second of processor time, and how many cores were at work."""
    words = total = 0
    start, used = time.perf_counter(), time.process_time()
    for doc in nlp.pipe(items, format=kind, threads=threads):
        words += doc.n_words
        for sentence in doc.sentences:
            total += sentence.heads[0]
    seconds, used = time.perf_counter() - start, time.process_time() - used
    return words / seconds, words / used, used / seconds


def count_ready(nlp, items, kind, threads):
    """How many threads were running or ready to run on average, the sampling one left out."""
    samples, done = [], threading.Event()

    def sample():
        while not done.wait(0.005):
            states = [path.read_text().rsplit(")", 1)[1].split()[0]
                      for path in pathlib.Path("/proc/self/task").glob("*/stat")]
            samples.append(states.count("R") - 1)

    sampler = threading.Thread(target=sample)
    sampler.start()
    measure_pipe(nlp, items, kind, threads)
    done.set()
    sampler.join()
    return sum(samples) / max(len(samples), 1)


def inputs(doc, nlp):
    """Kind, items, and the whole as one text."""
    blocks = [sentence.to_conllu() for sentence in doc.sentences]
    yield "conllu", blocks, "".join(blocks)
    if "tokenizer" in nlp.components:
        texts = [sentence.text for sentence in doc.sentences]
        paragraphs = [" ".join(texts[i:i + 10]) + "\n\n" for i in range(0, len(texts), 10)]
        yield "text", paragraphs, "".join(paragraphs)


# ---- frames


def frame_by_words(doc):
    """What a frame takes if Python makes an object for each cell."""
    import pandas
    rows = []
    for number, sentence in enumerate(doc):
        columns = [sentence._column(column) for column in (1, 2, 3, 4, 5, 7, 8, 9)]
        for word in sentence:
            cells = [None if column[word.id - 1] == "_" else column[word.id - 1] for column in columns]
            form, lemma, upos, xpos, feats, deprel, deps, misc = cells
            rows.append({"sentence": number, "id": word.id, "form": form, "lemma": lemma,
                         "upos": upos, "xpos": xpos, "feats": feats, "head": word.head,
                         "deprel": deprel, "deps": deps, "misc": misc, "start": word.start,
                         "end": word.end})
    return pandas.DataFrame(rows).astype({"start": "Int64", "end": "Int64"})


def frame_of_all(docs):
    """What nlp.to_pandas does once the texts are parsed."""
    stores = ((doc._store, number) for number, doc in enumerate(docs))
    return _frames.to_pandas(next(_table.chunks(stores, _table.ALL_COLUMNS)))


def measure_frames(nlp, texts, rounds):
    ways = {  # in rows a second; the first two take some of the documents only
        "a frame for each document, cell by cell": lambda docs: [frame_by_words(d) for d in docs[:200]],
        "doc.to_pandas() of each document": lambda docs: [doc.to_pandas() for doc in docs[:200]],
        "one frame of all documents": lambda docs: [frame_of_all(docs)],
        "the same, with parsing: nlp.to_pandas(texts)": lambda docs: [nlp.to_pandas(texts)],
        "parsing alone: nlp.pipe(texts)": lambda docs: list(nlp.pipe(texts)),
    }
    best = dict.fromkeys(ways, 0)
    for _ in range(rounds):
        for name, way in ways.items():
            docs = list(nlp.pipe(texts))  # of which nothing has been read
            start = time.process_time()
            made = way(docs)
            used = time.process_time() - start
            rows = sum(one.n_words if isinstance(one, dodona.Doc) else len(one) for one in made)
            best[name] = max(best[name], rows / used)
    first = next(iter(best.values()))
    print(f"{len(texts):,} texts\n     rows/s    ratio")
    for name, speed in best.items():
        print(f"{speed:11,.0f}  {speed / first:7.1f}  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--frames", action="store_true", help="measure frames; without PROGRAM")
    parser.add_argument("program", nargs="?")
    parser.add_argument("model")
    parser.add_argument("treebank")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeat", type=int, default=20, help="times the treebank, as one input")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()

    nlp = dodona.load(args.model)
    doc = dodona.read_conllu(pathlib.Path(args.treebank))
    if args.frames:
        measure_frames(nlp, [sentence.text for sentence in doc], args.rounds)
        return
    if args.program is None:
        parser.error("PROGRAM is missing")
    print("input   threads  program words/s  pipe words/s   ratio  by processor  cores  ready")
    for kind, items, whole in inputs(doc, nlp):
        with tempfile.NamedTemporaryFile("w", suffix=".input", encoding="utf-8") as file:
            file.write(whole * args.repeat)
            file.flush()
            for threads in args.threads:
                program, pipe = [], []
                for _ in range(args.rounds):
                    program.append(measure_program(args.program, args.model, file.name, kind,
                                                   threads))
                    pipe.append(measure_pipe(nlp, items * args.repeat, kind, threads))
                speeds = max(program)[0], max(pipe)[0]
                by_processor = max(p[1] for p in pipe) / max(p[1] for p in program)
                print(f"{kind:<7} {threads:7}  {speeds[0]:15,.0f}  {speeds[1]:12,.0f}  "
                      f"{100 * speeds[1] / speeds[0]:5.1f}%  {100 * by_processor:11.1f}%  "
                      f"{max(pipe)[2]:5.2f}  "
                      f"{count_ready(nlp, items * args.repeat, kind, threads):5.2f}")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
