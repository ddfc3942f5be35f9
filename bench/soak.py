#!/usr/bin/env python3
"""Whether `dodona serve` keeps its memory over many requests:

    bench/soak.py DODONA [--model MODEL] [--requests N] [--connections N]

Requests of all kinds, good ones and bad ones, are sent over connections that are closed and opened again now and
then, twenty at a time without waiting for the first answer. After each tenth it prints the requests so far, how
many there are per second, and the memory that the server has. It fails if an answer is not what it should be, or if
memory has grown by more than 2 % and a megabyte since the first tenth, in which all that is kept has been made.
"""

import argparse
import asyncio
import json
import pathlib
import re
import time
import urllib.parse

from serve import read_answer, start_dodona

GROUPS = 50  # how often all of them are sent until the connection is closed


def request(path, body=None, kind="application/json"):
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: x\r\n"
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


def soak(server, port, args):
    kinds, sent, start, memory = all_kinds(), 0, time.monotonic(), []
    for _ in range(10):
        sent += asyncio.run(send(port, kinds, args.requests // 10, args.connections))
        memory.append(resident(server.pid))
        print(f"{sent:10,} requests {sent / (time.monotonic() - start):8,.0f} per second {memory[-1]:8.1f} MB",
              flush=True)
    if memory[-1] > 1.02 * memory[0] + 1:
        raise SystemExit("memory grows with the requests")


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("dodona")
    reader.add_argument("--model")
    reader.add_argument("--requests", type=int, default=1000000)
    reader.add_argument("--connections", type=int, default=8)
    args = reader.parse_args()
    server, port = start_dodona(args.dodona, args.model)
    try:
        soak(server, port, args)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
