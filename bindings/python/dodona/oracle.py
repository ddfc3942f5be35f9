"""What transitions cost: walks along gold trees, and the derivations of cost 0."""

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._library import (Source, Watch, c_str, choose, ffi, keep_failure, lib, make, new_error,
                       to_str)
from ._reading import Call, check_timeout, new_cancel
from .document import Doc
from .model import read_conllu
from .sentence import Sentence

_WALKS = ("gold", "random")


class System(NamedTuple):
    """A transition system."""

    name: str
    transitions: str
    trees: str
    summary: str


class Step(NamedTuple):
    """One configuration of a walk."""

    sentence: str  #: its id
    n: int  #: words
    step: int  #: 0..
    history: Tuple[str, ...]  #: transitions taken so far
    loss: int  #: smallest number of wrong heads that can still be reached
    costs: Dict[str, int]  #: by how much each permissible transition raises the loss
    left_out: Tuple[int, ...]  #: with partial=True: words whose arcs the system cannot build


class Optimal(NamedTuple):
    """The optimal derivations of a gold tree."""

    sentence: str  #: its id
    n: int  #: words
    total: Optional[int]  #: how many there are; None if that takes more than 262,144 configurations
    configurations: Optional[int]  #: that they pass through, the final ones included
    derivations: Tuple[Tuple[str, ...], ...]  #: the transitions of the first of them
    left_out: Tuple[int, ...]  #: with partial=True: words whose arcs the system cannot build


def systems() -> List[System]:
    """All transition systems.

    >>> [system.transitions for system in dodona.systems() if system.name == "arc-eager"]
    ['SH LA RA RE']
    """
    found: List[System] = []
    info = ffi.new("dd_system_info *")
    while lib.dd_system_at(len(found), info):
        found.append(System(c_str(info.name), c_str(info.transitions), c_str(info.trees),
                            c_str(info.summary)))
    return found


class _Walk(Watch):
    def __init__(self) -> None:
        super().__init__()
        self.steps: List[Step] = []


@ffi.def_extern(name="dp_on_step", error=False, onerror=keep_failure)
def _on_step(user: Any, step: Any) -> bool:
    n = step.transitions
    costs = {c_str(step.names[i]): step.costs[i] for i in range(n)}
    history = tuple(c_str(step.history[i]) for i in range(step.step))
    ffi.from_handle(user).steps.append(
        Step(to_str(step.sentence), step.n, step.step, history, step.loss, costs,
             tuple(step.left_out[i] for i in range(step.arcs_left_out))))
    return True


def oracle(gold: Union[Source, Doc, Sentence], system: str = "arc-eager", *,
           loss: Optional[str] = None, walk: str = "gold", seed: int = 1,
           single_root: bool = False, partial: bool = False,
           timeout: Optional[float] = None) -> Iterator[Step]:
    """Walks each gold tree, and yields the loss and the costs in every configuration but the last.
    walk: "gold" follows the static oracle, "random" any permissible transition.

    gold: a file, CoNLL-U of more than one line, a document or a sentence. A tree that the system
    cannot build raises DataError; with partial=True the largest part that it can build is walked.
    timeout: seconds for each tree, after which TimeoutError is raised; some losses take more than
    quadratic time.

    >>> step = next(dodona.oracle(nlp("Birds sing.")[0], "arc-hybrid"))
    >>> step.loss, step.costs
    (0, {'SH': 0})
    """
    handle = _make(system, loss=loss, walk=walk, seed=seed, single_root=single_root,
                   partial=partial, timeout=timeout)
    return _walk(handle, _sentences(gold))


