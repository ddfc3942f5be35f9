"""UDPipe's REST interface:

    test_udpipe.py PROGRAM
"""

import json
import subprocess
import sys

from harness import Server, equal, multipart, run_all, test

program = sys.argv[1]
TEXT = "Time flies like an arrow. Fruit flies like a banana."


def parsed(text, *options):
    return subprocess.run([program, "parse", "--quiet", *options], input=text, check=True, text=True,
                          encoding="utf-8", stdout=subprocess.PIPE).stdout


def result(answer):
    status, headers, body = answer
    equal((status, headers["content-type"]), (200, "application/json"))
    content = json.loads(body)
    equal(sorted(content), ["acknowledgements", "model", "result"])
    equal(content["model"], "english")
    return content["result"]


@test
def models(server):
    """/models, by GET and POST"""
    expected = {"models": {"english": ["tokenizer", "tagger", "parser"],
                           "en-other": ["tokenizer", "tagger", "parser"]},
                "default_model": "english"}
    for method in "GET", "POST":
        status, headers, body = server.ask(method, "/models")
        equal((status, headers["content-type"]), (200, "application/json"))
        equal(json.loads(body), expected)


@test
def all_steps(server):
    """/process gives what the program gives, by each way of sending fields"""
    fields = {"data": TEXT, "tokenizer": "", "tagger": "", "parser": ""}
    expected = parsed(TEXT, "--from", "text")
    equal(result(server.get("/process", **fields)), expected)
    equal(result(server.form("/process", **fields)), expected)
    equal(result(server.json("/process", **fields)), expected)
    body, kind = multipart(fields)
    equal(result(server.ask("POST", "/process", body, {"Content-Type": kind})), expected)
    equal(result(server.ask("POST", "/process?tagger", body.replace('"tagger"', '"model"'),
                            {"Content-Type": kind})), expected)
    answer = server.ask("POST", "/process?data=x", body, {"Content-Type": kind})
    equal(answer[::2], (400, "data: it is given 2 times, and may be given once\n"))


@test
def steps_apart(server):
    """each step is done only if it is asked for"""
    words = result(server.form("/process", data=TEXT, tokenizer=""))
    equal({line.split("\t")[3] for line in words.splitlines() if "\t" in line}, {"_"})
    tags = result(server.form("/process", data=words, tagger=""))
    columns = [line.split("\t") for line in tags.splitlines() if "\t" in line]
    equal({cells[6] for cells in columns}, {"_"})
    equal(columns[0][1:4], ["Time", "time", "NOUN"])
    equal(result(server.form("/process", data=tags, parser="")), parsed(TEXT, "--from", "text"))
    equal(result(server.form("/process", data=words, tagger="none", parser="none")), words)


@test
def tagger_replaces(server):
    """a tagger that is asked for replaces the tags that there are"""
    data = "1\tTime\ttime\tX\t_\t_\t_\t_\t_\t_\n\n"
    equal(result(server.form("/process", data=data, tagger="")).split("\t")[3], "NOUN")
    equal(result(server.form("/process", data=data, parser="")).split("\t")[3], "X")


@test
def tokenizer_options(server):
    """options of the tokenizer: presegmented, ranges"""
    data = "Time flies. It does.\nYes."
    equal(result(server.form("/process", data=data, tokenizer="presegmented")).count("sent_id"), 2)
    ranged = result(server.form("/process", data=data, tokenizer="ranges;presegmented"))
    equal(ranged.count("sent_id"), 2)
    equal("TokenRange=5:10" in ranged, True)
    equal(result(server.form("/process", data=data, input="generic_tokenizer=ranges")),
          result(server.form("/process", data=data, tokenizer="ranges")))


@test
def inputs(server):
    """input: horizontal, vertical, conllu"""
    horizontal = result(server.form("/process", input="horizontal",
                                    data="New\u00a0York is big .\r\n\n  It\tis .  \n"))
    vertical = result(server.form("/process", input="vertical",
                                  data="New York\tx\nis\nbig\n.\n\nIt\nis\n.\n"))
    equal(horizontal, vertical)
    equal([line.split("\t")[1] for line in horizontal.splitlines() if "\t" in line],
          ["New York", "is", "big", ".", "It", "is", "."])
    equal(result(server.form("/process", input="conllu", data=vertical)), vertical)
    equal(result(server.form("/process", data=vertical)), vertical)


