"""A component for spaCy 3: nlp.add_pipe("dodona").

spaCy finds it by an entry point, so that nothing has to be imported. It keeps spaCy's tokens, and
sets the head, dep, tag, pos, lemma and morph of each, and with them where sentences begin.
"""

from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple

import numpy
from spacy.attrs import DEP, HEAD
from spacy.language import Language

from ._reading import make_options
from .model import NLP, load
from .sentence import Sentence

ROOT, OF_SPACE = "ROOT", "dep"  # deprels that spaCy knows by these names

Group = List[Any]  # the tokens of a sentence


def _split(doc: Any, starts: Iterable[bool]) -> List[Group]:
    groups: List[Group] = []
    for token, begins in zip(doc, starts):
        if begins or not groups:
            groups.append([])
        groups[-1].append(token)
    return groups


def _begin(doc: Any, places: List[int]) -> Iterator[bool]:
    """Whether each token is the first behind a place in the text."""
    at = 0
    for token in doc:
        passed = at
        while at < len(places) and token.idx >= places[at]:
            at += 1
        yield at > passed


def _words(group: Group) -> List[Any]:
    """spaCy makes tokens of white space too, which are not parsed."""
    return [token for token in group if not token.is_space]


def _form(token: Any) -> str:
    """A token that others have merged may have line breaks in it."""
    return " ".join(token.text.split())


def _heads_of_spaces(group: Group) -> Iterator[Tuple[Any, int]]:
    """White space hangs on the word before it, or, if there is none, on the first one."""
    words = _words(group)
    before = words[0].i if words else group[0].i
    for token in group:
        if token.is_space:
            yield token, before
        else:
            before = token.i


def _set_tags(token: Any, sentence: Sentence, place: int) -> None:
    """What the model does not know stays as it was."""
    word = sentence[place]
    if word.upos != "_":
        token.pos_ = word.upos
    if word.xpos != "_":
        token.tag_ = word.xpos
    if word.lemma != "_":
        token.lemma_ = word.lemma
    if word.feats:
        token.set_morph("|".join(f"{name}={value}" for name, value in word.feats.items()))


def _set_sentence_starts(groups: Iterable[Group]) -> None:
    for group in groups:
        for token in group:
            token.is_sent_start = token is group[0]


class Component:
    """What spaCy calls with each of its documents."""

    def __init__(self, model: NLP, beam: int = 0, tidy: Optional[bool] = None) -> None:
        self.model = model
        self.beam = beam
        self.tidy = tidy

    def __call__(self, doc: Any) -> Any:
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Any], *, batch_size: int = 64) -> Iterator[Any]:
        """Takes documents as they are needed, and parses those of a batch together."""
        batch: List[Any] = []
        for doc in docs:
            batch.append(doc)
            if len(batch) == batch_size:
                yield from self._process(batch)
                batch = []
        yield from self._process(batch)

    def _process(self, docs: List[Any]) -> List[Any]:
        groups = [self._sentences(doc) for doc in docs]
        words = [[_form(token) for token in _words(group)] for of_doc in groups for group in of_doc]
        parsed = self.model.pipe((sentence for sentence in words if sentence), format="words",
                                 beam=self.beam, tidy=self.tidy)
        for doc, of_doc in zip(docs, groups):
            self._annotate(doc, of_doc, [next(parsed)[0] if _words(group) else None
                                         for group in of_doc])
        return docs

    # ---- sentences

    def _sentences(self, doc: Any) -> List[Group]:
        """Where they begin is what a component before this one said, or else what the model's
        tokenizer says of the text."""
        if doc.has_annotation("SENT_START"):
            return _split(doc, (bool(token.is_sent_start) for token in doc))
        if "tokenizer" not in self.model.components:
            return _split(doc, (False for _ in doc))
        # As in spaCy, a line break is white space like any other.
        options = make_options("text", paragraphs="blank")
        read = self.model._parse_text(doc.text, options, parse=False)
        return _split(doc, _begin(doc, [sentence.start or 0 for sentence in read[1:]]))

    # ---- annotation

    def _annotate(self, doc: Any, groups: Sequence[Group],
                  sentences: Sequence[Optional[Sentence]]) -> None:
        heads, deps = list(range(len(doc))), [OF_SPACE] * len(doc)
        for group, sentence in zip(groups, sentences):
            words = _words(group)
            for token, before in _heads_of_spaces(group):
                heads[token.i], token.pos_ = before, "SPACE"
            for place, token in enumerate(words):
                assert sentence is not None
                _set_tags(token, sentence, place)
                head = sentence.heads[place]
                heads[token.i] = words[head - 1].i if head > 0 else token.i
                deps[token.i] = ROOT if head <= 0 else sentence.deprels[place]
            if not words:
                deps[group[0].i] = ROOT
        if "parser" in self.model.components:
            self._set_heads(doc, heads, deps)
        else:
            _set_sentence_starts(groups)

    def _set_heads(self, doc: Any, heads: List[int], deps: List[str]) -> None:
        """From these spaCy finds where sentences begin."""
        relative = [head - place for place, head in enumerate(heads)]
        labels = [doc.vocab.strings.add(dep) for dep in deps]
        array = numpy.empty((len(heads), 2), dtype="uint64")
        array[:, 0] = numpy.array(relative, dtype="int64").astype("uint64")
        array[:, 1] = numpy.array(labels, dtype="uint64")
        if len(heads):
            doc.from_array([HEAD, DEP], array)


def make_component(nlp: Language, name: str, model: Optional[str], beam: int,
                   tidy: Optional[bool]) -> Component:
    """model: a name, language or file, as in dodona.load; None for the default."""
    return Component(load(model), beam, tidy)


Language.factory(
    "dodona", default_config={"model": None, "beam": 0, "tidy": None},
    assigns=["token.head", "token.dep", "token.tag", "token.pos", "token.lemma", "token.morph",
             "token.is_sent_start", "doc.sents"],
    func=make_component)
