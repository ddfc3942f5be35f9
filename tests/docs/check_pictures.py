"""Whether the pictures of docs/systems.md tell the truth; in TAP:

    check_pictures.py PROGRAM

- docs/pictures/make.py makes the very files that are in the tree.
- Each of their elements has its colours in attributes, for programs without CSS variables.
- What moves.py says of transitions is what the program does, also off the gold path: along the parses
  of models that have learnt next to nothing, so that arcs are replaced and cycles broken.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path.insert(0, str(PICTURES))
import make  # noqa: E402
import moves  # noqa: E402


def stale(program):
    for system in make.EXAMPLES:
        if make.draw(program, system) != (PICTURES / f"{system}.svg").read_text("utf-8"):
            yield system


def bare(path):
    """Elements that are black where the style sheet is not understood."""
    for item in xml.etree.ElementTree.parse(path).iter():
        drawn = item.tag.split("}")[1] in ("text", "path", "rect")
        if drawn and "#" not in item.get("fill", "") + item.get("stroke", ""):
            yield f"{path.name}: {item.attrib}"


def steps_of(program, system, folder):
    """Each step of each parse, one list a sentence."""
    model, treebank = folder / "model", ROOT / "examples" / "demo-train.conllu"
    subprocess.run([program, "train", "-q", "--system", system, "--iterations", "1", "-o", model,
                    treebank], check=True)
    told = subprocess.run([program, "trace", "-m", model, "--gold", "no", "--to", "json", treebank],
                          check=True, text=True, stdout=subprocess.PIPE).stdout
    sentence = []
    for line in told.splitlines():
        sentence.append(json.loads(line))
        if "heads" in sentence[-1]:
            yield sentence
            sentence = []


def differences(program, system, folder):
    """Steps in which moves.py and the program differ; and how many arcs were replaced or deleted."""
    wrong, lost = [], 0
    for sentence in steps_of(program, system, folder):
        config = None
        for step in sentence:
            stack = step.get("stack", step.get("left"))
            if config is None:
                config = moves.Config(stack, step.get("passed", []), step["buffer"], {})
            if (config.stack, config.passed, config.buffer) != (stack, step.get("passed", []),
                                                                step["buffer"]):
                wrong.append(step)
                break
            if "heads" in step:
                found = [config.heads.get(word, 0) for word in range(1, step["n"] + 1)]
                wrong += [step] if found != step["heads"] else []
                continue
            following = moves.after(system, config, step["transition"])
            lost += any(following.heads.get(d) != h for d, h in config.heads.items())
            config = following
    return wrong, lost


def main():
    program = sys.argv[1]
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        old = list(stale(program))
        results.append(("the pictures are those that make.py makes", old))
        results.append(("the pictures need no style sheet",
                        [item for path in sorted(PICTURES.glob("*.svg")) for item in bare(path)][:1]))
        for system in make.EXAMPLES:
            wrong, lost = differences(program, system, folder)
            results.append((f"{system}: moves.py says what transitions do", wrong[:1]))
            if system.endswith("-nm"):
                results.append((f"{system}: arcs were replaced", [] if lost else ["none"]))
    return tap.report(results)


if __name__ == "__main__":
    sys.exit(main())
