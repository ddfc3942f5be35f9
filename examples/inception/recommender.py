#!/usr/bin/env python3
"""An external recommender for INCEpTION that asks Dodona: parts of speech, lemmas, features and dependencies.

    dodona serve -m english &
    python3 recommender.py                                # http://127.0.0.1:5000
    python3 recommender.py --program dodona --model english    # without a server

In INCEpTION, Project settings > Recommenders > Create: the layer and feature below, the tool "Remote
classifier", and the remote URL http://127.0.0.1:5000. Every annotation that is not a suggestion itself is kept:
dependencies that are annotated are constraints on the tree that is suggested for the others.

It needs only Python. The protocol: https://github.com/inception-project/inception-external-recommender
"""

import argparse
import bisect
import http.server
import io
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET

CORE = "de.tudarmstadt.ukp.dkpro.core.api."
TOKEN, SENTENCE = CORE + "segmentation.type.Token", CORE + "segmentation.type.Sentence"
DEPENDENCY = CORE + "syntax.type.dependency.Dependency"
# What is suggested for a layer and its feature, of the words that Dodona answers with.
FEATURES = {
    (CORE + "lexmorph.type.pos.POS", "PosValue"): "xpos",
    (CORE + "lexmorph.type.pos.POS", "coarseValue"): "upos",
    (CORE + "segmentation.type.Lemma", "value"): "lemma",
    (CORE + "lexmorph.type.morph.MorphologicalFeatures", "value"): "feats",
    (DEPENDENCY, "DependencyType"): "deprel",
}
COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
PREDICTED = "inception_internal_predicted"
XMI_ID = "{http://www.omg.org/XMI}id"
MOST_BYTES = 64 << 20


