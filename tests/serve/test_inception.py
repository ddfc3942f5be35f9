"""examples/inception/recommender.py, with documents as INCEpTION sends them:

    test_inception.py PROGRAM EXAMPLES
"""

import http.client
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

from harness import Server, equal, run_all, test

program, examples = sys.argv[1], pathlib.Path(sys.argv[2])
CORE = "de.tudarmstadt.ukp.dkpro.core.api."
POS, LEMMA = CORE + "lexmorph.type.pos.POS", CORE + "segmentation.type.Lemma"
DEPENDENCY = CORE + "syntax.type.dependency.Dependency"
NAMESPACES = {"xmi": "http://www.omg.org/XMI", "cas": "http:///uima/cas.ecore",
              "pos": "http:///de/tudarmstadt/ukp/dkpro/core/api/lexmorph/type/pos.ecore",
              "type5": "http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore",
              "dependency": "http:///de/tudarmstadt/ukp/dkpro/core/api/syntax/type/dependency.ecore"}
# The second character is two UTF-16 code units, as which offsets are counted.
SENTENCES = [["🦉", "The", "cat", "slept", "."], ["Birds", "do", "n't", "sing", "."]]


def typesystem(scores=True):
    def type_of(name, features):
        rows = "".join(f"<featureDescription><name>{feature}</name><rangeTypeName>uima.cas.String</rangeTypeName>"
                       "</featureDescription>" for feature in features)
        return (f"<typeDescription><name>{name}</name><supertypeName>uima.tcas.Annotation</supertypeName>"
                f"<features>{rows}</features></typeDescription>")
    own = ["inception_internal_predicted"]
    return ('<?xml version="1.0" encoding="UTF-8"?>'
            '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>'
            + type_of(CORE + "segmentation.type.Token", own)
            + type_of(POS, ["PosValue", "coarseValue", *own])
            + type_of(LEMMA, ["value", *own])
            + type_of(DEPENDENCY, ["Governor", "Dependent", "DependencyType",
                                   *(["DependencyType_score"] if scores else []), *own])
            + "</types></typeSystemDescription>")


def document(annotations=""):
    """Two sentences, a line each. The tokens are number 100, 101 and so on."""
    rows, at, n = [], 0, 100
    for tokens in SENTENCES:
        start = at
        for token in tokens:
            end = at + len(token.encode("utf-16-le")) // 2
            rows.append(f'<type5:Token xmi:id="{n}" sofa="1" begin="{at}" end="{end}" order="0" '
                        'inception_internal_predicted="false"/>')
            n, at = n + 1, end + 1
        rows.append(f'<type5:Sentence xmi:id="{n + 100}" sofa="1" begin="{start}" end="{at - 1}"/>')
    text = "&#10;".join(" ".join(tokens) for tokens in SENTENCES)
    spaces = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in NAMESPACES.items())
    members = " ".join(re.findall(r'xmi:id="(\d+)"', "".join(rows) + annotations))
    return (f'<?xml version="1.0" encoding="UTF-8"?><xmi:XMI {spaces} xmi:version="2.0"><cas:NULL xmi:id="0"/>'
            + "".join(rows) + annotations
            + f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{text}"/>'
            f'<cas:View sofa="1" members="{members}"/></xmi:XMI>')


def arc(number, governor, dependent, label, predicted=False):
    return (f'<dependency:Dependency xmi:id="{number}" sofa="1" begin="0" end="1" Governor="{governor}" '
            f'Dependent="{dependent}" DependencyType="{label}" flavor="basic" '
            f'inception_internal_predicted="{str(predicted).lower()}"/>')


