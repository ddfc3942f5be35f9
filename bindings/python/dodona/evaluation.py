"""How well trees agree with gold trees."""

import os
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Sequence, Tuple, Union

from ._library import (CONLL, Path, Source, c_str, choose, ffi, is_text, lib, make, new_error,
                       to_bytes, to_path)
from ._reading import Call
from .document import Doc

_RULES = ("conll2018", "conllx")
_GIVEN = ("auto", "text", "words", "tags")


class Metric(NamedTuple):
    """Precision is correct/system, recall correct/gold; all shares are in 0..1."""

    correct: int
    gold: int
    system: int
    aligned: int  #: gold words that are aligned with a word of the system's file
    precision: float
    recall: float
    f1: float
    aligned_accuracy: float


class Confusion(NamedTuple):
    """Labels of aligned words that differ."""

    gold: str
    system: str
    times: int


class Evaluation(Mapping[str, Metric]):
    """The metrics by their names: evaluation["LAS"].f1."""

    def __init__(self, handle: Any) -> None:
        self._metrics = _metrics(lib.dd_evaluation_metric, handle)
        #: by label; `correct` counts words with the right head and label
        self.by_label = _metrics(lib.dd_evaluation_label, handle)
        #: the most frequent first
        self.confusions = _confusions(handle)
        #: what is counted, in one sentence
        self.rule: str = c_str(lib.dd_evaluation_rule(handle))

    @property
    def uas(self) -> float:
        """F1 of the heads, 0..1."""
        return self["UAS"].f1

    @property
    def las(self) -> float:
        """F1 of heads and labels, 0..1."""
        return self["LAS"].f1

    def __getitem__(self, name: str) -> Metric:
        return self._metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    def __str__(self) -> str:
        lines = [f"{name:<10} {100 * metric.f1:6.2f}" for name, metric in self.items()]
        return "\n".join([*lines, self.rule])

    def __repr__(self) -> str:
        return f"<Evaluation UAS={100 * self.uas:.2f} LAS={100 * self.las:.2f}>"


def _metrics(get: Any, handle: Any) -> Dict[str, Metric]:
    found: Dict[str, Metric] = {}
    metric = ffi.new("dd_metric *")
    while get(handle, len(found), metric):
        found[c_str(metric.name)] = Metric(
            metric.correct, metric.gold, metric.system, metric.aligned,
            lib.dd_metric_precision(metric), lib.dd_metric_recall(metric),
            lib.dd_metric_f1(metric), lib.dd_metric_aligned_accuracy(metric))
    return found


def _confusions(handle: Any) -> List[Confusion]:
    found: List[Confusion] = []
    confusion = ffi.new("dd_confusion *")
    while lib.dd_evaluation_confusion(handle, len(found), confusion):
        found.append(Confusion(c_str(confusion.gold), c_str(confusion.system), confusion.count))
    return found


def _open(source: Union[Source, Doc], name: str, format: int) -> Tuple[Any, str, Any]:
    """A reader, its name, and what must live as long as it."""
    if isinstance(source, Doc):
        source = source.to_conllu().encode()
    if not is_text(source):
        assert not isinstance(source, bytes)
        path = to_path(source)
        name = os.fsdecode(path)
        return (make(lib.dd_reader_open, lib.dd_reader_close, "dd_reader", path, format,
                     files=[name]), name, None)
    assert not isinstance(source, os.PathLike)
    kept = to_bytes(source)
    buffer = ffi.from_buffer(kept)
    text = ffi.new("dd_text *", (buffer, len(kept)))
    reader = make(lib.dd_reader_open_memory, lib.dd_reader_close, "dd_reader", name.encode(),
                  text[0], format)
    return reader, name, (kept, buffer)


def _run(function: Any, arguments: Sequence[Any], rule: str, punct: bool, files: Sequence[str],
         ) -> "Evaluation":
    """Calls a function of the library that makes an evaluation; Ctrl-C ends it."""
    options, out, error = ffi.new("dd_eval_options *"), ffi.new("dd_evaluation **"), new_error()
    lib.dd_eval_options_init(options)
    options.rule = choose("rule", rule, _RULES)
    options.no_punct = not punct
    call = Call()
    options.cancel = call.cancel
    call.check(function(out, *arguments, options, error), error, files)
    return Evaluation(ffi.gc(out[0], lib.dd_evaluation_free))


def evaluate_model(model: Any, gold: Path, given: str, threads: int, rule: str, punct: bool,
                   ) -> Evaluation:
    """Of a dd_model; see NLP.evaluate."""
    path = to_path(gold)
    kind = ffi.new("dd_eval_given *", choose("given", given, _GIVEN))
    return _run(lib.dd_evaluate_model, (model, path, kind, threads), rule, punct,
                [os.fsdecode(path)])


def evaluate(gold: Union[Source, Doc], system: Union[Source, Doc], *, rule: str = "conll2018",
             punct: bool = True, format: str = "auto") -> Evaluation:
    """Compares a system's trees with gold trees; each is a file, CoNLL-U of more than one line, or
    a document.

    rule: "conll2018" aligns words by characters and cuts DEPREL at the first colon; "conllx"
    compares word by word. punct=False leaves out words that are only punctuation.

    >>> gold = "examples/demo-test.conllu"
    >>> dodona.evaluate(gold, nlp.parse_conllu(gold))["Words"].f1
    1.0
    """
    kind = choose("format", format, CONLL)
    one, one_name, keep_one = _open(gold, "<gold>", kind)
    other, other_name, keep_other = _open(system, "<system>", kind)
    made = _run(lib.dd_evaluate_readers, (one, other), rule, punct, [one_name, other_name])
    del keep_one, keep_other  # what is in memory has been read
    return made
