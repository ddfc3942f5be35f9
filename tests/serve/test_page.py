"""The page at /: its files as bytes, and the page itself in headless Chromium, if that is there:

    test_page.py PROGRAM EXAMPLES
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from harness import Server, equal, test
from page import browse, run_pages

program, examples = sys.argv[1], pathlib.Path(sys.argv[2])
SAW = "I saw the man with the telescope."
EVIL = "<script>alert(1)</script> <img src=x onerror=alert(2)> \"quoted\" & more."


# ---- files ---------------------------------------------------------------------------------


@test
def files(server, _):
    """all that the page names is there, is kept by its ETag, and has a strict policy"""
    status, headers, body = server.get("/")
    equal((status, headers["content-type"]), (200, "text/html; charset=utf-8"))
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", body), "something inline"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; ")
    names = re.findall(r'(?:src|href)="(page/[^"]*)"', body)
    for name in names:  # grows
        text = server.get("/" + name)[2]
        names += [f"page/{found}" for found in re.findall(r'from "\./([^"]*)"', text)
                  if f"page/{found}" not in names]
    assert len(names) > 10, names
    for path in ["/", "/page/explorer.html", *("/" + name for name in names)]:
        status, headers, body = server.get(path)
        equal((status, headers["cache-control"], headers["x-content-type-options"]),
              (200, "no-cache", "nosniff"))
        again = server.get(path, {"If-None-Match": headers["etag"]})
        equal((again[0], again[2], again[1]["etag"]), (304, "", headers["etag"]))
        equal(server.get(path, {"If-None-Match": '"other"'})[0], 200)
        status, head, nothing = server.ask("HEAD", path)
        equal((status, head["content-length"], nothing), (200, str(len(body.encode())), ""))
        equal(server.form(path)[0], 405)
    for path in "/page/", "/page/../page/main.js", "/page/none.js", "/index.html":
        equal(server.get(path)[0], 404)


@test
def explorer_alone(server, _):
    """the explorer is shut off from the server's origin, with its data in it or without"""
    for answer in server.get("/page/explorer.html"), server.json("/api/v1/trace", "text/html", data=SAW):
        equal((answer[0], answer[1]["content-type"]), (200, "text/html; charset=utf-8"))
        policy = answer[1]["content-security-policy"]
        assert policy.startswith("sandbox allow-scripts; default-src 'none';"), policy


# ---- in a browser --------------------------------------------------------------------------


@browse
def first_tree(page):
    """an example is shown at once, and text that is typed in its place"""
    page.open()
    equal(page.forms(), ["I", "saw", "the", "man", "with", "the", "telescope", "."])
    page.type("Birds sing. The cat slept.")
    page.wait_forms(["Birds", "sing", ".", "The", "cat", "slept", "."])
    equal(page.texts("#trees h2"), ["Sentence 1", "Sentence 2"])
    page.type("")
    page.browser.call("Input.insertText", text=" ")
    page.wait_forms([])
    page.click("#examples button", "The old man the boats. (“man” as a verb)")
    page.wait_arc(0, 3)
    equal(page.texts(".chips li span"), ["man is the root"])


@browse
def force_and_forbid(page):
    """an arc is forced with a label, another forbidden, and both are taken back"""
    page.open(text=SAW)
    before = page.arcs()
    # Where the telescope is, with whoever saw or with the man, is for the model to say; the other is forced.
    head, form, label = (4, "man", "nmod") if (2, 7) in before else (2, "saw", "obl")
    pair = [f"{form} → telescope", f"{form} … telescope"]
    page.word(head)
    page.word(7)
    equal(page.texts(".choice .pair"), pair)
    page.browser.get(f"document.querySelector('.choice select').value = '{label}'")
    page.click(".choice button", "Force this arc")
    page.wait_arc(head, 7)
    equal(page.arcs()[head, 7], label)
    equal(page.texts(".chips li span"), [f"{form} → telescope, {label}"])
    page.click(f'.arc[data-head="{head}"][data-dependent="7"] .label')
    equal(page.texts(".choice .pair"), pair)
    page.click(".choice button", "Forbid it")
    page.wait_arc(head, 7, there=False)
    equal(page.texts(".chips li span"), [f"no {form} → telescope"])
    page.click(".chips button")
    page.browser.wait("!document.querySelector('.chips li')")
    equal(page.arcs(), before)


