#!/usr/bin/env python3
"""A corpus on a real Dask, whose workers are killed with SIGKILL at random moments, twice, and a file
that cannot be read; in TAP:

    trial_dask.py PROGRAM MODEL SIZE SINGLE FILE...

SINGLE is what one process writes of the files. WITHIN (10) is in how many seconds each worker is killed.
Needs the packages dodona and distributed.
"""

import filecmp
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import distributed

from dodona import corpus
from dodona.dask import parse


class Cluster:
    """A scheduler and two workers of one thread, as processes."""

    def __init__(self, folder):
        self.folder, self.place = folder, folder / "scheduler.json"
        self.processes = []
        self.start("dask_scheduler", "--port", "0", "--scheduler-file", self.place)
        self.workers = [self.worker(), self.worker()]

    def start(self, module, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--host", "127.0.0.1",
                   "--no-dashboard", *arguments]
        self.processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                               stderr=subprocess.DEVNULL))
        return self.processes[-1]

    def worker(self):
        return self.start("dask_worker", "--scheduler-file", self.place, "--nthreads", "1",
                          "--no-nanny", "--local-directory", self.folder)

    def kill_one(self):
        victim = self.workers.pop(random.randrange(len(self.workers)))
        os.kill(victim.pid, signal.SIGKILL)
        self.workers.append(self.worker())

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


def run(cluster, plan, seconds):
    """Counts of tasks done and failed, workers killed, and the time it took."""
    killed = []

    def kill_two():
        for _ in range(2):
            time.sleep(random.uniform(0.2, 1) * seconds)
            cluster.kill_one()
            killed.append(time.monotonic())

    client = distributed.Client(scheduler_file=cluster.place, timeout=60)
    client.wait_for_workers(2)
    killer = threading.Thread(target=kill_two)
    killer.start()
    start = time.monotonic()
    outcome = parse(client, plan)
    over = time.monotonic()
    killer.join()
    client.close()
    return outcome, sum(at < over for at in killed), over - start


def main():
    program, model, size, single, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        poison, plan = folder / "poison.conllu", folder / "plan"
        poison.write_text("1\tpoison\n\n", "utf-8")
        tasks = corpus.plan([*files, poison], plan, model=model, size=int(size))
        cluster = Cluster(folder)
        try:
            outcome, killed, seconds = run(cluster, plan, float(os.environ.get("WITHIN", 10)))
        finally:
            cluster.stop()
        corpus.merge(plan, folder / "merged", without_failed=True)
        claims = [
            ("two workers were killed", killed == 2),
            ("all is done but the file that cannot be read",
             corpus.missing(plan) == [tasks] and list(outcome.failed) == [tasks]),
            ("it is named", "poison.conllu:1: " in outcome.failed[tasks]),
            ("nothing is left behind", not list(plan.glob("*.part"))),
            ("all outputs are right", list(corpus.verify(plan, quick=True)) == [tasks]),
            ("joined, they are what one process writes",
             filecmp.cmp(folder / "merged", single, shallow=False)),
        ]
    for number, (claim, held) in enumerate(claims, 1):
        print(f"{'' if held else 'not '}ok {number} - {claim}")
    print(f"# {tasks} tasks, {seconds:.0f} s, with {program}")
    print(f"1..{len(claims)}")
    return 0 if all(held for _, held in claims) else 1


if __name__ == "__main__":
    sys.exit(main())
