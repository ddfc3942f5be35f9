#!/usr/bin/env python3
"""Whether `dodona serve` keeps its memory over many requests, and answers them under attack:

    bench/soak.py DODONA [--model MODEL] [--requests N] [--connections N] [--attack] [--idle N]

Requests of all kinds, good ones and bad ones, are sent over connections that are closed and opened again now and
then, twenty at a time without waiting for the first answer. After each tenth it prints the requests so far, how
many there are per second, and the memory that the server has. It fails if an answer is not what it should be, or if
memory has grown by more than 2 % and a megabyte since the first tenth, in which all that is kept has been made.

With --attack, other clients ask for as much work as they can get meanwhile, or for large answers that they do not
read; of the requests, those are sent that are not heavy (docs/server.md), and one client more asks for a small tree
twenty times a second. At the end it prints how long that took: median, 99th percentile and longest, and the most memory
that the server had. With --idle, so many connections are opened that send half a request.
"""

import argparse
import asyncio
import json
import multiprocessing
import pathlib
import re
import resource
import socket
import time
import urllib.parse

from serve import read_answer, start_dodona

GROUPS = 50  # how often all of them are sent until the connection is closed


def request(path, body=None, kind="application/json"):
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if body is None:
        return f"{head}\r\n".encode()
    body = body.encode()
    return f"{head}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def fields(**given):
    return json.dumps({"data": "The old oak rustles in the wind.", **given})


