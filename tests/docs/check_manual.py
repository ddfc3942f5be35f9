"""Whether man/libdodona.3 has what the library has, and its example runs; in TAP:

    check_manual.py BUILD CC

Every public function of the headers is named in the page, and no other name in the page is one that the
headers do not have; neither may a header declare a function that the library does not export. Inline
functions are public, but not exported.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ("dodona.h", "dodona_tools.h")


def without_escapes(page):
    return page.replace(r"\-", "-").replace(r"\e", "\\")


def example_runs(page, build, compiler):
    """What went wrong, if anything."""
    source = re.search(r"^\.EX\n(.*?)^\.EE$", page, re.M | re.S)[1]
    environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled"),
                   "LD_LIBRARY_PATH": str(build)}
    command = f"""
        {compiler} -std=c17 -Wall -Wextra -Werror heads.c $(pkg-config --cflags --libs dodona) -o heads &&
        {build}/dodona train -q --iterations 3 -o model {ROOT}/examples/demo-train.conllu &&
        ./heads model <{ROOT}/examples/demo-test.conllu >out &&
        test "$(grep -c ' 0 root$' out)" = 16 && ! ./heads 2>err && grep -qx 'usage: heads MODEL' err"""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "heads.c").write_text(source, "utf-8")
        ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return [] if ran.returncode == 0 else [f"status {ran.returncode}", *ran.stdout.splitlines()]


def main():
    build, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    page = without_escapes((ROOT / "man" / "libdodona.3").read_text("utf-8"))
    header = "".join((ROOT / "include" / name).read_text("utf-8") for name in HEADERS)
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    declared = set(re.findall(r"^DD_API [^;]*?\b(dd_\w+)\(", code, re.M))
    functions = declared | set(re.findall(r"^static inline [^;]*?\b(dd_\w+)\(", code, re.M))
    listed = set(re.findall(r"\b(dd_\w+) \(\)", page))
    names = set(re.findall(r"\b(?:dd_|DD_)\w+", page))
    known = set(re.findall(r"\b(?:dd_|DD_)\w+", code))
    exported = set(re.findall(r" T (dd_\w+)$", subprocess.run(
        ["nm", "-D", "--defined-only", build / "libdodona.so"], check=True, text=True,
        stdout=subprocess.PIPE).stdout, re.M))
    packaged = set(re.findall(r"^ (dd_\w+)@Base ", (
        ROOT / "debian" / "libdodona0.symbols").read_text("utf-8"), re.M))
    claims = [
        ("every public function is in the page", sorted(functions - listed)),
        ("every function in the page is public", sorted(listed - functions)),
        ("every other name in the page is in the header", sorted(names - known)),
        ("the library exports what the header declares", sorted(declared ^ exported)),
        ("debian/libdodona0.symbols lists it (scripts/symbols.sh)", sorted(packaged ^ exported)),
        ("the example compiles and runs", example_runs(page, build, compiler)),
    ]
    return tap.report(claims)


if __name__ == "__main__":
    sys.exit(main())
