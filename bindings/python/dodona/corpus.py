"""Texts too large for one process: plans, as `dodona corpus` makes them, and their tasks.

    >>> from dodona import corpus
    >>> corpus.plan(["a.txt", "b.txt"], into="parsed")
    >>> for task in corpus.missing("parsed"):
    ...     corpus.run("parsed", task)
    >>> corpus.merge("parsed", "parsed.conllu")

Plans are files, and the same for the program; a worker needs nothing but a path and a number.
See docs/cluster.md in Dodona's source.
"""

import itertools
import os
import pathlib
import threading
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._errors import ArgumentError, Error, FileError
from ._library import (INPUTS, OUTPUTS, Path, bounded, c_str, check, choose, ffi, lib, new_error, to_path)
from ._names import name_documents
from ._options import PLAN, PlanOptions, set_options, takes
from .catalogue import default_model, find_model

if TYPE_CHECKING:  # which every type checker knows, installed or not
    from typing_extensions import Unpack


class Report(NamedTuple):
    """Counts of a task; bad: sentences that were copied without a parse."""

    sentences: int
    words: int
    bad: int


class Task(NamedTuple):
    """offset and bytes are those of the decompressed input; bytes is 0 for a whole compressed file."""

    number: int
    input: pathlib.Path
    offset: int
    bytes: int
    output: pathlib.Path
    state: str  # "open", "failed" or "done"


# ---- making plans


def _model_path(model: Optional[Path]) -> bytes:
    wanted = model if model is not None else default_model()
    if wanted is None:
        raise FileError("there is no default model; name one, or set DODONA_MODEL")
    return bytes(find_model(wanted))


def _inputs(files: Sequence[Path]) -> Tuple[Any, List[Any]]:
    """The array, and what it points to."""
    paths = [to_path(file) for file in files]
    array, kept = ffi.new("dd_plan_input[]", max(len(paths), 1)), []
    for row, path, names in zip(array, paths, name_documents(paths)):
        texts = [ffi.new("char[]", path)]
        texts += [ffi.new("char[]", name.encode()) if name else ffi.NULL for name in names]
        row.path, row.document, row.prefix = texts
        kept.append(texts)
    return array, kept


@takes(PLAN)
def plan(files: Sequence[Path], into: Path, *, model: Optional[Path] = None, size: int = 64 << 20,
         format: str = "auto", to: str = "conllu", compress: Optional[str] = None,
         **options: "Unpack[PlanOptions]") -> int:
    """Cuts the files into tasks of about `size` bytes and writes the plan into the folder `into`.
    Returns the number of tasks. compress: the outputs of tasks, as "gz" or "zst". The other
    arguments are those of `dodona parse`."""
    if isinstance(files, (str, bytes, os.PathLike)):
        raise ArgumentError("files must be a list of paths")
    if to not in OUTPUTS:
        raise ArgumentError(f"to must be one of {', '.join(OUTPUTS)}; it is {to!r}")
    made, reading = ffi.new("dd_plan_options *"), ffi.new("dd_input_options *")
    parsing, error = ffi.new("dd_parse_options *"), new_error()
    lib.dd_plan_options_init_size(made, ffi.sizeof("dd_plan_options"))
    set_options(options, PLAN, reading, parsing, reading)
    reading.format = choose("format", format, INPUTS)
    made.task_bytes = bounded("size", size, 1, 1 << 62)
    made.to = OUTPUTS[to]
    made.input, made.parse = reading, parsing
    packing = ffi.NULL if compress is None else ffi.new("char[]", compress.encode())
    made.compress = packing
    inputs, kept = _inputs(files)
    check(lib.dd_plan_make(to_path(into), _model_path(model), inputs, len(kept), made, error),
          error, [os.fspath(into)])
    return len(tasks(into))


# ---- plans that are there

# By path and identity of the file. A handle serves one thread at a time, and holds the model, which
# is mapped: all handles of all processes share its memory.
_local = threading.local()


def _open(plan: Path) -> Any:
    path = os.path.join(plan, "plan") if os.path.isdir(plan) else os.fspath(plan)
    try:
        facts = os.stat(path)
    except OSError as failure:
        raise FileError(f"{path}: {failure.strerror}", path) from None
    key = (path, facts.st_ino, facts.st_mtime_ns)
    if getattr(_local, "key", None) != key:
        out, error = ffi.new("dd_plan **"), new_error()
        check(lib.dd_plan_open(out, to_path(path), error), error, [path])
        _local.handle, _local.key = ffi.gc(out[0], lib.dd_plan_close), key
    return _local.handle


_STATES = ("open", "failed", "done")  # in the order of dd_task_state


def tasks(plan: Path) -> List[Task]:
    """All tasks of the plan, which is named by its path or its folder."""
    handle = _open(plan)
    out: List[Task] = []
    for index in itertools.count():
        task = lib.dd_plan_at(handle, index)
        if task == ffi.NULL:
            return out
        paths = [pathlib.Path(os.fsdecode(ffi.string(path))) for path in (task.input, task.output)]
        state = _STATES[lib.dd_plan_state(handle, task.number)]
        out.append(Task(task.number, paths[0], task.offset, task.bytes, paths[1], state))
    raise AssertionError("unreachable")


def state(plan: Path, task: int) -> str:
    """Of one task: "open", "failed" or "done"."""
    return _STATES[lib.dd_plan_state(_open(plan), bounded("task", task, 1, 1 << 62))]


def missing(plan: Path) -> List[int]:
    """The numbers of the tasks that are not done."""
    return [task.number for task in tasks(plan) if task.state != "done"]


def failed(plan: Path) -> Dict[int, str]:
    """The reasons why tasks failed, by their numbers; the causes lie in their inputs."""
    return {task.number: pathlib.Path(f"{task.output}.failed").read_text("utf-8", "replace").strip()
            for task in tasks(plan) if task.state == "failed"}


def run(plan: Path, task: int, *, threads: int = 1) -> Report:
    """Parses a task, also one that is done. If the cause of an error lies in the input, the error
    is raised and the task has failed; after any other error, such as a full disk, it can be run
    again."""
    handle, error = _open(plan), new_error()
    report = ffi.new("dd_parse_report *", {"size": ffi.sizeof("dd_parse_report")})
    bounded("task", task, 1, 1 << 62)
    bounded("threads", threads, 1, lib.DD_MAX_THREADS)
    check(lib.dd_plan_run(handle, task, threads, report, error), error)
    return Report(report.sentences, report.words, report.bad)


def verify(plan: Path, *, quick: bool = False) -> Dict[int, str]:
    """What is wrong with tasks, by their numbers; empty if all are done and right. With `quick` only
    the checksums of the outputs are checked."""
    handle, wrong = _open(plan), {}
    for task in tasks(plan):
        error = new_error()
        try:
            check(lib.dd_plan_verify(handle, task.number, quick, error), error)
        except Error as failure:
            wrong[task.number] = c_str(error.message) or str(failure)
    return wrong


def merge(plan: Path, output: Path, *, without_failed: bool = False) -> None:
    """Joins the outputs of all tasks into a file, which is then what one process would have
    written, byte for byte. without_failed: leave out files of which a task failed."""
    error = new_error()
    check(lib.dd_plan_merge(_open(plan), to_path(output), without_failed, error), error,
          [os.fspath(output)])
