#!/usr/bin/env python3
"""Trains a model on each treebank of a folder, with all that the treebank allows, and writes an index
of the models and a table of their scores:

    models.py PROGRAM TREEBANKS OUT [--languages "da sv"] [--about FILE] [--version N] [--settings "..."]
              [--silver FOLDER] [--jobs N] [--pack FOLDER]

A treebank is a folder CODE with train.conllu, and dev.conllu and test.conllu if there are such, or one
of Universal Dependencies as it is released: UD_NAME with CODE-ud-train.conllu and so on. CODE begins
with the code of the language. A complete model in OUT is not trained again, and an interrupted training
continues from its checkpoint, so the same command can be repeated until all models are there. With several
jobs the progress of each training is in OUT/CODE.log. The lines of the file `about` are CODE, name of the
treebank and licence, separated by tabs; for other treebanks the script reads UD's own README.md.

With --silver, tagger and parser also learn from CODE.conllu or LANGUAGE.conllu of that folder, if there is one: words
that a teacher labelled, or another treebank of the language.

With --pack nothing is trained: the models in OUT with an open licence are packed as FOLDER/LANGUAGE.dodona.xz. If
several are of one language, the one whose treebank is in the file `about` is taken.
"""

import argparse
import concurrent.futures
import gzip
import json
import lzma
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
from typing import IO, Dict, Iterator, List, NamedTuple, Optional

HERE = pathlib.Path(__file__).resolve().parent
ABOUT = HERE.parent / "models" / "treebanks.tsv"
RAW_TEXT = HERE.parent / "bench" / "raw_text.py"
METRICS = ["Words", "Sentences", "UPOS", "UFeats", "Lemmas", "UAS", "LAS", "MLAS", "BLEX"]
NEEDED = {"UPOS": "tagger", "UFeats": "tagger", "MLAS": "tagger", "Lemmas": "lemmatizer",
          "BLEX": "lemmatizer"}
CLOSING, OPENING = [*".,;:!?)]}%", "...", "\u2026"], ["(", "[", "{"]
NORWEGIAN = {"no_bokmaal": "nb", "no_nynorsk": "nn"}
VERY_LARGE = 90000  # from which a model has to be made smaller
PARSER_WORDS, TAGGER_WORDS = 2500000, 4000000  # that they learn from, if that makes enough iterations and not too many
SILVER = 400000  # silver words in an iteration, if there are so many
RICH = 5  # silver words for each of the treebank, from which 16 iterations do
STEPS = ["tokenizer", "base", "folds", "silver"]  # endings of files that a training leaves on its way
LARGEST = 4_000_000  # bytes of a packed model, as each stays in the history of the repository
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
        """Its code, as programs that read text know it: UD has one code for both kinds of Norwegian."""
        return NORWEGIAN.get(self.code) or self.code.partition("_")[0]


# ---- what there is


def licence_in(folder: pathlib.Path) -> Optional[str]:
    """From the metadata that Universal Dependencies asks for."""
    readme = folder / "README.md"
    text = readme.read_text("utf-8", "replace") if readme.exists() else ""
    found = re.search(r"^License:\s*(\S.*?)\s*$", text, re.M)
    return found[1] if found else None


def read_about(path: Optional[str]) -> Dict[str, List[str]]:
    lines = pathlib.Path(path or ABOUT).read_text("utf-8").splitlines()
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


