"""Transition-based dependency parsing with dynamic oracles.

    >>> import dodona
    >>> nlp = dodona.load()
    >>> for word in nlp("Birds sing.").words:
    ...     print(word.form, word.upos, word.head, word.deprel)
    Birds NOUN 2 nsubj
    sing VERB 0 root
    . PUNCT 2 punct

The guide is docs/python.md in Dodona's source.
"""

from ._errors import (ArgumentError, DataError, Error, FileError, FormatError, ModelError)
from ._library import VERSION as __version__
from ._stream import Skipped
from .catalogue import default_model, models
from .document import Doc
from .evaluation import Confusion, Evaluation, Metric, evaluate
from .model import NLP, Tree, load, read_conllu
from .oracle import Optimal, Step, System, optimal, oracle, systems
from .sentence import Sentence
from .training import ComponentProgress, Progress, TrainingData, train
from .words import Chunk, EmptyNode, Token, Word

__all__ = [
    "ArgumentError", "Chunk", "ComponentProgress", "Confusion", "DataError", "Doc", "EmptyNode", "Error",
    "Evaluation", "FileError", "FormatError", "Metric", "ModelError", "NLP", "Optimal",
    "Progress", "Sentence", "Skipped", "Step", "System", "Token", "TrainingData", "Tree", "Word",
    "__version__", "default_model", "evaluate", "load", "models", "optimal", "oracle",
    "read_conllu", "systems", "train",
]
