"""Ctrl-C, in a process of its own."""

import os
import pathlib
import signal
import subprocess
import sys

import dodona

from conftest import TRAIN

PROGRAM = """
import sys, dodona
def progress(report):
    if report.finished:
        print(report.iteration, flush=True)
try:
    dodona.train(sys.argv[1], iterations=10**6, progress={progress})
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def run(progress, started):
    environment = dict(os.environ, PYTHONPATH=os.fspath(pathlib.Path(dodona.__file__).parents[1]))
    program = subprocess.Popen([sys.executable, "-c", PROGRAM.format(progress=progress),
                                os.fspath(TRAIN)], stdout=subprocess.PIPE, text=True,
                               env=environment)
    started(program)
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=60)
    return program.returncode, out.split()


def test_ctrl_c_stops_training():
    status, lines = run("progress", lambda program: program.stdout.readline())
    assert status == 0 and lines[-1] == "stopped"
