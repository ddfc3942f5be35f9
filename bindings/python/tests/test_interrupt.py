"""Ctrl-C, in a process of its own. Each call takes so long that only an interrupt can end it."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import dodona

from conftest import TRAIN

PROGRAM = """
import os, sys, tempfile, threading, dodona
TRAIN, MODEL = sys.argv[1:]
text = "Birds sing in the cold wind. " * 100000
TRAIN_TEXT = open(TRAIN, "rb").read()
conllu = TRAIN_TEXT * 2000
CHAIN = "".join(f"{{i}}\\tw\\t_\\t_\\t_\\t_\\t{{i % 3000 + (i < 3000)}}\\tdep\\t_\\t_\\n"
                for i in range(1, 3001)) + "\\n"

def feed(path):
    with open(path, "wb") as pipe:
        while True: pipe.write(TRAIN_TEXT)

def endless():
    path = os.path.join(tempfile.mkdtemp(dir="."), "endless.conllu")
    os.mkfifo(path)
    threading.Thread(target=feed, args=(path,), daemon=True).start()
    return path

try:
    print("started", flush=True)
    {call}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
LOAD = "nlp = dodona.load(MODEL); "
CALLS = {
    "train": "dodona.train(TRAIN, only='parser', iterations=10**6)",
    "train with progress": "dodona.train(TRAIN, only='parser', iterations=10**6, "
                           "progress=lambda report: None)",
    "train a tagger": "dodona.train(TRAIN, only='tagger', tagger_iterations=10**6)",
    "train in folds": "dodona.train(TRAIN, only='tagger,parser', jackknife=4, threads=2, "
                      "tagger_iterations=10**6)",
    "text": LOAD + "nlp(text, beam=300)",
    "conllu": LOAD + "nlp.parse_conllu(conllu, beam=300)",
    "pipe": LOAD + "list(nlp.pipe([text], beam=300))",
    "pipe of many": LOAD + "list(nlp.pipe(['Birds sing.'] * 10**6, beam=300))",
    "pipe in threads": LOAD + "list(nlp.pipe([text, text], beam=300, threads=2))",
    "columns": LOAD + "nlp.to_columns([text], beam=300)",
    "columns of many": LOAD + "nlp.to_columns((t for t in ['Birds sing.'] * 10**6), beam=300)",
    "columns in threads": LOAD + "nlp.to_columns([text, text], beam=300, threads=2)",
    "columns in chunks": LOAD + "list(nlp.to_columns([text] * 9, beam=300, chunk_size=1, errors=print))",
    "columns of one document": "doc = dodona.Doc.from_conllu(TRAIN_TEXT * 200)\n"
                               "    while True: doc.to_columns()",
    "evaluate": LOAD + "nlp.evaluate(endless())",
    "compare": "dodona.evaluate(endless(), endless())",
    "oracle": "list(dodona.oracle(conllu, 'covington'))",
    # Within one sentence:
    "text of one sentence": LOAD + "nlp(' '.join(['birds'] * 10**5), beam=300)",
    "columns of one sentence": LOAD + "nlp.to_columns([' '.join(['birds'] * 10**5)], beam=300)",
    "words": LOAD + "nlp.parse(['birds'] * 10**5, beam=300)",
    "nbest": LOAD + "nlp.nbest(['birds'] * 10**5, 100, beam=300)",
    "constraints": LOAD + "nlp.parse(['birds'] * 4000, spans=[(i, i + 9) for i in range(1, 3990, 20)], "
                          "leaves=range(1, 4000, 3), beam=300)",
    "one loss": "list(dodona.oracle(CHAIN, 'attardi', walk='random'))",
    "derivations": "list(dodona.optimal(CHAIN, 'covington-nm'))",
}


@pytest.fixture(scope="module")
def model(nlp, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "demo.dodona"
    nlp.save(path)
    return path


def interrupt(call, model, folder):
    environment = dict(os.environ, PYTHONPATH=os.fspath(pathlib.Path(dodona.__file__).parents[1]))
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(call=call), os.fspath(TRAIN), os.fspath(model)],
        stdout=subprocess.PIPE, text=True, env=environment, cwd=folder)
    try:
        assert program.stdout.readline() == "started\n"
        time.sleep(1)  # the call is under way
        program.send_signal(signal.SIGINT)
        out, _ = program.communicate(timeout=60)
    finally:
        program.kill()
    return program.returncode, out


def test_timeouts(nlp):
    many, chain = ["birds"] * 10 ** 5, "".join(
        f"{i}\t_\t_\t_\t_\t_\t{i + 1 if i < 3000 else 0}\tdep\t_\t_\n" for i in range(1, 3001)) + "\n"
    for call in (lambda: nlp(" ".join(many), beam=300, timeout=0.1),
                 lambda: nlp.parse(many, beam=300, timeout=0.1),
                 lambda: nlp.nbest(many, 100, beam=300, timeout=0.1),
                 lambda: nlp.parse_conllu(chain, beam=1000, timeout=0.1),
                 lambda: list(dodona.oracle(chain, "attardi", walk="random", timeout=0.1)),
                 lambda: list(dodona.optimal(chain, "covington-nm", timeout=0.1))):
        with pytest.raises(TimeoutError, match="not done within 0.1 seconds"):
            call()
    assert nlp("Birds sing.", timeout=60)[0].deprels == nlp("Birds sing.")[0].deprels
    with pytest.raises(dodona.ArgumentError, match="timeout must be above 0"):
        nlp("Birds sing.", timeout=0)
    with pytest.raises(TypeError, match="timeout is a number of seconds"):
        nlp("Birds sing.", timeout="1")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_ctrl_c_ends_it(call, model, tmp_path):
    assert interrupt(call, model, tmp_path) == (0, "stopped\n")
