"""Checks that a file is well-formed XML and holds drawings whose labels and words stand inside and are
as many as expected, and that say without a style sheet what they look like:
check_svg.py FILE ROOT WORDS ARCS"""
import re
import sys
import xml.etree.ElementTree as tree

path, root_name, words, arcs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
text = open(path, encoding="utf-8", newline="").read()
assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u2028]", text)
root = tree.fromstring(text)
SVG = "{http://www.w3.org/2000/svg}"
assert root.tag.split("}")[1] == root_name, root.tag
drawings = [root] if root_name == "svg" else root.findall(f".//{SVG}svg")
found_words = found_arcs = 0
for drawing in drawings:
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    assert drawing.get("viewBox") == f"0 0 {width:g} {height:g}"
    assert drawing.get("font-family") and drawing.get("text-anchor")
    found_words += sum(item.get("class").startswith("form") for item in drawing.iter(f"{SVG}text"))
    found_arcs += len({(arc.get("data-head"), arc.get("data-dependent"), arc.get("class"))
                       for arc in drawing.iter(f"{SVG}g") if arc.get("data-head")})
    for item in drawing.iter(f"{SVG}text"):
        assert 0 < float(item.get("x")) < width and 0 < float(item.get("y")) < height
        assert item.get("font-size") and re.fullmatch("#[0-9a-f]{6}", item.get("fill")), item.attrib
    for path in drawing.iter(f"{SVG}path"):
        assert re.fullmatch("#[0-9a-f]{6}", path.get("stroke") if path.get("fill") == "none"
                            else path.get("fill")), path.attrib
        assert re.fullmatch(r"(?:[MmHhVvAqlz]|-?\d+| )+", path.get("d")), path.get("d")
assert (found_words, found_arcs) == (words, arcs), (found_words, found_arcs)
