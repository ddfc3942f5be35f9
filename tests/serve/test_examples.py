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

from harness import Server, equal, run_all, test, test_unless

program, document = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
units = pathlib.Path(sys.argv[3])


def has(*command):
    return shutil.which(command[0]) and subprocess.run(command, capture_output=True, check=False).returncode == 0


def example(language, number, command, missing=None):
    """Runs an example of the document, of those in its language, and checks what it prints."""
    def register(check):
        def run(server):
            text = re.findall(rf"^```{language}\n(.*?)^```$", document, re.M | re.S)[number]
            text = text.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
            done = subprocess.run([*command, text], capture_output=True, text=True, timeout=120,
                                  encoding="utf-8", check=False)
            equal((done.returncode, done.stderr), (0, ""))
            check(done.stdout)
        run.__doc__ = check.__doc__
        test_unless(missing)(run)
        return check
    return register


@test
def all_are_run(_):
    """there is no example that is not run"""
    equal(re.findall(r"^```(sh|python|javascript|r)$", document, re.M), ["sh", "python", "javascript", "r", "r"])


@example("sh", 0, ["bash", "-euc"], None if has("curl", "--version") else "curl is not installed")
def shell(told):
    """curl"""
    assert '"result"' in told and "</svg>" in told, told


@example("python", 0, [sys.executable, "-c"])
def python(told):
    """Python"""
    equal(told, "bird sing\ncat sleep\n")


@example("javascript", 0, ["node", "-e"], None if has("node", "-e", "fetch") else "there is no Node.js with fetch")
def javascript(told):
    """JavaScript"""
    equal(told.splitlines()[1], "2 sing 0 root")


@example("r", 0, ["Rscript", "-e"], None if has("Rscript", "--version") else "R is not installed")
def base_r(told):
    """R alone"""
    equal([line.split() for line in told.splitlines()], [["lemma", "head"], ["bird", "4"], ["cat", "3"]])


@example("r", 1, ["Rscript", "-e"], None if has("Rscript", "-e", "library(httr); library(jsonlite)")
         else "R is not installed, or lacks httr or jsonlite")
def r_with_packages(told):
    """R with packages"""
    assert "\t0\troot\t" in told, told


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
