#!/usr/bin/env python3
"""What tasks cost beside one process, and what workers share:

    bench/tasks.py BUILD TEXT [SIZE]

Parses the text with `dodona parse`, in tasks of SIZE bytes (a tenth of the text) by one worker, and by
two at a time, in turns, five times, and prints medians. Times are those of cores (user and system), as
the machine may have other work: "two workers" is the time of one worker divided by that of the slower
of two, and would be 2 if nothing were lost. Memory is the sum over eight workers of the proportional
set size (PSS), in which what processes share, such as the mapped model, counts once.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS, WORKERS = 5, 8


def core_seconds(*commands):
    """Of each, run at the same time."""
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    times = []
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"{process.args}: status {status}")
        times.append(usage.ru_utime + usage.ru_stime)
    return times


def pss(process):
    """Of a process and its children, in bytes."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    total = 0
    for number in [process, *map(int, children)]:
        for line in pathlib.Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def measure_memory(run, plan):
    workers = [subprocess.Popen([*run, plan, f"{k}/{WORKERS}"]) for k in range(1, WORKERS + 1)]
    most = 0
    while all(worker.poll() is None for worker in workers):
        try:
            most = max(most, sum(pss(worker.pid) for worker in workers))
        except (FileNotFoundError, ProcessLookupError):
            pass  # a task ended meanwhile
        time.sleep(0.2)
    for worker in workers:
        worker.kill()
        worker.wait()
    return most


def main():
    build, text = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    size = sys.argv[3] if len(sys.argv) > 3 else str(os.path.getsize(text) // 10)
    program = os.fspath(build / "dodona")
    run = [program, "corpus", "run", "-q", "--again"]
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "plan")
        subprocess.run([program, "corpus", "plan", "--size", size, "--into", plan, text], check=True)
        plain, one, two = [], [], []
        for _ in range(ROUNDS):
            plain += core_seconds([program, "parse", "-q", "-o", os.path.join(folder, "out"), text])
            one += core_seconds([*run, plan])
            two.append(max(core_seconds([*run, plan, "1/2"], [*run, plan, "2/2"])))
        memory = measure_memory(run, plan)
    print(f"one process     {statistics.median(plain):.2f} s of a core")
    print(f"in tasks        {statistics.median(one):.2f} s, "
          f"{100 * (statistics.median(one) / statistics.median(plain) - 1):+.1f} %")
    print(f"two workers     {statistics.median(one) / statistics.median(two):.2f} times one")
    print(f"eight workers   {memory / 1e6:.0f} MB (PSS), of which the model "
          f"{os.path.getsize(build / 'models' / 'english.dodona') / 1e6:.0f} MB")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(f"one worker      {peak / 1e6:.0f} MB at most (RSS, the model included)")


if __name__ == "__main__":
    main()
