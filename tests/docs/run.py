"""Runs the examples of a document and compares what they print; in TAP:

    run.py [--update] DOCUMENT BUILD CC

document.py says what is an example. All run in one fresh folder, which has a copy of examples/ and
nothing else, so that no example can reach a treebank or write into the tree; $DOCS is the folder of
the documents.

What a command prints, on both channels, must be what the document shows, where `…` stands for
anything: for any number of lines if it is alone, else for any characters. Speeds and times are not
compared. A command that prints nothing must succeed. `cat FILE` of a file that is not there makes it
of what is shown.

--update writes what is printed into the document, but not where it has `…`.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import document

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LONGEST = 300  # seconds that one command may take; a hung one must not hang the tests
SPEED = re.compile(r"[\d,]+ words/s( +\d+:\d\d left)?|[\d.]+ s(, [^,]+ left)?$")


def comparable(lines):
    lines = [SPEED.sub("N", line.rstrip()) for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def matches(expected, printed):
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else
                      ".*".join(map(re.escape, line.split("…"))) + r"\n"
                      for line in comparable(expected))
    return re.fullmatch(pattern, "".join(line + "\n" for line in comparable(printed))) is not None


class Runner:
    def __init__(self, folder, build, compiler):
        self.folder = folder
        self.number = self.failures = 0
        tools = folder / ".tools"
        tools.mkdir()
        (tools / "cc").symlink_to(shutil.which(compiler))
        shutil.copytree(ROOT / "examples", folder / "examples")
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{build}:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": os.fspath(build / "meson-uninstalled"),
            "LD_LIBRARY_PATH": os.fspath(build),
            "LC_ALL": "C.UTF-8",
            "DOCS": os.fspath(ROOT / "docs"),
        }
        # Models that the user has must not be found.
        self.environment["XDG_DATA_HOME"] = os.fspath(folder / ".data")
        for name in ("DODONA_MODEL", "DODONA_MODELS"):
            self.environment.pop(name, None)

    def tell(self, step, name, problem=None, skip=None):
        self.number += 1
        self.failures += problem is not None
        word = "ok" if problem is None else "not ok"
        # `#` would begin a directive.
        name = " ".join(name.split()).replace("#", "")[:100]
        print(f"{word} {self.number} - line {step.line}: {name}" + (f" # SKIP {skip}" if skip else ""))
        for line in (problem or "").splitlines():
            print("#", line)
        sys.stdout.flush()

    def shell(self, command):
        """Its status and what it printed."""
        with subprocess.Popen(["bash", "-c", command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, start_new_session=True) as child:
            try:
                output, _ = child.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)  # the pipeline that it started, all of it
                return -1, f"not done after {LONGEST} s"
            return child.returncode, output.decode("utf-8", "replace")

    def session(self, step):
        """What the command printed if that is not what is shown."""
        shown = re.fullmatch(r"cat ([\w.-]+)", step.text)
        if shown and not (self.folder / shown[1]).exists():
            (self.folder / shown[1]).write_text("\n".join(step.expected) + "\n", "utf-8")
            return None
        status, output = self.shell(step.text)
        printed = output.splitlines()
        right = matches(step.expected, printed) and (printed or status == 0)
        self.tell(step, step.text, None if right else f"status {status}, and it printed:\n{output}")
        return None if right else [line.rstrip() for line in printed]

    def part_of_a_program(self, step):
        (self.folder / "part.c").write_text(step.text, "utf-8")
        self.claim(step, "a part of a C program",
                   "dodona train --quiet --iterations 3 -o part.dodona examples/demo-train.conllu && "
                   "cc -std=c17 -Wall -Wextra -Werror -I . $(pkg-config --cflags dodona) "
                   f"{HERE / 'part_main.c'} $(pkg-config --libs dodona) -o part && "
                   "./part part.dodona examples/demo-test.conllu")

    def claim(self, step, name, command):
        status, output = self.shell(command)
        self.tell(step, name, None if status == 0 else f"status {status}\n{output}")

    def run(self, step):
        if step.kind == "session":
            return self.session(step)
        if step.kind == "skip":
            self.tell(step, step.text.strip().split("\n")[0], skip=step.detail)
        elif step.kind == "file":
            (self.folder / step.detail).write_text(step.text, "utf-8")
        elif step.kind == "run":
            self.claim(step, step.text, step.text)
        elif step.kind == "c":
            self.part_of_a_program(step)
        else:
            self.tell(step, step.text, "an example that is not run; see tests/docs/document.py")
        return None


def update(path, changes):
    lines = path.read_text("utf-8").splitlines()
    for step, printed in reversed(changes):
        if "…" in "".join(step.expected):
            print(f"# line {step.line} has …: left as it is")
            continue
        while printed and not printed[-1]:
            printed.pop()
        new = [document.INDENT + line if line else "" for line in printed]
        lines[step.after - 1 - len(step.expected):step.after - 1] = new
    path.write_text("\n".join(lines) + "\n", "utf-8")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    path, build, compiler = pathlib.Path(arguments[0]), pathlib.Path(arguments[1]), arguments[2]
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(pathlib.Path(folder), build.resolve(), compiler)
        for step in document.read(path):
            printed = runner.run(step)
            if printed is not None:
                changes.append((step, printed))
    print(f"1..{runner.number}" + ("" if runner.number else " # SKIP no examples"))
    if "--update" in sys.argv:
        update(path, changes)
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
