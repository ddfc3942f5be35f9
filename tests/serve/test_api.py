"""Dodona's own interface, and its description:

    test_api.py PROGRAM EXAMPLES
"""

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

from harness import Server, check_answer, equal, multipart, run_all, test

program, examples = sys.argv[1], pathlib.Path(sys.argv[2])
TEXT = "Time flies like an arrow. Fruit flies like a banana."
GOLD = (examples / "demo-test.conllu").read_text(encoding="utf-8")


def run(command, text, *options):
    return subprocess.run([program, command, "--quiet", *options], input=text, check=True, text=True,
                          encoding="utf-8", stdout=subprocess.PIPE).stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def heads(sentence):
    return [word["head"] for word in sentence["words"]]


def parse(server, **fields):
    status, headers, body = server.json("/api/v1/parse", **fields)
    equal((status, headers["content-type"]), (200, "application/json"))
    return json.loads(body)["sentences"]


def refused(answer):
    status, headers, body = answer
    equal(headers["content-type"], "application/json")
    content = json.loads(body)
    equal(content["status"], status)
    return status, content["reason"]


@test
def by_accept(server):
    """/api/v1/parse answers as Accept asks"""
    tree = run("parse", TEXT, "--to", "json")
    answer = server.json("/api/v1/parse", data=TEXT)
    equal(json.loads(answer[2]), {"model": "english", "sentences": lines(tree)})
    answer = server.json("/api/v1/parse", "text/html, application/*;q=0.5", data=TEXT)
    equal(answer[1]["content-type"], "application/json")
    answer = server.json("/api/v1/parse", "application/x-ndjson", data=TEXT)
    equal((answer[1]["content-type"], answer[2]), ("application/x-ndjson", tree))
    answer = server.json("/api/v1/parse", "text/x-conllu", data=TEXT)
    equal((answer[1]["content-type"], answer[2]),
          ("text/x-conllu; charset=utf-8", run("parse", TEXT)))
    answer = server.json("/api/v1/parse", "image/svg+xml", data=TEXT, sentence=2)
    equal(answer[1]["content-type"], "image/svg+xml")
    xml.etree.ElementTree.fromstring(answer[2])
    equal("Fruit" in answer[2] and "Time" not in answer[2], True)
    equal(refused(server.json("/api/v1/parse", "text/html", data=TEXT))[0], 406)
    equal(server.json("/api/v1/parse", "text/html", data=TEXT, to="conllu")[2], run("parse", TEXT))


@test
def by_type(server):
    """/api/v1/parse reads JSON, forms, queries, plain text and CoNLL-U"""
    expected = parse(server, data=TEXT)
    body, kind = multipart({"data": TEXT})
    words = run("parse", TEXT)
    for answer in (server.get("/api/v1/parse", data=TEXT), server.form("/api/v1/parse", data=TEXT),
                   server.ask("POST", "/api/v1/parse", body, {"Content-Type": kind}),
                   server.ask("POST", "/api/v1/parse", TEXT, {"Content-Type": "text/plain"}),
                   server.ask("POST", "/api/v1/parse", words, {"Content-Type": "text/x-conllu"}),
                   server.ask("POST", "/api/v1/parse?model=english", TEXT)):
        equal(json.loads(answer[2])["sentences"], expected)
    answer = server.ask("POST", "/api/v1/parse", TEXT, {"Content-Type": "text/html"})
    equal(refused(answer)[0], 415)


@test
def options(server):
    """scores, n-best trees, tidy trees, retagged words, as the program has them"""
    cases = [({"scores": True}, ["--scores"]), ({"beam": 4, "nbest": 3}, ["--beam=4", "--nbest=3"]),
             ({"tidy": True}, ["--tidy"]), ({"tidy": False}, ["--no-tidy"]),
             ({"given": "sentences", "from": "text"}, ["--given=sentences", "--from=text"]),
             ({"ranges": True}, ["--ranges"])]
    for fields, same in cases:
        equal(parse(server, data=TEXT, **fields), lines(run("parse", TEXT, "--to=json", *same)))
    tags = parse(server, data=GOLD, tag=True, **{"from": "conllu"})
    equal(tags, lines(run("parse", GOLD, "--to=json", "--tag", "--from=conllu")))