def tags_in(path: pathlib.Path) -> Iterator[List[str]]:
    """UPOS, XPOS and FEATS of each word."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.partition("\t")[0].isdigit():
                yield line.split("\t")[3:6]


def has_tags_of(silver: pathlib.Path, train: pathlib.Path) -> bool:
    """Whether most of its words have tags that the treebank has too, so that a tagger can learn from them."""
    known = set(map(tuple, tags_in(train)))
    more = sum(1 if tuple(tags) in known else -1 for tags in tags_in(silver))
    return more > 0


def count_words(path: pathlib.Path) -> int:
    return sum(1 for _ in tags_in(path))


# ---- texts that are written with a space on both sides of every mark


def tokens_of(block: List[str]) -> List[int]:
    """The lines of a sentence that are tokens of its text: words outside multiword tokens, and these."""
    found, last = [], 0
    for at, line in enumerate(block):
        first, _, end = line.partition("\t")[0].partition("-")
        if first.isdigit() and int(first) > last:
            found.append(at)
            last = int(end or first)
    return found


def form_of(line: str) -> str:
    return line.split("\t")[1]


def no_space(line: str) -> str:
    cells = line.split("\t")
    cells[9] = "SpaceAfter=No" if cells[9] == "_" else f"SpaceAfter=No|{cells[9]}"
    return "\t".join(cells)


def spaces_all_marks(blocks: List[List[str]]) -> bool:
    """Whether no word is written together with the mark after it, as in the texts of some treebanks only."""
    marks = 0
    for block in blocks:
        tokens = tokens_of(block)
        for at, after in zip(tokens, tokens[1:]):
            if form_of(block[after]) in CLOSING:
                marks += 1
                if "SpaceAfter=No" in block[at]:
                    return False
    return marks > 0


def attach_marks(block: List[str]) -> List[str]:
    """The sentence as people type it: marks are written together with the word that they belong to."""
    tokens, block, quoted, text = tokens_of(block), list(block), False, ""
    for at, after in zip(tokens, [*tokens[1:], None]):
        form = form_of(block[at])
        quoted ^= form == '"'
        following = form_of(block[after]) if after is not None else ""
        together = following in CLOSING or form in OPENING or \
            (form == '"' and quoted) or (following == '"' and quoted)
        if together and following:
            block[at] = no_space(block[at])
        text += form + ("" if together else " ")
    return [f"# text = {text.strip()}" if line.startswith("# text =") else line for line in block]


def read_blocks(path: pathlib.Path) -> List[List[str]]:
    return [block.split("\n") for block in path.read_text("utf-8").strip().split("\n\n")]


# ---- training


def small(words: int) -> List[object]:
    """A model is to be small when it is packed: so few bits, and a lemmatizer of such a size, cost no accuracy
    (docs/neural.md, docs/text.md)."""
    bits, lemmatizer = (5, 150000) if words < VERY_LARGE else (4, 60000)
    return ["--weight-bits", bits, "--lemmatizer-bytes", lemmatizer]


def repeat(learnt: int, words: int, most: int) -> int:
    """Iterations over so many words, to learn from some number of them: networks of small treebanks are still learning
    after 30 (docs/models.md)."""
    return min(most, max(30, learnt // words))


class Maker:
    def __init__(self, program: str, out: pathlib.Path, settings: str = "", jobs: int = 1, version: str = "",
                 silver: Optional[pathlib.Path] = None) -> None:
        self.silver = silver
        self.program, self.out, self.settings, self.jobs, self.version = program, out, settings, jobs, version
        self.threads = max(1, len(os.sched_getaffinity(0)) // jobs)

    def run(self, *words: object, log: Optional[IO[str]] = None) -> str:
        return subprocess.run([self.program, *map(str, words)], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=log).stdout

    def model(self, code: str) -> pathlib.Path:
        return self.out / f"{code}.dodona"

    def facts(self, code: str) -> Dict[str, str]:
        """What the model says of itself; nothing where it is missing or damaged."""
        told = subprocess.run([self.program, "info", str(self.model(code))], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = (re.split(r" {2,}", line, maxsplit=1) for line in told.stdout.splitlines())
        return {line[0]: line[1] for line in lines if len(line) == 2}

    def tokenizer_of(self, treebank: Treebank) -> List[object]:
        """The model with a tokenizer that is trained apart, where the texts of the treebank are not written as people
        write: it learns from sentences with attached marks too."""
        blocks = read_blocks(treebank.train)
        if not spaces_all_marks(blocks):
            return []
        tokenizer = self.out / f"{treebank.code}.tokenizer"
        with tempfile.TemporaryDirectory() as folder:
            attached = pathlib.Path(folder) / "attached.conllu"
            attached.write_text("".join("\n".join(attach_marks(block)) + "\n\n" for block in blocks), "utf-8")
            self.run("train", "-q", "--skip-bad", "--only", "tokenizer", "--tokenizer", "neural",
                     *small(count_words(treebank.train))[:2],
                     "-o", tokenizer, treebank.train, attached)
        return ["--components-from", tokenizer]

    def silver_of(self, treebank: Treebank) -> Optional[pathlib.Path]:
        names = [f"{name}.conllu{end}" for name in (treebank.code, treebank.language) for end in ("", ".gz")]
        return next((self.silver / name for name in names if self.silver and (self.silver / name).exists()), None)

    def train(self, treebank: Treebank) -> None:
        with open(self.out / f"{treebank.code}.log", "w", encoding="utf-8") as log:
            self.train_all(treebank, None if self.jobs == 1 else log)
        if self.jobs == 1:
            (self.out / f"{treebank.code}.log").unlink()

    def train_all(self, treebank: Treebank, log: Optional[IO[str]]) -> None:
        size, silver, train = max(1, count_words(treebank.train)), self.silver_of(treebank), treebank.train
        words = ["train", "--skip-bad", "--scorer", "neural", "--threads", self.threads, *small(size)]
        words += ["--language", treebank.language, "--treebank", treebank.name]
        words += ["--licence", treebank.licence] if treebank.licence else []
        words += ["--model-version", self.version] if self.version else []
        words += ["--dev", treebank.dev] if treebank.dev else []
        tokenizer = self.tokenizer_of(treebank)
        silver_words = count_words(silver) if silver else 0
        weight = ["--silver-weight", round(min(silver_words, SILVER) / size, 3)]
        rich = silver_words >= RICH * size
        taught = silver and has_tags_of(silver, train)
        tagging: List[object] = []
        if "linear" not in self.settings:
            tagging = ["--tagger-iterations", 16 if taught and rich else repeat(TAGGER_WORDS, size, 120)]
        if silver and taught:
            tagging += ["--tagger-silver", silver, *weight]
            base, train, silver = self.tag_silver(treebank, silver, [*words, *tokenizer, *tagging], log)
            words += ["--components-from", base, "--only", "parser"]
        else:
            words += [*tagging, *tokenizer, *(["--only", "tagger,lemmatizer,parser"] if tokenizer else [])]
        words += ["--silver", silver, *weight] if silver else []
        words += ["--iterations", 16 if rich else repeat(PARSER_WORDS, size, 80)]
        # Interrupted training saves an incomplete model, which must not take the complete one's name.
        unfinished = self.out / f"{treebank.code}.unfinished"
        words += ["--resume"] if unfinished.with_name(f"{unfinished.name}.checkpoint").exists() else []
        self.run(*words, *shlex.split(self.settings), "-o", unfinished, train, log=log)
        unfinished.rename(self.model(treebank.code))
        for step in STEPS:
            (self.out / f"{treebank.code}.{step}").unlink(missing_ok=True)

    def tag_silver(self, treebank: Treebank, silver: pathlib.Path, words: List[object],
                   log: Optional[IO[str]]) -> List[pathlib.Path]:
        """Trains all but the parser. Returns that model, the treebank with the tags of folds, and the silver words with
        the model's tags, which are those that the parser is to see."""
        base, folds, tagged = (self.out / f"{treebank.code}.{step}" for step in STEPS[1:])
        if not tagged.exists():
            only = "tagger,lemmatizer" if "--components-from" in words else "tokenizer,tagger,lemmatizer"
            self.run(*words, "--only", only, "--jackknifed", folds, *shlex.split(self.settings), "-o", base,
                     treebank.train, log=log)
            self.run("parse", "-q", "--skip-bad", "--tag", "-m", base, "-o", f"{tagged}.new", silver)
            pathlib.Path(f"{tagged}.new").rename(tagged)
        return [base, folds, tagged]

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
            start = time.monotonic()
            self.train(treebank)
            known = {"minutes": round((time.monotonic() - start) / 60, 1)}
        elif "settings" in known and known["settings"] != self.settings:
            print(f"{treebank.code}: is there, trained with the settings '{known['settings']}'; remove "
                  "it to train it again", file=sys.stderr)
        if "scores" not in known:
            print(f"{treebank.code}: scoring", file=sys.stderr)
            with tempfile.TemporaryDirectory() as folder:
                known |= {"settings": self.settings,
                          "packed": len(lzma.compress(self.model(treebank.code).read_bytes(), preset=9)),
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
               f"{maker.model(code).stat().st_size / 1e6:.1f} MB", f"{records[code]['packed'] / 1e6:.1f} MB",
               f"{records[code]['minutes']:.0f}" if "minutes" in records[code] else "-",
               of.get("dev LAS", "-"), f"`{records[code]['settings']}`" if records[code]["settings"] else "-"]
              for code, of in facts.items() if of]
    lines = ["# Models", "", f"Made by {maker.run('--version').strip()}, `make models`. The settings are "
             "those given besides the defaults of `dodona train`.", ""]
    lines += table({"model": "---", "language": "---", "treebank": "---", "licence": "---", "words": "---:",
                    "parser": "---", "size": "---:", "packed": "---:", "minutes": "---:", "dev LAS": "---:", "settings": "---"}, models)
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