@browse
def span_and_word(page):
    """a span is forced, and a word made the root or a leaf"""
    page.open(text="Show me the oak of Zeus.")
    page.word(6)
    page.word(4)
    page.click(".choice button", "Force this span")
    page.browser.wait("document.querySelector('.tree .span')")
    page.word(1)
    page.click(".choice button", "has no dependents")
    page.browser.wait("document.querySelector('.tree .leaf')")
    equal([head for head, _ in page.arcs() if head == 1], [])
    page.word(4)
    page.click(".choice button", "is the root")
    page.wait_arc(0, 4)
    equal(page.texts(".chips li span"), ["oak … Zeus is one subtree", "Show has no dependents", "oak is the root"])
    assert "constraint=1%3A+leaf+1" in page.browser.get("location.hash")


@browse
def keyboard(page):
    """a constraint is made with keys alone, and Escape lets go"""
    page.open(text=SAW)
    browser = page.browser
    browser.get("document.querySelector('g.word[tabindex=\"0\"]').focus()")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert browser.get(focused).startswith("I, PRON, nsubj of saw"), browser.get(focused)
    for key, label in ("ArrowRight", "saw"), ("End", "."), ("Home", "I"), ("ArrowLeft", "I"), ("ArrowRight", "saw"):
        browser.press(key)
        assert browser.get(focused).startswith(label + ", "), (key, browser.get(focused))
    browser.press("Enter")
    equal(browser.get("document.activeElement.getAttribute('aria-pressed')"), "true")
    browser.press("Escape")
    equal(browser.get("document.activeElement.getAttribute('aria-pressed')"), "false")
    browser.press("Enter")
    for _ in range(3):
        browser.press("ArrowRight")
    browser.press("Enter")
    browser.wait("document.getElementById('said').textContent.startsWith('saw to with')")
    for _ in range(20):
        browser.press("Tab")
        if browser.get("document.activeElement.textContent") == "Force this arc":
            break
    browser.press("Enter")
    page.wait_arc(2, 5)
    assert browser.get(focused).startswith("with, "), "the focus is lost"
    browser.wait("/1 sentence, 8 words: new trees/.test(document.getElementById('said').textContent)")


@browse
def contradictions(page):
    """what cannot hold is named with the reason, the trees stay, and it can be taken back"""
    page.open(text=SAW, constraint="1: arc 0 _ 2")
    page.word(4)
    page.click(".choice button", "is the root")
    page.browser.wait("!document.getElementById('problem').hidden")
    told = page.texts("#problem")[0]
    assert told.startswith("This cannot hold: man is the root: ") and "requires another" in told, told
    equal(page.texts(".chips li.bad span"), ["man is the root"])
    page.wait_arc(0, 2)
    page.click("#problem button", "Remove it")
    page.browser.wait("document.getElementById('problem').hidden")
    equal(page.texts(".chips li span"), ["saw is the root"])
    page.open(wait=False, text=SAW, constraint=["1: arc 1 _ 1", "1: leaf 2"])
    page.browser.wait("!document.getElementById('problem').hidden")
    page.click("#problem button", "Remove it")
    page.browser.wait("document.querySelector('g.word')")
    equal(page.texts(".chips li span"), ["saw has no dependents"])


@browse
def carried_over(page):
    """constraints stay with their sentence when the text around it changes"""
    page.open(text="The old man the boats.", constraint="1: arc 0 root 3")
    page.type("Birds sing. The old man the boats.")
    page.browser.wait("document.querySelectorAll('.card[aria-label=\"sentence 2\"] .chips li').length === 1")
    page.browser.wait("document.querySelector('.card[aria-label=\"sentence 2\"] .required[data-dependent=\"3\"]')")
    page.type("Birds sing.")
    page.browser.wait("document.querySelectorAll('#trees .card').length === 1")
    equal(page.texts(".chips li"), [])
    assert "constraint" not in page.browser.get("location.hash")


