"""Training, with a callback that tells how it goes."""

import os
from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Tuple, Union

from ._errors import ArgumentError
from ._library import (FORMATS, Path, Watch, bounded, check, choose, ffi, keep_failure, lib,
                       new_error, to_path)
from .model import NLP, _PARTS

_ORACLES = ("static", "nondet", "dynamic", "auto")
_SINGLE_ROOT = ("auto", "no", "yes")
_LIFTING = ("none", "head", "path", "head+path")
_UPDATES = ("max-violation", "early")


class Progress(NamedTuple):
    """How training goes; with finished=False in the middle of an iteration."""

    iteration: int
    iterations: int
    finished: bool
    sentences: int
    all_sentences: int
    words: int
    seconds: float
    seconds_left: float
    accuracy: float  #: share of predicted transitions that the oracle allows
    dev_uas: Optional[float]  #: per cent; None without dev, and in the middle of an iteration
    dev_las: Optional[float]
    best: bool  #: this iteration is the best on dev so far


class ComponentProgress(NamedTuple):
    """How the training of a component other than the parser goes, after one of its iterations."""

    component: str
    iteration: int
    iterations: int
    accuracy: float  #: share of the decisions that were right before they were learnt
    fold: Optional[int]  #: of jackknifing, from 1; None: this is the component itself
    folds: Optional[int]


class TrainingData(NamedTuple):
    """What there is to learn from."""

    sentences: int
    words: int
    skipped: int  #: trees that the system cannot build
    lifted: int
    bad: int  #: malformed, passed over with skip_bad
    single_root: bool
    labels: int
    transitions: int
    system: str
    unknown_heads: int  #: words whose HEAD is "_"
    without_heads: int  #: sentences passed over because no head is known
    left_out: Tuple[str, ...]  #: columns not learnt from, as dev has "_" in all of them


class _Watch(Watch):
    """What the callbacks of one training share."""

    def __init__(self, progress: Optional[Callable[[Progress], Any]],
                 data: Optional[Callable[[TrainingData], Any]],
                 component: Optional[Callable[[ComponentProgress], Any]]) -> None:
        super().__init__()
        self.progress = progress
        self.data = data
        self.component = component


@ffi.def_extern(name="dp_on_report", error=False, onerror=keep_failure)
def _on_report(user: Any, report: Any) -> bool:
    watch = ffi.from_handle(user)
    if watch.failure is not None:
        return False
    if watch.progress is None:
        return True
    dev = bool(report.has_dev)
    return watch.progress(Progress(
        report.iteration, report.iterations, bool(report.finished), report.sentences,
        report.all_sentences, report.words, report.seconds, report.seconds_left,
        report.accuracy, report.dev_uas if dev else None, report.dev_las if dev else None,
        bool(report.best))) is not False


# Called even if nobody wants to know: this is where Python raises KeyboardInterrupt.
@ffi.def_extern(name="dp_on_component", error=False, onerror=keep_failure)
def _on_component(user: Any, progress: Any) -> bool:
    watch = ffi.from_handle(user)
    if watch.failure is not None:
        return False
    if watch.component is not None:
        name = next(name for name, bit in _PARTS.items() if bit == progress.component)
        watch.component(ComponentProgress(name, progress.iteration, progress.iterations,
                                          progress.accuracy, progress.fold or None,
                                          progress.folds or None))
    return True


@ffi.def_extern(name="dp_on_data", onerror=keep_failure)
def _on_data(user: Any, data: Any) -> None:
    watch = ffi.from_handle(user)
    if watch.data is None:
        return
    left_out = tuple(ffi.string(lib.dd_column_name(column)).decode()
                     for column in range(lib.DD_COLUMNS) if data.left_out >> column & 1)
    watch.data(TrainingData(data.sentences, data.words, data.skipped, data.lifted, data.bad,
                            bool(data.single_root), data.labels, data.transitions,
                            ffi.string(data.system).decode(), data.unknown_heads,
                            data.without_heads, left_out))


