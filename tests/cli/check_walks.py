"""Checks the walks in the output of `dodona oracle`: losses and costs must fit each other."""
import json
import sys

approximate = sys.argv[1] == "--approximate"
before = None
lines = 0
for line in open(sys.argv[-1], encoding="utf-8"):
    step = json.loads(line)
    if "skipped" in step:
        before = None
        continue
    lines += 1
    assert len(step["history"]) == step["step"], line
    assert step["cost"] and (approximate or min(step["cost"].values()) == 0), line
    if step["step"] == 0:
        assert step["loss"] == 0, line
    else:
        taken = step["history"][-1]
        assert step["history"][:-1] == before["history"], line
        assert step["loss"] == before["loss"] + before["cost"][taken], line
    before = step
assert lines > 0
