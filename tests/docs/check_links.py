"""Whether what the documents link to is there, headings too; in TAP:

    check_links.py
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [path for pattern in ("*.md", "docs/**/*.md", "*/README.md", "bindings/*/README.md")
             for path in sorted(ROOT.glob(pattern))]


def text_of(path):
    """Without code, which has brackets of its own."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.M | re.S)
    return re.sub(r"^    .*$", "", text, flags=re.M)


def anchors(path):
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)$", text_of(path), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(path):
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text_of(path))):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if link.startswith(("http:", "https:")):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{path.relative_to(ROOT)}: {link}"


dead = [link for path in DOCUMENTS for link in dead_links(path)]
print("not ok" if dead else "ok", "1 - links lead somewhere")
for line in dead:
    print("#", line)
print("1..1")
sys.exit(bool(dead))