@test
def documents(server):
    """documents in JSON lines have their ids, and a line that is none is named"""
    data = '{"key":"a","body":"Birds sing. Time flies.","n":1.10}\n{"key":7,"body":"The cat sleeps."}\n'
    fields = {"from": "jsonl", "field": "body", "id": "key"}
    sentences = parse(server, data=data, **fields)
    equal([sentence["sent_id"] for sentence in sentences], ["a-1", "a-2", "7-1"])
    equal(sentences, lines(run("parse", data, "--to=json", "--from=jsonl", "--field=body", "--id=key")))
    answer = server.json("/api/v1/parse", data=data + '{"key":1}', **fields)
    equal(refused(answer), (400, "data:3: byte 1: the field 'body' is missing; 'field' names another"))


@test
def constraints(server):
    """constraints as fields hold, are shown, and are refused with the reason"""
    sentences = parse(server, data=TEXT, constraints=["arc 0 root 1", "2: arc 0 _ 5", "2: leaf 1"])
    equal([heads(one)[0] for one in sentences][0], 0)
    equal(heads(sentences[1])[4], 0)
    equal("# constraint = arc 0 root 1" in sentences[0]["comments"], True)
    equal(json.loads(server.get("/api/v1/parse", data=TEXT, constraint="arc 0 root 1")[2])
          ["sentences"][0]["words"], sentences[0]["words"])
    for bad, reason in (("arc 1 _ 1", "a word cannot be its own head"), ("arc 0 _ 99", "no word 99"),
                        ("what", "is not one of arc, not-arc, span, leaf")):
        status, told = refused(server.json("/api/v1/parse", data=TEXT, constraints=[bad]))
        equal((status, reason in told), (422, True))
    answer = server.json("/api/v1/parse", data=TEXT, constraints=["leaf 1\n1\tx"])
    equal(refused(answer), (400, "constraints: it has a control character"))


@test
def bad_fields(server):
    """fields that cannot serve are refused, with what was perhaps meant"""
    def reason(**fields):
        return refused(server.json("/api/v1/parse", data=TEXT, **fields))
    equal(reason(nbset=3), (400, "unknown field 'nbset'; did you mean 'nbest'?"))
    equal(reason(nbest=3), (400, "nbest: a beam of 1 cannot give 3 trees; set 'beam' too"))
    equal(reason(beam=1000), (400, "beam: '1000' is not a whole number from 1 to 64"))
    equal(reason(beam=1.5)[0], 400)
    equal(reason(scores="maybe")[0], 400)
    equal(reason(to="pdf"), (400, "to: 'pdf' is not one of json, jsonl, conllu, svg"))
    equal(reason(model={"a": 1}), (400, "model: a string, a number, true or false is expected"))
    equal(refused(server.json("/api/v1/parse", "image/svg+xml", data=TEXT))[0], 400)
    equal(refused(server.json("/api/v1/parse", "image/svg+xml", data=TEXT, sentence=3)),
          (400, "sentence: the text has 2"))
    equal(refused(server.json("/api/v1/parse", to="svg", data="Hi.", beam=4, nbest=2))[0], 400)
    answer = server.ask("POST", "/api/v1/parse", '{"data": ', {"Content-Type": "application/json"})
    equal(refused(answer), (400, "not JSON: byte 10: it ends too early"))


@test
def given_twice(server):
    """fields that are given several times are refused, unless they are constraints"""
    twice = (400, "data: it is given 2 times, and may be given once")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    equal(refused(server.json("/api/v1/parse", data=["First.", "Second."])), twice)
    equal(refused(server.form("/api/v1/parse", data=["First.", "Second."])), twice)
    equal(refused(server.ask("GET", "/api/v1/parse?data=First.&data=Second.")), twice)
    equal(refused(server.ask("POST", "/api/v1/parse?data=First.", "data=Second.", form)), twice)
    equal(refused(server.ask("POST", "/api/v1/parse?data=First.", "Second.", {"Content-Type": "text/plain"})),
          (400, "data: it is given both as a field and as the body"))
    for path, fields in (("/api/v1/parse", {"beam": [1, 2]}), ("/api/v1/trace", {"model": ["english"] * 2}),
                         ("/api/v1/oracle", {"system": ["arc-eager"] * 3}), ("/api/v1/draw", {"width": [300, 300]})):
        status, reason = refused(server.json(path, data=GOLD, **fields))
        equal((status, "times, and may be given once" in reason), (400, True))
    equal(len(parse(server, data=["Time flies."], model=[], constraints=["leaf 1", "leaf 3"])), 1)


