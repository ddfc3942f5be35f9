"""The npm package in headless Chromium, without a bundler:

    test_browser.py FOLDER

FOLDER has page.html, and node_modules with the package. DODONA is the program, and DODONA_MODEL_FILE its model.
"""

import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

tests = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(tests), str(tests / "serve")]
from chromium import Chromium
from harness import equal, run_all, test

LONG = "birds sing and " * 60000


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

    def log_message(self, *_):
        pass


def call(browser, body, **values):
    """What an asynchronous function with this body returns."""
    names = ", ".join(values)
    given = ", ".join(map(json.dumps, values.values()))
    return browser.get(f"(async ({names}) => {{ {body} }})({given})")


@test
def first_tree(browser):
    """a page shows a tree from a worker"""
    browser.open(browser.page)
    browser.wait("document.querySelector('#tree svg')", seconds=120)
    browser.wait("/Birds nsubj/.test(document.getElementById('told').textContent)")


@test
def same_trees(browser):
    """the same trees as the program's, in the page's thread and in a worker"""
    source = pathlib.Path(os.environ["DODONA_SOURCE"])
    lines = [line[9:] for line in (source / "bench/everyday.conllu").read_text("utf-8").splitlines()
             if line.startswith("# text = ")]
    text = "\n".join(lines) + "\n"
    expected = subprocess.run([os.environ["DODONA"], "parse", "--quiet", "--from=text", "--given=sentences", "--model",
                               os.environ["DODONA_MODEL_FILE"]], input=text, check=True, text=True, encoding="utf-8",
                              stdout=subprocess.PIPE).stdout
    assert len(lines) > 100
    parse = "return (await %s.parse(text, {given: 'sentences'})).toConllu();"
    equal(call(browser, parse % "nlp", text=text) == expected, True)
    equal(call(browser, parse % "(await load())", text=text) == expected, True)


@test
def page_goes_on(browser):
    """the page goes on meanwhile, and an aborted call ends"""
    told = call(browser, """
        const stop = new AbortController(), parsed = nlp.parse(long, {beam: 40, signal: stop.signal});
        let frames = 0;
        for (; frames < 5; frames++) await new Promise(resolve => setTimeout(resolve, 10));
        stop.abort();
        const reason = await parsed.catch(error => error.name);
        return [frames, reason, (await nlp.parse("Birds sing.")).words.length];""", long=LONG)
    equal(told, [5, "AbortError", 3])


@test
def errors(browser):
    """errors have the library's message"""
    told = call(browser, """
        const told = [];
        for (const work of [() => nlp.parse("Birds sing.", {constraints: ["arc 1 _ 2", "arc 2 _ 1"]}),
                            () => load("absent/de.dodona"), () => load("klingon")])
            await work().catch(error => told.push([error instanceof DodonaError, error.code, error.message]));
        return told;""")
    equal([(known, code) for known, code, _ in told], [(True, "data"), (True, "file"), (True, "argument")])
    assert "form a cycle" in told[0][2] and "/absent/de.dodona: the server answers 404" in told[1][2], told


handler = functools.partial(Files, directory=sys.argv[1])
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as files:
    threading.Thread(target=files.serve_forever, daemon=True).start()
    with Chromium() as browser:
        browser.page = f"http://127.0.0.1:{files.server_port}/page.html"
        run_all(browser)
