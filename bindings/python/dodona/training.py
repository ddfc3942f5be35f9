"""Training, with a callback that tells how it goes."""

import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple, Optional, Tuple, Union

from ._library import Path, Watch, ffi, keep_failure, lib, new_error, to_path, type_name
from ._settings import Settings, check_training, document, make_settings, signature
from .model import NLP, _PARTS

if TYPE_CHECKING:  # which every type checker knows, installed or not
    from typing_extensions import Unpack

_FILES = ("templates", "vectors", "silver", "tagger_silver", "start_from", "checkpoint",
          "jackknifed", "components_from", "keep_tokens", "abbreviations")  # settings that name some


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
    accuracy: float  #: share of predicted transitions that the oracle allows; without silver trees
    dev_uas: Optional[float]  #: per cent; None without dev, and in the middle of an iteration
    dev_las: Optional[float]
    best: bool  #: this iteration is the best on dev so far


class ComponentProgress(NamedTuple):
    """How the training of a component other than the parser goes: after each of its iterations,
    and about ten times a second in those that take longer."""

    component: str
    iteration: int
    iterations: int
    accuracy: float  #: share of the decisions that were right before they were learnt
    fold: Optional[int]  #: of jackknifing, from 1; None: this is the component itself
    folds: Optional[int]
    finished: bool  #: the iteration is
    examples: int  #: learnt from so far in this iteration
    all_examples: int  #: of an iteration
    words: int  #: learnt from in this iteration, silver ones too; counted by taggers only
    seconds: float  #: of this iteration
    seconds_left: float  #: until the component is trained, about


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
    in_part: int  #: trees that the system cannot build, of which a part is kept
    arcs_left_out: int  #: of these trees
    max_words: int  #: words of a sentence, at most; 0: any number
    too_long: int  #: sentences passed over because they have more
    silver_sentences: int  #: of the setting silver, which the counts above leave out
    silver_words: int
    silver_skipped: int  #: too long, without heads, or the system cannot build them
    silver_in_part: int  #: trees that the system cannot build, of which a part is kept
    silver_bad: int  #: malformed, passed over with skip_bad
    silver_unknown_labels: int  #: words with labels that the treebank lacks: any label is right
    resumed_after: int  #: iterations that were done before; 0: training begins
    whole: int  #: trees that the system cannot build, taken whole (unbuildable="whole")
    soft: int  #: sentences, silver ones too, whose heads have probabilities (soft=True)


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
                                          progress.folds or None, bool(progress.finished),
                                          progress.examples, progress.all_examples,
                                          progress.words, progress.seconds,
                                          progress.seconds_left))
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
                            data.without_heads, left_out, data.in_part, data.arcs_left_out,
                            data.max_words, data.too_long, data.silver_sentences,
                            data.silver_words, data.silver_skipped, data.silver_in_part,
                            data.silver_bad, data.silver_unknown_labels, data.resumed_after,
                            data.whole, data.soft))


def train(train: Union[Path, Iterable[Path]], dev: Optional[Path] = None, *,
          progress: Optional[Callable[[Progress], Any]] = None,
          data: Optional[Callable[[TrainingData], Any]] = None,
          component: Optional[Callable[[ComponentProgress], Any]] = None,
          **settings: "Unpack[Settings]") -> NLP:
    """Trains a model from treebanks; save() keeps it.

    >>> parser = dodona.train("examples/demo-train.conllu", only="parser", iterations=2)
    >>> parser.components
    ('parser',)

    progress: called several times in each iteration; training ends, with what it has made so far,
    when it returns False. What it raises is raised here, as is KeyboardInterrupt after Ctrl-C.
    data: called once, before the parser is trained.
    component: called after each iteration of a component other than the parser, and about ten
    times a second in those that take longer; with threads by any of them. What it raises is raised
    here too.

    The settings are those of dodona-train(1); None is the default. `only` may be a list, and
    `templates` the text of templates, if it has a line end:

"""
    if not isinstance(train, (str, os.PathLike)) and not hasattr(train, "__iter__"):
        raise TypeError(f"train() takes a file or several, as str or os.PathLike, not "
                        f"{type_name(train)}")
    paths = [train] if isinstance(train, (str, os.PathLike)) else list(train)
    files = [to_path(path) for path in paths]
    kept = [ffi.new("char[]", file) for file in files]
    dev_path = ffi.NULL if dev is None else to_path(dev)
    values = make_settings(settings)
    watch = _Watch(progress, data, component)
    user = ffi.new_handle(watch)
    calls = ffi.new("dd_train_watch *")
    calls.size, calls.user = ffi.sizeof("dd_train_watch"), user
    calls.report, calls.data = lib.dp_on_report, lib.dp_on_data
    calls.component_report = lib.dp_on_component

    out, error = ffi.new("dd_model **"), new_error()
    array = ffi.new("const char *[]", kept)
    status = lib.dd_train(out, values, calls, array, len(files), dev_path, error)
    nlp = NLP(out[0]) if out[0] != ffi.NULL else None
    if watch.failure is not None:
        raise watch.failure
    if status != lib.DD_INTERRUPTED:
        others = [dev, *(settings.get(name) for name in _FILES)]
        names = [os.fsdecode(name) for name in (*files, *others)
                 if isinstance(name, (str, bytes, os.PathLike))]
        check_training(status, error, [*names, "templates"])
    assert nlp is not None
    return nlp


_SIGNATURE = signature(train)
train.__signature__ = _SIGNATURE  # type: ignore[attr-defined]
train.__annotations__ = {
    **{name: parameter.annotation for name, parameter in _SIGNATURE.parameters.items()},
    "return": NLP}
train.__doc__ = f"{train.__doc__ or ''}{document()}\n"
