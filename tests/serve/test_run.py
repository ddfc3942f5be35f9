"""How the server is run: signals, its queue, tokens, logs, counts, sockets:

    test_run.py PROGRAM EXAMPLES
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from harness import Server, equal, run_all, test

program, examples = sys.argv[1], pathlib.Path(sys.argv[2])
LONG = "Time flies like an arrow, and fruit flies like a banana. " * 3000


def fails(*options, **environment):
    """Status and messages of a server that does not start."""
    done = subprocess.run([program, "serve", *options], text=True, stderr=subprocess.PIPE, timeout=300,
                          env={**os.environ, **environment})
    return done.returncode, done.stderr


@test
def start():
    """what is wrong with options shows at once"""
    equal(fails("--listen", "nowhere"),
          (2, "dodona serve: option '--listen': 'nowhere' is not ADDRESS:PORT, such as 127.0.0.1:8000\n"))
    equal(fails("--listen", "localhost:http")[0], 2)
    equal(fails("--listen", "127.0.0.1:0", "-m", "x=/nothing.dodona")[0], 1)
    equal(fails("--listen", "127.0.0.1:0", "-m", "x=english", "-m", "x=english"),
          (2, "dodona serve: two models have the name 'x'\n"))
    equal(fails("--host", "https://example.org"),
          (2, "dodona serve: option '--host': 'https://example.org' is not the name of a host, such as "
              "parser.example.org, or '*'\n"))
    equal(fails("--token-file", "/nothing")[0], 1)
    equal(fails("--listen", "127.0.0.1:0", DODONA_TOKEN="a b"),
          (1, "dodona: $DODONA_TOKEN: the token has something else than visible ASCII characters\n"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        equal(fails("--listen", str(port)), (1, f"dodona: {port}: Address already in use\n"))


@test
def end():
    """SIGTERM and SIGINT end it with status 0, and what is running is finished first"""
    for number in signal.SIGTERM, signal.SIGINT:
        with Server(program, ["--threads", "1"]) as server:
            idle = server.socket()
            with concurrent.futures.ThreadPoolExecutor() as threads:
                answers = [threads.submit(server.json, "/api/v1/parse", data=LONG) for _ in range(3)]
                deadline = time.monotonic() + 120
                while time.monotonic() < deadline:
                    told = server.get("/metrics")[2]
                    if int(re.search(r"^dodona_requests_open (\d+)", told, re.M)[1]) >= 4:
                        break
                equal(server.stop(number), 0)
                for answer in answers:
                    status, _, body = answer.result()
                    equal((status, len(json.loads(body)["sentences"])), (200, 3000))
            idle.close()
            server.reader.join(10)
            equal([json.loads(line).get("event") for line in server.log if "event" in line],
                  ["listening", "stopping", "stopped"])


@test
def full():
    """a full queue answers 503 with Retry-After, and later serves again"""
    with Server(program, ["--threads", "1", "--queue", "2", "--quiet"]) as server:
        with concurrent.futures.ThreadPoolExecutor(30) as threads:
            answers = [threads.submit(server.json, "/api/v1/trace", data=LONG[:40000])
                       for _ in range(30)]
            answers = [answer.result() for answer in answers]
        statuses = {answer[0] for answer in answers}
        equal(statuses, {200, 503})
        refused = next(answer for answer in answers if answer[0] == 503)
        equal((refused[1]["retry-after"], json.loads(refused[2])["reason"]),
              ("1", "too many requests are waiting; try again later"))
        equal(server.form("/process", data="Hi.", tokenizer="")[0], 200)


@test
def token():
    """a token is asked for, from a file or the environment, but not for /live, /health and /ready"""
    with tempfile.NamedTemporaryFile("w", suffix=".token") as file:
        file.write("sesame-42\n")
        file.flush()
        with Server(program, ["--token-file", file.name]) as server:
            status, headers, _ = server.get("/models")
            equal((status, headers["www-authenticate"]), (401, "Bearer"))
            for wrong in "sesame-43", "sesame-4", "sesame-422", "", "sesame-42\u00e9":
                header = {"Authorization": f"Bearer {wrong}"}
                equal(server.get("/models", header)[0], 401)
            equal(server.get("/models", {"Authorization": "sesame-42"})[0], 401)
            equal(server.get("/models", {"Authorization": "Bearer sesame-42"})[0], 200)
            equal(server.get("/metrics")[0], 401)
            equal([server.get(path)[0] for path in ("/live", "/health", "/ready", "/openapi.json")], [200] * 4)
    with Server(program, ["--quiet"], env={**os.environ, "DODONA_TOKEN": "x"}) as server:
        equal(server.get("/models")[0], 401)
        equal(server.get("/models", {"Authorization": "bearer x"})[0], 200)


def check(where):
    done = subprocess.run([program, "serve", "--check", "--listen", where], capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stdout + done.stderr


@test
def checked():
    """--check tells whether a server answers, also one that listens everywhere or wants a token"""
    for address in "127.0.0.1", "0.0.0.0":
        with Server(program, ["--quiet", "--listen", f"{address}:0"],
                    env={**os.environ, "DODONA_TOKEN": "x"}) as server:
            equal(check(f"{address}:{server.port}"), (0, ""))
        where = f"{address}:{server.port}"
        equal(check(where), (1, f"dodona: {where}: Connection refused\n"))
    equal(check("nowhere")[0], 2)


@test
def checked_others():
    """--check is not content with servers of other kinds, or that are not well, or hang up"""
    for answer in (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", b"HTTP/1.1 2000 \r\n\r\n", b"220 mail\r\n", b""):
        with socket.create_server(("127.0.0.1", 0)) as other:
            def serve():
                client = other.accept()[0]
                with client:
                    client.recv(100)
                    client.sendall(answer)
            thread = threading.Thread(target=serve)
            thread.start()
            where = f"127.0.0.1:{other.getsockname()[1]}"
            equal(check(where), (1, f"dodona: {where}: what answers there is not a healthy server\n"))
            thread.join()


@test
def cors():
    """CORS is off unless it is asked for"""
    with Server(program, ["--quiet"]) as server:
        equal("access-control-allow-origin" in server.get("/models")[1], False)
    with Server(program, ["--quiet", "--cors", "https://example.org"]) as server:
        equal(server.get("/models")[1]["access-control-allow-origin"], "https://example.org")
        status, headers, _ = server.ask("OPTIONS", "/process")
        equal((status, headers["access-control-allow-methods"]), (204, "GET, POST"))


@test
def hosts():
    """requests for other hosts are refused, unless their names are given"""
    own = ["localhost", "LocalHost:8000", "localhost.", "127.0.0.1", "127.0.0.1:8000", "192.0.2.7", "[::1]", "[::1]:80"]
    other = ["example.org", "localhost.example.org", "127.0.0.1.example.org", "xlocalhost", "", ":80", "[::1", "[]",
             "[x]", "localhost:x", "127.0.0.1@example.org", "256.1.1.1", "a" * 300]
    given = ["parser.example.org", "PARSER.example.org:443", "parser.example.org."]

    def statuses(server, names):
        return [server.get("/models", {"Host": name})[0] for name in names]
    with Server(program, ["--quiet"]) as server:
        equal(statuses(server, own), [200] * len(own))
        equal(statuses(server, other + given), [421] * len(other + given))
        equal(server.json("/api/v1/parse", data="Hi.")[0], 200)
        answer = server.get("/api/v1/parse", {"Host": "example.org"}, data="Hi.")
        equal((answer[0], json.loads(answer[2])["reason"]),
              (421, "the host 'example.org' is not served; 'dodona serve --host NAME' adds names"))
        with server.socket() as plain:
            plain.sendall(b"GET /live HTTP/1.0\r\n\r\n")
            equal(plain.recv(100).split()[1], b"200")
    with Server(program, ["--quiet", "--host", "example.net", "--host", "parser.example.org"]) as server:
        equal(statuses(server, own + given), [200] * len(own + given))
        equal(statuses(server, other), [421] * len(other))
    with Server(program, ["--quiet", "--host", "*"]) as server:
        equal(statuses(server, own + other + given), [200] * len(own + other + given))


@test
def changed_model():
    """a model whose file is cut short or written over in place serves on as it was"""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "english.dodona")
        shutil.copy(pathlib.Path(program).parent / "models" / "english.dodona", model)
        with Server(program, ["--quiet", "--threads", "1"], [str(model)]) as server:
            def answers():
                return [server.json("/api/v1/parse", data=LONG[:1000], beam=4)[::2], server.get("/api/v1/models")[::2]]
            before, size = answers(), model.stat().st_size
            equal([status for status, _ in before], [200, 200])
            for change in (lambda: model.write_bytes(b"\xff" * size), lambda: os.truncate(model, 0),
                           lambda: model.write_bytes(b"x" * (size // 2))):
                change()
                equal(answers(), before)


@test
def logs():
    """each request is a line of JSON, without texts unless they are asked for"""
    with Server(program) as server:
        server.form("/process", data="Secret words.", tokenizer="", parser="")
        server.get("/process", data="Secret query.", input="secret")
        lines = server.logged(2)
        equal([(line["method"], line["path"], line["status"]) for line in lines],
              [("POST", "/process", 200), ("GET", "/process", 400)])
        equal((lines[0]["model"], lines[0]["sentences"], lines[0]["words"], lines[0]["client"]),
              ("english", 1, 3, "127.0.0.1"))
        equal("ecret" in "".join(server.log), False)
    with Server(program, ["--log-text"]) as server:
        server.form("/process", data="Open words.", tokenizer="")
        server.get("/process", data="x", input="secret")
        lines = server.logged(2)
        equal(lines[0]["text"], "Open words.")
        equal(lines[1]["reason"].startswith("input: 'secret' is not one of"), True)


@test
def counts():
    """/metrics counts requests, words and time; /live, /health and /ready answer"""
    with Server(program, ["--quiet", "--threads", "2"]) as server:
        for _ in range(3):
            server.form("/process", data="Time flies.", tokenizer="", parser="")
        server.get("/nothing")
        status, headers, told = server.get("/metrics")
        equal((status, headers["content-type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
        values = dict(re.findall(r"^([a-z]\S*) (\S+)$", told, re.M))
        for name, value in (('dodona_requests_total{path="/process",status="200"}', "3"),
                            ('dodona_requests_total{path="other",status="404"}', "1"),
                            ("dodona_words_total", "9"), ("dodona_sentences_total", "3"),
                            ("dodona_request_seconds_count", "4"), ("dodona_models", "1"),
                            ('dodona_request_seconds_bucket{le="+Inf"}', "4"),
                            ("dodona_queue_length", "0"), ("dodona_workers", "2")):
            equal((name, values[name]), (name, value))
        equal(int(values["process_resident_memory_bytes"]) > 0, True)
        for line in told.splitlines():
            assert re.fullmatch(r'# (HELP|TYPE) \S+ .*|[a-z_]+(\{[^{}]*\})? [0-9.e+-]+', line), line
        equal([server.get(path)[::2] for path in ("/live", "/health", "/ready")],
              [(200, "live\n"), (200, "live\n"), (200, "ready\n")])


@test
def together():
    """requests of many connections are parsed together, with the results of each alone"""
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/small.dodona"
        subprocess.run([program, "train", "--quiet", "--scorer", "neural", "--width", "16",
                        "--iterations", "1", "--only", "tokenizer,parser", "-o", model, str(examples / "demo-train.conllu")],
                       check=True)
        texts = [f"Bird {i} sings {'loudly ' * (i % 5)}in the oak." for i in range(40)]
        with Server(program, ["--quiet", "--threads", "1", "--batch-wait", "20000"],
                    [f"small={model}"]) as server:
            alone = [server.form("/process", data=text, tokenizer="", parser="")[::2] for text in texts]
            equal({status for status, _ in alone}, {200})
            for fields in ({"constraints": ["arc 0 _ 1"]}, {}):
                with concurrent.futures.ThreadPoolExecutor(20) as threads:
                    answers = list(threads.map(lambda text: server.form(
                        "/process", data=text, tokenizer="", parser="")[::2], texts))
                    mixed = list(threads.map(lambda text: server.json(
                        "/api/v1/parse", data=text, **fields)[0], texts))
                equal(answers, alone)
                equal(mixed, [200] * len(texts))
            # One that is refused does not harm those that are parsed with it.
            with concurrent.futures.ThreadPoolExecutor(20) as threads:
                statuses = list(threads.map(lambda i: server.json(
                    "/api/v1/parse", data=texts[i], constraints=["arc 1 _ 1"] if i % 4 == 0 else [])
                    [0], range(len(texts))))
            equal(statuses, [422 if i % 4 == 0 else 200 for i in range(len(texts))])
            told = server.get("/metrics")[2]
            batches, requests = (int(re.search(rf"^dodona_{name} (\d+)", told, re.M)[1])
                                 for name in ("batches_total", "batched_requests_total"))
            assert requests > batches, (requests, batches)


ENGLISH = ("the old man walked slowly down the street with his dog and thought about the weather when it rained "
           "they stayed in the house and read what other people had written")
GERMAN = ("der alte Mann ging langsam mit seinem Hund die Strasse hinunter und dachte an das Wetter wenn es regnete "
          "blieben sie im Haus und lasen was andere geschrieben hatten")


def learn(folder, language, text):
    """A model with a tokenizer and a parser; each word depends on the one before it."""
    path = folder / f"{language}.dodona"
    rows = (f"{i + 1}\t{word}\t_\t_\t_\t_\t{i}\t{'dep' if i else 'root'}\t_\t{'_' if i else 'SpaceAfter=No'}\n"
            for i, word in enumerate(text.split()))
    subprocess.run([program, "train", "-q", "--only", "tokenizer,parser", "--iterations", "1", "--language", language,
                    "-o", path, "-"], input="".join(rows) + "\n", text=True, check=True)
    return path


@test
def languages():
    """model=auto is the model of the text's language"""
    with tempfile.TemporaryDirectory() as folder:
        paths = [learn(pathlib.Path(folder), *one) for one in (("en", ENGLISH), ("de", GERMAN))]
        with Server(program, ["--quiet", "-m", f"first={paths[0]}", "-m", f"second={paths[1]}"]) as server:
            def answer(path="/api/v1/parse", **fields):
                status, _, body = server.json(path, **fields)[:3]
                return status, json.loads(body)
            for text, name in ((ENGLISH, "first"), (GERMAN, "second")):
                equal(answer(data=text, model="auto")[1]["model"], name)
                tree = json.loads(server.form("/process", data=text, model="auto", tokenizer="", parser="")[2])
                equal(tree["model"], name)
                equal(answer(data=tree["result"], model="auto")[1]["model"], name)
            status, told = answer(data="Hallo", model="auto")
            equal((status, told["reason"]), (400, "model: the language is not clear; the likeliest are 'en' and 'de'; "
                                                  "name one of those that /models lists"))
        with Server(program, ["--quiet", "-m", f"first={paths[0]}", "-m", f"auto={paths[1]}"]) as server:
            equal(json.loads(server.json("/api/v1/parse", data=ENGLISH, model="auto")[2])["model"], "auto")


@test
def activation():
    """a socket that systemd hands over is used, and only by the process that it is for"""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        os.dup2(listening.fileno(), 200)
        script = 'exec 3<&200 200<&-; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve --quiet'
        process = subprocess.Popen(["bash", "-c", script, program], pass_fds=[200], text=True,
                                   stderr=subprocess.PIPE)
        os.close(200)
        line = process.stderr.readline()
        equal(json.loads(line)["address"], f"127.0.0.1:{port}")
        with socket.create_connection(("127.0.0.1", port)) as own:
            own.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            equal(own.recv(100).split()[1], b"200")
        process.send_signal(signal.SIGTERM)
        equal(process.wait(300), 0)
        process.stderr.close()
    with Server(program, ["--quiet"], env={**os.environ, "LISTEN_FDS": "1", "LISTEN_PID": "1"}) as own:
        equal(own.get("/live")[0], 200)


run_all()
