"""Runs pytest over the package's tests and the examples of docs/python.md, and reports in TAP:

    run_pytest.py FIRST_NUMBER PACKAGE
"""

import os
import pathlib
import sys

import pytest

import dodona


class Tap:
    """Prints a line for each test as soon as it is done, and the plan in the end."""

    def __init__(self, first, out):
        self.number = first - 1
        self.out = out

    def tell(self, line):
        print(line, file=self.out, flush=True)

    def pytest_runtest_logreport(self, report):
        # One line a test: its call, or what failed or skipped it before or behind.
        if report.when != "call" and report.outcome == "passed":
            return
        self.number += 1
        word = "not ok" if report.failed else "ok"
        skip = f" # SKIP {report.longrepr[2]}" if report.skipped else ""
        self.tell(f"{word} {self.number} - {report.nodeid.split('/')[-1]}{skip}")
        if report.failed:
            for line in [*report.longreprtext.splitlines(), *report.capstdout.splitlines()]:
                self.tell(f"# {line}")

    def pytest_collectreport(self, report):
        if report.failed:
            self.number += 1
            self.tell(f"not ok {self.number} - {report.nodeid}")
            for line in report.longreprtext.splitlines():
                self.tell(f"# {line}")


def main():
    package = pathlib.Path(sys.argv[2]).resolve()
    assert package not in pathlib.Path(dodona.__file__).resolve().parents, "not the installed one"
    tap = Tap(int(sys.argv[1]), sys.stdout)
    arguments = ["-p", "no:cacheprovider", "-p", "no:terminal", "--rootdir", os.fspath(package),
                 os.fspath(package / "tests")]
    sys.dont_write_bytecode = True
    status = pytest.main(arguments, plugins=[tap])
    tap.tell(f"1..{tap.number}")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
