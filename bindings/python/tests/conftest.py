"""Models of the example treebank, trained once."""

import pathlib

import pytest

import dodona

ROOT = pathlib.Path(__file__).resolve().parents[3]
TRAIN = ROOT / "examples" / "demo-train.conllu"
TEST = ROOT / "examples" / "demo-test.conllu"


@pytest.fixture(autouse=True)
def no_models_of_the_user(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "data"))
    monkeypatch.delenv("DODONA_MODELS", raising=False)
    monkeypatch.delenv("DODONA_MODEL", raising=False)


@pytest.fixture(scope="session")
def nlp():
    """A model with all components."""
    return dodona.train(TRAIN, jackknife="no", system="arc-eager", iterations=5)


@pytest.fixture(scope="session")
def parser():
    """A model that only parses."""
    return dodona.train(TRAIN, only="parser", system="arc-eager", iterations=5)
