"""Models by name: which there are, and where."""

import importlib.util
import itertools
import os
import pathlib
from typing import Any, Dict, List, Optional

from ._library import Path, check, ffi, lib, make, new_error, to_path


def _folders() -> List[bytes]:
    """Those that came with this package, with the package dodona-models, with the source that this one
    was built from, and with the program."""
    here = pathlib.Path(__file__).resolve().parent
    others = importlib.util.find_spec("dodona_models")
    folders = [here, *map(pathlib.Path, (others and others.submodule_search_locations) or [])]
    folders += [here.parent.parent.parent / "build" / "models"]
    folders += [pathlib.Path(p) / "share" / "dodona" / "models" for p in ("/usr/local", "/usr")]
    return [os.fsencode(folder) for folder in folders if folder.is_dir()]


def _catalogue() -> Any:
    folders = [ffi.from_buffer(folder + b"\0") for folder in _folders()]
    return make(lib.dd_catalogue_new, lib.dd_catalogue_free, "dd_catalogue",
                ffi.new("char *[]", folders), len(folders))


def models() -> Dict[str, pathlib.Path]:
    """The files of the models that load() finds by name, in the order in which it looks.

    >>> isinstance(dodona.models(), dict)
    True
    """
    found: Dict[str, pathlib.Path] = {}
    catalogue = _catalogue()
    for i in itertools.count():
        model = lib.dd_catalogue_at(catalogue, i)
        if model == ffi.NULL:
            break
        name, path = (os.fsdecode(ffi.string(text)) for text in (model.name, model.path))
        found.setdefault(name, pathlib.Path(path))
    return found


def find_model(wanted: Path) -> bytes:
    """The path of what a user calls a model. A string can be a name or a language; a path cannot."""
    encoded = to_path(wanted)
    if isinstance(wanted, os.PathLike):
        return encoded
    catalogue, path, error = _catalogue(), ffi.new("char **"), new_error()
    name = ffi.new("char []", encoded)
    check(lib.dd_catalogue_path(catalogue, name, path, error), error)
    return bytes(ffi.string(path[0]))


def default_model() -> Optional[pathlib.Path]:
    """The model that load() uses: the one that $DODONA_MODEL names, else "english", which came with
    this package, with the source it was built from, or with the program. None if there is none."""
    wanted = os.environ.get("DODONA_MODEL")
    if wanted:
        return pathlib.Path(os.fsdecode(find_model(wanted)))
    return models().get("english")