class Recommender:
    def __init__(self, *options):
        self.process = subprocess.Popen(
            [sys.executable, "-B", examples / "inception" / "recommender.py", "--listen", "127.0.0.1:0", *options],
            stderr=subprocess.PIPE, text=True)
        self.port = int(self.process.stderr.readline().rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def ask(self, action, content):
        own = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        own.request("POST", "/some/path/" + action,
                    content if isinstance(content, str) else json.dumps(content), {"Content-Type": "application/json"})
        answer = own.getresponse()
        body = answer.read().decode()
        own.close()
        return answer.status, json.loads(body) if body else None

    def predict(self, layer, feature, xmi, **more):
        status, answer = self.ask("predict", {
            "metadata": {"layer": layer, "feature": feature, "projectId": 7, "anchoringMode": "tokens",
                         "crossSentence": False},
            "document": {"xmi": xmi, "documentId": 1, "userId": "anna"}, "typeSystem": typesystem(), **more})
        equal(status, 200)
        return ET.fromstring(answer["document"].encode())


def suggested(root, prefix, name):
    own = root.findall(f"{prefix}:{name}", NAMESPACES)
    members = root.find("cas:View", NAMESPACES).get("members").split()
    equal([one for one in own if one.get("{http://www.omg.org/XMI}id") not in members], [])
    return [one for one in own if one.get("inception_internal_predicted") == "true"]


def arcs(found):
    return {int(one.get("Dependent")): (int(one.get("Governor")), one.get("DependencyType")) for one in found}


def expected():
    """What the program gives for these tokens."""
    text = "".join("".join(f"{i}\t{form}" + "\t_" * 8 + "\n" for i, form in enumerate(tokens, 1)) + "\n"
                   for tokens in SENTENCES)
    made = subprocess.run([program, "parse", "--quiet", "-m", "english-fast", "--from", "conllu", "--scores"],
                          input=text, check=True, text=True, encoding="utf-8", stdout=subprocess.PIPE).stdout
    return [line.split("\t") for line in made.splitlines() if line]


@test
def tags(recommender):
    """parts of speech and lemmas, at the places of the tokens"""
    for layer, feature, prefix, name, column in ((POS, "PosValue", "pos", "POS", 4),
                                                 (POS, "coarseValue", "pos", "POS", 3),
                                                 (LEMMA, "value", "type5", "Lemma", 2)):
        root = recommender.predict(layer, feature, document())
        tokens = root.findall("type5:Token", NAMESPACES)
        equal(len(tokens), 10)
        places = {(one.get("begin"), one.get("end")): one.get(feature) for one in suggested(root, prefix, name)}
        equal(places, {(token.get("begin"), token.get("end")): cells[column]
                       for token, cells in zip(tokens, expected(), strict=True)})
        equal((tokens[0].get("end"), tokens[1].get("begin")), ("2", "3"))
        equal("\n" in root.find("cas:Sofa", NAMESPACES).get("sofaString"), True)


@test
def dependencies(recommender):
    """dependencies between tokens, roots as INCEpTION has them, with scores"""
    root = recommender.predict(DEPENDENCY, "DependencyType", document())
    found = suggested(root, "dependency", "Dependency")
    rows, start = expected(), {}
    for n, cells in enumerate(rows):
        first = n - int(cells[0]) + 1
        start[100 + n] = (100 + (first + int(cells[6]) - 1 if cells[6] != "0" else n), cells[7])
    equal(arcs(found), start)
    scores = {int(one.get("Dependent")): float(one.get("DependencyType_score")) for one in found}
    equal(len(scores), 10)
    root = recommender.predict(DEPENDENCY, "DependencyType", document(), typeSystem=typesystem(scores=False))
    equal([one.get("DependencyType_score") for one in suggested(root, "dependency", "Dependency")], [None] * 10)


@test
def annotated(recommender):
    """dependencies that people have annotated hold in what is suggested, and suggestions do not count"""
    own = arc(500, 104, 101, "dep") + arc(501, 106, 105, "nsubj", predicted=True)
    found = recommender.predict(DEPENDENCY, "DependencyType", document(own))
    equal(arcs(suggested(found, "dependency", "Dependency"))[101], (104, "dep"))
    equal(len(found.findall("dependency:Dependency", NAMESPACES)), 12)
    # No tree has these: the suggestions then pass over them.
    cycle = arc(500, 101, 102, "dep") + arc(501, 102, 101, "dep")
    found = arcs(suggested(recommender.predict(DEPENDENCY, "DependencyType", document(cycle)), "dependency",
                           "Dependency"))
    equal(len(found), 10)


@test
def nothing(recommender):
    """a document without sentences comes back as it was"""
    empty = re.sub(r"<type5:Sentence [^>]*>", "", document())
    equal(suggested(recommender.predict(POS, "PosValue", empty), "pos", "POS"), [])


@test
def refused(recommender):
    """what is not as INCEpTION sends it is refused, and the next request is answered"""
    good = {"metadata": {"layer": POS, "feature": "PosValue", "projectId": 7},
            "document": {"xmi": document(), "documentId": 1, "userId": "a"}, "typeSystem": typesystem()}
    equal(recommender.ask("predict", "{")[0], 400)
    equal(recommender.ask("predict", "[]")[0], 400)
    equal(recommender.ask("predict", "{}")[0], 400)
    equal(recommender.ask("other", good)[0], 404)
    equal(recommender.ask("predict", {**good, "document": {"xmi": "<a"}})[0], 400)
    equal(recommender.ask("predict", {**good, "document": {"xmi": "<a/>"}})[0], 400)
    bomb = '<!DOCTYPE a [<!ENTITY b "bbb">]><a>&b;</a>'
    status, answer = recommender.ask("predict", {**good, "document": {"xmi": bomb}})
    equal((status, "document type" in answer["error"]), (400, True))
    status, answer = recommender.ask("predict", {**good, "metadata": {**good["metadata"], "feature": "x"}})
    equal((status, "no suggestions" in answer["error"]), (400, True))
    equal(recommender.ask("predict", good)[0], 200)
    equal(recommender.ask("train", {**good, "documents": [good["document"]]}), (204, None))


@test
def with_program(_):
    """the program can be run in place of a server, with the same suggestions"""
    with Recommender("--program", program, "--model", "english-fast") as other:
        root = other.predict(DEPENDENCY, "DependencyType", document())
    with Recommender("--server", f"http://127.0.0.1:{server.port}") as own:
        again = own.predict(DEPENDENCY, "DependencyType", document())
    equal(arcs(suggested(root, "dependency", "Dependency")), arcs(suggested(again, "dependency", "Dependency")))


@test
def unreachable(_):
    """without a server the reason is told"""
    with Recommender("--server", "http://127.0.0.1:1") as other:
        status, answer = other.ask("predict", {
            "metadata": {"layer": POS, "feature": "PosValue", "projectId": 7}, "typeSystem": typesystem(),
            "document": {"xmi": document(), "documentId": 1, "userId": "a"}})
        equal((status, "http://127.0.0.1:1" in answer["error"]), (502, True))


@test
def training(_):
    """a model is trained of what is annotated, and then makes the suggestions"""
    labels = [(102, 101, "first"), (103, 102, "second"), (103, 103, "third"), (103, 104, "fourth"),
              (106, 105, "first"), (108, 106, "second"), (108, 107, "second"), (108, 108, "third")]
    own = "".join(arc(500 + n, *one) for n, one in enumerate(labels))
    content = {"metadata": {"layer": DEPENDENCY, "feature": "DependencyType", "projectId": 7},
               "documents": [{"xmi": document(own), "documentId": n, "userId": "a"} for n in range(10)],
               "typeSystem": typesystem()}
    with tempfile.TemporaryDirectory() as folder, \
            Server(program, ["--threads", "2", "--train", folder], ["english-fast"]) as trainer, \
            Recommender("--server", f"http://127.0.0.1:{trainer.port}", "--train") as other:
        equal(other.ask("train", content), (204, None))
        while not json.loads(trainer.get("/parser/models/list")[2])["data"]:
            time.sleep(0.05)
        found = arcs(suggested(other.predict(DEPENDENCY, "DependencyType", document()), "dependency", "Dependency"))
        equal({label for _, label in found.values()} <= {label for *_, label in labels}, True)
        equal(len(found), 10)


with Server(program, ["--threads", "2", "--quiet"], ["english-fast"]) as server:
    with Recommender("--server", f"http://127.0.0.1:{server.port}") as adapter:
        run_all(adapter)
