"""Requests that would take for ever, or more memory than there is: they are refused or ended, and others are
answered meanwhile:

    test_limits.py PROGRAM EXAMPLES
"""

import concurrent.futures
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

from harness import Server, equal, run_all, test

program, examples = sys.argv[1], pathlib.Path(sys.argv[2])
folder = tempfile.TemporaryDirectory()
CONLLU = {"Content-Type": "text/x-conllu"}


def trained(system):
    """A model whose derivations are quadratically long."""
    model = f"{folder.name}/{system}.dodona"
    subprocess.run([program, "train", "--quiet", "--only", "parser", "--system", system, "--iterations", "1",
                    "-o", model, examples / "demo-train.conllu"], check=True)
    return model


def words(n):
    return "".join(f"{i}\tw{i % 97}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n" for i in range(1, n + 1)) + "\n"


def tree(n, head):
    return "".join(f"{i}\tw\t_\t_\t_\t_\t{head(i)}\t_\t_\t_\n" for i in range(1, n + 1)) + "\n"


def star(n):
    return tree(n, lambda i: 0 if i == n // 2 else n // 2)


def chain(n):
    return tree(n, lambda i: i + 1 if i < n else 0)


def post(server, path, body):
    return server.ask("POST", path, body, CONLLU)


def gauge(server, name):
    return int(re.search(rf"^{name} (\d+)", server.get("/metrics")[2], re.M)[1])


def reason(answer):
    return answer[0], json.loads(answer[2])["reason"]


MODEL = trained("covington-nm")
HEAVY = "/api/v1/parse?beam=64", words(780)  # minutes
START = f"POST {HEAVY[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/x-conllu\r\n" \
        f"Content-Length: {len(HEAVY[1])}\r\n\r\n{HEAVY[1]}".encode()


def start_heavy(server, count):
    """Connections with requests of which as many as may are being worked on."""
    opened = [server.socket() for _ in range(count)]
    for own in opened:
        own.sendall(START)
    end = time.monotonic() + 300
    while gauge(server, "dodona_workers_busy") == 0 and time.monotonic() < end:
        time.sleep(0.01)
    return opened


@test
def late():
    """work that takes too long is ended with 503, and small requests are answered meanwhile"""
    with Server(program, ["--threads", "2", "--timeout", "10", "--quiet"], [MODEL]) as server:
        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            heavy = [threads.submit(post, server, *HEAVY) for _ in range(8)]
            quick = 0
            while not any(one.done() for one in heavy):
                equal(post(server, "/api/v1/parse", words(5))[0], 200)
                equal(server.get("/ready")[::2], (200, "ready\n"))
                quick += not any(one.done() for one in heavy)
            assert quick
            for one in heavy:
                status, why = reason(one.result())
                equal((status, why in ("the answer was not ready within 10 seconds",
                                       "it takes too long; send less at a time",
                                       "the server is too busy to answer in time")), (503, True))
        end = time.monotonic() + 300
        while gauge(server, "dodona_workers_busy") > 0:
            assert time.monotonic() < end, "workers are not freed"
        equal(gauge(server, "dodona_workers_stuck"), 0)


@test
def gone():
    """a client that leaves frees its worker"""
    with Server(program, ["--threads", "2", "--timeout", "3600", "--quiet"], [MODEL]) as server:
        for own in start_heavy(server, 4):
            own.close()
        end = time.monotonic() + 300
        while gauge(server, "dodona_workers_busy") > 0 or gauge(server, "dodona_queue_length") > 0:
            assert time.monotonic() < end, "workers are not freed"
            time.sleep(0.1)


@test
def ended():
    """a server with such work in hand ends when it is told to"""
    with Server(program, ["--timeout", "2", "--quiet"], [MODEL]) as server:
        opened = start_heavy(server, 4)
        equal(server.stop(), 0)
        for own in opened:
            own.close()


@test
def given_up():
    """what turns out to take long is done by itself, and is what the program does"""
    with Server(program, ["--quiet"], [MODEL]) as server:
        text = words(1500)
        status, _, body = server.ask("POST", "/api/v1/parse?to=conllu", words(3) + text + words(3), CONLLU)
        parsed = subprocess.run([program, "parse", "--quiet", "-m", MODEL], text=True, check=True,
                                input=words(3) + text + words(3), stdout=subprocess.PIPE)
        equal((status, body == parsed.stdout), (200, True))


@test
def long_sentences():
    """long sentences are refused where work grows faster than they do"""
    with Server(program, ["--quiet"], [MODEL]) as server:
        for path, text, why in (
                ("/api/v1/oracle?system=attardi&walk=random", chain(501),
                 "a sentence has 501 words; steps are shown of up to 500"),
                ("/api/v1/trace?system=arc-eager", chain(501),
                 "a sentence has 501 words; steps are shown of up to 500"),
                ("/api/v1/trace", words(501), "a sentence has 501 words; steps are shown of up to 500"),
                ("/api/v1/parse?beam=64", words(782),
                 "a sentence has 782 words; with a beam of 64 this server takes 781"),
                ("/api/v1/parse?beam=64", words(3) * 100 + words(782),
                 "a sentence has 782 words; with a beam of 64 this server takes 781"),
                ("/api/v1/parse", "# constraint = arc 0 _ 1\n" + words(1001),
                 "a sentence with constraints has 1001 words; this server takes 1000"),
                ("/api/v1/parse?constraint=leaf+3", words(1001),
                 "a sentence with constraints has 1001 words; this server takes 1000")):
            equal(reason(post(server, path, text)), (413, why))
        equal(post(server, "/api/v1/oracle?system=attardi&walk=random", chain(500))[0], 200)


@test
def large_answers():
    """steps and drawings have an upper size"""
    with Server(program, ["--quiet"], [MODEL]) as server:
        steps = tree(500, lambda i: i - 1)
        status, why = reason(post(server, "/api/v1/oracle?system=covington&walk=random&seed=3", steps * 20))
        equal((status, why.startswith("the steps take more than 8388608 bytes")), (413, True))
        equal(reason(post(server, "/api/v1/draw?width=300", star(1900))),
              (422, "the drawing would have more than 4194304 bytes"))
        equal(post(server, "/api/v1/draw", star(200))[0], 200)


@test
def unread():
    """answers that nobody reads are bounded, and small ones are made all the same"""
    drawing = star(780)
    request = f"POST /api/v1/draw?width=300 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/x-conllu\r\n" \
              f"Content-Length: {len(drawing)}\r\n\r\n{drawing}".encode()
    with Server(program, ["--quiet"], [MODEL]) as server:
        size = len(post(server, "/api/v1/draw?width=300", drawing)[2])
        assert size > 3 << 20, size
        opened = []
        for _ in range((256 << 20) // size):
            own = socket.socket()
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            own.connect(("127.0.0.1", server.port))
            own.sendall(request)
            opened.append(own)
        end = time.monotonic() + 300
        while post(server, "/api/v1/draw?width=300", drawing)[0] != 503:
            assert time.monotonic() < end, "all are kept"
        equal(reason(post(server, "/api/v1/draw?width=300", drawing)),
              (503, "too many large answers wait to be read"))
        equal(post(server, "/api/v1/parse", words(5))[0], 200)
        assert gauge(server, "dodona_unread_bytes") <= 128 << 20
        for own in opened:
            own.close()
        while gauge(server, "dodona_unread_bytes") > 0:
            assert time.monotonic() < end, "they are kept though their clients are gone"
        equal(post(server, "/api/v1/draw?width=300", drawing)[0], 200)


run_all()
