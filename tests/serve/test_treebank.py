"""A treebank is annotated on the page, in headless Chromium, if that is there:

    test_treebank.py PROGRAM EXAMPLES
"""

import json
import pathlib
import sys
import tempfile

from harness import equal
from page import browse, run_pages

program, examples = sys.argv[1], pathlib.Path(sys.argv[2])
WORDS = """1	I	I	PRON	PRP	_	{}	_	_
2	saw	see	VERB	VBD	_	{}	_	_
3	her	she	PRON	PRP	_	{}	_	SpaceAfter=No
4	.	.	PUNCT	.	_	{}	_	_
"""
TREE = ["2\tnsubj", "0\troot", "2\tobj", "2\tpunct"]
BARE = WORDS.format(*["_\t_"] * 4)
SAW = WORDS.format(*TREE)
# What no edit may touch: line ends, comments, ranges, empty nodes, DEPS, MISC, a sentence that is not CoNLL-U.
FILE = f"""# newdoc id = café
# sent_id = one
{SAW}
# sent_id = two
# text = Don't sing.
1-2	Don't	_	_	_	_	_	_	_	Typo=No
1	Do	do	AUX	VB	_	3	aux	3:aux	_
2	n't	not	PART	RB	_	3	advmod	3:advmod	_
2.1	you	you	PRON	PRP	_	_	_	3:nsubj	CopyOf=-1
3	sing	sing	VERB	VB	_	0	root	0:root	SpaceAfter=No
4	.	.	PUNCT	.	_	3	punct	3:punct	A=b

broken

# sent_id = three
{BARE}

# sent_id = four
1	Birdsong	birdsong	NOUN	NN	_	2	nsubj	_	_
2	helps	help	VERB	VBZ	_	0	root	_	_
"""


def open_file(page, text=FILE, name="own.conllu", wait="document.querySelector('#tb-desk g.word')", **how):
    """In a new page that keeps nothing of earlier tests."""
    browser = page.browser
    page.open(text="Hello.", **how)
    browser.wait("!document.getElementById('open').hidden")
    browser.get("new Promise(done => { const request = indexedDB.open('dodona'); request.onsuccess = () => {"
                "const clear = request.result.transaction(['treebank', 'steps'], 'readwrite');"
                "for (const name of ['treebank', 'steps']) clear.objectStore(name).clear();"
                "clear.oncomplete = () => { request.result.close(); done(1); }; }; })")
    choose(page, text, name)
    if wait:
        browser.wait(wait)
        settled(page)


def choose(page, text, name):
    data = text if isinstance(text, bytes) else text.encode()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_bytes(data)
        browser = page.browser
        root = browser.call("DOM.getDocument")["root"]["nodeId"]
        node = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        browser.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)
        browser.wait("document.getElementById('file').files.length === 0")
        # It is read behind this.
        browser.wait("!document.getElementById('treebank').hidden || !document.getElementById('open-problem').hidden")


def settled(page):
    """All that was asked for is done."""
    page.browser.wait("document.getElementById('treebank').dataset.busy === '0'")


def catch_saves(page):
    page.browser.get("window.saved = null; URL.createObjectURL = blob => (window.saved = blob, 'blob:none');"
                     "HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; }; 0")


def saved(page):
    settled(page)
    page.click("#tb-save")
    return page.browser.get("window.saved.arrayBuffer().then(bytes =>"  # text() would drop a byte order mark
                            "new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes))")


def do(page, selector, text=None):
    page.click(selector, text)
    settled(page)


def word(page, number):
    page.click(f'#tb-desk g.word[data-word="{number}"] .form')


def press(page, *keys, **more):
    for key in keys:
        page.browser.press(key, **more)
        settled(page)


def arcs(page):
    return {(head, word): label for (head, word), label in page.arcs_in("#tb-desk .tree").items()}


def title(page):
    return page.texts("#tb-title")[0]


@browse
def untouched(page):
    """a file that was only looked at is saved byte for byte, with a byte order mark and CRLF, and packed"""
    for text in FILE, "\ufeff" + FILE.replace("\n", "\r\n"), FILE.rstrip("\n"):
        open_file(page, text)
        catch_saves(page)
        for _ in range(4):
            press(page, "n")
        equal(title(page), "Sentence 5 of 5 · four")
        equal(saved(page), text)
        equal(page.browser.get("window.savedName"), "own.conllu")


