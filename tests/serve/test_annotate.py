"""The server as the parser of annotation tools: models that are trained while it runs, for ArboratorGrew, and
the front end of ConlluEditor:

    test_annotate.py PROGRAM EXAMPLES
"""

import json
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

from harness import Server, check_answer, equal, run_all, test

program, examples = sys.argv[1], pathlib.Path(sys.argv[2])
TRAIN = (examples / "demo-train.conllu").read_text(encoding="utf-8")
TEST = (examples / "demo-test.conllu").read_text(encoding="utf-8")
COLUMNS = {"lemmas": 2, "upos": 3, "xpos": 4, "feats": 5, "heads": 6, "deprels": 7}
scratch = tempfile.TemporaryDirectory()
folders = iter(range(1000))


def new_folder():
    return pathlib.Path(scratch.name) / str(next(folders))


def serving(folder, *options, models=("english-fast",), **more):
    return Server(program, ["--threads", "2", "--train", str(folder), *options], models, **more)


description = {}


def as_described(server, method, path, answer):
    """The answer, which is as /openapi.json says."""
    if not description:
        description.update(json.loads(server.get("/openapi.json")[2]))
    check_answer(description, description["paths"]["/parser/models" + path][method], answer, path)
    return answer


def ask(server, path, **fields):
    """What the clients of ArboratorGrew see: they read JSON, whatever the status is."""
    status, _, body = as_described(server, "post", path, server.json("/parser/models" + path, **fields))
    answer = json.loads(body)
    equal(answer["status"], "success" if status == 200 and "error" not in answer else "failure")
    return status, answer


def fails(expected, reason, answer):
    status, content = answer
    if status != expected or reason not in content["error"]:
        raise AssertionError(f"{answer} is not {expected}, {reason}")


def listed(server):
    status, _, body = as_described(server, "get", "/list", server.get("/parser/models/list"))
    equal(status, 200)
    return json.loads(body)["data"]


def delete(server, *names):
    path = "/".join(urllib.parse.quote(name, safe="") for name in names)
    status, _, body = as_described(server, "delete", "/list/{project}/{model}",
                                   server.ask("DELETE", "/parser/models/list/" + path))
    return status, json.loads(body)


def start(server, project="Demo", text=TRAIN, **more):
    return ask(server, "/train/start", **{"project_name": project, "train_samples": {"a sample": text},
                                          "max_epoch": 5, "base_model": None, **more})


def await_end(server, path, **fields):
    """Of a training, or a text that is parsed."""
    while True:
        status, answer = ask(server, path, **fields)
        if answer["status"] != "success" or answer["data"]["ready"]:
            return status, answer
        time.sleep(0.05)


def trained(server, **more):
    status, answer = start(server, **more)
    equal((status, answer["status"]), (200, "success"))
    info, name = answer["data"]["model_info"], answer["data"]["train_task_id"]
    status, answer = await_end(server, "/train/status", model_info=info, train_task_id=name)
    equal((status, answer["data"]["model_info"]), (200, info))
    return info, answer["data"]


def parsed(server, info, text, **keep):
    status, answer = ask(server, "/parse/start", model_info=info, to_parse_samples={"x": text, "y": TEST},
                         parsing_settings={"keep_" + name: rule for name, rule in keep.items()})
    equal((status, answer["data"]["model_info"]), (200, info))
    _, answer = await_end(server, "/parse/status", parse_task_id=answer["data"]["parse_task_id"])
    equal(answer["data"]["model_info"], info)
    equal(list(answer["data"]["parsed_samples"]), ["x", "y"])
    return answer["data"]["parsed_samples"]["x"]


def cells(text):
    """Of words; not of ranges."""
    return [line.split("\t") for line in text.splitlines() if line.split("\t")[0].isdigit()]


def check_trees(text):
    """Kept heads are written back as they were, so only constraints make trees of them and the others."""
    for sentence in text.strip().split("\n\n"):
        heads = [0] + [int(word[6]) for word in cells(sentence)]
        for at in range(1, len(heads)):
            for _ in heads:
                at = heads[at]
            equal(at, 0)