@browse
def nbest(page):
    """several trees per sentence, one after the other"""
    page.open(text=SAW, nbest=3)
    first = page.arcs()
    assert page.texts(".rank")[0].startswith("tree 1 of 3, score ")
    page.click(".ranks button", "›")
    assert page.texts(".rank")[0].startswith("tree 2 of 3, score ")
    assert page.arcs() != first
    page.click(".ranks button", "‹")
    equal(page.arcs(), first)
    page.select("nbest", 1)
    page.browser.wait("!document.querySelector('.rank')")


@browse
def colours(page):
    """certainty as colour, as a dash and in words"""
    page.open(text=SAW)
    equal(page.browser.get("document.querySelector('.coloured')"), None)
    page.click("#colour")
    page.browser.wait("document.querySelector('svg.coloured .arc[data-sure]')")
    line = "getComputedStyle(document.querySelector('.arc[data-dependent=\"3\"] .line')).stroke"
    assert page.browser.get(line) != page.browser.get(
        "getComputedStyle(document.querySelector('#legend [data-sure=\"0\"]')).color")
    assert "certain, probability" in page.browser.get(
        "document.querySelector('g.word[data-word=\"3\"]').getAttribute('aria-label')")
    assert "colour=1" in page.browser.get("location.hash")


def told_of_margins(words):
    """What the page is to say of each word: its margin as a share of the median."""
    known = sorted(abs(word["score"]) for word in words if word["score"] is not None)
    usual, names = known[len(known) // 2], ["very uncertain", "uncertain", "fairly certain", "certain"]
    for word in words:
        if word["score"] is None:
            yield "3", "certain, there was no choice"
        else:
            level = sum(word["score"] / usual >= bound for bound in (0.05, 0.25, 0.6))
            yield str(level), f"{names[level]}, margin {word['score']:g}"


@browse
def margins(page):
    """where the model knows no probabilities, certainty goes by margins"""
    text = "The priest reads the leaves in the wind and old birds rustle the oak."
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/small.dodona"
        subprocess.run([program, "train", "--quiet", "--iterations", "3", "-o", model,
                        str(examples / "demo-train.conllu")], check=True)
        with Server(program, ["--threads", "1", "--quiet"], [model]) as other, page.of(other):
            answer = json.loads(other.json("/api/v1/parse", data=text, scores=True)[2])
            words = answer["sentences"][0]["words"]
            assert not any("probability" in word for word in words), words
            page.open(text=text, colour=1)
            shown = page.browser.get("[...document.querySelectorAll('g.word')].map(e =>"
                                     "[e.dataset.sure, e.getAttribute('aria-label').match(/[a-z ]+, [^,]*$/)[0].trim()])")
            expected = [list(one) for one in told_of_margins(words)]
            equal(shown, expected)
            assert len({level for level, _ in expected}) == 4, "too few levels to tell them apart"


@browse
def steps(page):
    """the parse step by step, in a frame that cannot reach the page, light and dark"""
    page.open(text=SAW, dark=True)
    browser = page.browser
    page.click(".tools button", "Step through")
    browser.wait("document.getElementById('steps').open")
    frame = frame_session(page)
    browser.wait("document.querySelectorAll('#tree .form').length === 8", frame)
    equal(browser.get("document.getElementById('system').textContent", frame), "arc-hybrid")
    browser.get("document.getElementById('last').click()", frame)
    equal(browser.get("document.querySelectorAll('#tree .arc').length", frame), 8)
    equal(browser.get("getComputedStyle(document.body).backgroundColor", frame), "rgb(11, 13, 18)")
    equal(browser.get("self.origin", frame), "null")
    page.click("#steps-close")
    page.select("theme", "light")
    page.click(".tools button", "Step through")
    browser.wait("getComputedStyle(document.body).backgroundColor === 'rgb(243, 244, 248)'", frame)
    # Before that, only the first word can be shifted.
    equal(browser.get("document.body.dataset.step", frame), "1")
    page.click("#steps-close")
    browser.get("localStorage.clear()")


@browse
def no_steps(page):
    """a parser without transitions has no steps to show"""
    page.open(text=SAW)
    equal(page.texts("#trees .tools button:not([hidden])")[0], "Step through")
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/graph.dodona"
        subprocess.run([program, "train", "--quiet", "--system", "graph", "--scorer", "neural", "--width", "16",
                        "--hidden", "24", "--iterations", "1", "-o", model, str(examples / "demo-train.conllu")],
                       check=True)
        with Server(program, ["--threads", "1", "--quiet"], [model]) as other, page.of(other):
            page.open(text=SAW)
            equal(page.texts("#trees .tools button:not([hidden])"), ["Copy CoNLL-U", "Save SVG"])


def frame_session(page):
    """The frame has a process of its own."""
    for _ in range(200):
        frames = [one["sessionId"] for one in page.browser.happened("Target.attachedToTarget")
                  if one["targetInfo"]["type"] == "iframe"]
        if frames:
            return frames[-1]
        page.browser.get("new Promise(done => setTimeout(done, 50))")
    raise AssertionError("no frame")


@browse
def themes(page):
    """dark and light, by the system and by choice, which is kept"""
    ground = "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('g.word .form')).fill"
    page.open(text=SAW)
    light = page.browser.get(ground), page.browser.get(ink)
    page.open(text=SAW, dark=True)
    dark = page.browser.get(ground), page.browser.get(ink)
    assert light[0] != dark[0] and light[1] != dark[1]
    page.select("theme", "light")
    equal((page.browser.get(ground), page.browser.get(ink)), light)
    page.open(text=SAW, dark=True)
    equal(page.browser.get(ground), light[0])
    page.select("theme", "auto")
    equal(page.browser.get(ground), dark[0])


@browse
def phone(page):
    """360 pixels wide: nothing sticks out, and a drawing is one row, which is scrolled; elsewhere it is broken"""
    long = " and ".join([SAW[:-1]] * 6) + "."
    page.open(width=360, text=long + " We saw " + "Donaudampfschifffahrt" * 5 + ".", nbest=2,
              constraint=["1: span 3 4 any", "1: not-arc 2 7"])
    page.word(2)
    page.word(4)
    equal(page.browser.get("[document.documentElement.scrollWidth, innerWidth]"), [360, 360])
    sticking = page.browser.get(
        "[...document.querySelectorAll('main *')].filter(e => !e.closest('svg, #examples, .unseen') &&"
        "e.getBoundingClientRect().right > 360).map(e => e.outerHTML.slice(0, 80))")
    equal(sticking, [])
    tops = ("[...new Set([...document.querySelectorAll('.tree')[0].querySelectorAll('.form')]"
            ".map(e => Math.round(e.getBoundingClientRect().top)))].length")
    equal(page.browser.get(tops), 1)
    equal(page.browser.get("(e => e.scrollWidth > e.clientWidth)(document.querySelectorAll('.tree')[0])"), True)
    page.open(width=1000, text=long)
    assert page.browser.get(tops) > 1


@browse
def hostile_text(page):
    """markup in a text, a form, a label or a link stays text"""
    evil_row = "\t".join(["1", "<script>alert(1)</script>", "_", "X", "_", "_", "0",
                          "<svg/onload=alert(3)>", "_", "_"]) + "\n\n"
    for text in EVIL, evil_row, SAW + "\u202e\u2028</textarea>", "]]></title><script>alert(4)</script>":
        page.open(text=text, model="<b>x</b>", constraint=["1: leaf 1", "<img src=x onerror=alert(5)>"])
        equal(page.browser.get("document.querySelectorAll('main img, main script, main iframe').length"), 0)
        page.click(".tools button", "Step through")
        page.browser.wait("document.getElementById('steps').open")
        page.browser.wait("document.querySelectorAll('#tree .form').length > 0", frame_session(page))
        page.click("#steps-close")
        equal(page.browser.happened("Page.javascriptDialogOpening"), [])
    page.open(text=EVIL)
    equal("".join(page.forms()), EVIL.replace(" ", ""))
    page.open(wait=False, text=SAW, constraint="1: arc 2 <img/src=x/onerror=alert(6)> 1")
    page.browser.wait("!document.getElementById('problem').hidden")
    assert "unknown label '<img/src=x/onerror=alert(6)>'" in page.texts("#problem")[0]


@browse
def links(page):
    """a link shows the same to others"""
    page.open(text=SAW)
    page.word(2)
    page.word(5)
    page.click(".choice button", "Force this arc")
    page.wait_arc(2, 5)
    arcs, address = page.arcs(), page.browser.get("location.href")
    page.browser.open("about:blank")
    page.browser.open(address)
    page.wait_arc(2, 5)
    equal(page.arcs(), arcs)
    equal(page.browser.get("document.getElementById('text').value"), SAW)


@browse
def copying(page):
    """CoNLL-U is copied, and SVG is saved as the program draws it"""
    page.open(text=SAW)
    page.browser.get("window.saved = []; URL.createObjectURL = blob => (window.saved.push(blob), 'blob:none');"
                     "HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; };"
                     "navigator.clipboard.writeText = async text => { window.copied = text; }; 0")
    page.click(".tools button", "Copy CoNLL-U")
    assert "\n2\tsaw\tsee\tVERB\t" in page.browser.wait("window.copied")
    page.click(".tools button", "Save SVG")
    equal(page.browser.wait("window.savedName"), "sentence-1.svg")
    svg = page.browser.get("window.saved[0].text()")
    assert svg.startswith("<svg xmlns=") and "<style>" in svg, svg[:200]


@browse
def languages(page):
    """each language that models come in has an example, and a text is written in its own direction"""
    codes = [line.split("\t")[0] for line in (pathlib.Path(__file__).parent.parent / "cli" / "languages.tsv")
             .read_text(encoding="utf-8").splitlines()]
    page.open(text="کودکان در باغ کتاب می‌خوانند.")
    own = page.browser.get("import('/page/examples.js').then(({examplesFor}) =>"
                           f"{json.dumps(codes)}.filter(language => examplesFor({{facts: {{language}}}})[0].text !=="
                           "examplesFor({facts: {language: 'en'}})[0].text))")
    equal(own, codes)
    equal(page.browser.get("getComputedStyle(document.getElementById('text')).direction"), "rtl")
    equal(page.browser.get("document.querySelector('#trees svg').getAttribute('direction')"), "rtl")
    first, last = page.browser.get("[...document.querySelectorAll('#trees .form')].map(e => e.getBoundingClientRect().left)"
                                   ".filter((_, i, all) => i === 0 || i === all.length - 1)")
    assert first > last, "the first word stands on the right"


@browse
def many(page):
    """a long text is drawn in parts"""
    page.open(text="Birds sing. " * 30)
    equal(len(page.texts("#trees .card")), 20)
    equal(page.texts("#more"), ["Show more (10)"])
    page.click("#more")
    page.browser.wait("document.querySelectorAll('#trees .card').length === 30")


@browse
def large(page):
    """a tree that is too large to be drawn is shown as a table"""
    page.open(text=SAW)
    page.browser.get("import('/page/tree.js').then(({showTable}) => showTable(document.querySelector('.tree'),"
                     "{words: [{id: 1, form: '<b>x', upos: null, head: 0, deprel: 'root'}]}))")
    equal(page.texts("#trees .tree p"), ["This tree is too large to be drawn."])
    equal(page.browser.get("document.querySelector('.tree details').open"), False)
    page.click(".tree summary", "Show it as a table")
    equal(page.browser.get("document.querySelector('.tree details').open"), True)
    equal(page.texts(".tree td"), ["1", "<b>x", "_", "0", "root"])


@browse
def token(page):
    """a server that asks for a token is asked with one"""
    with Server(program, ["--threads", "1", "--quiet"], env={**os.environ, "DODONA_TOKEN": "sesame"}) as guarded, \
            page.of(guarded):
        page.open(wait=False, text=SAW)
        page.browser.wait("!document.getElementById('token-part').hidden")
        page.browser.wait("document.activeElement.id === 'token'")
        assert "the token is missing or wrong" in page.texts("#problem")[0]
        page.browser.call("Input.insertText", text="sesame")
        page.browser.press("Enter")
        page.browser.wait("document.querySelector('g.word')")
        equal(page.browser.get("document.getElementById('token-part').hidden"), True)


run_pages(program)
