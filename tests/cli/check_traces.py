"""Checks traces in JSON lines: each loss is the one before plus the cost of the transition taken, the
first mistake is where one is told, and the last line's heads are those of a parsed file, if given.
Usage: check_traces.py TRACES [PARSED]"""
import json
import sys

traces = {}
for line in open(sys.argv[1], encoding="utf-8"):
    step = json.loads(line)
    if "skipped" not in step:
        traces.setdefault(step["sent"], []).append(step)
assert traces
for sent, steps in traces.items():
    assert [step["step"] for step in steps] == list(range(len(steps))), sent
    mistakes = []
    for step, after in zip(steps, steps[1:]):
        assert "transition" in step, step
        if "cost" not in step:
            continue
        cost = step["cost"][step["transition"]]
        assert after["loss"] == step["loss"] + cost, (sent, step, after)
        if cost or step["wrong_label"]:
            mistakes.append(step["step"])
    end = steps[-1]
    assert "transition" not in end and len(end["heads"]) == end["n"], end
    assert end.get("first_mistake") == (mistakes[0] if mistakes else None), (sent, mistakes, end)

if len(sys.argv) > 2:
    heads, sent = {}, None
    for line in open(sys.argv[2], encoding="utf-8"):
        cells = line.rstrip("\n").split("\t")
        if line.startswith("# sent_id = "):
            sent = line.rstrip("\n").removeprefix("# sent_id = ")
        elif cells[0].isdigit():
            heads.setdefault(sent, []).append(int(cells[6]))
    for sent, steps in traces.items():
        assert steps[-1]["heads"] == heads[sent], sent
