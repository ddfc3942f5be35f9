"""The page of `dodona serve` in headless Chromium, for tests of it:

    @browse
    def first_tree(page):
        \"\"\"what it is to do\"\"\"
        page.open(text="Birds sing.")

    run_pages(program)
"""

import contextlib
import json
import pathlib
import re
import sys
import urllib.parse

from harness import Server, equal, run_all, test_unless

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from chromium import CHROMIUM, Chromium


class Page:
    def __init__(self, browser, server):
        self.browser, self.port = browser, server.port
        for domain in "Log", "Runtime":
            browser.call(f"{domain}.enable")
        browser.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def open(self, width=1000, dark=False, wait=True, **link):
        browser = self.browser
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1,
                     mobile=width < 500)
        browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        browser.open("about:blank")  # else only the part after "#" would change
        query = "#" + urllib.parse.urlencode(link, doseq=True) if link else ""
        browser.open(f"http://127.0.0.1:{self.port}/{query}")
        if wait:
            browser.wait("document.querySelector('g.word')")

    @contextlib.contextmanager
    def of(self, other):
        """Meanwhile it is that of another server."""
        port, self.port = self.port, other.port
        try:
            yield
        finally:
            self.port = port

    def texts(self, selector):
        return self.browser.get(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def forms(self):
        return self.texts("#trees .form")

    def arcs(self):
        """{(head, dependent): label} of the first tree"""
        return self.arcs_in("#trees .tree")

    def arcs_in(self, box):
        return {(head, word): label for head, word, label in self.browser.get(
            f"[...document.querySelector({json.dumps(box)}).querySelectorAll('.arc[data-dependent]:not(.forbidden)')].map(e =>"
            "[+e.dataset.head, +e.dataset.dependent, e.querySelector('.label')?.textContent])")}

    def click(self, selector, text=None):
        """As a mouse would, on the only one that has the text."""
        found = self.browser.get(
            f"(() => {{ const all = [...document.querySelectorAll({json.dumps(selector)})].filter(e =>"
            f"{json.dumps(text)} === null || e.textContent === {json.dumps(text)});"
            "if (all.length) { all[0].scrollIntoView({block: 'center'}); const b = all[0].getBoundingClientRect();"
            "return [b.left + b.width / 2, b.top + b.height / 2]; } })()")
        assert found, f"no {selector} with {text}"
        for kind in "mousePressed", "mouseReleased":
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=found[0], y=found[1],
                              button="left", clickCount=1)

    def word(self, number):
        self.click(f'g.word[data-word="{number}"] .form')

    def wait_arc(self, head, word, there=True):
        forbidden = ":not(.forbidden)"
        arc = f'.arc{forbidden}[data-head="{head}"][data-dependent="{word}"]'
        self.browser.wait(f"{'' if there else '!'}document.querySelector('{arc}')")

    def type(self, text):
        self.browser.get("document.getElementById('text').select()")
        self.browser.get("document.getElementById('text').focus()")
        self.browser.call("Input.insertText", text=text)

    def wait_forms(self, forms):
        self.browser.wait(f"JSON.stringify([...document.querySelectorAll('#trees .form')]"
                          f".map(e => e.textContent)) === {json.dumps(json.dumps(forms, separators=(',', ':')))}")

    def select(self, name, value):
        self.browser.get(f"(e => {{ e.value = '{value}'; e.dispatchEvent(new Event('change')); }})"
                         f"(document.getElementById('{name}'))")

    def problems(self):
        """What the console has, but for answers that are refusals, which the test asked for."""
        log = [one["entry"]["text"] for one in self.browser.happened("Log.entryAdded")]
        log = [text for text in log if not re.search("status of 4(01|22)", text)]
        told = [str(one["args"]) for one in self.browser.happened("Runtime.consoleAPICalled")]
        thrown = [str(one["exceptionDetails"]) for one in self.browser.happened("Runtime.exceptionThrown")]
        return log + told + thrown


def browse(function):
    def run(_, page):
        function(page)
        equal(page.problems(), [])
    run.__doc__ = f"in Chromium: {function.__doc__}"
    test_unless(None if CHROMIUM else "Chromium is not installed")(run)
    return function


def run_pages(program):
    with Server(program, ["--threads", "1", "--quiet"]) as server:
        if CHROMIUM:
            with Chromium() as browser:
                run_all(server, Page(browser, server))
        else:
            run_all(server, None)
