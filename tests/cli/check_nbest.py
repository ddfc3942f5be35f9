"""check_nbest.py LIST BEST K: LIST holds up to K different trees of each sentence of BEST, ranked
from 1 with scores that do not grow, and the first of them is the one in BEST."""
import sys


def sentences(path):
    for block in open(path, encoding="utf-8").read().split("\n\n"):
        if block:
            yield block.split("\n")


def value(lines, key):
    return [line.split(" = ", 1)[1] for line in lines if line.startswith(f"# {key} = ")]


listed, most = list(sentences(sys.argv[1])), int(sys.argv[3])
at = several = 0
for best in sentences(sys.argv[2]):
    trees, scores = [], []
    while at < len(listed) and value(listed[at], "nbest") == [str(len(trees) + 1)]:
        lines = listed[at]
        assert value(lines, "sent_id") == value(best, "sent_id"), lines
        scores += [float(score) for score in value(lines, "score")]
        trees.append([x for x in lines if not x.startswith(("# nbest = ", "# score = "))])
        at += 1
    assert 1 <= len(trees) <= most and len(scores) == len(trees), best
    assert trees[0] == best, (trees[0], best)
    assert all(one not in trees[:k] for k, one in enumerate(trees)), best
    assert scores == sorted(scores, reverse=True), scores
    several += len(trees) > 1
assert at == len(listed) and several > 0, (at, len(listed), several)
