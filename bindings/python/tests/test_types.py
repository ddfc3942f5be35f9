"""Type hints: complete, and right as a type checker sees them from outside."""

import os
import pathlib
import subprocess
import sys

import pytest

import dodona

PACKAGE = pathlib.Path(dodona.__file__).parent
CONFIGURATION = pathlib.Path(__file__).resolve().parents[1] / "pyproject.toml"

PROGRAM = """
from typing import List, Optional
import dodona

nlp: dodona.NLP = dodona.load("en")
doc: dodona.Doc = nlp("Birds sing.", arcs=[(0, "root", 2)])
sentence: dodona.Sentence = doc[0]
some: List[dodona.Word] = sentence[1:]
word: dodona.Word = sentence[0]
start: Optional[int] = word.start
forms: List[str] = [child.form for child in word.children]
docs: List[dodona.Doc] = list(nlp.pipe(["a", b"b"], threads="auto"))
kept: List[dodona.Doc] = list(nlp.pipe(["a", "b"], errors=print))
forms_of_all: object = nlp.to_columns(["a"], ids=[1], columns=["form"], threads=2)["form"]
chunk: object = next(nlp.to_columns(["a"], chunk_size=3, errors="skip", max_words=9))["form"]
frame = nlp.to_pandas(({"text": "a"} for _ in range(2)), categories=["upos"], format="text")
chunks: List[dodona.Chunk] = doc.noun_chunks
phrase: List[dodona.Word] = [chunks[0].root, *chunks[0], *word.lefts, word.left_edge]
skipped: List[dodona.Skipped] = []
error: Exception = skipped[0].error
model: dodona.NLP = dodona.train("x.conllu", iterations=3, only=["parser"])
"""
WRONG = {
    "nlp(None)": "arg-type", "nlp.pipe(3)": "arg-type", "doc['x']": "call-overload",
    "word.from_": "attr-defined", "dodona.load(3)": "arg-type",
    "len(word.start)": "arg-type", "nlp.to_columns(['a'])[0]": "index",
    "nlp.to_pandas(['a'], threads=None)": "arg-type",
    "nlp.pipe(['a'], errors=3)": "arg-type",
}


def check(arguments, folder):
    pytest.importorskip("mypy")
    environment = dict(os.environ)
    if PACKAGE.parent.name != "site-packages":  # where it is found anyway
        environment["MYPYPATH"] = os.fspath(PACKAGE.parent)
    command = [sys.executable, "-m", "mypy", "--cache-dir", os.fspath(folder / "cache"), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_the_package_is_typed_throughout(tmp_path):
    status, out = check(["--strict", "--config-file", os.fspath(CONFIGURATION),
                         os.fspath(PACKAGE)], tmp_path)
    assert status == 0, out
    assert (PACKAGE / "py.typed").exists()


def test_programs_are_checked(tmp_path):
    lines = PROGRAM.splitlines() + list(WRONG)
    program = tmp_path / "program.py"
    program.write_text("\n".join(lines) + "\n")
    _, out = check(["--config-file", os.fspath(CONFIGURATION), os.fspath(program)], tmp_path)
    found = [line for line in out.splitlines() if line.startswith("program.py:")]
    first = len(PROGRAM.splitlines()) + 1
    for number, (call, code) in enumerate(WRONG.items(), first):
        assert any(line.startswith(f"program.py:{number}: error:") and f"[{code}]" in line
                   for line in found), (call, out)
    assert all(int(line.split(":")[1]) >= first for line in found), out