@test
def drawing(server):
    """/api/v1/draw draws the trees that are given"""
    answer = server.json("/api/v1/draw", data=GOLD, sentence=2)
    equal((answer[0], answer[1]["content-type"]), (200, "image/svg+xml"))
    second = GOLD.split("\n\n")[1] + "\n\n"
    equal(answer[2], run("draw", second, "--to=svg"))
    answer = server.ask("POST", "/api/v1/draw", second, {"Content-Type": "text/x-conllu"})
    equal(answer[2], run("draw", second, "--to=svg"))


@test
def too_long_to_draw(server):
    """a sentence that is too long to be drawn is refused for its length, not for being several"""
    def chain(words):
        return "".join(f"{i}\tw\t_\tX\t_\t_\t{i - 1}\t{'dep' if i > 1 else 'root'}\t_\t_\n"
                       for i in range(1, words + 1)) + "\n"
    too_long = (422, "the sentence has 2001 words; at most 2000 can be drawn")
    several = (400, "SVG shows one sentence, and the text has several; choose one with the field 'sentence'")
    equal(refused(server.json("/api/v1/draw", data=chain(2001))), too_long)
    equal(refused(server.json("/api/v1/draw", data=chain(2001) + chain(1), sentence=1)), too_long)
    equal(refused(server.json("/api/v1/draw", data=chain(2001) + chain(1))), several)
    equal(refused(server.json("/api/v1/draw", data=chain(2001), sentence=2)), (400, "sentence: the text has 1"))
    equal(refused(server.json("/api/v1/draw", data=chain(2001) + chain(1), sentence=2)),
          (400, "sentence: of this text, only 1 can be drawn; send it in parts"))
    equal(server.json("/api/v1/draw", data=chain(2000))[2], run("draw", chain(2000), "--to=svg"))
    words = "\n".join(["word"] * 2001) + "\n\n"
    equal(refused(server.json("/api/v1/parse", "image/svg+xml", data=words, **{"from": "vertical"})), too_long)


@test
def drawn(server):
    """JSON has, where it is asked for, each tree's CoNLL-U and picture"""
    for fields, same in ({}, []), ({"beam": 4, "nbest": 3, "scores": True}, ["--beam=4", "--nbest=3", "--scores"]):
        plain, sentences = parse(server, data=TEXT, **fields), parse(server, data=TEXT, draw=True, **fields)
        equal("".join(one["conllu"] for one in sentences), run("parse", TEXT, *same))
        equal([one["svg"] for one in sentences], [run("draw", one["conllu"], "--to=svg") for one in sentences])
        equal([{key: one[key] for key in one if key not in ("conllu", "svg")} for one in sentences], plain)
        equal(lines(server.json("/api/v1/parse", data=TEXT, draw=True, to="jsonl", **fields)[2]), sentences)
    narrow = parse(server, data=TEXT, draw=True, width=300, constraints=["leaf 1"])[0]
    equal(narrow["svg"], run("draw", narrow["conllu"], "--to=svg", "--width=300"))
    equal(server.json("/api/v1/draw", data=narrow["conllu"], width=300)[2], narrow["svg"])
    equal(server.json("/api/v1/draw", data=narrow["conllu"])[2], run("draw", narrow["conllu"], "--to=svg"))
    many = parse(server, data="Birds sing. " * 200, draw=True)
    second = many[1]["svg"]
    equal([one["svg"] for one in many],
          [second.replace("<title>2<", f"<title>{one['sent_id']}<") for one in many])
    words = "\n".join(["word"] * 2500) + "\n\n"
    long = parse(server, data=words, draw=True, **{"from": "vertical"})[0]
    equal((len(long["words"]), long["svg"]), (2500, None))
    equal(refused(server.json("/api/v1/parse", data=TEXT, draw=True, to="conllu"))[0], 400)
    equal(refused(server.json("/api/v1/parse", data=TEXT, draw=True, width=200))[0], 400)


