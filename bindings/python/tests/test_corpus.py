"""Plans from Python: the same as the program's, and what engines call."""

import gzip
import json
import os
import pathlib
import pickle
import re
import subprocess

import pytest

import dodona
from dodona import corpus
from dodona._names import name_documents
from dodona.spark import in_pandas, partitions
from conftest import ROOT, TRAIN

PROGRAM = pathlib.Path(os.environ.get("DODONA_BUILD", ROOT / "build")) / "dodona"


@pytest.fixture(scope="session")
def model(nlp, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "demo.dodona"
    nlp.save(path)
    return str(path)


@pytest.fixture()
def texts(tmp_path):
    """Two files of paragraphs."""
    lines = re.findall("^# text = (.*)$", TRAIN.read_text("utf-8"), re.M)
    paragraphs = ["\n".join(lines[i:i + 3]) + "\n\n" for i in range(0, len(lines), 3)]
    files = [tmp_path / "a.txt", tmp_path / "b c.txt"]
    for file in files:
        file.write_text("".join(paragraphs), "utf-8")
    return files


def in_one_process(model, files, *options):
    command = [PROGRAM, "parse", "-q", "-m", model, *options, *files]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize("to", ["conllu", "json"])
def test_joined_tasks_are_what_one_process_writes(model, texts, tmp_path, to):
    plan, merged = tmp_path / "plan", tmp_path / "merged"
    count = corpus.plan(texts, plan, model=model, size=300, to=to, ranges=True)
    assert count > 10 and corpus.missing(plan) == list(range(1, count + 1))
    reports = [corpus.run(plan, task) for task in reversed(corpus.missing(plan))]
    assert corpus.missing(plan) == [] and corpus.verify(plan) == {}
    corpus.merge(plan, merged)
    assert merged.read_bytes() == in_one_process(model, texts, "--to", to, "--ranges")
    assert sum(report.sentences for report in reports) == sum(
        1 for line in TRAIN.read_text("utf-8").splitlines() if line.startswith("# text")) * 2
    assert all(task.state == "done" for task in corpus.tasks(plan))


def test_the_program_and_python_make_and_take_the_same_plans(model, texts, tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    corpus.plan(texts, ours, model=model, size=300, tidy=True, beam=2)
    subprocess.run([PROGRAM, "corpus", "plan", "-q", "-m", model, "--size", "300", "--tidy",
                    "--beam", "2", "--into", theirs, *texts], check=True)
    assert (ours / "plan").read_bytes() == (theirs / "plan").read_bytes()
    subprocess.run([PROGRAM, "corpus", "run", "-q", ours, "1/2"], check=True)
    for task in corpus.missing(ours):
        corpus.run(ours, task, threads=2)
    assert corpus.verify(ours, quick=True) == {}


def test_documents_are_named_as_the_program_names_them(model, tmp_path):
    names = ["a.txt", "a.txt.gz", "x/a.txt", "a b\tc.txt", ".txt", "é\u200f.d.zst", "n\x7f.\xa0x"]
    names += [b"raw\xff\xc3.txt", "same.1", "same.2"]
    paths = []
    for name in names:
        path = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        pathlib.Path(os.fsdecode(path)).write_text("Birds sing.\n", "utf-8")
        paths.append(path)
    folder = tmp_path / "plan"
    subprocess.run([PROGRAM, "corpus", "plan", "-q", "-m", model, "-f", "text", "--into", folder,
                    *paths], check=True)
    lines = (folder / "plan").read_bytes().decode("utf-8", "surrogateescape").split("\n")
    told = [tuple(line.split("\t")[4:6]) for line in lines if line.startswith("input\t")]
    assert told == name_documents(paths)


def test_what_goes_wrong_is_told(model, texts, tmp_path):
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\tpoison\n\n", "utf-8")
    plan = tmp_path / "plan"
    corpus.plan([texts[0], bad], plan, model=model, size=1000)
    last = len(corpus.tasks(plan))
    for task in corpus.missing(plan)[:-1]:
        corpus.run(plan, task)
    assert corpus.state(plan, last) == "open"
    with pytest.raises(dodona.FormatError):
        corpus.run(plan, last)
    assert [corpus.state(plan, task) for task in (1, last)] == ["done", "failed"]
    assert list(corpus.failed(plan)) == [last] and "bad.conllu:1: " in corpus.failed(plan)[last]
    assert list(corpus.verify(plan)) == [last]
    with pytest.raises(dodona.DataError):
        corpus.merge(plan, tmp_path / "merged")
    corpus.merge(plan, tmp_path / "merged", without_failed=True)
    with pytest.raises(dodona.ArgumentError):
        corpus.run(plan, last + 1)
    with pytest.raises(dodona.FileError):
        corpus.missing(tmp_path / "absent")
    with pytest.raises(dodona.ArgumentError):
        corpus.plan([texts[0]], plan, model=model)
    with pytest.raises(dodona.ArgumentError):
        corpus.plan(str(texts[0]), tmp_path / "other", model=model)


def test_a_plan_that_was_replaced_is_read_anew(model, texts, tmp_path):
    folder = tmp_path / "plan"
    few = corpus.plan(texts, folder, model=model)
    (folder / "plan").unlink()
    assert corpus.plan(texts, folder, model=model, size=300) > few


def test_partitions_as_spark_calls_them(model):
    texts = ["Birds sing.", None, "", "The oak rustles. Birds sing."]
    function = pickle.loads(pickle.dumps(partitions(model)))
    parsed = list(function(iter(texts)))
    nlp = dodona.load(model)
    assert parsed == [None if text is None else nlp(text).to_conllu() for text in texts]
    assert list(function(iter([None, None]))) == [None, None]
    assert list(function(iter([]))) == []
    json = list(partitions(model, to="json")(iter(texts)))
    assert json[1] is None and json[2] == "[]" and json[3].count('"sent_id"') == 2


def test_frames_as_spark_hands_them_over(model):
    pandas = pytest.importorskip("pandas")
    frames = [pandas.DataFrame({"id": [1, 2], "text": ["Birds sing.", None]}),
              pandas.DataFrame({"id": [3], "text": ["The oak rustles."]})]
    function = pickle.loads(pickle.dumps(in_pandas("text", model)))
    out = list(function(iter(frames)))
    assert [list(frame.columns) for frame in out] == [["id", "text", "parsed"]] * 2
    assert "# text = Birds sing." in out[0]["parsed"][0] and out[0]["parsed"][1] is None
    assert "# text = The oak rustles." in out[1]["parsed"][0]


def test_documents_in_json_lines_and_compressed_outputs(model, tmp_path):
    file, merged = tmp_path / "d.jsonl", tmp_path / "out.jsonl.gz"
    file.write_text("".join(json.dumps({"key": i, "body": "Birds sing. Time flies."}) + "\n"
                            for i in range(40)), "utf-8")
    count = corpus.plan([file], tmp_path / "p", model=model, size=300, to="jsonl", field="body",
                        id="key", compress="gz")
    assert count > 3
    for task in corpus.missing(tmp_path / "p"):
        corpus.run(tmp_path / "p", task)
    corpus.merge(tmp_path / "p", merged)
    assert gzip.decompress(merged.read_bytes()) == in_one_process(
        model, [file], "--field=body", "--id=key", "--to=jsonl")
    with pytest.raises(dodona.ArgumentError, match="gz or zst"):
        corpus.plan([file], tmp_path / "q", model=model, compress="xz")
