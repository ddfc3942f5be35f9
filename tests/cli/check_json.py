"""check_json.py JSON CONLLU: JSON holds what CONLLU does, an object a line and sentence: the lines of
CONLLU can be made of it, and the places of tokens are those of their forms in the text. With CONLLU
missing, only the latter."""
import json
import sys

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
WORD = ("id", *COLUMNS)


def refuse_constant(name):
    raise AssertionError(f"{name} is not JSON")


def cell(value):
    return "_" if value is None else str(value)


def line(number, columns):
    return "\t".join([str(number), *(cell(columns.get(key)) for key in COLUMNS)])


def check_numbers(node):
    """A score is that of MISC."""
    scores = [item[6:] for item in (node["misc"] or "").split("|") if item.startswith("Score=")]
    assert ("score" in node) == bool(scores), node
    if scores:
        assert node["score"] is None or float(scores[0]) == node["score"], node


def nodes_of(sentence):
    """The lines of words, ranges and empty nodes, in their order."""
    ranges = {token["words"][0]: token for token in sentence["tokens"] if len(token["words"]) > 1}
    empty = {}
    for node in sentence["empty_nodes"]:
        empty.setdefault(int(node["id"].split(".")[0]), []).append(line(node["id"], node))
    yield from empty.get(0, [])
    for word in sentence["words"]:
        assert set(WORD) <= set(word) <= {*WORD, "score"}, word
        check_numbers(word)
        if word["id"] in ranges:
            token = ranges[word["id"]]
            yield line(f"{token['words'][0]}-{token['words'][-1]}", token)
        yield line(word["id"], word)
        yield from empty.get(word["id"], [])


def check_tokens(sentence):
    """Each word is in one token, and each token in its place."""
    covered = [word for token in sentence["tokens"] for word in token["words"]]
    assert covered == [word["id"] for word in sentence["words"]], sentence
    end = 0
    for token in sentence["tokens"]:
        assert (token["start"] is None) == (token["end"] is None), token
        if token["start"] is None:
            continue
        assert sentence["text"][token["start"]:token["end"]] == token["form"], token
        assert token["start"] >= end and not sentence["text"][end:token["start"]].strip(), token
        end = token["end"]


def check_sentence(sentence):
    texts = [comment[9:].strip(" \t") for comment in sentence["comments"]
             if comment.startswith("# text = ")]
    assert texts[:1] in ([], [sentence["text"]]), sentence
    for key in ("nbest", "score"):
        given = [comment for comment in sentence["comments"] if comment.startswith(f"# {key} = ")]
        if given and key in sentence:
            assert float(given[0].split(" = ")[1]) == sentence[key], sentence
    check_tokens(sentence)
    return "\n".join([*sentence["comments"], *nodes_of(sentence)]) + "\n\n"


# Lines as any reader of lines has them, also those that end lines at U+0085 or U+2028.
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    lines = file.read().splitlines()
made = []
for text in lines:
    sentence = json.loads(text, parse_constant=refuse_constant)
    made.append(sentence["malformed"] if "malformed" in sentence else check_sentence(sentence))
assert made, "no sentence"
if len(sys.argv) > 2:
    with open(sys.argv[2], encoding="utf-8", errors="replace", newline="") as file:
        expected = file.read()
    got = "".join(made)
    if expected.startswith("\ufeff"):
        expected = expected[1:]
    if got != expected:
        at = next(i for i, (a, b) in enumerate(zip(got + "\0", expected + "\0")) if a != b)
        sys.exit(f"JSON has {got[at - 80:at + 80]!r}, CoNLL-U {expected[at - 80:at + 80]!r}")
