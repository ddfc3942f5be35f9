"""Every Python example of the documents, run as it stands, in a folder with the example treebank."""

import doctest
import importlib
import inspect
import os
import re
import shutil

import pytest

import dodona

from conftest import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(name="folder")
def folder_with_examples(nlp, tmp_path, monkeypatch):
    """Has the example treebank and a default model, and is the folder that one is in."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    nlp.save(tmp_path / "demo.dodona")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DODONA_MODEL", os.fspath(tmp_path / "demo.dodona"))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_examples_of_the_guide():
    result = doctest.testfile(os.fspath(ROOT / "docs" / "python.md"), module_relative=False,
                              optionflags=FLAGS, encoding="utf-8")
    assert result.attempted > 40 and result.failed == 0


MODULES = ["dodona", *(f"dodona.{name}" for name in (
    "catalogue", "document", "evaluation", "model", "oracle", "sentence", "shapes", "training",
    "words"))]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(nlp, name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"dodona": dodona, "nlp": nlp}, optionflags=FLAGS)
    assert result.failed == 0


def test_every_public_name_has_a_docstring():
    named = [(name, getattr(dodona, name)) for name in dodona.__all__ if name != "__version__"]
    for name, thing in list(named):
        if inspect.isclass(thing):
            named += [(f"{name}.{own}", inspect.getattr_static(thing, own)) for own in vars(thing)
                      if not own.startswith("_") and own not in getattr(thing, "_fields", ())]
    assert [name for name, thing in named if not (
        inspect.getdoc(thing) or inspect.ismemberdescriptor(thing))] == []


def blocks(path):
    """The fenced blocks of Python, at the lines where they stand, for messages."""
    text = path.read_text("utf-8")
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        yield "\n" * text.count("\n", 0, block.start(1)) + block[1]


# The programs of the others talk to a server, which tests/serve runs them with, or to a cluster.
DOCUMENTS = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
             if any(blocks(path)) and path.name not in ("cluster.md", "server.md")]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_programs_in_documents(path, capsys):
    for block in blocks(path):
        exec(compile(block, os.fspath(path), "exec"), {})
        assert capsys.readouterr().out


def test_every_public_name_is_in_the_guide():
    guide = (ROOT / "docs" / "python.md").read_text("utf-8")
    missing = [name for name in dodona.__all__ if name not in guide]
    assert missing == []
