"""Where a model came from, so that another process can load it too."""

import os
from typing import NamedTuple, Optional

from ._errors import FileError
from .catalogue import default_model, find_model


class Origin(NamedTuple):
    path: str  #: absolute
    wanted: Optional[str]  #: the name or language that it was found by; "": it was the default

    def find(self) -> str:
        """The file, or, on another machine, the one that goes by the same name there."""
        path = self.path if os.path.exists(self.path) else self._by_name()
        if not os.path.exists(path):
            reason = "the file of a pickled model is gone; every process needs it under this name"
            raise FileError(f"{path}: {reason}", path, reason=reason)
        return path

    def _by_name(self) -> str:
        if self.wanted is None:
            return self.path
        if self.wanted:
            return os.fsdecode(find_model(self.wanted))
        return os.fspath(default_model() or self.path)
