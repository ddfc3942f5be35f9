#!/usr/bin/env python3
"""How long `dodona serve` takes behind an annotation tool, and whether it keeps what is annotated:

    bench/annotate.py DODONA TRAIN TEST [--scorer linear|neural] [--sentences N]

A model is trained in the server on the treebank TRAIN, as ArboratorGrew asks for it. The first N sentences of TEST
(1,000) then lose the head and the label of each second word, chosen at random, and are parsed around the others. It prints
the seconds of the training, the words per second, how many of the kept heads and labels were changed, how many
sentences have no tree, and the scores of the words that were open.
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time
import urllib.request


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(address, path, **fields):
    request = urllib.request.Request(f"{address}/parser/models/{path}", json.dumps(fields).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        content = json.load(answer)
    if content["status"] != "success":
        raise SystemExit(content["error"])
    return content["data"]


def await_end(address, path, pause, **fields):
    while not (data := ask(address, path, **fields))["ready"]:
        time.sleep(pause)
    return data


def words_of(text):
    return [cells for line in text.splitlines() if (cells := line.split("\t"))[0].isdigit()]


def open_half(sentence, chance):
    lines = []
    for line in sentence.split("\n"):
        cells = line.split("\t")
        if cells[0].isdigit() and chance.random() < 0.5:
            cells[6:8] = "_", "_"
        lines.append("\t".join(cells))
    return "\n".join(lines)


def is_tree(words):
    heads = [0] + [int(cells[6]) if cells[6] != "_" else -1 for cells in words]
    for at in range(1, len(heads)):
        for _ in heads:
            at = heads[at] if at > 0 else at
        if at != 0:
            return False
    return True


def compare(gold, given, made):
    kept = [(old[6:8], new[6:8]) for old, new in zip(words_of(given), words_of(made), strict=True) if old[6] != "_"]
    rest = [(cells[6:8], new[6:8]) for cells, old, new in
            zip(words_of(gold), words_of(given), words_of(made), strict=True) if old[6] == "_"]
    sentences = [words_of(sentence) for sentence in made.strip().split("\n\n")]
    print(f"{len(kept)} kept heads, {sum(old != new for old, new in kept)} changed; "
          f"{sum(not is_tree(words) for words in sentences)} of {len(sentences)} sentences without a tree")
    print(f"{len(rest)} open heads: UAS {100 * sum(a[0] == b[0] for a, b in rest) / len(rest):.2f}, "
          f"LAS {100 * sum(a == b for a, b in rest) / len(rest):.2f}")


def measure(server, address, args):
    train = pathlib.Path(args.train).read_text(encoding="utf-8")
    test = pathlib.Path(args.test).read_text(encoding="utf-8").strip().split("\n\n")[:args.sentences]
    chance = random.Random(1)
    halves = [open_half(sentence, chance) for sentence in test]
    given = "\n\n".join(halves) + "\n\n"
    start, before = time.monotonic(), processor_seconds(server.pid)
    task = ask(address, "train/start", project_name="bench", train_samples={"train": train}, scorer=args.scorer)
    data = await_end(address, "train/status", 0.5, **task)
    print(f"trained in {time.monotonic() - start:.1f} s, {processor_seconds(server.pid) - before:.1f} s of the "
          f"processor; LAS of held-out sentences {100 * data['scores_best']['LAS_epoch']:.2f}")
    keep = {f"keep_{name}": "EXISTING" for name in ("lemmas", "upos", "xpos", "feats", "heads", "deprels")}
    start = time.monotonic()
    task = ask(address, "parse/start", model_info=task["model_info"], to_parse_samples={"test": given},
               parsing_settings=keep)
    made = await_end(address, "parse/status", 0.02, parse_task_id=task["parse_task_id"])["parsed_samples"]["test"]
    seconds, words = time.monotonic() - start, len(words_of(given))
    print(f"{words} words of {len(halves)} sentences parsed in {seconds:.2f} s: {words / seconds:.0f} words/s")
    compare("\n\n".join(test), given, made)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dodona")
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--scorer", choices=["linear", "neural"], default="linear")
    parser.add_argument("--sentences", type=int, default=1000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([args.dodona, "serve", "--quiet", "--listen", "127.0.0.1:0", "--train-time", "1000",
                                   "--train", folder], stderr=subprocess.PIPE, text=True)
        try:
            port = re.search(r'"address":"[^"]*:(\d+)"', server.stderr.readline())[1]
            measure(server, f"http://127.0.0.1:{port}", args)
        finally:
            server.terminate()
            server.communicate()


if __name__ == "__main__":
    main()
