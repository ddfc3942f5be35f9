"""Transition-based dependency parsing with dynamic oracles.

    >>> import dodona
    >>> nlp = dodona.load()
    >>> doc = nlp("Time flies like an arrow.")
    >>> print(doc.sentences[0].draw())

See docs/python.md in Dodona's source.
"""

from ._errors import (ArgumentError, DataError, Error, FileError, FormatError, ModelError)
from ._library import VERSION as __version__
from .catalogue import default_model, models
from .document import Doc, Sentence, Token, Word
from .evaluation import Confusion, Evaluation, Metric, evaluate
from .model import NLP, Tree, load, read_conllu
from .oracle import Step, System, oracle, systems
from .training import ComponentProgress, Progress, TrainingData, train

__all__ = [
    "ArgumentError", "ComponentProgress", "Confusion", "DataError", "Doc", "Error",
    "Evaluation", "FileError", "FormatError", "Metric", "ModelError", "NLP", "Progress",
    "Sentence", "Step", "System", "Token", "TrainingData", "Tree", "Word", "__version__",
    "default_model", "evaluate", "load", "models", "oracle", "read_conllu", "systems", "train",
]