def all_kinds():
    """Requests, and whether each is to be answered with 200; trees are asked for most."""
    form = urllib.parse.urlencode({"data": "Birds sing. The cat slept.", "tokenizer": "", "tagger": "", "parser": ""})
    good = [*[request("/api/v1/parse", fields())] * 6, request("/process", form, "application/x-www-form-urlencoded"),
            request("/api/v1/parse", fields(constraints=["arc 0 _ 2"], scores=True, draw=True)),
            request("/api/v1/parse", fields(nbest=3, beam=4, to="conllu")), request("/api/v1/trace", fields()),
            request("/api/v1/parse", "1\tBirds\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "text/x-conllu"),
            request("/"), request("/models"), request("/metrics")]
    bad = [request("/api/v1/parse", fields(constraints=["arc 1 _ 1"])), request("/api/v1/parse", "{"),
           request("/api/v1/parse", fields(unknown=1)), request("/api/v1/parse", fields(model="none")),
           request("/nothing"), request("/process", "%00", "application/x-www-form-urlencoded")]
    return [(one, True) for one in good] + [(one, False) for one in bad]


# ---- attacks ------------------------------------------------------------------------------


def tree(n, head):
    return "".join(f"{i}\tw{i % 97}\t_\tNOUN\t_\t_\t{head(i)}\tdep\t_\t_\n" for i in range(1, n + 1)) + "\n"


def attacks():
    """Requests that take all the time that the server gives them, as far as it takes them at all."""
    def chain(n):
        return tree(n, lambda i: i + 1 if i < n else 0)

    def send(path, text):
        return request(path, text, "text/x-conllu")
    beams = [send("/api/v1/parse?beam=64", tree(n, lambda i: "_").replace("\tdep\t", "\t_\t")) for n in (781, 4990)]
    return [send("/api/v1/oracle?system=attardi&walk=random", chain(n)) for n in (500, 4990)] + beams + [
        send("/api/v1/oracle?system=covington-nm&loss=exact&walk=random", chain(500)),
        send("/api/v1/oracle?system=arc-eager&walk=gold", tree(2500, lambda i: i - 1)),
        send("/api/v1/parse", "".join(f"# constraint = span {i} {i + 9} any\n" for i in range(1, 980, 20))
             + "".join(f"# constraint = leaf {i}\n" for i in range(3, 1000, 7)) + tree(1000, lambda i: i - 1))]


async def attack(port, number):
    """One after the other, and sometimes the client does not wait for the answer."""
    all_of_them, at = attacks(), number
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        writer.write(all_of_them[at % len(all_of_them)])
        at += 1
        try:
            await asyncio.wait_for(read_answer(reader), 40 if at % 3 else 1)
        except (asyncio.TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


async def refuse_to_read(port):
    """The largest drawings that there are, of which nothing is read."""
    stars = [request("/api/v1/draw?width=300", tree(n, lambda i, n=n: 0 if i == n // 2 else n // 2), "text/x-conllu")
             for n in (800, 1900)]
    while True:
        own = socket.socket()
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        own.connect(("127.0.0.1", port))
        for star in stars:
            own.sendall(star)
        await asyncio.sleep(20)
        own.close()


async def attack_all(port):
    await asyncio.gather(*(attack(port, number) for number in range(8)), *(refuse_to_read(port) for _ in range(40)))


async def probe(port, times):
    """How long a small request takes, over and over."""
    small = request("/api/v1/parse", fields())
    while True:
        start = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(small)
        answered, _ = await asyncio.wait_for(read_answer(reader), 60)
        times.append(time.perf_counter() - start if answered else 60)
        writer.close()
        await asyncio.sleep(0.05)


def run_probe(port, server, out):
    """A process of its own; what it prints goes to the pipe."""
    times, most = [], 0

    async def run():
        nonlocal most
        asking = asyncio.ensure_future(probe(port, times))
        while not out.poll():
            most = max(most, resident(server))
            await asyncio.sleep(0.05)
            if asking.done():
                asking.result()
        asking.cancel()
    asyncio.run(run())
    times.sort()
    out.send((len(times), times[len(times) // 2], times[int(len(times) * 0.99)], times[-1], most))


def run_attack(port):
    asyncio.run(attack_all(port))


def open_idle(port, count):
    opened = []
    for i in range(count):
        own = socket.create_connection(("127.0.0.1", port))
        own.sendall(b"GET / HTTP/1.1\r\n" if i % 2 else b"")
        opened.append(own)
    return opened


# ---- requests -----------------------------------------------------------------------------


async def client(port, kinds, todo):
    """Until nothing is left to do."""
    while todo[0] > 0:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        for _ in range(GROUPS):
            writer.write(b"".join(one for one, _ in kinds))
            for one, is_good in kinds:
                answered, stays = await read_answer(reader)
                if answered != is_good or not stays:
                    raise SystemExit(f"another answer than expected to {one!r}")
            todo[0] -= len(kinds)
            if todo[0] <= 0:
                break
        writer.close()


async def send(port, kinds, count, connections):
    todo = [count]
    await asyncio.gather(*(client(port, kinds, todo) for _ in range(connections)))
    return count - todo[0]


def resident(pid):
    """Megabytes."""
    return int(re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1000


def is_light(one):
    return not any(word in one for word in (b"/trace", b"constraints", b"nbest"))


def soak(server, port, args):
    kinds, sent, start, memory = all_kinds(), 0, time.monotonic(), []
    if args.attack:
        kinds = [(one, is_good) for one, is_good in kinds if is_light(one)]
    for _ in range(10):
        sent += asyncio.run(send(port, kinds, args.requests // 10, args.connections))
        memory.append(resident(server.pid))
        print(f"{sent:10,} requests {sent / (time.monotonic() - start):8,.0f} per second {memory[-1]:8.1f} MB",
              flush=True)
    if not args.attack and memory[-1] > 1.02 * memory[0] + 1:
        raise SystemExit("memory grows with the requests")


def soak_under_attack(server, port, args):
    here, there = multiprocessing.Pipe()
    attacker = multiprocessing.Process(target=run_attack, args=(port,), daemon=True)
    prober = multiprocessing.Process(target=run_probe, args=(port, server.pid, there), daemon=True)
    attacker.start()
    prober.start()
    try:
        soak(server, port, args)
        here.send("stop")
        count, median, late, longest, most = here.recv()
    finally:
        attacker.terminate()
        prober.terminate()
    print(f"{count:,} small requests: median {1000 * median:.1f} ms, 99th percentile {1000 * late:.1f} ms, "
          f"longest {1000 * longest:.0f} ms; at most {most:.0f} MB")


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("dodona")
    reader.add_argument("--model")
    reader.add_argument("--requests", type=int, default=1000000)
    reader.add_argument("--connections", type=int, default=8)
    reader.add_argument("--attack", action="store_true")
    reader.add_argument("--idle", type=int, default=0)
    args = reader.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    server, port = start_dodona(args.dodona, args.model, "--connections", str(1000 + args.idle))
    try:
        idle = open_idle(port, args.idle)
        (soak_under_attack if args.attack else soak)(server, port, args)
        print(f"{len(idle):,} idle connections")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