def set_cells(text, change):
    """Each word with its columns changed by a function of its number in the text, and the columns."""
    number, lines = 0, []
    for line in text.split("\n"):
        columns = line.split("\t")
        if columns[0].isdigit():
            change(number, columns)
            line = "\t".join(columns)
            number += 1
        lines.append(line)
    return "\n".join(lines)


def half_open(number, columns):
    if number % 2:
        columns[2:8] = ["_"] * 6


SHARED = new_folder()


class Shared:
    """A server with a model, for tests that change neither."""
    server = info = None

    @classmethod
    def get(cls):
        if not cls.server:
            cls.server = serving(SHARED)
            cls.info, _ = trained(cls.server)
        return cls.server, cls.info


MANY = TRAIN * 60  # that are not learnt while a test lasts
FEW = "\n\n".join(TRAIN.split("\n\n")[:10]) + "\n\n"


@test
def off():
    """without --train nothing is trained, deleted or listed"""
    with Server(program, ["--threads", "2"], ["english-fast"]) as server:
        fails(404, "--train FOLDER", start(server))
        fails(404, "--train FOLDER", delete(server, "a", "b"))
        equal(server.get("/parser/models/list")[0], 404)


@test
def round_trip():
    """a model is trained, listed, parses, and is there after a restart, until it is deleted"""
    with serving(SHARED) as server:
        equal(listed(server), [])
        info, data = trained(server)
        equal((info["project_name"], len(data["scores_history"])), ("Demo", 5))
        sizes = data["scores_best"]["training_diagnostics"]["data_description"]
        equal((sizes["n_train_sents"], sizes["n_test_sents"]), (61, 7))
        score = data["scores_best"]["LAS_chuliu_epoch"]
        equal(score, max(one["LAS_epoch"] for one in data["scores_history"]))
        equal(0.2 < score <= 1, True)
        before = parsed(server, info, TEST)
        equal(listed(server), [{"model_info": info, "scores_best": data["scores_best"]}])
        files = sorted(path.name for path in (SHARED / "Demo" / info["model_id"]).iterdir())
        equal(files, ["model.dodona", "scores.json"])
    with serving(SHARED) as server:
        equal(listed(server), [{"model_info": info, "scores_best": data["scores_best"]}])
        again = ask(server, "/train/status", model_info=info, train_task_id="of before")
        equal(again, (200, {"status": "success", "data": data}))
        equal(parsed(server, info, TEST), before)
        model = str(SHARED / "Demo" / info["model_id"] / "model.dodona")
        direct = subprocess.run([program, "parse", "--quiet", "--tag", "-m", model], input=TEST, check=True,
                                text=True, encoding="utf-8", stdout=subprocess.PIPE).stdout
        equal(before, direct)
        equal(delete(server, "Demo", info["model_id"]), (200, {"status": "success"}))
        equal(listed(server), [])
        equal([path.name for path in SHARED.iterdir()], [".lock"])
        fails(404, "there is no model", delete(server, "Demo", info["model_id"]))
        fails(404, "there is no model", ask(server, "/train/status", model_info=info, train_task_id=""))


@test
def keeps_heads():
    """heads, labels and tags that are annotated hold in every tree, and the rest is filled"""
    server, info = Shared.get()
    half = set_cells(TEST, half_open)
    rules = dict.fromkeys(COLUMNS, "EXISTING")
    kept = 0
    filled = parsed(server, info, half, **rules)
    check_trees(filled)
    for given, made in zip(cells(half), cells(filled), strict=True):
        for column in COLUMNS.values():
            equal(made[column] if given[column] != "_" else "_", given[column])
            kept += given[column] != "_"
        equal("_" in made[6:8], False)
        equal(made[:2] + made[8:], given[:2] + given[8:])
    equal(kept > 300, True)


