"""Checks the data in a page that `trace --to html` wrote against the JSON lines of `trace --to json`:
check_explorer.py PAGE TRACES"""
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8", newline="").read()
scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.S)
assert len(scripts) == 2, len(scripts)
text = scripts[0]
assert "<" not in text and "\u2028" not in text and "\u2029" not in text
assert not re.search(r"""(?:src|href)\s*=|@import|url\(""", page), "something to fetch"
for scheme in re.findall(r"--wrong: .*?--buffer", page, re.S):
    colours = re.findall(r"--(?:wrong|gold|new|stack|passed): (#\w+);", scheme)
    assert len(colours) == len(set(colours)) == 5, "two meanings have one colour"
data = json.loads(text)

traces = {}
for line in open(sys.argv[2], encoding="utf-8"):
    step = json.loads(line)
    traces.setdefault(step["sent"], []).append(step)


def unroll(runs):
    return [node for first, last in runs for node in range(first, last + 1)]


assert [sentence["id"] for sentence in data["sentences"]] == list(traces)
for sentence in data["sentences"]:
    steps = traces[sentence["id"]]
    if "skipped" in sentence:
        assert sentence["skipped"] == steps[0]["skipped"]
        continue
    assert len(sentence["steps"]) == len(steps)
    heads = [-1] * (len(sentence["words"]) + 1)
    for is_, was in zip(sentence["steps"], steps):
        assert unroll(is_["s"]) == was["left" if "left" in was else "stack"]
        assert unroll(is_.get("p", [])) == was.get("passed", [])
        assert unroll(is_["b"]) == was["buffer"]
        assert is_.get("o") == was.get("loss")
        for word, head, label in is_["d"]:
            heads[word] = head
            assert label or head < 0
        if "transition" not in was:
            assert "m" not in is_ and heads[1:] == was["heads"]
            continue
        name, head, word, cost, score, label = is_["m"][is_["c"]]
        assert name == was["transition"] and is_["l"] == was.get("label", "")
        assert (head, word) == (was.get("head", -1), was.get("dependent", -1))
        if "cost" in was:
            assert {move[0]: move[3] for move in is_["m"]} == was["cost"]
        if was.get("margin") is not None:
            # The chosen one has the highest score, and its margin is over the next best label or
            # transition.
            scores = sorted(move[4] for move in is_["m"])
            assert score == scores[-1] and label.replace("\t", " ") == is_["l"], is_
            assert len(scores) < 2 or scores[-1] - scores[-2] >= was["margin"] - 0.01, is_
        elif "margin" in was:
            assert all(move[4] is None for move in is_["m"]) or len(is_["m"]) == 1
    assert sentence["mistake"] == steps[-1].get("first_mistake", -1)
    if "right" in sentence:
        assert sentence["right"][:2] == [steps[-1]["right_heads"], steps[-1]["right_labels"]]
