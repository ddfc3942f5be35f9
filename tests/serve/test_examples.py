"""The examples of docs/server.md, where the tools for them are, and the units for systemd:

    test_examples.py PROGRAM DOCUMENT UNITS
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from harness import Server, equal, run_all, test

program, document = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
units = pathlib.Path(sys.argv[3])
TOOLS = {"sh": (["bash", "-euc"], "curl"), "python": ([sys.executable, "-c"], sys.executable),
         "javascript": (["node", "-e"], "node"), "r": (["Rscript", "-e"], "Rscript")}


def has(language):
    """node before 18 has no fetch, and R may lack the packages."""
    tool = TOOLS[language][1]
    check = {"javascript": ["node", "-e", "fetch"],
             "r": ["Rscript", "-e", "library(httr); library(jsonlite)"]}.get(language)
    return shutil.which(tool) and (not check or subprocess.run(check, capture_output=True,
                                                               check=False).returncode == 0)


def run(server, language):
    """What the examples of the document print; None: the tool is not there."""
    if not has(language):
        return None
    text = "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", document, re.M | re.S))
    assert text, f"the document has no example in {language}"
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    done = subprocess.run([*TOOLS[language][0], text], capture_output=True, text=True, timeout=120,
                          encoding="utf-8", check=False)
    equal((done.returncode, done.stderr), (0, ""))
    return done.stdout


@test
def shell(server):
    """curl"""
    told = run(server, "sh")
    assert told is None or ('"result"' in told and "</svg>" in told), told


@test
def python(server):
    """Python"""
    equal(run(server, "python"), "bird sing\ncat sleep\n")


@test
def javascript(server):
    """JavaScript, if Node.js is there"""
    told = run(server, "javascript")
    assert told is None or told.splitlines()[1] == "2 sing 0 root", told


@test
def r(server):
    """R, if it is there with httr and jsonlite"""
    told = run(server, "r")
    assert told is None or "\t0\troot\t" in told, told


@test
def systemd(_):
    """systemd takes the units, if it is there, and finds them locked down"""
    if not shutil.which("systemd-analyze"):
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in "dodona.service", "dodona.socket":
            text = (units / name).read_text(encoding="utf-8")
            text = re.sub(r"^ExecStart=\S+", f"ExecStart={program}", text, flags=re.M)
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        service = f"{folder}/dodona.service"
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", service], text=True,
                              capture_output=True, check=False)
        problems = [line for line in done.stderr.splitlines() if "dodona" in line]
        equal(problems, [])
        done = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=20",
                               service], text=True, capture_output=True, check=False)
        unknown = "unrecognized option" in done.stderr or "Failed to" in done.stderr
        assert unknown or done.returncode == 0, done.stdout[-500:] + done.stderr


with Server(program, ["--quiet", "--threads", "1"]) as server:
    run_all(server)
