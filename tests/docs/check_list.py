"""Whether each document that has examples is among those that are run; in TAP:

    check_list.py DOCUMENT...
"""

import pathlib
import sys

import document

ROOT = pathlib.Path(__file__).resolve().parents[2]

run = {pathlib.Path(path).resolve() for path in sys.argv[1:]}
missing = [path.name for path in sorted((ROOT / "docs").rglob("*.md"))
           if path.resolve() not in run and document.read(path)]
print("not ok" if missing else "ok", "1 - every document with examples is run", *missing)
print("1..1")
sys.exit(bool(missing))
