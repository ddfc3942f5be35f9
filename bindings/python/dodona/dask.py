"""Plans, bags and columns on Dask (the packages dask and distributed).

    >>> from dask.distributed import Client
    >>> from dodona.dask import parse
    >>> parse(Client("scheduler:8786"), "/shared/parsed")

Workers need the package, and see the plan, its inputs and its model under the same paths.
"""

import os
import uuid
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional

from ._errors import Error
from ._library import Path
from ._partition import Texts
from .corpus import Report, failed, missing, run, state


class Outcome(NamedTuple):
    """What became of the tasks that were run: the counts of those that are done, and the reasons
    why others failed."""

    done: Dict[int, Report]
    failed: Dict[int, str]


def _work(plan: str, task: int, threads: int) -> Optional[Report]:
    """On a worker. None: the input is to blame, which no retry will change."""
    if state(plan, task) == "done":
        return Report(0, 0, 0)
    try:
        return run(plan, task, threads=threads)
    except Error:
        if state(plan, task) == "failed":
            return None
        raise


class _Parsing:
    """The tasks of a plan on their way through the workers."""

    def __init__(self, client: Any, plan: str, threads: int) -> None:
        self.client, self.plan, self.threads = client, plan, threads
        self.left = missing(plan)
        self.total = len(self.left)
        self.tries: Dict[int, int] = {}
        self.numbers: Dict[str, int] = {}  # of tasks, by the keys of their futures
        self.outcome = Outcome({}, {})

    def submit(self, task: int) -> Any:
        self.tries[task] = self.tries.get(task, 0) + 1
        # A key of its own each time: what an earlier try left must not be taken for it.
        key = f"dodona-{uuid.uuid4()}-{task}-{self.tries[task]}"
        self.numbers[key] = task
        return self.client.submit(_work, self.plan, task, self.threads, pure=False, key=key)

    def first(self, ahead: int) -> List[Any]:
        cores = max(1, sum(self.client.ncores().values()))
        now, self.left = self.left[:ahead * cores], self.left[ahead * cores:]
        return [self.submit(task) for task in now]

    def next(self, over: Any, retries: int) -> List[Any]:
        """Takes what a future has, and hands out a task in its place, if there is one."""
        task = self.numbers.pop(over.key)
        if over.status != "finished" and self.tries[task] <= retries:
            return [self.submit(task)]
        report = over.result()  # raises what went wrong
        if report is None:
            self.outcome.failed[task] = failed(self.plan).get(task, "")
        else:
            self.outcome.done[task] = Report(*report)
        return [self.submit(self.left.pop(0))] if self.left else []


def parse(client: Any, plan: Path, *, retries: int = 3, ahead: int = 2, threads: int = 1,
          progress: Optional[Callable[[int, int], None]] = None) -> Outcome:
    """Runs the tasks of a plan that are missing on the client's workers.

    If a worker dies, or an error occurs that is not due to the input, such as a full disk, the task
    is tried again, up to `retries` times; then the error is raised. Finished tasks stay finished, so
    the same call continues where it stopped. Only `ahead` tasks per core are submitted at a time,
    and a task returns a few numbers, so that scheduler and workers hold little memory. progress is
    called with the number of finished tasks and the number of all tasks.
    """
    import distributed

    work = _Parsing(client, os.path.abspath(plan), threads)
    queue: Any = distributed.as_completed  # which has no type hints
    running = queue(work.first(ahead))
    for future in running:
        for new in work.next(future, retries):
            running.add(new)
        if progress is not None:
            progress(len(work.outcome.done) + len(work.outcome.failed), work.total)
    return work.outcome


# ---- bags and columns


def parse_bag(bag: Any, model: Optional[str] = None, *, to: str = "conllu", **how: Any) -> Any:
    """A bag of texts as a bag of CoNLL-U, or of JSON: an array of sentences for each text. `how` is
    for NLP.pipe."""
    return bag.map_partitions(_ListOf(Texts(model, to, **how)))


class _ListOf:
    """A partition as a list, which Dask can keep."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def __call__(self, partition: Iterable[Optional[str]]) -> Any:
        return list(self.texts(partition))


class _Column:
    """A frame with a column of texts, and one more of what they are parsed to."""

    def __init__(self, texts: Texts, column: str, into: str) -> None:
        self.texts, self.column, self.into = texts, column, into

    def __call__(self, frame: Any) -> Any:
        given = (text if isinstance(text, str) else None for text in frame[self.column])
        return frame.assign(**{self.into: list(self.texts(given))})


def parse_column(frame: Any, column: str, model: Optional[str] = None, *, into: str = "parsed",
                 to: str = "conllu", **how: Any) -> Any:
    """A Dask or pandas DataFrame with one more column, which has the parses of the texts in `column`,
    and nothing where a value is not a string."""
    work = _Column(Texts(model, to, **how), column, into)
    if not hasattr(frame, "map_partitions"):
        return work(frame)
    return frame.map_partitions(work, meta=frame._meta.assign(**{into: ""}).astype({into: object}))
