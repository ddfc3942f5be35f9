"""Drives headless Chromium through the pipes of its DevTools protocol, so that keys are real keys.
browser.py PAGE explorer|svg   exits with 77 where there is no Chromium"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "End": 35, "Home": 36}


class Browser:
    def __init__(self, profile):
        from_us, to_it = os.pipe()
        from_it, to_us = os.pipe()

        def hand_over():
            # Chromium reads from 3 and writes to 4.
            reads, writes = os.dup(from_us), os.dup(to_us)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={profile}"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.to_it, self.from_it = to_it, from_it
        self.session, self.count, self.left, self.events = None, 0, b"", []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def read(self):
        while b"\0" not in self.left:
            piece = os.read(self.from_it, 1 << 16)
            assert piece, "Chromium went away"
            self.left += piece
        message, self.left = self.left.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_it, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer.get("method"))

    def open(self, path):
        self.call("Page.enable")
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        # It may have come before the answer.
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.read().get("method"))

    def get(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key):
        code = KEYS.get(key) or ord(key.upper())
        text = {} if key in KEYS else {"text": key}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector):
        self.get(f"document.querySelector({json.dumps(selector)}).click()")

    def close(self):
        self.process.kill()
        self.process.wait()


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

    same(step(), 0)
    same(texts("#sentence option").__len__(), len(data["sentences"]))
    for _ in range(index):
        browser.press("n")
    same(texts("#tree .form"), [word[0] for word in sentence["words"]])
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
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        browser.open(sys.argv[1])
        {"explorer": check_explorer, "svg": check_svg}[sys.argv[2]](browser)
    finally:
        browser.close()
