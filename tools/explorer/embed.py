"""Writes the explorer's page as C string literals, cut where the data belongs:
embed.py PAGE STYLE SCRIPT... > explorer.inc"""
import sys


def compose(page, style, *scripts):
    return page.replace("@STYLE@\n", style).replace("@SCRIPT@\n", "\n".join(scripts))


def literal(name, text):
    print(f"static const char {name}[] =")
    for line in text.splitlines(keepends=True):
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        print(f'    "{escaped}"')
    print("    ;")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    before, after = compose(*(read(path) for path in sys.argv[1:])).split("@DATA@")
    literal("explorer_before", before)
    literal("explorer_after", after)
