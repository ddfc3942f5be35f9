#!/usr/bin/env python3
"""Feeds hostile bytes to `dodona parse` and tells speed and peak memory for each kind.

    bench/hostile.py build/dodona MODEL [MEGABYTES]

The megabytes, 200 without the argument, are shared by the kinds. Fails if the program fails or
if its memory still grows in the second half of a kind.
"""
import random
import subprocess
import sys
import time

BLOCK = 1_000_003  # odd, so that what repeats meets the program's own blocks anywhere


def block(kind):
    """The bytes that are sent over and over; the same ones in every run."""
    source = random.Random(1)
    pieces = {
        "truncated UTF-8": (b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xe4\xbd\xa0", b"a", b" ", b".\n"),
        "long lines": (b"word ", b"Word ", b"end. ", b"(12) ", b"e-mail, "),
        "NULs": (b"\0",),
        "only spaces": (b" ",),
        "one word": (b"a",),
        "empty lines": (b"\n",),
    }
    if kind == "random bytes":
        return source.randbytes(BLOCK)
    if len(pieces[kind]) == 1:
        return pieces[kind][0] * BLOCK
    return b"".join(source.choices(pieces[kind], k=BLOCK))[:BLOCK]


def peak_memory(pid):
    """In kilobytes. Not the one that wait4 tells: it has that of this program in it."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def run(program, model, kind, size):
    """Seconds, and peak memory at the middle and at the end of the input."""
    part = block(kind)
    start = time.monotonic()
    child = subprocess.Popen(
        [program, "parse", "-q", "-m", model, "--from", "text", "-o", "/dev/null"],
        stdin=subprocess.PIPE,
    )
    half = peak = sent = 0
    while sent < size:
        ended = kind == "long lines" and sent // 10_000_000 != (sent + BLOCK) // 10_000_000
        child.stdin.write(part + b"\n" if ended else part)
        sent += BLOCK
        peak = peak_memory(child.pid)
        if not half or sent * 2 <= size:
            half = peak
    child.stdin.close()
    if child.wait() != 0:
        sys.exit(f"{kind}: status {child.returncode}")
    return time.monotonic() - start, half, peak


def main():
    program, model = sys.argv[1:3]
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    kinds = ("random bytes", "truncated UTF-8", "long lines", "NULs", "only spaces", "one word",
             "empty lines")
    size = megabytes * 1_000_000 // len(kinds)
    grown = False
    print(f"{'kind':<16} {'MB':>6} {'s':>7} {'MB/s':>6} {'peak MB':>8} {'at half':>8}")
    for kind in kinds:
        seconds, half, peak = run(program, model, kind, size)
        print(f"{kind:<16} {size / 1e6:6.1f} {seconds:7.2f} {size / 1e6 / seconds:6.1f} "
              f"{peak / 1e3:8.1f} {half / 1e3:8.1f}")
        grown |= peak > half * 1.1 + 2000
    if grown:
        sys.exit("memory grows with the input")


if __name__ == "__main__":
    main()
