"""Every example of docs/python.md, run as it stands, in a folder with the example treebank."""

import doctest
import os
import shutil

import dodona

from conftest import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_examples_of_the_guide(nlp, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    nlp.save(tmp_path / "default.dodona")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DODONA_MODEL", os.fspath(tmp_path / "default.dodona"))
    result = doctest.testfile(os.fspath(ROOT / "docs" / "python.md"), module_relative=False,
                              optionflags=FLAGS, encoding="utf-8")
    assert result.attempted > 40 and result.failed == 0


def test_every_public_name_is_in_the_guide():
    guide = (ROOT / "docs" / "python.md").read_text("utf-8")
    missing = [name for name in dodona.__all__ if name not in guide]
    assert missing == []