@test
def outputs(server):
    """output: horizontal, vertical; the others are refused with a list"""
    data = "New\u00a0York is big .\nIt is ."
    asked = {"data": data, "input": "horizontal"}
    equal(result(server.form("/process", output="horizontal", **asked)), data + "\n")
    equal(result(server.form("/process", output="vertical", **asked)),
          "New York\nis\nbig\n.\n\nIt\nis\n.\n\n")
    for name in "matxin", "plaintext", "epe", "":
        status, headers, body = server.form("/process", output=name, **asked)
        equal((status, headers["content-type"]), (400, "text/plain; charset=utf-8"))
        equal(body, f"output: '{name}' is not one of conllu, horizontal, vertical\n")


@test
def names(server):
    """names of models: exact, before a hyphen, by language, by their beginning"""
    def name(model):
        status, _, body = server.form("/process", data="Hi", tokenizer="", model=model)
        return json.loads(body)["model"] if status == 200 else body
    equal([name(model) for model in ("english", "en-other", "alias", "en", "engl", "")],
          ["english", "en-other", "en-other", "en-other", "english", "english"])
    equal(name("german"), "model: 'german' does not exist; /models lists all, such as 'english'\n")
    equal(name("englsih"), "model: 'englsih' does not exist; did you mean 'english'?\n")


@test
def normalized(server):
    """data is taken in normalization form C, and U+FFFD where there is a NUL"""
    equal("Caf\u00e9" in result(server.form("/process", data="Cafe\u0301 is open", tokenizer="")), True)
    equal("a\ufffdb" in result(server.form("/process", data="a\0b", tokenizer="")), True)


@test
def broken(server):
    """what cannot be read is refused, with the line, and never as half of JSON"""
    good = "1\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    for data in good + "1\tHi\n\n", good * 500 + "1\tHi\n\n":
        status, headers, body = server.form("/process", data=data, parser="")
        equal((status, headers["content-type"]), (400, "text/plain; charset=utf-8"))
        equal(body.startswith(f"data:{data.count(chr(10)) - 1}: "), True)
    equal(server.form("/process", tokenizer="")[::2],
          (400, "the field 'data', with the text, is missing\n"))
    equal(server.form("/process", data="x", input="html")[0], 400)
    equal(server.ask("POST", "/process", "data=%ff&tokenizer=",
                     {"Content-Type": "application/x-www-form-urlencoded"})[::2],
          (400, "data: it is not UTF-8\n"))


@test
def empty(server):
    """an empty text has an empty result"""
    equal(result(server.form("/process", data="", tokenizer="", tagger="", parser="")), "")


@test
def long_text(server):
    """a long text is streamed, and the same as of the program"""
    text = "\n\n".join(f"{TEXT} This is paragraph {i}." for i in range(400))
    status, headers, body = server.form("/process", data=text, tokenizer="", tagger="", parser="")
    equal(headers.get("transfer-encoding"), "chunked")
    equal(json.loads(body)["result"], parsed(text, "--from", "text"))


@test
def constraints(server):
    """constraints in comments hold, and a contradiction late in a long text is refused in time"""
    words = "1\tBirds\t_\t_\t_\t_\t_\t_\t_\t_\n2\tsing\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    tree = result(server.form("/process", parser="", data="# constraint = arc 0 root 1\n" + words))
    equal([line.split("\t")[6] for line in tree.splitlines() if "\t" in line], ["0", "1"])
    bad = "# constraint = arc 1 _ 2\n# constraint = arc 2 _ 1\n" + words
    for data in bad, words * 300 + bad:
        status, _, body = server.form("/process", parser="", data=data)
        equal((status, "cycle" in body), (422, True))


with Server(program, ["--threads", "2", "--quiet"],
            ["english=english", "en-other:alias=english"]) as server:
    run_all(server)