class Refusal(Exception):
    """The status of HTTP and the reason that INCEpTION gets."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


# ---- documents ------------------------------------------------------------------------------------


def tag_of(type_name):
    """de.x.Token -> {http:///de/x.ecore}Token"""
    package, _, name = type_name.rpartition(".")
    return f"{{http:///{package.replace('.', '/')}.ecore}}{name}"


def read_xml(text, what):
    if "<!DOCTYPE" in text:  # entities could be nested without end
        raise Refusal(400, f"{what}: a document type is not taken")
    try:
        for _, (prefix, name) in ET.iterparse(io.BytesIO(text.encode()), ["start-ns"]):
            try:
                ET.register_namespace(prefix, name)
            except ValueError:  # a prefix that ElementTree makes by itself
                pass
        return ET.fromstring(text)
    except ET.ParseError as error:
        raise Refusal(400, f"{what}: {error}") from error


def features_of(typesystem, type_name):
    """The names of the features that a type, and those that it is derived from, have."""
    names, ns = set(), "{http://uima.apache.org/resourceSpecifier}"
    types = {one.findtext(ns + "name"): one for one in read_xml(typesystem, "typeSystem").iter(ns + "typeDescription")}
    while type_name in types:
        one = types.pop(type_name)
        names |= {feature.findtext(ns + "name") for feature in one.iter(ns + "featureDescription")}
        type_name = one.findtext(ns + "supertypeName")
    return names


class Document:
    """A CAS as XMI. Its offsets count UTF-16 code units, as Java does."""

    def __init__(self, xmi):
        self.root = read_xml(xmi, "xmi")
        sofa = self.root.find("{http:///uima/cas.ecore}Sofa")
        if sofa is None:
            raise Refusal(400, "xmi: there is no text")
        self.sofa = sofa.get(XMI_ID)
        self.last_id = max(int(one.get(XMI_ID, "0")) for one in self.root)
        self.added = []
        self.units = sofa.get("sofaString", "").encode("utf-16-le")
        self.sentences = self.split(self.select(TOKEN))

    def select(self, type_name):
        found = [one for one in self.root.iter(tag_of(type_name)) if one.get("begin") and one.get("end")]
        return sorted(found, key=lambda one: (int(one.get("begin")), -int(one.get("end"))))

    def split(self, tokens):
        """The tokens of each sentence that has some."""
        begins, sentences = [int(token.get("begin")) for token in tokens], []
        for sentence in self.select(SENTENCE):
            first, last = (bisect.bisect_left(begins, int(sentence.get(side))) for side in ("begin", "end"))
            if first < last:
                sentences.append(tokens[first:last])
        return sentences

    def text_of(self, annotation):
        text = self.units[2 * int(annotation.get("begin")):2 * int(annotation.get("end"))]
        return " ".join(text.decode("utf-16-le", "replace").split()) or "_"

    def annotated(self, type_name):
        """What people have annotated, and not what was suggested to them."""
        return [one for one in self.select(type_name) if one.get(PREDICTED) != "true"]

    def arcs(self):
        """(governor, label) of the tokens that have one, by their xmi:id. A root depends on itself."""
        return {one.get("Dependent"): (one.get("Governor"), one.get("DependencyType"))
                for one in self.annotated(DEPENDENCY) if one.get("Governor") and one.get("Dependent")}

    def values(self, type_name, feature):
        return {(one.get("begin"), one.get("end")): one.get(feature) for one in self.annotated(type_name)}

    def conllu(self, constraints):
        """Its sentences, with what is annotated: as constraints, or as a treebank to learn from."""
        arcs, lines = self.arcs(), []
        columns = {} if constraints else {
            COLUMNS.index(name): self.values(*layer) for layer, name in FEATURES.items() if layer[0] != DEPENDENCY}
        for tokens in self.sentences:
            numbers = {token.get(XMI_ID): number for number, token in enumerate(tokens, 1)}
            rows = []
            for token in tokens:
                own, row = token.get(XMI_ID), ["_"] * 10
                row[:2] = str(numbers[own]), self.text_of(token)
                for column, values in columns.items():
                    row[column] = values.get((token.get("begin"), token.get("end"))) or "_"
                governor, label = arcs.get(own, (None, None))
                head = 0 if governor == own else numbers.get(governor)
                if head is not None and constraints:
                    lines.append(f"# constraint = arc {head} {label or '_'} {row[0]}")
                elif head is not None:
                    row[6:8] = str(head), label or "_"
                rows.append("\t".join(row))
            lines += rows + [""]
        return "".join(line + "\n" for line in lines)

    def add(self, type_name, begin, end, features):
        self.last_id += 1
        self.added.append(str(self.last_id))
        ET.SubElement(self.root, tag_of(type_name), {
            XMI_ID: self.added[-1], "sofa": self.sofa, "begin": begin, "end": end, **features})

    def xmi(self):
        """With what was added, which the view of the text then has, too."""
        for view in self.root.findall("{http:///uima/cas.ecore}View"):
            if view.get("sofa") == self.sofa:
                view.set("members", " ".join(view.get("members", "").split() + self.added))
                self.root.remove(view)  # behind all that it names
                self.root.append(view)
        self.added = []
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(self.root, encoding="unicode")


# ---- Dodona ---------------------------------------------------------------------------------------


class Program:
    """`dodona parse`, started for each document."""

    def __init__(self, program, model):
        self.command = [program, "parse", "--quiet", "--from", "conllu", "--to", "json", "--tag", "--scores",
                        *(["-m", model] if model else [])]

    def parse(self, conllu, _project):
        done = subprocess.run(self.command, input=conllu, capture_output=True, text=True, encoding="utf-8",
                              check=False)
        if done.returncode != 0:
            raise Refusal(422, done.stderr.strip())
        return [json.loads(line) for line in done.stdout.splitlines()]

    def train(self, _conllu, _project):
        """A model that is given is not trained."""


class Server:
    """`dodona serve`."""

    def __init__(self, address, model, token, trains):
        self.address, self.model, self.trains = address.rstrip("/"), model, trains
        self.headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}

    def ask(self, path, fields=None):
        body = None if fields is None else json.dumps(fields).encode()
        request = urllib.request.Request(self.address + path, body, self.headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refusal(error.code, error.read().decode(errors="replace").strip()) from error
        except OSError as error:
            raise Refusal(502, f"{self.address}: {error}") from error

    def parse(self, conllu, project):
        info = self.trained(project) if self.trains else None
        if info:
            return self.parse_with(info, conllu)
        fields = {"data": conllu, "from": "conllu", "to": "json", "tag": True, "scores": True}
        return self.ask("/api/v1/parse", {**fields, **({"model": self.model} if self.model else {})})["sentences"]

    def trained(self, project):
        """The newest model of the project; None: there is none so far."""
        models = [one["model_info"] for one in self.ask("/parser/models/list")["data"]]
        return max((one for one in models if one["project_name"] == project), key=lambda one: one["model_id"],
                   default=None)

    def parse_with(self, info, conllu):
        task = self.ask("/parser/models/parse/start", {
            "model_info": info, "to_parse_samples": {"document": conllu}, "parsing_settings": {}})["data"]
        while True:
            answer = self.ask("/parser/models/parse/status", {"parse_task_id": task["parse_task_id"]})
            if answer["status"] != "success":
                raise Refusal(422, answer["error"])
            if answer["data"]["ready"]:
                return read_conllu(answer["data"]["parsed_samples"]["document"])
            time.sleep(0.05)

    def train(self, conllu, project):
        if self.trains:
            self.ask("/parser/models/train/start", {"project_name": project, "train_samples": {"documents": conllu}})


def read_conllu(text):
    """Sentences as JSON has them."""
    sentences = []
    for block in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        words = [{name: None if cell == "_" else cell for name, cell in zip(COLUMNS, row)} for row in rows]
        sentences.append({"words": [{**word, "head": int(word["head"] or 0)} for word in words]})
    return sentences


# ---- suggestions ----------------------------------------------------------------------------------


def suggest(document, sentences, layer, feature, known):
    """Adds an annotation for each word; of a dependency with a score, if the type has one: the probability that
    the head is right, where the model knows it, or else the margin over the next best choice."""
    name = FEATURES[layer, feature]
    for tokens, sentence in zip(document.sentences, sentences):
        for token, word in zip(tokens, sentence["words"]):
            if not word[name]:
                continue
            features = {feature: word[name], PREDICTED: "true"}
            if layer == DEPENDENCY:
                governor = tokens[word["head"] - 1] if word["head"] else token
                features.update(Governor=governor.get(XMI_ID), Dependent=token.get(XMI_ID))
                score = word.get("probability", word.get("score"))
                if score is not None and feature + "_score" in known:
                    features[feature + "_score"] = str(score)
            document.add(layer, token.get("begin"), token.get("end"),
                         {key: value for key, value in features.items() if key in known or key == feature})


def project_of(metadata):
    """The name of its models, of which each layer's annotations are all that a document has."""
    return f"inception-{metadata['projectId']}"


def predict(dodona, request):
    metadata = request["metadata"]
    layer, feature = metadata["layer"], metadata["feature"]
    if (layer, feature) not in FEATURES:
        raise Refusal(400, f"there are no suggestions for the feature {feature} of {layer}")
    document = Document(request["document"]["xmi"])
    known = features_of(request["typeSystem"], layer)
    if document.sentences:
        try:
            sentences = dodona.parse(document.conllu(constraints=True), project_of(metadata))
        except Refusal as refusal:  # annotated arcs that are no part of a tree
            if refusal.status != 422:
                raise
            plain = "".join(line for line in document.conllu(constraints=True).splitlines(True)
                            if not line.startswith("# constraint"))
            sentences = dodona.parse(plain, project_of(metadata))
        suggest(document, sentences, layer, feature, known)
    return {"document": document.xmi()}


def train(dodona, request):
    documents = [Document(one["xmi"]) for one in request["documents"]]
    dodona.train("".join(one.conllu(constraints=False) for one in documents), project_of(request["metadata"]))


# ---- the server that INCEpTION asks ---------------------------------------------------------------


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def read(self):
        size = self.headers.get("Content-Length", "")
        if not size.isdigit() or int(size) > MOST_BYTES:
            self.close_connection = True
            raise Refusal(413, f"the request must have a length of at most {MOST_BYTES} bytes")
        try:
            return json.loads(self.rfile.read(int(size)))
        except ValueError as error:
            raise Refusal(400, f"not JSON: {error}") from error

    def answer(self, status, content):
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        """PATH/predict and PATH/train, where PATH is what stands behind the remote URL's host."""
        action = self.path.partition("?")[0].rpartition("/")[2]
        try:
            request = self.read()
            if action == "predict":
                self.answer(200, predict(self.server.dodona, request))
            elif action == "train":
                train(self.server.dodona, request)
                self.answer(204, None)
            else:
                raise Refusal(404, "there are /predict and /train")
        except Refusal as refusal:
            # Already training: INCEpTION knows this status.
            self.answer(429 if refusal.status == 409 else refusal.status, {"error": str(refusal)})
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            self.answer(400, {"error": f"the request is not as INCEpTION sends it: {error!r}"})


def main():
    parser = argparse.ArgumentParser(description="External recommender for INCEpTION that asks Dodona.")
    parser.add_argument("--listen", default="127.0.0.1:5000", metavar="ADDRESS:PORT", help="[%(default)s]")
    parser.add_argument("--server", default="http://127.0.0.1:8000", metavar="URL", help="dodona serve [%(default)s]")
    parser.add_argument("--program", metavar="DODONA", help="run this program instead of asking a server")
    parser.add_argument("--model", help="model to parse with; default: the server's or program's own")
    parser.add_argument("--token-file", metavar="FILE", help="token of the server")
    parser.add_argument("--train", action="store_true",
                        help="train a model of each project's dependencies; the server must run with --train, too")
    args = parser.parse_args()
    token = open(args.token_file, encoding="utf-8").read().strip() if args.token_file else None
    address, _, port = args.listen.rpartition(":")
    server = http.server.ThreadingHTTPServer((address or "127.0.0.1", int(port)), Handler)
    server.dodona = (Program(args.program, args.model) if args.program
                     else Server(args.server, args.model, token, args.train))
    print(f"listening on http://{server.server_address[0]}:{server.server_address[1]}", file=sys.stderr, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
