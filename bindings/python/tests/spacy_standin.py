"""As much of spaCy 3 as the component uses, for where spaCy is not installed.

Written after its documentation (https://spacy.io/api/doc, /api/token, /api/language) so that what
the component asks for is there under these names, and does what is said of it.
"""

import re
import sys
import types


class Strings:
    def __init__(self):
        self.numbers = {}

    def add(self, text):
        return self.numbers.setdefault(text, len(self.numbers) + 2**63)

    def __getitem__(self, number):
        return next(text for text, own in self.numbers.items() if own == number)


class Vocab:
    def __init__(self):
        self.strings = Strings()


class Token:
    def __init__(self, doc, i, text, idx):
        self.doc, self.i, self.text, self.idx = doc, i, text, idx
        self.is_space = text.isspace()
        self.is_sent_start = None
        self.pos_ = self.tag_ = self.lemma_ = self.dep_ = self.morph = ""
        self.head = self

    def set_morph(self, features):
        self.morph = features


class Doc:
    """A token is what is no white space, or all white space but a single space between words."""

    def __init__(self, vocab, text, pattern=r"\w+|[^\w\s]|(?<=\s)\s+|\n"):
        self.vocab, self.text = vocab, text
        self.tokens = [Token(self, i, match[0], match.start())
                       for i, match in enumerate(re.finditer(pattern, text))]

    def __len__(self):
        return len(self.tokens)

    def __iter__(self):
        return iter(self.tokens)

    def __getitem__(self, i):
        return self.tokens[i]

    def has_annotation(self, attribute):
        assert attribute == "SENT_START"
        return any(token.is_sent_start is not None for token in self.tokens)

    def from_array(self, attributes, array):
        """Heads are relative, as unsigned numbers; sentences begin where their trees do."""
        assert attributes == [HEAD, DEP] and array.dtype == "uint64" and len(array) == len(self)
        for token, (head, dep) in zip(self.tokens, array.tolist()):
            place = token.i + (head - 2**64 if head >= 2**63 else head)
            assert 0 <= place < len(self)
            token.head, token.dep_ = self.tokens[place], self.vocab.strings[dep]
        for token in self.tokens:
            token.is_sent_start = False
        for root in self.tokens:
            if root.head is root:
                min(self.below(root), key=lambda token: token.i).is_sent_start = True
        return self

    def below(self, root):
        for token in self.tokens:
            above = token
            while above.head is not above:
                above = above.head
            if above is root:
                yield token

    @property
    def sents(self):
        starts = [token.i for token in self.tokens if token.is_sent_start]
        return [self.tokens[a:b] for a, b in zip(starts, [*starts[1:], len(self)])]


class Language:
    factories = {}

    @classmethod
    def factory(cls, name, *, default_config, assigns, func):
        assert all(what.split(".")[0] in ("token", "doc") for what in assigns)
        cls.factories[name] = func, default_config

    def __init__(self):
        self.vocab, self.pipeline = Vocab(), []

    def add_pipe(self, name, config=None):
        function, defaults = self.factories[name]
        component = function(self, name, **{**defaults, **(config or {})})
        self.pipeline.append(component)
        return component

    def __call__(self, text):
        doc = Doc(self.vocab, text)
        for component in self.pipeline:
            doc = component(doc)
        return doc


HEAD, DEP = 77, 76


def modules():
    """For sys.modules."""
    made = {name: types.ModuleType(name) for name in ("spacy", "spacy.attrs", "spacy.language")}
    made["spacy.attrs"].HEAD, made["spacy.attrs"].DEP = HEAD, DEP
    made["spacy.language"].Language = Language
    return made
