"""The page without a server, as scripts/web.sh builds it, in headless Chromium; skipped where either is missing:

    test_web.py PROGRAM SITE DOCUMENTS
"""

import functools
import http.server
import json
import pathlib
import re
import subprocess
import sys
import threading
import time

from harness import equal, run_all, test

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from chromium import CHROMIUM, Chromium

program, site, documents = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
ASK = """(async () => {
  window.worker ??= new Worker("page/worker.js");
  return await new Promise(done => {
    worker.onmessage = ({data}) => done(data);
    worker.postMessage(%s);
  });
})()"""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def ask(browser, path, **fields):
    answer = browser.get(ASK % json.dumps({"id": 1, "path": path, "fields": fields}))
    return answer["status"], answer["text"]


def run(command, text, *options):
    """What the program makes of it, with the model of the page."""
    model = (site / "page" / "model.name").read_text("utf-8").strip()
    return subprocess.run([program, command, "--quiet", "--model", model, *options], input=text, check=True,
                          text=True, encoding="utf-8", stdout=subprocess.PIPE).stdout


@test
def first_tree(browser):
    """a tree is shown, and nothing is refused by the policy"""
    begun = time.monotonic()
    browser.open(browser.site)
    browser.wait("document.querySelector('g.word')")
    print(f"# {time.monotonic() - begun:.2f} s to the first tree")
    equal(browser.get("document.querySelectorAll('g.word').length"), 8)
    equal([one["entry"]["text"] for one in browser.happened("Log.entryAdded")], [])


@test
def old_browser(browser):
    """a browser without vectors says so, also after more is typed, and fetches no model"""
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source="WebAssembly.validate = () => false")
    try:
        browser.open("about:blank")
        browser.open(browser.site)
        told = "/lacks the vector instructions of WebAssembly/.test(document.getElementById('problem').textContent)"
        browser.wait(told)
        browser.get("document.getElementById('text').dispatchEvent(new Event('input'))")
        browser.get("new Promise(done => setTimeout(done, 400))")  # more than the page's patience
        equal(browser.get(told), True)
        fetched = browser.get("performance.getEntriesByType('resource').map(e => e.name)")
        equal([name for name in fetched if re.search("worker|model|wasm", name)], [])
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


@test
def constraint(browser):
    """a constraint changes the tree, and one that cannot hold is refused"""
    browser.open("about:blank")
    browser.open(browser.site + "#text=The+old+man+the+boats.&constraint=1%3A+arc+0+root+3")
    browser.wait("document.querySelector('.required[data-head=\"0\"][data-dependent=\"3\"]')")
    browser.open("about:blank")
    browser.open(browser.site + "#text=Birds+sing.&constraint=1%3A+arc+1+_+1")
    browser.wait("!document.getElementById('problem').hidden")
    browser.wait("/a word cannot be its own head/.test(document.getElementById('problem').textContent)")


@test
def steps(browser):
    """the explorer opens"""
    browser.open("about:blank")
    browser.open(browser.site)
    browser.wait("document.querySelector('g.word')")
    browser.click("#trees .tools button")  # those of the page come first
    browser.wait("document.getElementById('steps').open")


@test
def same_trees(browser):
    """1,000 lines have the same trees as the program gives them, byte for byte"""
    lines = [line for path in sorted(documents.glob("*.md")) for line in path.read_text("utf-8").splitlines()]
    text = "\n".join([line for line in lines if line.strip()][:1000]) + "\n"
    ask(browser, "models")
    begun = time.monotonic()
    status, told = ask(browser, "parse", data=text, to="conllu", given="sentences", **{"from": "text"})
    seconds, expected = time.monotonic() - begun, run("parse", text, "--from=text", "--given=sentences")
    words = sum(line[:1].isdigit() for line in expected.splitlines())
    print(f"# {words} words, {words / seconds:.0f} a second")
    equal(status, 200)
    assert told == expected, "other trees"
    status, told = ask(browser, "parse", data=text, to="jsonl", scores=True, beam=4, given="sentences")
    equal(told == run("parse", text, "--to=json", "--scores", "--beam=4", "--given=sentences"), True)


if not CHROMIUM or not (site / "page" / "model.packed").exists():
    print("1..0 # SKIP", "Chromium is not installed" if not CHROMIUM else "scripts/web.sh has not built the page")
    sys.exit(0)
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=site)) as files:
    threading.Thread(target=files.serve_forever, daemon=True).start()
    with Chromium() as browser:
        browser.site = f"http://127.0.0.1:{files.server_port}/"
        browser.call("Log.enable")
        run_all(browser)
