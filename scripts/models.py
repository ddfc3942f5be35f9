#!/usr/bin/env python3
"""Trains a model on each treebank of a folder, with all that the treebank allows, and writes an index
of the models and a table of their scores:

    models.py PROGRAM TREEBANKS OUT [--languages "da sv"] [--about FILE] [--settings "..."]

A treebank is a folder CODE with train.conllu, and dev.conllu and test.conllu if there are such, or one
of Universal Dependencies as it is released: UD_NAME with CODE-ud-train.conllu and so on. CODE begins
with the code of the language. A model that is in OUT and whole is not trained again, so that the same
command goes on where it was broken off. The lines of the file `about` are CODE, name of the treebank
and licence, with tabs between them; UD's own README.md is read for treebanks that it does not name.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from typing import Dict, List, NamedTuple, Optional

HERE = pathlib.Path(__file__).resolve().parent
RAW_TEXT = HERE.parent / "bench" / "raw_text.py"
METRICS = ["Words", "Sentences", "UPOS", "UFeats", "Lemmas", "UAS", "LAS", "MLAS", "BLEX"]
NEEDED = {"UPOS": "tagger", "UFeats": "tagger", "MLAS": "tagger", "Lemmas": "lemmatizer",
          "BLEX": "lemmatizer"}
WAYS = {"text": "From plain text", "words": "From words, with predicted tags and lemmas"}


class Treebank(NamedTuple):
    code: str
    name: str
    licence: Optional[str]
    train: pathlib.Path
    dev: Optional[pathlib.Path]
    test: Optional[pathlib.Path]

    @property
    def language(self) -> str:
        return self.code.partition("_")[0]


# ---- what there is


def licence_in(folder: pathlib.Path) -> Optional[str]:
    """From the metadata that Universal Dependencies asks for."""
    readme = folder / "README.md"
    text = readme.read_text("utf-8", "replace") if readme.exists() else ""
    found = re.search(r"^License:\s*(\S.*?)\s*$", text, re.M)
    return found[1] if found else None


def read_about(path: Optional[str]) -> Dict[str, List[str]]:
    lines = pathlib.Path(path).read_text("utf-8").splitlines() if path else []
    return {row[0]: row[1:3] for row in (line.split("\t") for line in lines) if len(row) >= 3}


def treebank_at(folder: pathlib.Path, about: Dict[str, List[str]]) -> Optional[Treebank]:
    train = next(iter([*folder.glob("train.conllu"), *sorted(folder.glob("*-ud-train.conllu"))]), None)
    if train is None:
        return None
    released = train.name != "train.conllu"
    code = train.name[:-len("-ud-train.conllu")] if released else folder.name
    name = re.sub("[_-]", " ", folder.name) if folder.name.startswith("UD_") else code
    name, licence = about.get(code, [name, licence_in(folder)])
    others = [train.with_name(train.name.replace("train", part)) for part in ("dev", "test")]
    dev, test = (path if path.exists() else None for path in others)
    return Treebank(code, name, licence, train, dev, test)


def find_treebanks(folder: pathlib.Path, languages: List[str], about: Dict[str, List[str]],
                   ) -> List[Treebank]:
    found = [treebank_at(path, about) for path in sorted(folder.iterdir()) if path.is_dir()]
    treebanks = [treebank for treebank in found if treebank]
    missing = [word for word in languages
               if not any(word in (treebank.code, treebank.language) for treebank in treebanks)]
    if missing:
        sys.exit(f"{folder}: there is no treebank of {', '.join(missing)}")
    return [treebank for treebank in treebanks
            if not languages or {treebank.code, treebank.language} & set(languages)]


def has_text(path: pathlib.Path) -> bool:
    """Whether all its sentences have their text, so that it can be parsed from that."""
    sentences = texts = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            sentences += not line.strip()
            texts += line.startswith("# text =")
    return texts > 0 and texts >= sentences


# ---- training


class Maker:
    def __init__(self, program: str, out: pathlib.Path, settings: str) -> None:
        self.program, self.out, self.settings = program, out, settings

    def run(self, *words: object) -> str:
        return subprocess.run([self.program, *map(str, words)], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def model(self, code: str) -> pathlib.Path:
        return self.out / f"{code}.dodona"

    def facts(self, code: str) -> Dict[str, str]:
        """What the model says of itself; nothing where it is missing or damaged."""
        told = subprocess.run([self.program, "info", str(self.model(code))], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = (re.split(r" {2,}", line, maxsplit=1) for line in told.stdout.splitlines())
        return {line[0]: line[1] for line in lines if len(line) == 2}

    def train(self, treebank: Treebank) -> None:
        words = ["train", "--threads", "auto", "--language", treebank.language, "--treebank", treebank.name]
        words += ["--licence", treebank.licence] if treebank.licence else []
        words += ["--dev", str(treebank.dev)] if treebank.dev else []
        # Training that is interrupted saves what it has, which must not be taken for the whole.
        unfinished = self.out / f"{treebank.code}.unfinished"
        self.run(*words, *shlex.split(self.settings), "-o", unfinished, treebank.train)
        unfinished.rename(self.model(treebank.code))

    # ---- scores

    def score(self, gold: pathlib.Path, parsed: pathlib.Path) -> Dict[str, float]:
        """F1 by the rules of CoNLL 2018."""
        rows = (line.split("|") for line in self.run("eval", gold, parsed).splitlines())
        return {row[0].strip(): float(row[3]) for row in rows if len(row) > 3 and row[0].strip() in METRICS}

    def evaluate(self, treebank: Treebank, folder: pathlib.Path) -> Dict[str, Dict[str, float]]:
        gold = treebank.test or treebank.dev
        scores: Dict[str, Dict[str, float]] = {}
        if gold is None:
            return scores
        model, parsed, text = self.model(treebank.code), folder / "parsed.conllu", folder / "text.txt"
        if "tokenizer" in self.facts(treebank.code)["components"] and has_text(gold):
            with open(text, "wb") as file:
                subprocess.run([sys.executable, str(RAW_TEXT), str(gold)], check=True, stdout=file)
            self.run("parse", "-q", "-m", model, "-o", parsed, text)
            scores["text"] = self.score(gold, parsed)
        self.run("parse", "-q", "-m", model, "--tag", "-o", parsed, gold)
        scores["words"] = self.score(gold, parsed)
        return scores

    def make(self, treebank: Treebank) -> None:
        """Trains and scores what is not there yet."""
        record = self.out / f"{treebank.code}.scores.json"
        known = json.loads(record.read_text("utf-8")) if record.exists() else {}
        if not self.facts(treebank.code):
            known = {}
            print(f"{treebank.code}: training", file=sys.stderr)
            if not treebank.licence:
                print(f"{treebank.code}: no licence is known; name it in ABOUT", file=sys.stderr)
            self.train(treebank)
        elif known and known["settings"] != self.settings:
            print(f"{treebank.code}: is there, trained with the settings '{known['settings']}'; remove "
                  "it to train it anew", file=sys.stderr)
        if "scores" not in known:
            print(f"{treebank.code}: scoring", file=sys.stderr)
            with tempfile.TemporaryDirectory() as folder:
                known = {"settings": self.settings,
                         "scores": self.evaluate(treebank, pathlib.Path(folder))}
            record.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


# ---- the table


def table(header: Dict[str, str], rows: List[List[str]]) -> List[str]:
    """header: titles, and how their columns are aligned."""
    return ["| " + " | ".join(row) + " |" for row in ([*header], [*header.values()], *rows)]


def row_of(code: str, scores: Dict[str, float], components: str) -> List[str]:
    """A score of what a model does not do would be one of the treebank: `_` matches everything."""
    return [f"`{code}`", *(f"{scores[metric]:.2f}" if NEEDED.get(metric, "") in components else "-"
                           for metric in METRICS)]


def describe(maker: Maker) -> str:
    """All models that have scores, those of earlier runs too."""
    records = {path.name[:-len(".scores.json")]: json.loads(path.read_text("utf-8"))
               for path in sorted(maker.out.glob("*.scores.json"))}
    facts = {code: maker.facts(code) for code in records}
    models = [[f"`{code}`", of.get("language", "-"), of.get("treebank", "-"), of.get("licence", "-"),
               f"{int(of['words']):,}", f"{of['system']}, {'neural' if of['scorer'] == 'neural' else 'linear'}",
               f"{maker.model(code).stat().st_size / 1e6:.1f} MB",
               of.get("dev LAS", "-"), f"`{records[code]['settings']}`" if records[code]["settings"] else "-"]
              for code, of in facts.items() if of]
    lines = ["# Models", "", f"Made by {maker.run('--version').strip()}, `make models`. The settings are "
             "those given besides the defaults of `dodona train`.", ""]
    lines += table({"model": "---", "language": "---", "treebank": "---", "licence": "---", "words": "---:",
                    "parser": "---", "size": "---:", "dev LAS": "---:", "settings": "---"}, models)
    lines += ["", "The scores below are F1 on the test file, or on the dev file where there is no other, by "
              "the rules of CoNLL 2018: labels without subtypes, punctuation counted. The dev LAS above is "
              "that of training, with full labels and the dev file's words."]
    for way, title in WAYS.items():
        rows = [row_of(code, record["scores"][way], facts[code]["components"])
                for code, record in records.items() if facts[code] and way in record["scores"]]
        if rows:
            lines += ["", f"## {title}", "",
                      *table({"model": "---", **{metric: "---:" for metric in METRICS}}, rows)]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("treebanks", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--languages", default="", help="codes of languages or treebanks; all")
    parser.add_argument("--about", help="file of treebanks' names and licences")
    parser.add_argument("--settings", default="", help="further options of dodona train")
    given = parser.parse_args()
    treebanks = find_treebanks(given.treebanks, given.languages.split(),
                               read_about(given.about or None))
    if not treebanks:
        sys.exit(f"{given.treebanks}: there are no treebanks")
    given.out.mkdir(parents=True, exist_ok=True)
    maker, failed = Maker(given.program, given.out, given.settings.strip()), []
    for treebank in treebanks:
        try:
            maker.make(treebank)
        except subprocess.CalledProcessError as problem:
            if problem.returncode in (130, -2):
                return 130
            failed.append(treebank.code)
    if len(failed) < len(treebanks):
        maker.run("models", "index", given.out)
        (given.out / "models.md").write_text(describe(maker), "utf-8")
    if failed:
        print(f"failed: {' '.join(failed)}; the same command tries again", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
