"""Clients that do not behave: whatever they send, the server lives and serves others:

    test_hostile.py PROGRAM
"""

import collections
import contextlib
import json
import os
import pathlib
import random
import re
import resource
import socket
import sys
import time

from harness import Server, equal, read_all, run_all, test, test_unless

program = sys.argv[1]
BODY = 16 * 1024  # the server's limit
IDLE = 10000  # connections, each of them a file here and one in the server
MOST_KILOBYTES = 10  # of memory for one of them


def most_files():
    """How many may be open here, after this has raised it as far as it may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most if most != resource.RLIM_INFINITY else IDLE + 400


def status(answer):
    """Of the raw bytes of an answer; None: there is none."""
    return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else None


def lives(server):
    equal(server.form("/process", data="Hi.", tokenizer="", parser="")[0], 200)


def hasty():
    """A server that cuts slow clients soon; where the machine is slow, it also ends requests of good ones."""
    return Server(program, ["--threads", "1", "--quiet", "--timeout", "2", "--max-body", str(BODY // 1024)])


def lives_on(server):
    """The same of a hasty one."""
    end = time.monotonic() + 120
    while (code := server.form("/process", data="Hi.", tokenizer="", parser="")[0]) == 503 and time.monotonic() < end:
        pass
    equal(code, 200)


@test
def malformed(_):
    """malformed requests get 4xx, or their connection is closed"""
    with hasty() as server:
        for request in (b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0\0\0\0\r\n\r\n",
                        b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n",
                        b"POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                        b"POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
                        b"POST /process HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                        b"POST /process HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                        b"ffffffffffffffffff\r\n",
                        b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n"):
            answer = server.raw(request, half_close=True)
            code = status(answer)
            assert code is None or 400 <= code < 600, (request[:60], answer[:200])
        lives_on(server)


def one_answer(server, request):
    """The only answer there is until the server closes the connection, which it does long before its timeout."""
    start, answer = time.monotonic(), server.raw(request)
    equal((answer.count(b"HTTP/1.1 "), request[:200]), (1, request[:200]))
    assert b"\r\nConnection: close\r\n" in answer, answer
    assert time.monotonic() - start < 60, request[:200]
    return status(answer)


@test
def two_ends(server):
    """where the end of a body is in doubt, the answer is 400, and nothing after it is a request"""
    hidden = b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for lines in (b"Content-Length: 3\r\nContent-Length: 60", b"Content-Length: 3\r\nContent-Length: 3",
                  b"Content-Length: 3\r\nTransfer-Encoding: chunked",
                  b"Transfer-Encoding: chunked\r\ncontent-length: 3",
                  b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                  b"Content-Length : 3", b"Transfer-Encoding\t: chunked", b"Content-Length: 3\r\n x",
                  b"Transfer-Encoding: chunked\r\n\tX: y", b"X: y\rContent-Length: 3"):
        request = b"POST /process HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n0\r\n\r\n" % lines
        equal((one_answer(server, request + hidden), lines), (400, lines))
    equal(one_answer(server, b"POST /process HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden), 400)
    lives(server)


@test
def encodings(server):
    """transfer encodings other than chunked get 501"""
    for encoding in b"gzip", b"identity", b"gzip, chunked", b"chunked, gzip", b"chunked;x", b"":
        request = b"POST /process HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: %s\r\n\r\nabc" % encoding
        equal((one_answer(server, request), encoding), (501, encoding))
    answer = server.raw(b"POST /api/v1/parse HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        b"Transfer-Encoding: Chunked\r\n\r\n3\r\nHi.\r\n0\r\n\r\n")
    equal(status(answer), 200)


@test
def one_header(server):
    """what is refused for its header is refused with one header"""
    equal(one_answer(server, b"GET / HTTP/1.1\r\n\r\n"), 400)
    equal(one_answer(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"), 400)
    equal(one_answer(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n"), 400)


@test
def sizes(_):
    """queries of any number of fields, and headers of any size, are answered or cut at once"""
    end = b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    with Server(program, ["--threads", "1", "--quiet"]) as server:
        def ask(request):
            with server.socket() as own:
                try:
                    own.sendall(request + b"\r\n")
                    return status(own.recv(65536))
                except (BrokenPipeError, ConnectionResetError):
                    return None
        for count in 1, 10, 100, 500, 800, 999:
            fields = b"&".join(b"constraint=%d:+leaf+1" % i for i in range(2, count + 1))
            equal((ask(b"GET /api/v1/parse?data=Hi.&" + fields + end), count), (200, count))
        for count in 1001, 2000, 5000:
            equal(ask(b"GET /process?" + b"&".join(b"f%d=%d" % (i, i) for i in range(count)) + end), 400)
        for size in *range(1000, 100000, 4500), *range(64500, 65700, 50):
            assert ask(b"GET /" + b"a" * size + end) in (404, 414, 431, None), size
            assert ask(b"GET /live?" + b"a&" * (size // 2) + end) in (200, 414, 431, None), size
            assert ask(b"GET /live" + end + b"X: " + b"y" * size + b"\r\n") in (200, 431, None), size
            assert ask(b"GET /live" + end + b"X: y\r\n" * (size // 6)) in (200, 431, None), size
            assert ask(b"A" * size + b" /?" + b"a&" * 1500 + end) in (405, 414, 431, None), size
        lives(server)


@test
def random_bytes(patient):
    """random bytes, and requests with random changes"""
    chance = random.Random(1)
    form = b"data=Hi+there.&tokenizer=&tagger=&parser="
    good = (b"POST /process HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
            b"application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s" % (len(form), form))
    equal(status(patient.raw(good)), 200)
    with hasty() as server:
        for _ in range(100):
            server.raw(chance.randbytes(chance.randrange(1, 2000)), half_close=True)
            request = bytearray(good)
            for _ in range(chance.randrange(1, 6)):
                request[chance.randrange(len(request))] = chance.randrange(256)
            server.raw(bytes(request), half_close=True)
        lives_on(server)


@test
def bad_bodies(server):
    """bodies that are not what their type says get 400"""
    for kind, body in (("multipart/form-data", b"x"), ("multipart/form-data; boundary=", b"x"),
                       ("multipart/form-data; boundary=b", b""), ("multipart/form-data; boundary=b", b"--b"),
                       ("multipart/form-data; boundary=b", b"--b\r\n\r\nx\r\n--b--"),
                       ("multipart/form-data; boundary=b",
                        b'--b\r\nContent-Disposition: form-data; name="data"\r\n\r\nx'),
                       ("application/json", b"["), ("application/json", b"[" * 10000),
                       ("application/json", b"[]"), ("application/json", b'{"data": ["x", {}]}'),
                       ("application/x-www-form-urlencoded", b"&" * 5000),
                       ("application/x-www-form-urlencoded", b"a=b&" * 3000)):
        code, _, _ = server.ask("POST", "/api/v1/parse", body, {"Content-Type": kind})
        equal((code, kind, body[:20]), (400, kind, body[:20]))
    lives(server)


@test
def too_large(server):
    """too large bodies get 413, announced or not, and also with Expect"""
    kind = {"Content-Type": "text/plain"}
    for size in BODY + 1, 10 * BODY:
        equal(server.ask("POST", "/api/v1/parse", b"x" * size, kind)[0], 413)
        pieces = iter([b"x" * (size // 4 + 1)] * 4)
        equal(server.ask("POST", "/api/v1/parse", pieces, kind)[0], 413)
    head = b"POST /process HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
    equal(status(server.raw(head % (100 * BODY))), 413)
    equal(server.ask("POST", "/api/v1/parse", b"x" * BODY, kind)[0], 200)


@test
def endless(server):
    """a body without end is cut"""
    with server.socket() as own:
        own.sendall(b"POST /process HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent = 0
        try:
            while sent < 4000 * BODY:
                own.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
                sent += 4096
        except OSError:
            pass
        assert sent < 4000 * BODY, "all was taken"
    lives(server)


@test
def long_sentence(server):
    """a sentence that is too long gets 413, also late in a long text"""
    word = "{}\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
    many = "".join(word.format(i) for i in range(1, 202)) + "\n"
    one = word.format(1) + "\n"
    for data in many, one * 100 + many:
        code, _, body = server.ask("POST", "/api/v1/parse", data, {"Content-Type": "text/x-conllu"})
        equal((code, "a sentence has 201 words; this server takes 200" in body), (413, True))


@contextlib.contextmanager
def slow_ones(server):
    """50 connections of which the server waits for a body, and one of which it waits for a header."""
    head = b"POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
    slow = [server.socket() for _ in range(50)]
    trickle = server.socket()
    for own in slow:
        own.sendall(head)
    trickle.sendall(b"GET / HT")
    yield slow, trickle
    for own in slow + [trickle]:
        own.close()


@test
def slow_senders(server):
    """slow senders hold no worker"""
    with slow_ones(server):
        lives(server)


@test
def cut_senders(_):
    """slow senders are cut, with 408 if a body was expected"""
    with hasty() as server, slow_ones(server) as (slow, trickle):
        trickle.settimeout(0.3)
        start, ended = time.monotonic(), False
        while not ended and time.monotonic() - start < 120:
            try:
                for own in slow:
                    own.send(b"x")
                trickle.send(b"T")
                ended = trickle.recv(1) == b""
            except TimeoutError:
                pass
            except OSError:
                ended = True
        equal(ended, True)
        equal(status(read_all(slow[0])), 408)
        lives_on(server)


@test
def half_closed(patient):
    """a client that has closed its half gets its answer"""
    form = b"data=Hi.&tokenizer=&parser="
    request = (b"POST /process HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
               b"application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s" % (len(form), form))
    answer = patient.raw(request, half_close=True)
    assert status(answer) in (200, None), answer
    with hasty() as server:
        for cut in range(0, len(request), 7):
            server.raw(request[:cut], half_close=True)
        lives_on(server)


@test
def gone(server):
    """clients that go away before or within their answer"""
    data = ("Time flies like an arrow. " * 600)[:BODY - 100].encode()
    head = (b"POST /api/v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
            b"Content-Length: %d\r\n\r\n" % len(data))
    for read in 0, 1, 5000:
        for _ in range(10):
            with server.socket() as own:
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                own.sendall(head + data)
                if read:
                    own.recv(read)
    lives(server)


@test
def idle(server):
    """many idle connections do not keep others away"""
    many = [server.socket() for _ in range(150)]
    lives(server)
    for own in many:
        own.close()


def resident(server):
    """Megabytes."""
    return int(re.search(r"process_resident_memory_bytes (\d+)", server.get("/metrics")[2])[1]) / 1e6


@test_unless(None if most_files() >= IDLE + 400 else f"fewer than {IDLE + 400} files may be open")
def ten_thousand_idle(_):
    """10,000 connections, idle or with half a request, take little memory and keep nobody away"""
    with Server(program, ["--threads", "1", "--quiet", "--connections", str(IDLE + 50)]) as server:
        lives(server)
        before, many = resident(server), []
        try:
            for i in range(IDLE):
                many.append(server.socket())
                if i % 2:
                    many[-1].sendall(b"POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Le")
            start = time.monotonic()
            lives(server)
            seconds, after = time.monotonic() - start, resident(server)
            print(f"# {IDLE} connections: {after - before:.0f} MB more than {before:.0f} MB,"
                  f" an answer after {1000 * seconds:.0f} ms")
            told = server.get("/metrics")[2]
            assert int(re.search(r"\ndodona_connections (\d+)", told)[1]) >= IDLE, told
            assert after - before < IDLE * MOST_KILOBYTES / 1000, (before, after)
        finally:
            for own in many:
                own.close()
        lives(server)


@test
def more_than_allowed(_):
    """idle connections and half requests give way at once, but none that waits for its answer"""
    data = b"Hi.\n\n" * 60000
    for half in b"", b"POST /process HTTP/1.1\r\nHost: loc", \
            b"POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx":
        with Server(program, ["--threads", "1", "--quiet", "--connections", "50"]) as server:
            slow = server.connect()
            slow.request("POST", "/api/v1/parse?to=conllu", data, {"Content-Type": "text/plain"})
            answer = slow.getresponse()
            many = []
            for _ in range(500):
                many.append(server.socket())
                many[-1].sendall(half)
            for _ in range(5):
                lives(server)
            equal(answer.read().count(b"\troot\t"), 60000)
            slow.close()
            # Those that came last have not been cut.
            many[-1].setblocking(False)
            try:
                equal(many[-1].recv(1), b"nothing")
            except BlockingIOError:
                pass
            for own in many:
                own.close()


def virtual_memory(server):
    """Bytes."""
    told = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return 1024 * int(re.search(r"VmSize:\s*(\d+)", told)[1])


@test_unless("AddressSanitizer takes all addresses" if b"__asan_init" in pathlib.Path(program).read_bytes() else None)
def no_memory(_):
    """where memory runs out, requests get 503, and the server lives"""
    bodies = [json.dumps({"data": " " * 3000000}).encode(), b'{"data": [' + b"1," * 1000000 + b"1]}"]
    head = (b"POST /api/v1/parse HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n")
    with Server(program, ["--threads", "2", "--quiet"], env={**os.environ, "MALLOC_ARENA_MAX": "1"}) as server:
        lives(server)
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (virtual_memory(server) + 30000000,) * 2)
        many = [(server.socket(), bodies[i % 2]) for i in range(60)]
        server.get("/live")  # All of them have been accepted.
        for own, body in many:
            own.sendall(head % len(body) + body[:-1])
        for own, body in many:
            own.sendall(body[-1:])
        answers = collections.Counter(status(read_all(own)) for own, _ in many)
        for own, _ in many:
            own.close()
        assert answers[503] > 10 and set(answers) <= {200, 400, 503}, answers
        lives(server)


@test
def slow_reader(_):
    """a slow reader of a long answer holds no worker, and gets all of it"""
    data = b"Hi.\n\n" * 60000
    with Server(program, ["--threads", "1", "--quiet"]) as server:
        own = server.connect()
        own.request("POST", "/api/v1/parse?to=conllu", data, {"Content-Type": "text/plain"})
        answer = own.getresponse()
        equal(answer.status, 200)
        while "dodona_workers_busy 0\n" not in server.get("/metrics")[2]:
            lives(server)
        told = server.get("/metrics")[2]
        assert "dodona_requests_open 2\n" in told and "dodona_queue_length 0\n" in told, told
        equal(answer.read().count(b"\troot\t"), 60000)
        own.close()


@test
def paths(server):
    """unknown paths get 404, wrong methods 405, queries of any bytes 400 or better"""
    equal(server.get("/nothing")[0], 404)
    equal(server.get("/api/v1/")[0], 404)
    code, headers, _ = server.ask("PUT", "/process", "x")
    equal((code, headers["allow"]), (405, "GET, HEAD, POST"))
    equal(server.ask("OPTIONS", "/process")[0], 405)
    code, _, body = server.ask("HEAD", "/models")
    equal((code, body), (200, ""))
    for query in "data=%00%ff", "%ff=1&data=x", "data", "=&=&=", "data=%zz":
        code = server.ask("GET", "/process?tokenizer&" + query)[0]
        assert code in (200, 400), (query, code)


with Server(program, ["--threads", "1", "--quiet", "--max-body", str(BODY // 1024), "--max-sentence", "200"]) as server:
    run_all(server)