@test
def keeps_what_is_wrong():
    """also heads and labels that no parser would choose; without being kept they are replaced"""
    server, info = Shared.get()
    sentence = TEST.split("\n\n")[0] + "\n\n"

    def chain(number, columns):
        columns[6:8] = [str(number), "root" if number == 0 else "strange"]
        columns[2:6] = ["L", "X", "T", "F=1"]

    wrong = set_cells(sentence, chain)
    equal(parsed(server, info, wrong, **dict.fromkeys(COLUMNS, "EXISTING")), wrong)
    equal(parsed(server, info, wrong, **dict.fromkeys(COLUMNS, "ALL")), wrong)
    for name, column in COLUMNS.items():
        made = parsed(server, info, wrong, **{**dict.fromkeys(COLUMNS, "EXISTING"), name: "NONE"})
        for given, found in zip(cells(wrong), cells(made), strict=True):
            equal(found[:column] + found[column + 1:], given[:column] + given[column + 1:])
        equal([word[column] for word in cells(made)] != [word[column] for word in cells(wrong)], True)
    equal(parsed(server, info, wrong), parsed(server, info, sentence))


@test
def keeps_what_is_open():
    """ALL keeps `_`, too"""
    server, info = Shared.get()
    half = set_cells(TEST, half_open)
    for name, column in COLUMNS.items():
        made = cells(parsed(server, info, half, **{name: "ALL"}))
        equal([word[column] for word in made], [word[column] for word in cells(half)])


@test
def crossing():
    """arcs that cross are kept"""
    server, info = Shared.get()
    text = "".join(f"{i}\tw{i}\t_\t_\t_\t_\t{head}\t_\t_\t_\n"
                   for i, head in enumerate("3 4 _ 0 2 1".split(), 1)) + "\n"
    made = parsed(server, info, text, heads="EXISTING")
    check_trees(made)
    equal([word[6] for word in cells(made)][:2], ["3", "4"])
    equal([word[6] for word in cells(made)][3:], ["0", "2", "1"])


