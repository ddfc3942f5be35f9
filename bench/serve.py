#!/usr/bin/env python3
"""How fast `dodona serve` is, and how much of the program's own speed is left:

    bench/serve.py DODONA TEXT [--model MODEL] [--connections N,N...] [--sentences N]
                   [--udpipe-server PROGRAM --udpipe-model FILE]

TEXT is plain text, with one sentence a line. Requests of so many sentences each ask for tokens, tags and
trees by /process, over connections that are kept open. For each number of connections it prints words per
second of the clock, and as a share of what `dodona parse` does with the same text, the same model and as
many threads; and the same in seconds of the processor, which other programs on the machine disturb less.
Then it prints how long a single sentence takes, one after the other: the median and the 99th percentile.
With the path of UDPipe's own server (`make -C src MODE=release server` in its repository) and one of its
models, the same requests go to that.
"""

import argparse
import asyncio
import os
import pathlib
import re
import resource
import subprocess
import time
import urllib.parse


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request_of(lines):
    body = urllib.parse.urlencode({"data": "\n".join(lines), "tokenizer": "presegmented",
                                   "tagger": "", "parser": ""}).encode()
    return (b"POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            b"application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


async def read_answer(reader):
    """Whether it is a good one, and whether the connection stays open."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    if length:
        await reader.readexactly(int(length[1]))
    elif re.search(rb"(?i)\r\ntransfer-encoding: chunked", head):
        while size := int(await reader.readuntil(b"\r\n"), 16):
            await reader.readexactly(size + 2)
        await reader.readuntil(b"\r\n")
    else:
        await reader.read()
    return head.split()[1] == b"200", not re.search(rb"(?i)\r\nconnection: close", head)


async def client(port, requests, times):
    reader = writer = None
    while requests:
        request = requests.pop()
        start = time.perf_counter()
        if not writer:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        writer.write(request)
        good, stays = await read_answer(reader)
        if not good:
            raise SystemExit("a request was refused")
        times.append(time.perf_counter() - start)
        if not stays:
            writer.close()
            writer = None
    if writer:
        writer.close()


def ask_all(port, requests, connections):
    """Seconds of the clock, and of each request."""
    waiting, times = list(requests), []

    async def run():
        await asyncio.gather(*(client(port, waiting, times) for _ in range(connections)))
    start = time.perf_counter()
    asyncio.run(run())
    return time.perf_counter() - start, sorted(times)


def start_dodona(program, model, *options):
    server = subprocess.Popen([program, "serve", "--quiet", "--listen", "127.0.0.1:0", "--queue", "1000", *options,
                               *(["-m", model] if model else [])], stderr=subprocess.PIPE, text=True)
    return server, int(re.search(r':(\d+)"', server.stderr.readline())[1])


def start_udpipe(program, model):
    port = 8123
    server = subprocess.Popen([program, "--log_file=", "--max_connections=1000",
                               f"--threads={len(os.sched_getaffinity(0))}", str(port), "m", "m", model,
                               ""], stderr=subprocess.PIPE, text=True)
    server.stderr.readline()
    return server, port


def program_speed(program, model, text):
    """Words, seconds of the clock and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([program, "parse", "--quiet", "--tag", "--from", "text", "--given=sentences",
                           "--threads", "auto", *(["-m", model] if model else []), text], check=True,
                          stdout=subprocess.PIPE)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = len(re.findall(rb"(?m)^\d+\t", done.stdout))
    return words, seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, server, port, lines, args, own):
    words, seconds, busy = own
    step = args.sentences
    requests = [request_of(lines[i:i + step]) for i in range(0, len(lines), step)]
    ask_all(port, requests[:20], 1)
    for connections in map(int, args.connections.split(",")):
        before = processor_seconds(server.pid)
        took, _ = ask_all(port, requests, connections)
        used = processor_seconds(server.pid) - before
        print(f"{name:8} {connections:4} connections {words / took:10,.0f} words/s"
              f" {100 * seconds / took:6.1f} %   of the processor {words / used:10,.0f}"
              f" {100 * busy / used:6.1f} %", flush=True)
    _, times = ask_all(port, [request_of([line]) for line in lines[:500]], 1)
    print(f"{name:8} one sentence: median {1000 * times[len(times) // 2]:.2f} ms,"
          f" 99th percentile {1000 * times[len(times) * 99 // 100]:.2f} ms", flush=True)


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("dodona")
    reader.add_argument("text")
    reader.add_argument("--model")
    reader.add_argument("--connections", default="1,16,256")
    reader.add_argument("--sentences", type=int, default=10)
    reader.add_argument("--udpipe-server")
    reader.add_argument("--udpipe-model")
    args = reader.parse_args()
    lines = [line for line in pathlib.Path(args.text).read_text(encoding="utf-8").splitlines() if line]
    own = min((program_speed(args.dodona, args.model, args.text) for _ in range(3)),
              key=lambda one: one[1])
    print(f"program                   {own[0] / own[1]:10,.0f} words/s            "
          f"of the processor {own[0] / own[2]:10,.0f}", flush=True)
    servers = [("dodona", *start_dodona(args.dodona, args.model))]
    if args.udpipe_server:
        servers.append(("udpipe", *start_udpipe(args.udpipe_server, args.udpipe_model)))
    try:
        for name, server, port in servers:
            measure(name, server, port, lines, args, own)
    finally:
        for _, server, _ in servers:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