@browse
def corrections(page):
    """arcs, labels, tags and words are corrected, undone and accepted, and nothing else of the file changes"""
    open_file(page)
    catch_saves(page)
    word(page, 3)  # a label, by search
    press(page, "l")
    page.browser.call("Input.insertText", text="iob")
    press(page, "Enter")
    equal(arcs(page)[2, 3], "iobj")
    equal(page.texts("#tb-desk .chips li span"), ["saw → her, iobj"])
    press(page, "u")
    equal(saved(page), FILE)
    press(page, "r")
    word(page, 3)  # a tag; the label that was decided stays in the tree when it is parsed again
    page.browser.get("document.querySelector('.tags input[name=xpos]').value = 'PRP$'")
    do(page, ".tags button", "Set tags")
    equal(arcs(page)[2, 3], "iobj")
    word(page, 1)
    word(page, 4)
    do(page, ".choice button", "Force this arc")
    assert arcs(page).keys() >= {(1, 4), (2, 3)}, arcs(page)
    text = saved(page)
    assert "# constraint = arc 2 iobj 3\n# constraint = arc 1 _ 4\n1\tI\t" in text, text
    press(page, "u")
    expected = FILE.replace("# sent_id = one\n", "# sent_id = one\n# status = corrected\n", 1).replace(
        "3\ther\tshe\tPRON\tPRP\t_\t2\tobj", "3\ther\tshe\tPRON\tPRP$\t_\t2\tiobj", 1)
    press(page, "a")
    equal(title(page), "Sentence 2 of 5 · two")
    equal(page.texts("#tb-progress"), ["1 of 5 corrected"])
    equal(saved(page), expected)
    press(page, "n")
    assert page.texts("#tb-desk p")[0].startswith("This is not CoNLL-U: expected 10 columns, found 1"), page.texts("#tb-desk p")
    press(page, "n")  # a sentence without a tree has the parser's, and gets it when it is accepted
    assert (0, 2) in arcs(page) and (2, 1) in arcs(page)
    equal(saved(page), expected)
    got = {word: f"{head}\t{label}" for (head, word), label in arcs(page).items()}
    press(page, "a")
    expected = expected.replace("# sent_id = three\n" + BARE, "# sent_id = three\n# status = corrected\n" +
                                WORDS.format(*(got[i] for i in range(1, 5))))
    equal(saved(page), expected)


@browse
def words_and_tokens(page):
    """words are split and merged, tokens made and dissolved; numbers, ranges and empty nodes follow"""
    open_file(page)
    catch_saves(page)
    page.select("tb-rest", "stays")
    press(page, "n", "n", "n", "n")
    word(page, 1)
    page.browser.get("document.getElementById('split').value = 'Bird song'")
    do(page, ".choice button", "Split into tokens")
    text = saved(page)
    tail = text[text.index("# sent_id = four"):].split("\n")
    equal([line.split("\t")[:2] for line in tail[1:4]], [["1", "Bird"], ["2", "song"], ["3", "helps"]])
    equal([line.split("\t")[6:8] for line in (tail[1], tail[3])], [["3", "nsubj"], ["0", "root"]])
    assert tail[1].endswith("\tSpaceAfter=No") and tail[2].split("\t")[3] != "_", tail
    word(page, 1)
    word(page, 2)
    do(page, ".choice button", "Make one token of them")
    assert "\n1-2\tBirdsong\t_\t_\t_\t_\t_\t_\t_\t_\n1\tBird\t" in saved(page)
    word(page, 1)
    word(page, 2)
    do(page, ".choice button", "Merge into one word")
    text = saved(page)
    assert "\n1\tBirdsong\t" in text and "\t2\tnsubj\t_\t_\n2\thelps\t" in text, text
    press(page, "u", "u", "u")
    equal(saved(page), FILE)
    press(page, "p", "p", "p")
    word(page, 2)
    do(page, ".choice button", "Dissolve the token")
    equal(saved(page), FILE.replace("1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tTypo=No\n", "")
          .replace("3:aux\t_\n", "3:aux\tSpaceAfter=No\n").replace("3:advmod\t_\n", "3:advmod\tTypo=No\n"))
    word(page, 2)
    word(page, 3)
    do(page, ".choice button", "Merge into one word")
    text = saved(page)
    assert "\n2\tn't sing\t" in text and "\n2.1\tyou\tyou\tPRON\tPRP\t_\t_\t_\t2:nsubj\tCopyOf=-1\n3\t.\t" in text, text


@browse
def least_certain(page):
    """the least certain come first, by the parser's own figures, and sentences are found by text and label"""
    text = (examples / "demo-test.conllu").read_text(encoding="utf-8")
    open_file(page, text)
    page.select("tb-order", "certainty")
    page.browser.wait("document.querySelector('.doubt').textContent")
    settled(page)
    answer = json.loads(page.browser.get(
        "fetch('api/v1/parse', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        f"body: JSON.stringify({{data: {json.dumps(text)}, scores: true}})}}).then(a => a.text())"))
    doubts = [min(word["probability"] for word in one["words"]) for one in answer["sentences"]]
    order = sorted(range(len(doubts)), key=lambda i: (doubts[i], i))
    equal([int(number) - 1 for number in page.texts("#tb-list .number")], order)
    assert title(page).startswith(f"Sentence {order[0] + 1} of"), title(page)
    press(page, "a")
    assert title(page).startswith(f"Sentence {order[1] + 1} of"), title(page)
    page.select("tb-show", "corrected")
    settled(page)
    equal(page.texts("#tb-list .number"), [str(order[0] + 1)])
    page.select("tb-show", "all")
    page.select("tb-order", "file")
    page.browser.get("(e => { e.value = 'the ORACLE'; e.dispatchEvent(new Event('input')); })(document.getElementById('tb-find'))")
    page.browser.wait("document.getElementById('tb-found').textContent")
    assert all("the oracle" in one.lower() for one in page.texts("#tb-list bdi"))
    page.browser.get("(e => { e.value = ''; e.dispatchEvent(new Event('input')); })(document.getElementById('tb-find'))")
    page.select("tb-label", "iobj")
    settled(page)
    count = sum("\tiobj\t" in one for one in text.split("\n\n"))
    page.browser.wait(f"document.querySelectorAll('#tb-list li').length === {count}")


