#!/usr/bin/env python3
"""Writes what there is to know about each language's model into a document, between its two markers:

    cards.py PROGRAM TREEBANKS DOCUMENT [--about FILE] [--packed FOLDER]

The models are those beside the program, models/LANGUAGE.dodona. Their treebanks are looked for by name in the folder
TREEBANKS, as models.py has it; scores and speed are measured on the test file, or on the dev file where there is no
other.
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional

import models

ROOT = models.HERE.parent
BEGIN, END = "<!-- cards: written by scripts/cards.py -->\n", "<!-- end of cards -->\n"
# Other languages have one word, the second of the treebank's name.
NAMES = {"gd": "Scottish Gaelic", "nb": "Norwegian Bokmål", "nn": "Norwegian Nynorsk"}
TIMED = 100_000  # words at least, so that loading the model does not count
RARE = 0.005  # share of the words that a label needs to be called weak


class Card:
    def __init__(self, maker: models.Maker, language: str, sentence: str) -> None:
        self.maker, self.language, self.sentence = maker, language, sentence
        self.model, self.facts = maker.model(language), maker.facts(language)
        self.name = NAMES.get(language) or self.facts["treebank"].split()[1]
        self.scores: Dict[str, Any] = {}  # by what the model was given: what `dodona eval --to json` writes
        self.speed: Optional[float] = None  # words per second of CPU time

    def measure(self, gold: pathlib.Path) -> None:
        for given in ("text", "words"):
            if given == "words" or models.has_text(gold):
                self.scores[given] = json.loads(self.maker.run(
                    "eval", "-m", self.model, "--given", given, "--by-label", "--to", "json", gold))
        if "text" in self.scores:
            with tempfile.TemporaryDirectory() as folder:
                self.speed = self.time(gold, pathlib.Path(folder) / "text.txt")

    def time(self, gold: pathlib.Path, text: pathlib.Path) -> float:
        raw = subprocess.run([sys.executable, str(models.RAW_TEXT), str(gold)], check=True, stdout=subprocess.PIPE)
        words = self.scores["text"]["metrics"]["Words"]["system"]
        times = -(-TIMED // words)
        text.write_bytes(b"\n\n".join([raw.stdout] * times))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.maker.run("parse", "-q", "--threads", 1, "-m", self.model, "-o", "/dev/null", text)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return words * times / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    def f1(self, given: str) -> Dict[str, float]:
        return {metric: counts["f1"] for metric, counts in self.scores[given]["metrics"].items()}

    def las(self, given: str) -> str:
        return f"{self.f1(given)['LAS']:.2f}" if given in self.scores else "-"

    # ---- what is written

    def row(self, packed: pathlib.Path) -> List[str]:
        size = f"{packed.stat().st_size / 1e6:.1f} MB" if packed.exists() else "-"
        speed = f"{float(f'{self.speed:.2g}'):,.0f}" if self.speed else "-"
        anchor = re.sub(r"[^\w\- ]", "", self.title().lower()).replace(" ", "-")
        return [f"[{self.name}](#{anchor})", f"`{self.language}`", self.facts["treebank"], self.facts["licence"],
                f"{int(self.facts['words']):,}", self.las("text"), self.las("words"), speed, size]

    def title(self) -> str:
        return f"{self.name} (`{self.language}`)"

    def weak(self) -> str:
        words = self.scores["words"]
        common = [label for label in words["labels"]
                  if label["gold"] >= max(10, RARE * words["metrics"]["Words"]["gold"])]
        lowest = sorted(common, key=lambda label: label["f1"])[:4]
        labels = ", ".join(f"`{label['label']}` {label['f1']:.0f}" for label in lowest)
        pairs = ", ".join(f"`{pair['gold']}` taken for `{pair['system']}` ({pair['count']})"
                          for pair in words["confusions"][:4])
        return f"Lowest F1: {labels}. Most confused: {pairs}."

    def tree(self) -> List[str]:
        parsed = subprocess.run([self.maker.program, "parse", "-q", "-m", str(self.model)], check=True,
                                input=self.sentence.encode(), stdout=subprocess.PIPE)
        drawn = subprocess.run([self.maker.program, "draw", "--width", "100"], check=True, input=parsed.stdout,
                               stdout=subprocess.PIPE).stdout.decode()
        lines = (line.rstrip() for line in drawn.splitlines())
        return ["```text", *(line for line in lines if line and not line.startswith("sentence ")), "```"]

    def write(self) -> List[str]:
        rows = [[given, *models.row_of("", self.f1(given), self.facts["components"])[1:]] for given in self.scores]
        return ["", f"## {self.title()}", "",
                *models.table({"from": "---", **{metric: "---:" for metric in models.METRICS}}, rows),
                "", self.weak(), "", *self.tree()]


def processor() -> str:
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text("utf-8"), re.M)
    return found[1] if found else "not known which"


def make_cards(maker: models.Maker, treebanks: List[models.Treebank]) -> List[Card]:
    """Those of the languages whose models were built."""
    lines = (ROOT / "tests" / "cli" / "languages.tsv").read_text("utf-8").splitlines()
    cards = [Card(maker, *line.split("\t")) for line in lines if maker.model(line.split("\t")[0]).exists()]
    for card in sorted(cards, key=lambda card: card.name):
        of = [treebank for treebank in treebanks if treebank.name == card.facts["treebank"]]
        if not of or not (of[0].test or of[0].dev):
            sys.exit(f"{card.language}: there is no test file of {card.facts['treebank']}")
        print(f"{card.language}: measuring", file=sys.stderr)
        card.measure(of[0].test or of[0].dev)
    return sorted(cards, key=lambda card: card.name)


def describe(cards: List[Card], packed: pathlib.Path) -> str:
    header = {"language": "---", "model": "---", "treebank": "---", "licence": "---", "words": "---:",
              "LAS, text": "---:", "LAS, words": "---:", "words/s": "---:", "packed": "---:"}
    lines = [f"Speed was measured on one core ({processor()}).", "",
             *models.table(header, [card.row(packed / f"{card.language}.dodona.xz") for card in cards])]
    for card in cards:
        lines += card.write()
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("treebanks", type=pathlib.Path)
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--about", help="file of treebanks' names and licences")
    parser.add_argument("--packed", type=pathlib.Path, default=ROOT / "models", help="folder of the packed models")
    given = parser.parse_args()
    before, begin, rest = given.document.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{given.document}: the markers are missing")
    maker = models.Maker(given.program, pathlib.Path(given.program).resolve().parent / "models")
    cards = make_cards(maker, models.find_treebanks(given.treebanks, [], models.read_about(given.about)))
    if not cards:
        sys.exit(f"{maker.out}: there are no models of languages")
    given.document.write_text(f"{before}{BEGIN}\n{describe(cards, given.packed)}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
