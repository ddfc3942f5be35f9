"""What sentences of several files are called, as the program calls them."""

import os
import re
from typing import List, Sequence, Tuple

# Controls, marks of direction and separators of lines, and bytes that are no UTF-8.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
                     "\u2028\u2029\ud800-\udfff]")
_WHITE = re.compile("[ \t-\r]")


def _stem(path: str) -> str:
    """texts/a b.txt.gz -> a_b"""
    name = path.rpartition("/")[2] or path
    for ending in (".gz", ".zst"):
        if name.endswith(ending) and len(name) > len(ending):
            name = name[:-len(ending)]
            break
    head = name.rpartition(".")[0]
    return _WHITE.sub("_", _HIDDEN.sub("_", head or name))


def _distinct(names: Sequence[str]) -> List[str]:
    """NAME-2, NAME-3 .. for names that are taken."""
    taken, out = set(), []
    for name in names:
        chosen, number = name, 2
        while chosen in taken:
            chosen, number = f"{name}-{number}", number + 1
        taken.add(chosen)
        out.append(chosen)
    return out


def name_documents(paths: Sequence[bytes]) -> List[Tuple[str, str]]:
    """Ids of documents, and prefixes of the ids of their sentences; one file needs none."""
    if len(paths) < 2:
        return [("", "")] * len(paths)
    shown = [os.fsencode(path).decode("utf-8", "surrogateescape") for path in paths]
    return list(zip(_distinct([_HIDDEN.sub("_", path) for path in shown]),
                    _distinct([_stem(path) for path in shown])))