def train(train: Union[Path, Iterable[Path]], dev: Optional[Path] = None, *,
          components: Union[str, Iterable[str]] = "parser", system: Optional[str] = None,
          oracle: str = "auto", loss: Optional[str] = None, explore: float = 1.0,
          explore_from: int = 1, iterations: int = 10, seed: int = 1, single_root: str = "auto",
          pseudo_projective: str = "none", templates: Optional[str] = None,
          licence: Optional[str] = None, format: str = "auto", skip_bad: bool = False,
          beam: int = 1, update: str = "max-violation", margin: int = 50,
          prune: Optional[float] = None, jackknife: int = 0, threads: int = 1,
          tagger_bytes: int = 0, lemmatizer_bytes: int = 0, parser_bytes: int = 0,
          progress: Optional[Callable[[Progress], Any]] = None,
          data: Optional[Callable[[TrainingData], Any]] = None,
          component: Optional[Callable[[ComponentProgress], Any]] = None) -> NLP:
    """Trains a model from treebanks; save() keeps it. See dodona-train(1) for the options.

    components: "all", or any of "tokenizer", "tagger", "lemmatizer" and "parser".
    templates: the text of a template file, not its name.
    progress: called several times in each iteration; training ends, with what it has made so far,
    when it returns False. What it raises is raised here, as is KeyboardInterrupt after Ctrl-C.
    data: called once, before the parser is trained.
    component: called after each iteration of a component other than the parser; with threads by
    any of them. What it raises is raised here too.
    """
    paths = [train] if isinstance(train, (str, os.PathLike)) else list(train)
    files = [to_path(path) for path in paths]
    kept: List[Any] = [ffi.new("char[]", file) for file in files]
    dev_path = ffi.NULL if dev is None else to_path(dev)

    def text(value: Optional[str]) -> Any:
        if value is None:
            return ffi.NULL
        kept.append(ffi.new("char[]", value.encode()))
        return kept[-1]

    options = ffi.new("dd_train_options *")
    lib.dd_train_options_init(options)
    options.system, options.loss = text(system), text(loss)
    options.oracle = choose("oracle", oracle, _ORACLES)
    options.explore, options.explore_from = explore, explore_from
    options.iterations = bounded("iterations", iterations, 1, 1 << 30)
    options.seed = seed
    options.single_root = choose("single_root", single_root, _SINGLE_ROOT)
    options.pseudo_projective = choose("pseudo_projective", pseudo_projective, _LIFTING)
    options.templates, options.templates_name = text(templates), text("<templates>")
    options.licence = text(licence)
    options.format = choose("format", format, FORMATS)
    options.skip_bad = skip_bad
    options.beam = bounded("beam", beam, 1, lib.DD_MAX_BEAM)
    options.update, options.margin = choose("update", update, _UPDATES), margin
    if prune is not None:
        options.prune = prune
    options.jackknife, options.threads = jackknife, threads
    options.tagger_bytes, options.lemmatizer_bytes = tagger_bytes, lemmatizer_bytes
    options.parser_bytes = parser_bytes
    options.components = _component_bits(components)
    watch = _Watch(progress, data, component)
    user = ffi.new_handle(watch)
    options.user = user
    options.report, options.data = lib.dp_on_report, lib.dp_on_data
    options.component_report = lib.dp_on_component

    out, error = ffi.new("dd_model **"), new_error()
    array = ffi.new("const char *[]", kept[:len(files)])
    status = lib.dd_train(out, options, array, len(files), dev_path, error)
    nlp = NLP(out[0]) if out[0] != ffi.NULL else None
    if watch.failure is not None:
        raise watch.failure
    if status != lib.DD_INTERRUPTED:
        names = [os.fsdecode(file) for file in files]
        check(status, error, names if dev is None else [*names, os.fsdecode(dev), "<templates>"])
    assert nlp is not None
    return nlp


def _component_bits(components: Union[str, Iterable[str]]) -> int:
    if components == "all":
        return int(lib.DD_ALL_COMPONENTS)
    names = [components] if isinstance(components, str) else list(components)
    for name in names:
        if name not in _PARTS:
            raise ArgumentError(f"components are {', '.join(_PARTS)}; there is no {name!r}")
    return sum(_PARTS[name] for name in set(names))