@test
def no_tree():
    """a sentence whose heads no tree can have stays as it is, and says why"""
    server, info = Shared.get()
    text = ("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t3\tx\t_\t_\n"
            "3\tc\t_\t_\t_\t_\t2\ty\t_\t_\n4\td\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    made = parsed(server, info, text + text.replace("\t3\tx", "\t1\tx"), heads="EXISTING")
    first, second = made.strip().split("\n\n")
    equal(first.startswith("# dodona = HEAD and DEPREL as sent: "), True)
    equal([word[6] for word in cells(first)], ["0", "3", "2", "_"])
    equal([word[6] for word in cells(second)][:3], ["0", "1", "2"])
    equal([word[6] for word in cells(second)][3] == "_", False)


@test
def loose_conllu():
    """empty cells and blanks at the ends of lines are taken, as some tools write them"""
    server, info = Shared.get()
    text = ("# sent_id = 1\n# text = a bell \n1\ta\t_\t\t_\t_\t_\t_\t_\tSpaceAfter=No\t\n"
            "2\tbell\t_\t_\t_\t_\t\t_\t_\t_\t\r\n\n")
    made = cells(parsed(server, info, text))
    equal([word[:2] for word in made], [["1", "a"], ["2", "bell"]])
    equal(made[0][9], "SpaceAfter=No")


@test
def served():
    """a model of -m parses if the request has no model_id"""
    server, info = Shared.get()
    made = parsed(server, {"project_name": "english-fast", "model_id": ""}, TEST)
    expected = json.loads(server.form("/process", data=TEST, tagger="", parser="")[2])["result"]
    equal(made, expected)
    fails(400, "does not exist", ask(server, "/parse/start", model_info={"project_name": "nothing"},
                                     to_parse_samples={"x": TEST}, parsing_settings={}))


@test
def bad_requests():
    """what cannot be understood is refused, with a reason, in JSON"""
    server, info = Shared.get()
    def sent(path, body, kind="application/json", method="POST"):
        status, headers, text = server.ask(method, "/parser/models" + path, body, {"Content-Type": kind})
        equal(headers["content-type"], "application/json")
        return status, json.loads(text)

    good = json.dumps({"project_name": "p", "train_samples": {"a": TRAIN}})
    for path in "/train/start", "/train/status", "/parse/start", "/parse/status":
        fails(400, "not JSON", sent(path, "{"))
        fails(400, "not JSON", sent(path, ""))
        fails(400, "not an object", sent(path, "[1]"))
        fails(400, "is missing", sent(path, "{}"))
        fails(405, "takes POST", sent(path, None, method="GET"))
        fails(415, "application/json", sent(path, good, "text/plain"))
        fails(415, "application/json", sent(path, good, "application/x-www-form-urlencoded"))
    fails(405, "takes GET", sent("/list", "{}"))
    fails(405, "takes DELETE", sent("/list/a/b", None, method="GET"))
    fails(400, "train_samples", start(server, train_samples=[]))
    fails(400, "train_samples", start(server, train_samples={"a": 1}))
    fails(400, "a sample:2: ", start(server, text="1\ta\t_\t_\t_\t_\t0\troot\t_\t_\nx\n\n"))
    fails(400, "max_epoch", start(server, max_epoch=-1))
    fails(400, "scorer", start(server, scorer="magic"))
    fails(422, "no word of the texts has a head", start(server, text="1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"))
    fails(422, "linear, cannot be trained further", start(server, base_model=info))
    fails(404, "there is no model", start(server, base_model={"project_name": "a", "model_id": "b"}))

    def parse(**more):
        return ask(server, "/parse/start", **{"model_info": info, "to_parse_samples": {"x": TEST},
                                              "parsing_settings": {}, **more})
    fails(404, "there is no model", parse(model_info={"project_name": "Demo", "model_id": "x"}))
    fails(400, "model_info", parse(model_info="x"))
    fails(400, "keep_heads", parse(parsing_settings={"keep_heads": "SOME"}))
    fails(400, "x:1: ", parse(to_parse_samples={"x": "1\n"}))
    fails(404, "no such task", ask(server, "/parse/status", parse_task_id="0" * 32))
    equal([one["model_info"] for one in listed(server)], [info])


@test
def bad_names():
    """names cannot lead out of the folder"""
    server, info = Shared.get()
    for name in "..", ".", ".lock", "../x", "a/b", "/etc", "", "a\nb", "a\x7f", "x" * 101:
        fails(400, "", start(server, project=name))
        fails(400, "", ask(server, "/parse/start", model_info={"project_name": "Demo", "model_id": name or "/"},
                           to_parse_samples={"x": TEST}, parsing_settings={}))
        equal(delete(server, name or "..", info["model_id"])[0], 400)
        equal(delete(server, "Demo", name or "..")[0], 400)
    fails(400, "", start(server, project="a\0b"))
    equal(server.ask("DELETE", "/parser/models/list/%2e%2e/%2e%2e%2fetc")[0], 400)
    equal(server.ask("DELETE", "/parser/models/list/Demo")[0], 400)
    equal(server.ask("DELETE", "/parser/models/list/" + "Demo/" * 200)[0], 400)
    names = sorted(path.name for path in SHARED.parent.rglob("*"))
    equal([name for name in names if name in ("x", "b", "etc")], [])
    info_, _ = trained(server, project="Été à 2 «x» %41")
    equal(delete(server, info_["project_name"], info_["model_id"])[0], 200)


@test
def too_large():
    """requests are bounded by --train-body, and the folder by --train-disk"""
    folder = new_folder()
    with serving(folder, "--train-body", "1", "--max-body", "100", "--train-disk", "3") as server:
        fails(413, "bytes", start(server, text=MANY))
        info, _ = trained(server, max_epoch=1)
        with open(folder / "other", "wb") as file:
            file.truncate(4 << 20)
        fails(507, "delete some", start(server))
        equal([one["model_info"] for one in listed(server)], [info])


@test
def unwritable():
    """a folder that cannot be used is told at the start, and a full disk when a training begins"""
    file = new_folder()
    file.write_text("")
    for folder in file, file / "below", new_folder() / "below":
        done = subprocess.run([program, "serve", "--listen", "127.0.0.1:0", "-m", "english-fast", "--train",
                               folder], text=True, stderr=subprocess.PIPE, timeout=300)
        equal((done.returncode, "models cannot be kept here" in done.stderr), (1, True))
    folder = new_folder()
    folder.mkdir()
    (folder / "Taken").write_text("")
    with serving(folder) as server:
        fails(500, "cannot be made", start(server, project="Taken"))
        busy = subprocess.run([program, "serve", "--listen", "127.0.0.1:0", "-m", "english-fast", "--train",
                               folder], text=True, stderr=subprocess.PIPE, timeout=300)
        equal((busy.returncode, "another server uses the folder" in busy.stderr), (1, True))

    def few_bytes():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    with serving(folder, preexec_fn=few_bytes) as server:
        fails(507, "cannot be written", start(server))
        equal(sorted(path.name for path in folder.iterdir()), [".lock", "Taken"])
        equal(server.json("/api/v1/parse", data="It works.")[0], 200)


@test
def one_of_a_project():
    """a project has one training at a time; others wait, and can be deleted; requests are answered meanwhile"""
    folder = new_folder()
    with serving(folder) as server:
        first = start(server, text=MANY)[1]["data"]
        fails(409, "is being trained", start(server))
        second = start(server, "Other")[1]["data"]
        _, answer = ask(server, "/train/status", **second)
        equal((answer["data"]["ready"], answer["data"]["waits_for"]), (False, 1))
        fails(409, "still being trained", ask(server, "/parse/start", model_info=second["model_info"],
                                              to_parse_samples={"x": TEST}, parsing_settings={}))
        equal(server.json("/api/v1/parse", data="It is parsed.")[0], 200)
        equal(delete(server, *second["model_info"].values()), (200, {"status": "success"}))
        fails(404, "there is no model", ask(server, "/train/status", **second))
        while "dodona_trainings_running 1\n" not in server.get("/metrics")[2]:
            time.sleep(0.01)  # until a trainer, which has a low priority, has taken the first
        for n in range(8):
            equal(start(server, f"P{n}", FEW)[0], 200)
        fails(503, "8 trainings are waiting", start(server, "P8"))
        metrics = server.get("/metrics")[2]
        equal(["dodona_trainings_waiting 8\n" in metrics, "dodona_trainings_running 1\n" in metrics], [True] * 2)
        # The one that is trained ends, and the others follow.
        equal(delete(server, *first["model_info"].values()), (200, {"status": "success"}))
        fails(200, "was deleted", ask(server, "/train/status", **first))
        end = time.monotonic() + 300
        while len(listed(server)) < 8 and time.monotonic() < end:  # ends a test that has failed
            time.sleep(0.1)
        equal(sorted(one["model_info"]["project_name"] for one in listed(server)), [f"P{n}" for n in range(8)])
        equal((folder / "Demo").exists(), False)


@test
def restart():
    """a training that the end of the server cut off has failed, and its files are gone"""
    for number in signal.SIGTERM, signal.SIGKILL:
        folder = new_folder()
        server = serving(folder)
        task = start(server, text=MANY)[1]["data"]
        server.json("/api/v1/parse", data="It is parsed.")
        equal(server.stop(number), 0 if number == signal.SIGTERM else -number)
        with serving(folder) as server:
            fails(200, "the server ended", ask(server, "/train/status", **task))
            equal(listed(server), [])
            equal([path.name for path in folder.iterdir()], [".lock"])
            info, _ = trained(server, max_epoch=1)
            equal([one["model_info"] for one in listed(server)], [info])


@test
def foreign_files():
    """files in the folder that are not the server's stay"""
    folder = new_folder()
    (folder / "mine" / "too").mkdir(parents=True)
    (folder / "mine" / "too" / "notes.txt").write_text("mine")
    (folder / "broken" / "x").mkdir(parents=True)
    (folder / "broken" / "x" / "scores.json").write_text("{")
    (folder / "broken" / "x" / "model.dodona").write_text("")
    with serving(folder) as server:
        equal(listed(server), [])
        fails(404, "there is no model", delete(server, "mine", "too"))
    equal((folder / "mine" / "too" / "notes.txt").read_text(), "mine")
    equal((folder / "broken" / "x" / "scores.json").read_text(), "{")


@test
def small_treebanks():
    """one sentence is enough, and words without heads teach what they have"""
    sentence = TRAIN.split("\n\n")[0] + "\n\n"
    with serving(new_folder()) as server:
        info, data = trained(server, text=sentence)
        equal(data["scores_best"]["LAS_epoch"], 0)
        equal(data["scores_best"]["training_diagnostics"]["data_description"]["n_test_sents"], 0)
        equal(len(cells(parsed(server, info, TEST))), len(cells(TEST)))
        trained(server, text=sentence * 2)
        info, _ = trained(server, text=set_cells(TRAIN, lambda n, columns: n % 3 or columns.__setitem__(
            slice(6, 8), ["_", "_"])))
        equal("_" in [word[6] for word in cells(parsed(server, info, TEST))], False)


@test
def neural():
    """a neural model is trained on request, and further with other trees"""
    with serving(new_folder()) as server:
        info, data = trained(server, text=TRAIN[:TRAIN.index("\n\n", 6000)] + "\n\n", scorer="neural", max_epoch=2)
        equal(len(data["scores_history"]), 2)
        half = set_cells(TEST, half_open)
        for given, made in zip(cells(half), cells(parsed(server, info, half, heads="EXISTING"))):
            equal(given[6] in ("_", made[6]), True)
        further, _ = trained(server, base_model=info, max_epoch=1)
        equal(further["model_id"] > info["model_id"], True)


@test
def token():
    """with a token, requests without it are refused, as failures in JSON"""
    file = new_folder()
    file.write_text("secret\n")
    with serving(new_folder(), "--token-file", str(file)) as server:
        status, _, body = server.get("/parser/models/list")
        equal((status, json.loads(body)["status"]), (401, "failure"))
        status, _, body = server.get("/parser/models/list", {"Authorization": "Bearer secret"})
        equal((status, json.loads(body)), (200, {"status": "success", "data": []}))


# ---- ConlluEditor --------------------------------------------------------------------------------


def read_conf(path):
    """As its ParserClient reads it."""
    conf = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            key, value = line.split(":", 1)
            conf[key.strip()] = value.strip()
    return conf


@test
def conllueditor():
    """the parser front end of ConlluEditor works with examples/conllueditor.conf"""
    conf = read_conf(examples / "conllueditor.conf")
    fields = {conf["txt"]: "The cat slept. Birds don't sing, été &c."}
    for pair in conf["other"].split(","):
        key, _, value = pair.partition("=")
        fields[key] = value
    with Server(program, ["--threads", "2"], ["english-fast"]) as server:
        # What java.net.HttpURLConnection sends, with the headers that it adds by itself.
        status, _, body = server.ask("POST", urllib.parse.urlsplit(conf["url"]).path, urllib.parse.urlencode(fields), {
            "Content-Type": "application/x-www-form-urlencoded", "User-Agent": "Java/17.0.9",
            "Accept": "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"})
        equal(status, 200)
        found = json.loads("".join(line + "\n" for line in body.splitlines()))
        for key in conf["jsonpath"].replace("/", ".").split("."):
            found = found[key]
        sentences = found.strip().split("\n\n")
        equal(len(sentences), 2)
        for sentence in sentences:
            equal({len(word) for word in cells(sentence)}, {10})
            equal([word[6] for word in cells(sentence)].count("0"), 1)
        info = server.ask("GET", urllib.parse.urlsplit(conf["info"]).path)
        equal(json.loads(info[2])["default_model"], "english-fast")


@test
def shared_ends():
    """the server that the tests shared ends well"""
    equal(Shared.get()[0].stop(), 0)


try:
    run_all()
finally:
    if Shared.server and Shared.server.process.poll() is None:
        Shared.server.process.kill()
