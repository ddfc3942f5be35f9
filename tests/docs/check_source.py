"""Folders of the source point one way: each includes only those before it in src/meson.build, and
docs/source.md lists them in that order. No two types have one name, and no three files."""

import collections
import pathlib
import re
import sys

import tap

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def read_order():
    text = (SOURCE / "src" / "meson.build").read_text()
    return re.findall(r"'(\w+)'", re.search(r"foreach room : \[(.*?)\]", text, re.S).group(1))


def find_breaches(order):
    """Includes of folders that stand later, as "file includes header"."""
    place = {room: i for i, room in enumerate(order)}
    for file in sorted((SOURCE / "src").rglob("*.[ch]")):
        room = file.relative_to(SOURCE / "src").parts[0]
        for header in re.findall(r'^#include "([^"]+)"', file.read_text(), re.M):
            other = header.split("/")[0]
            if "/" in header and place.get(other, len(order)) > place[room]:
                yield f"{file.relative_to(SOURCE)} includes {header}"


def find_unlisted(order):
    """What keeps docs/source.md from listing the folders in their order."""
    listed = re.findall(r"^\| `src/(\w+)/` \|", (SOURCE / "docs" / "source.md").read_text(), re.M)
    if listed != order:
        yield f"docs/source.md lists {listed}, src/meson.build {order}"


def find_namesakes():
    """Types that are defined in several files."""
    homes = collections.defaultdict(set)
    for file in [*(SOURCE / "src").rglob("*.[ch]"), *(SOURCE / "include").glob("*.h")]:
        for name in re.findall(r"^\} (dd_\w+);", file.read_text(), re.M):
            homes[name].add(str(file.relative_to(SOURCE)))
    return [f"{name}: {', '.join(sorted(files))}" for name, files in homes.items() if len(files) > 1]


def find_common_names():
    names = collections.Counter(file.name for folder in ("src", "tools")
                                for file in (SOURCE / folder).rglob("*.[ch]"))
    return [f"{name}: {count} files" for name, count in names.items() if count > 2]


order = read_order()
folders = {path.name for path in (SOURCE / "src").iterdir() if path.is_dir()}
sys.exit(tap.report([
    ("every folder of the source has its place", sorted(folders ^ set(order))),
    ("no folder includes a later one", list(find_breaches(order))),
    ("docs/source.md lists the folders in that order", list(find_unlisted(order))),
    ("no two types have one name", find_namesakes()),
    ("no three files have one name", find_common_names()),
]))