def make_all(maker: Maker, treebanks: List[Treebank]) -> Optional[List[str]]:
    """The largest first, so that no long training is left for the end. Returns the codes of those that
    failed, or None after Ctrl-C."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(maker.jobs) as pool:
        made = {pool.submit(maker.make, treebank): treebank.code
                for treebank in sorted(treebanks, key=lambda one: -one.train.stat().st_size)}
        for future in concurrent.futures.as_completed(made):
            problem = future.exception()
            if isinstance(problem, subprocess.CalledProcessError) and problem.returncode in (130, -2):
                pool.shutdown(cancel_futures=True)
                return None
            if problem:
                failed.append(made[future])
                if not isinstance(problem, subprocess.CalledProcessError):
                    print(f"{made[future]}: {problem}", file=sys.stderr)
    return sorted(failed)


# ---- models that Dodona brings along


def why_closed(facts: Dict[str, str]) -> str:
    """Why a model cannot be given to everyone; empty if it can."""
    licence = facts.get("licence", "not known")
    if "language" not in facts:
        return "it is damaged, or names no language"
    return f"its licence is {licence}" if re.search(r"\bNC\b|^not known$", licence) else ""


def pack_one(maker: Maker, codes: List[str], target: pathlib.Path) -> str:
    """Returns why that was refused, or an empty string."""
    if len(codes) > 1:
        return f"{', '.join(codes)} are of one language; list one of them in ABOUT"
    packed = lzma.compress(maker.model(codes[0]).read_bytes(), preset=9)
    if len(packed) > LARGEST:
        return f"{codes[0]} takes {len(packed):,} bytes packed, more than {LARGEST:,}"
    target.write_bytes(packed)
    print(f"{target}: {codes[0]}, {len(packed):,} bytes")
    return ""


def pack(maker: Maker, folder: pathlib.Path, languages: List[str], listed: Dict[str, List[str]]) -> int:
    found: Dict[str, List[str]] = {}
    for code in (path.stem for path in sorted(maker.out.glob("*.dodona"))):
        facts = maker.facts(code)
        if languages and not {code, facts.get("language")} & set(languages):
            continue
        if why_closed(facts):
            print(f"{code}: not packed: {why_closed(facts)}", file=sys.stderr)
        else:
            found.setdefault(facts["language"], []).append(code)
    if not found:
        sys.exit(f"{maker.out}: there are no models to pack")
    folder.mkdir(parents=True, exist_ok=True)
    refused = [pack_one(maker, [code for code in codes if code in listed] or codes, folder / f"{language}.dodona.xz")
               for language, codes in sorted(found.items())]
    print("".join(f"refused: {reason}\n" for reason in refused if reason), end="", file=sys.stderr)
    return 1 if any(refused) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("treebanks", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--languages", default="", help="codes of languages or treebanks; all")
    parser.add_argument("--about", help="file of treebanks' names and licences")
    parser.add_argument("--settings", default="", help="further options of dodona train")
    parser.add_argument("--silver", type=pathlib.Path, help="folder of words that were labelled")
    parser.add_argument("--jobs", type=int, default=2, help="trainings at a time; 2")
    parser.add_argument("--version", default="", help="version of the models")
    parser.add_argument("--pack", default="", help="folder for packed models; train nothing")
    given = parser.parse_args()
    if given.pack:
        return pack(Maker(given.program, given.out), pathlib.Path(given.pack), given.languages.split(),
                    read_about(given.about))
    if not given.treebanks.is_dir():
        sys.exit(f"{given.treebanks}: there is no such folder")
    treebanks = find_treebanks(given.treebanks, given.languages.split(),
                               read_about(given.about))
    if not treebanks:
        sys.exit(f"{given.treebanks}: there are no treebanks")
    given.out.mkdir(parents=True, exist_ok=True)
    maker = Maker(given.program, given.out, given.settings.strip(), max(1, min(given.jobs, len(treebanks))),
                  given.version, given.silver)
    failed = make_all(maker, treebanks)
    if failed is None:
        return 130
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