def optimal(gold: Union[Source, Doc, Sentence], system: str = "arc-eager", *, limit: int = 0,
            single_root: bool = False, partial: bool = False,
            timeout: Optional[float] = None) -> Iterator[Optimal]:
    """Counts the optimal derivations of each gold tree: all sequences of transitions that end in
    it or, where heads are unknown, in a tree that has the known heads.

    The first so many as limit says are listed too. gold, single_root, partial and
    timeout: as in oracle().

    >>> gold = nlp("Birds sing.")[0]
    >>> next(dodona.optimal(gold, "arc-hybrid", limit=1)).derivations
    (('SH', 'LA', 'SH', 'SH', 'RA', 'RA'),)
    >>> {system.name: next(dodona.optimal(gold, system.name)).total
    ...  for system in dodona.systems()}["arc-hybrid"]
    1
    """
    return _count(_make(system, single_root=single_root, partial=partial, timeout=timeout),
                  _sentences(gold), limit)


class _Handle(NamedTuple):
    oracle: Any
    cancel: Any
    timeout: Optional[float]
    kept: Tuple[Any, ...]  #: what its options point to


def _make(system: str, *, loss: Optional[str] = None, walk: str = "gold", seed: int = 1,
          single_root: bool, partial: bool, timeout: Optional[float] = None) -> _Handle:
    options = ffi.new("dd_oracle_options *")
    lib.dd_oracle_options_init(options)
    name = ffi.new("char[]", system.encode())
    loss_name = ffi.NULL if loss is None else ffi.new("char[]", loss.encode())
    options.system, options.loss = name, loss_name
    options.walk = choose("walk", walk, _WALKS)
    options.seed, options.single_root, options.partial = seed, single_root, partial
    options.cancel = cancel = new_cancel()
    handle = make(lib.dd_oracle_new, lib.dd_oracle_free, "dd_oracle", options)
    return _Handle(handle, cancel, check_timeout(timeout), (options, name, loss_name))


def _sentences(gold: Union[Source, Doc, Sentence]) -> List[Sentence]:
    if isinstance(gold, Sentence):
        return [gold]
    return (gold if isinstance(gold, Doc) else read_conllu(gold)).sentences


def _walk(handle: _Handle, sentences: List[Sentence]) -> Iterator[Step]:
    for sentence in sentences:
        walk = _Walk()
        user, error = ffi.new_handle(walk), new_error()
        call = Call(handle.cancel, handle.timeout)
        status = lib.dd_oracle_walk(handle.oracle, sentence._handle, lib.dp_on_step, user, error)
        if walk.failure is not None:
            raise walk.failure
        call.check(status, error)
        yield from walk.steps


class _Listing(Watch):
    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.derivations: List[Tuple[str, ...]] = []


@ffi.def_extern(name="dp_on_derivation", error=False, onerror=keep_failure)
def _on_derivation(user: Any, derivation: Any) -> bool:
    listing: _Listing = ffi.from_handle(user)
    listing.derivations.append(
        tuple(c_str(derivation.names[i]) for i in range(derivation.transitions)))
    return len(listing.derivations) < listing.limit


def _list(handle: _Handle, sentence: Sentence, limit: int) -> Tuple[Tuple[str, ...], ...]:
    listing = _Listing(limit)
    user, error = ffi.new_handle(listing), new_error()
    call = Call(handle.cancel, handle.timeout)
    status = lib.dd_oracle_list(handle.oracle, sentence._handle, lib.dp_on_derivation, user, error)
    if listing.failure is not None:
        raise listing.failure
    if status != lib.DD_INTERRUPTED or len(listing.derivations) < limit:
        call.check(status, error)
    return tuple(listing.derivations)


def _count(handle: _Handle, sentences: List[Sentence], limit: int) -> Iterator[Optimal]:
    for sentence in sentences:
        error, total = new_error(), ffi.new("const dd_oracle_total **")
        call = Call(handle.cancel, handle.timeout)
        call.check(lib.dd_oracle_count(handle.oracle, sentence._handle, total, error), error)
        found = total[0]
        counted = found.derivations != ffi.NULL
        result = Optimal(to_str(found.sentence), found.n,
                         int(c_str(found.derivations)) if counted else None,
                         found.configurations if counted else None, (),
                         tuple(found.left_out[i] for i in range(found.arcs_left_out)))
        if limit > 0:
            result = result._replace(derivations=_list(handle, sentence, limit))
        yield result
