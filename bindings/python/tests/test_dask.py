"""Plans, bags and columns on Dask; a scheduler and workers are processes of their own."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from dodona import corpus
from dodona.dask import parse, parse_bag, parse_column
from test_corpus import in_one_process, model, texts  # noqa: F401 (fixtures)


@pytest.fixture()
def cluster(tmp_path):
    """A scheduler and two workers; more can be started."""
    distributed = pytest.importorskip("distributed")
    processes = []
    place = tmp_path / "scheduler.json"

    def start(module, *arguments):
        processes.append(subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True))
        return processes[-1]

    def worker():
        return start("dask_worker", "--scheduler-file", str(place), "--nthreads", "1",
                     "--no-nanny", "--host", "127.0.0.1", "--local-directory", str(tmp_path))

    start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(place))
    workers = [worker(), worker()]
    client = distributed.Client(scheduler_file=str(place), timeout=60)
    client.wait_for_workers(2)
    yield client, workers, worker
    client.close()
    for process in processes:
        process.kill()
        process.wait()


def test_workers_that_are_killed_lose_nothing(cluster, model, texts, tmp_path):  # noqa: F811
    client, workers, worker = cluster
    big = tmp_path / "big.txt"
    big.write_text(texts[0].read_text("utf-8") * 150, "utf-8")
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\tpoison\n\n", "utf-8")
    plan, seen = tmp_path / "plan", []
    count = corpus.plan([big, texts[1], bad], plan, model=model, size=20000)

    def kill_two():
        for _ in range(2):
            time.sleep(0.3)
            victim = workers.pop(0)
            os.kill(victim.pid, signal.SIGKILL)
            workers.append(worker())

    killer = threading.Thread(target=kill_two)
    killer.start()
    outcome = parse(client, plan, progress=lambda done, all_: seen.append((done, all_)))
    killer.join()
    assert len(outcome.done) == count - 1 and list(outcome.failed) == [count]
    assert seen[-1] == (count, count)
    assert list(corpus.verify(plan)) == [count]
    corpus.merge(plan, tmp_path / "merged", without_failed=True)
    assert (tmp_path / "merged").read_bytes() == in_one_process(model, [big, texts[1]])
    assert parse(client, plan).done == {}


def test_bags_and_columns(cluster, model):  # noqa: F811
    client = cluster[0]
    bag = pytest.importorskip("dask.bag")
    texts = ["Birds sing.", "The oak rustles."] * 10
    parsed = parse_bag(bag.from_sequence(texts, npartitions=4), model).compute()
    assert [text.count("# text = Birds sing.") for text in parsed] == [1, 0] * 10
    pandas = pytest.importorskip("pandas")
    frames = pytest.importorskip("dask.dataframe")
    frame = frames.from_pandas(pandas.DataFrame({"text": texts + [None]}), npartitions=3)
    out = parse_column(frame, "text", model).compute()
    assert list(out.columns) == ["text", "parsed"] and out["parsed"].isna().sum() == 1
    assert client.status == "running"