@test
def oracle(server):
    """/api/v1/oracle gives the steps of dodona oracle"""
    for fields, same in (({}, []), ({"walk": "random", "seed": 7}, ["--walk=random", "--seed=7"]),
                         ({"single_root": True}, ["--single-root=yes"]),
                         ({"partial": True}, ["--unbuildable=partial"])):
        told = run("oracle", GOLD, "--system=arc-eager", *same)
        answer = server.json("/api/v1/oracle", data=GOLD, system="arc-eager", **fields)
        equal(json.loads(answer[2]), {"steps": lines(told)})
        answer = server.json("/api/v1/oracle", data=GOLD, system="arc-eager", to="jsonl", **fields)
        equal(answer[2], told)
    first = [step for step in lines(run("oracle", GOLD, "--system=covington-nm", "--loss=exact"))]
    answer = server.json("/api/v1/oracle", data=GOLD, system="covington-nm", loss="exact", sentence=1)
    equal(json.loads(answer[2])["steps"], [s for s in first if s["sent"] == first[0]["sent"]])
    equal(refused(server.json("/api/v1/oracle", data=GOLD))[0], 400)
    equal(refused(server.json("/api/v1/oracle", data=GOLD, system="arc-eagre"))[0], 400)
    equal(refused(server.json("/api/v1/oracle", data=GOLD, system="arc-eager", loss="no"))[0], 400)


@test
def trace(server):
    """/api/v1/trace gives the steps of dodona trace"""
    answer = server.json("/api/v1/trace", data=TEXT)
    equal(json.loads(answer[2])["steps"], lines(run("trace", TEXT, "--to=json")))
    answer = server.json("/api/v1/trace", data=GOLD, system="arc-hybrid", to="jsonl")
    equal(answer[2], run("trace", GOLD, "--system=arc-hybrid", "--to=json"))
    for fields, same in ({"data": TEXT}, []), ({"data": GOLD, "system": "covington"}, ["--system=covington"]):
        page = re.compile(r'(<script type="application/json" id="data">)({.*?"source":)"[^"]*"', re.S)
        told = server.json("/api/v1/trace", to="html", **fields)
        equal(told[1]["content-type"], "text/html; charset=utf-8")
        equal(page.sub(r"\1\2", told[2]), page.sub(r"\1\2", run("trace", fields["data"], "--to=html", *same)))
    answer = server.json("/api/v1/trace", data=TEXT, beam=4, gold="no", sentence=2)
    equal({step["sent"] for step in json.loads(answer[2])["steps"]}, {"2"})
    equal(refused(server.json("/api/v1/trace", data=GOLD, system="arc-eager", model="en"))[0], 400)


@test
def model_facts(server):
    """/api/v1/models tells all that is known of models"""
    model = json.loads(server.get("/api/v1/models")[2])["models"][0]
    equal((model["names"], model["facts"]["system"], model["beam"]),
          (["english"], "arc-hybrid", 1))
    equal("nsubj" in model["labels"], True)


# ---- the description -----------------------------------------------------------------------


REQUESTS = {
    "/process": [{"data": "Hi.", "tokenizer": "", "parser": ""}],
    "/api/v1/parse": [{"data": "Hi you.", "beam": 2, "nbest": 2, "scores": True, "draw": True},
                      {"data": GOLD, "from": "conllu"}],
    "/api/v1/draw": [{"data": GOLD, "sentence": 1}],
    "/api/v1/oracle": [{"data": GOLD, "system": "covington"}],
    "/api/v1/trace": [{"data": "Hi you.", "gold": "no"}, {"data": "Hi you.", "to": "html"}],
}


@test
def described(server):
    """/openapi.json describes each path, and what is answered is as it says"""
    status, headers, body = server.get("/openapi.json")
    equal((status, headers["content-type"]), (200, "application/json"))
    description = json.loads(body)
    for path, methods in description["paths"].items():
        if path.startswith("/parser/"):  # in test_annotate.py
            continue
        for fields in REQUESTS.get(path, [{}]):
            check_answer(description, methods["get"], server.get(path, **fields), path)
            if "post" in methods:
                check_answer(description, methods["post"], server.json(path, **fields), path)
            else:
                equal(server.json(path)[0], 405)
        if path in REQUESTS:
            check_answer(description, methods["post"], server.json(path), path + ", refused")
            for name in description["components"]["schemas"][
                    methods["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
                    .rpartition("/")[2]]["properties"]:
                reason = server.json(path, **{"data": "x", name: "\u0001"})[2]
                assert f"unknown field '{name}'" not in reason, f"{path} does not know {name}"


with Server(program, ["--threads", "2", "--quiet"]) as server:
    run_all(server)
