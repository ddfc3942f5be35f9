"""Looks at a page in headless Chromium: browser.py PAGE explorer|svg
Exits with 77 where there is no Chromium."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from chromium import CHROMIUM, Chromium


def check_explorer(browser):
    def text(selector):
        return browser.get(f"document.querySelector({json.dumps(selector)}).textContent")

    def texts(selector):
        return browser.get(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def step():
        return int(browser.get("document.body.dataset.step"))

    def same(what, expected):
        assert what == expected, (what, expected)

    data = browser.get("JSON.parse(document.getElementById('data').textContent)")
    index = next(i for i, each in enumerate(data["sentences"]) if each["mistake"] > 0)
    sentence = data["sentences"][index]
    last = len(sentence["steps"]) - 1
    form = lambda node: "ROOT" if node == 0 else sentence["words"][node - 1][0]

    def check_step():
        now = sentence["steps"][step()]
        for box, key in ("stack", "s"), ("passed", "p"), ("buffer", "b"):
            nodes = [n for a, b in now.get(key, []) for n in range(a, b + 1)]
            same(texts(f"#{box} .node bdi"), [form(node) for node in nodes])
        same(texts("#moves .name"), [move[0] for move in now.get("m", [])])
        if "m" not in now:
            return
        same(texts("#moves .cost"), [str(move[3]) for move in now["m"]])
        same(texts("#moves .score"), ["" if m[4] is None else f"{m[4]:.2f}" for m in now["m"]])
        same(texts("#moves tr.chosen .name"), [now["m"][now["c"]][0]])
        least = min(move[3] for move in now["m"])
        same(len(texts("#moves .best")), sum(move[3] == least for move in now["m"]))
        arcs = sum(len(each["d"]) for each in sentence["steps"][:step() + 1])
        built = 1 if now["m"][now["c"]][2] > 0 else 0
        # Heads that are replaced are told twice; the test's sentences may have none.
        assert len(texts("#tree .arc")) <= arcs + built
        same(len(texts("#tree .new")), built)

    def check_labels():
        """A right arc with a wrong label shows both, also beside gold arcs; no label covers another."""
        at = [(s, i) for s, each in enumerate(data["sentences"]) for i, one in enumerate(each.get("steps", []))
              if one.get("w") and one["m"][one["c"]][1] == each["gold"][one["m"][one["c"]][2] - 1][0]]
        for s, i in at[:3]:
            here = data["sentences"][s]
            browser.get(f"choose({s}, {i}), toggleGold(true)")
            right = here["gold"][here["steps"][i]["m"][here["steps"][i]["c"]][2] - 1][1]
            same(texts("#tree .new.mislabelled .label"), [f"{here['steps'][i]['l']} ({right})"])
            assert f"arc right, label wrong: gold {right}" in text("#status .bad"), text("#status")
            check_svg(browser, 1)
        browser.get(f"toggleGold(false), choose({index}, {sentence['mistake']})")
        return len(at)

    def first_choice(of):
        return next(i for i, one in enumerate(of["steps"]) if len(one["m"]) > 1)

    same(step(), first_choice(data["sentences"][0]))
    same(texts("#sentence option").__len__(), len(data["sentences"]))
    for _ in range(index):
        browser.press("n")
    same(texts("#tree .form"), [word[0] for word in sentence["words"]])
    same(step(), first_choice(sentence))
    browser.press("Home")
    for expected in range(last + 1):
        same(step(), expected)
        check_step()
        browser.press("ArrowRight")
    same(step(), last)
    assert "heads right" in text("#end")
    same(len(texts("#tree .arc")), len(sentence["words"]))
    browser.press("ArrowLeft")
    same(step(), last - 1)
    browser.press("Home")
    same(step(), 0)
    assert browser.get("document.getElementById('back').disabled")
    browser.press("End")
    same(step(), last)
    browser.press("m")
    same(step(), sentence["mistake"])
    assert "the first mistake" in text("#status .bad"), text("#status")
    assert texts("#moves tr.chosen.bad .name")
    check_step()
    check_labels()
    before = len(texts("#tree .gold"))
    browser.press("g")
    assert len(texts("#tree .gold")) > before == 0
    browser.press("g")
    for button, expected in ("#first", 0), ("#forward", 1), ("#back", 0), ("#last", last), ("#mistake", sentence["mistake"]):
        browser.click(button)
        same(step(), expected)
    if index + 1 < len(data["sentences"]):
        browser.click("#behind")
        same(int(browser.get("document.body.dataset.sentence")), index + 1)
        browser.press("p")
        same(int(browser.get("document.body.dataset.sentence")), index)
    if len(data["sentences"]) == 1:
        assert browser.get("document.getElementById('mistake').disabled") is False


def check_svg(browser, least=100):
    """No word or label overlaps another, in the fonts that there are."""
    boxes = browser.get("[...document.querySelectorAll('.form, .tag, .label')].map(e => {"
                        "const b = e.getBoundingClientRect();"
                        "return [e.textContent, b.left, b.top, b.right, b.bottom, e.className.baseVal]})")
    assert len(boxes) > least
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = (one[3] <= other[1] or other[3] <= one[1] or
                     one[4] - 3 <= other[2] or other[4] - 3 <= one[2])
            assert apart, (one, other)


if not CHROMIUM:
    sys.exit(77)
with Chromium() as browser:
    browser.open("file://" + os.path.abspath(sys.argv[1]))
    {"explorer": check_explorer, "svg": check_svg}[sys.argv[2]](browser)