@browse
def reloading(page):
    """nothing is lost on reload: not an edit, not where one was, not what can be undone"""
    open_file(page)
    word(page, 1)
    press(page, "l")
    page.browser.call("Input.insertText", text="expl")
    press(page, "Enter", "a")
    page.select("tb-rest", "stays")
    settled(page)
    page.browser.open("about:blank")
    page.browser.open(f"http://127.0.0.1:{page.port}/#treebank")
    page.browser.wait("document.querySelector('#tb-desk g.word')")
    settled(page)
    equal((title(page), page.texts("#tb-progress")), ("Sentence 2 of 5 · two", ["1 of 5 corrected"]))
    equal(page.browser.get("document.getElementById('tb-rest').value"), "stays")
    press(page, "u", "u")
    catch_saves(page)
    equal(saved(page), FILE)
    press(page, "r")
    page.click("#tb-close")
    page.browser.wait("!document.getElementById('typing').hidden && document.querySelector('#trees g.word')")
    equal(page.texts("#continue"), ["Continue with own.conllu"])
    page.click("#continue")
    page.browser.wait("!document.getElementById('treebank').hidden")  # the desk still has the words of before
    settled(page)
    assert "\t2\texpl\t" in saved(page)


@browse
def refusals(page):
    """what cannot hold changes nothing; what is not UTF-8 is refused; a text is parsed first"""
    open_file(page)
    catch_saves(page)
    word(page, 2)
    do(page, ".choice button", "has no dependents")
    word(page, 2)
    word(page, 1)
    held = saved(page)
    do(page, ".choice button", "Force this arc")
    told = page.texts("#tb-problem")[0]
    assert told.startswith("This cannot hold: ") and told.endswith("Nothing was changed."), told
    equal(saved(page), held)
    open_file(page, b"1\t\xff\n", wait=None)
    page.browser.wait("!document.getElementById('open-problem').hidden")
    assert "own.conllu is not UTF-8" in page.texts("#open-problem")[0]
    open_file(page, "Birds sing. The cat slept.", "cats.txt")
    equal((page.texts("#tb-name"), title(page)), (["cats.conllu"], "Sentence 1 of 2 · 1"))


@browse
def training(page):
    """the page tells the command that trains on what is corrected, and saves that alone"""
    open_file(page)
    catch_saves(page)
    press(page, "a")
    page.click("#tb-train")
    equal(page.texts("#tb-train-file"), ["Save the 1 corrected sentence as own-corrected.conllu"])
    command = page.texts("#tb-train-command")[0]
    assert "--start-from english --components-from english" in command and command.endswith(" -o own.dodona own-corrected.conllu"), command
    page.click("#tb-train-file")
    assert page.browser.get("window.saved.text()").startswith("# newdoc id = café\n# sent_id = one\n# status = corrected\n1\tI\t")


@browse
def two_tabs(page):
    """a second tab does not work on the same treebank"""
    page.open(text="Hello.")
    page.browser.get("void navigator.locks.request('dodona-treebank', () => new Promise(() => {}))")
    choose(page, FILE, "own.conllu")
    assert "another tab" in page.texts("#open-problem")[0]
    equal(page.browser.get("document.getElementById('typing').hidden"), False)


@browse
def kept_nowhere(page):
    """where the browser keeps nothing, the page says so"""
    page.open(text="Hello.")
    page.browser.get("IDBDatabase.prototype.transaction = () => { throw new Error('no'); }; 0")
    choose(page, FILE, "own.conllu")
    page.browser.wait("document.querySelector('#tb-kept.bad')")
    assert page.texts("#tb-kept")[0].startswith("This browser keeps nothing")


@browse
def phone(page):
    """360 pixels wide: nothing sticks out, with a word chosen and long names of the sentence and the file"""
    open_file(page, FILE.replace("sent_id = one", "sent_id = " + "reviews_" * 12), "reviews_" * 5 + ".conllu", width=360)
    word(page, 2)
    equal(page.browser.get("[document.documentElement.scrollWidth, innerWidth]"), [360, 360])
    equal(page.browser.get("document.getElementById('tb-settings').open"), False)
    page.click("#tb-close")
    page.browser.wait("!document.getElementById('continue').hidden && document.querySelector('#trees g.word')")
    equal(page.browser.get("[document.documentElement.scrollWidth, innerWidth]"), [360, 360])


run_pages(program)
