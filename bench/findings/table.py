#!/usr/bin/env python3
"""Prints what came out of the plans in this folder.

    table.py RESULTS.jsonl...

One line for each file, system and oracle: LAS on the dev file after the last iteration, mean over the seeds,
for each treebank, and the mean over treebanks. The papers keep the last iteration, not the best one on dev.
"""
import json
import os
import sys


def mean(values):
    return sum(values) / len(values)


def read(path):
    """{(system, oracle): {treebank: [LAS]}}"""
    runs = {}
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            run = json.loads(line)
            if 'failed' not in run:
                of_setup = runs.setdefault((run['system'], run['oracle']), {})
                of_setup.setdefault(run['treebank'], []).append(run['curve'][-1][1])
    return runs


def main():
    for path in sys.argv[1:]:
        print(os.path.basename(path).removesuffix('.jsonl'))
        for (system, oracle), treebanks in read(path).items():
            scores = {code: mean(las) for code, las in treebanks.items()}
            cells = '  '.join(f'{code} {las:.2f}' for code, las in sorted(scores.items()))
            print(f'  {system} {oracle}: {cells}  mean {mean(list(scores.values())):.2f}')


main()
