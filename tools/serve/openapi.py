"""The description of the server's interface (OpenAPI 3.0), as the numbers of a C array on standard
output; as JSON with the argument `json`. tests/serve compares it with what the server answers."""

import json
import sys

TEXT = {"type": "string"}
NULLABLE = {"type": "string", "nullable": True}
JSON, LINES, SVG = "application/json", "application/x-ndjson", "image/svg+xml"
PLAIN, CONLLU, HTML = "text/plain", "text/x-conllu", "text/html"
FORMS = (JSON, "application/x-www-form-urlencoded", "multipart/form-data")


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def some(kind, description, **more):
    return {"type": kind, "description": description, **more}


def string(description):
    return some("string", description)


def flag(description):
    return some("boolean", description)


def whole(description, least=1):
    return some("integer", description, minimum=least)


def choice(description, *words):
    return some("string", description, enum=list(words))


def items(kind):
    return {"type": "array", "items": {"type": kind} if isinstance(kind, str) else kind}


def an_object(properties, *required):
    return {"type": "object", "properties": properties, "required": list(required)}


# ---- what is asked -------------------------------------------------------------------------

DATA = {"data": string("The text, in the format that 'from' names.")}
SENTENCE = {"sentence": whole("The number, from 1, of the only sentence that is drawn, or whose steps "
                              "are answered.")}
FROM = {"from": choice("Format of the data; auto: decided by its first lines.",
                       "auto", "conllu", "text", "vertical", "horizontal", "jsonl")}
MODEL = {"model": string("Name of a model, or auto: the model of the text's language; default: the first one.")}
CUT = {"given": choice("What plain text already shows.", "auto", "text", "sentences", "tokens",
                       "words"),
       "paragraphs": choice("Where paragraphs of running text end: at an empty line, or at each line end; "
                            "auto: decided by the first lines.", "auto", "blank", "line"),
       "ranges": flag("Add TokenRange=START:END to MISC.")}
SEARCH = {"beam": whole("Derivations kept in the beam; default: the beam that the model was trained with."),
          "tidy": flag("Keep two rules of Universal Dependencies, see docs/constraints.md; default: as the "
                       "model says.")}
CONSTRAINTS = {"constraints": dict(items("string"), description=(
    "What must hold, as in comments: 'arc 3 nsubj 2', 'not-arc 3 2', 'span 4 6 any', 'leaf 7'; of "
    "another sentence than the first with its number: '2: leaf 7'. In forms and queries the field may "
    "be given several times."))}
WIDTH = {"width": whole("Width in pixels at which a drawing is broken into rows.", 300)}
LOSS = {"loss": string("Which loss, if the system has several.")}
ROOT = {"single_root": flag("Only one word may depend on 0; of a trace, with a system.")}


def answer_format(*formats):
    return {"to": choice("Format of the answer; takes precedence over Accept.", *formats)}


REQUESTS = {
    "Process": {
        "data": string("The text."),
        **MODEL,
        "tokenizer": string("If present, the data is plain text. Its value may have presegmented "
                            "and ranges, separated by ';'."),
        "input": string("Without tokenizer: conllu (the default), generic_tokenizer, horizontal or "
                        "vertical; options follow after '='."),
        "tagger": string("If present, and not 'none': tag and lemmatise."),
        "parser": string("If present, and not 'none': parse."),
        "output": string("conllu (the default), horizontal or vertical."),
    },
    # The server puts the library's options and formats in these places, see routes.c.
    "Parse": {
        **DATA, **FROM, **MODEL, **SENTENCE, **answer_format("json", "jsonl", "@formats", "svg"),
        "@options": {}, **CONSTRAINTS,
        "draw": flag("Add to each sentence of JSON its CoNLL-U and a picture of its tree."),
        **WIDTH,
    },
    "Draw": {**DATA, **SENTENCE, **WIDTH},
    "Oracle": {
        **DATA, **FROM, **SENTENCE, **answer_format("json", "jsonl"),
        "system": string("A transition system, such as arc-eager."),
        **LOSS,
        "walk": choice("Along the gold tree, or at random.", "gold", "random"),
        "seed": whole("Seed of a random walk.", 0),
        **ROOT,
        "partial": flag("Follow the largest buildable part of a tree that cannot be built."),
    },
    "Trace": {
        **DATA, **FROM, **MODEL, **CUT, **SENTENCE, **answer_format("json", "jsonl", "html"),
        "system": string("In place of a model: the system whose static oracle is followed."),
        **LOSS, **SEARCH,
        "gold": choice("Whether to compare with the trees of the data.", "auto", "no", "yes"),
        **ROOT, **CONSTRAINTS,
    },
}
REQUIRED = {name: ["data", "system"] if name == "Oracle" else ["data"] for name in REQUESTS}

# ---- what is answered ----------------------------------------------------------------------

COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
POSITION = {"type": "integer", "nullable": True}
ANSWERS = {
    "Word": an_object(
        {"id": {"oneOf": [{"type": "integer"}, {"type": "string"}]}, "form": TEXT,
         **{column: NULLABLE for column in COLUMNS}, "head": POSITION,
         "score": {"type": "number", "nullable": True}, "probability": {"type": "number"}},
        "id", "form", "head", *COLUMNS),
    "Token": an_object(
        {"form": TEXT, "start": POSITION, "end": POSITION, "words": items("integer"),
         "feats": NULLABLE, "misc": NULLABLE}, "form", "start", "end", "words"),
    "Sentence": an_object(
        {"sent_id": TEXT, "nbest": {"type": "integer"}, "score": {"type": "number"}, "text": TEXT,
         "comments": items("string"), "tokens": items(ref("Token")), "words": items(ref("Word")),
         "empty_nodes": items(ref("Word")), "conllu": TEXT, "svg": NULLABLE},
        "sent_id", "text", "comments", "tokens", "words", "empty_nodes"),
    "Sentences": an_object({"model": TEXT, "sentences": items(ref("Sentence"))},
                           "model", "sentences"),
    "Step": an_object(
        {"sent": TEXT, "n": {"type": "integer"}, "step": {"type": "integer"},
         "history": items("string"), "loss": {"type": "integer"},
         "cost": {"type": "object", "additionalProperties": {"type": "integer"}},
         **{key: items("integer") for key in ("stack", "left", "passed", "buffer", "heads")},
         "transition": TEXT, "label": TEXT, "head": {"type": "integer"},
         "dependent": {"type": "integer"}, "margin": {"type": "number", "nullable": True},
         "skipped": TEXT}, "sent"),
    "Steps": an_object({"steps": items(ref("Step"))}, "steps"),
    "Processed": an_object({"model": TEXT, "acknowledgements": items("string"), "result": TEXT},
                           "model", "acknowledgements", "result"),
    "Models": an_object(
        {"models": {"type": "object", "additionalProperties": items(
            {"type": "string", "enum": ["tokenizer", "tagger", "parser"]})}, "default_model": TEXT},
        "models", "default_model"),
    "ModelFacts": an_object({"models": items(an_object(
        {"names": items("string"), "components": items("string"), "beam": {"type": "integer"},
         "facts": {"type": "object", "additionalProperties": TEXT}, "labels": items("string")},
        "names", "components", "beam", "facts", "labels"))}, "models"),
    "Refusal": an_object({"status": {"type": "integer"}, "reason": TEXT}, "status", "reason"),
}
REFUSALS = {
    "400": "The request cannot be understood.",
    "401": "The token is missing or wrong.",
    "406": "The server cannot answer in any of the types in Accept.",
    "408": "The request took too long to arrive.",
    "413": "The request, or a sentence of it, is too large.",
    "415": "The type of the body is unknown.",
    "421": "The server does not answer requests for this host.",
    "422": "The request is understood but cannot be fulfilled: constraints contradict each other, for example.",
    "501": "The Transfer-Encoding is unknown.",
    "503": "The server has too much to do; see Retry-After.",
}


def content(types):
    return {kind: {"schema": schema} for kind, schema in types.items()}


def responses(summary, types, refusal):
    refused = content({refusal: ref("Refusal") if refusal == JSON else TEXT})
    return {"200": {"description": summary, "content": content(types)},
            **{status: {"description": reason, "content": refused}
               for status, reason in REFUSALS.items()}}


def parameters(name, required):
    for key, value in REQUESTS[name].items():
        if not value:
            yield {"name": key}
            continue
        schema = {k: v for k, v in value.items() if k != "description"}
        yield {"name": key, "in": "query", "required": key in required,
               "description": value["description"], "schema": schema}


def work(name, summary, types, texts, refusal=JSON):
    """A path that takes fields, from a query, a form or JSON, or a text and a query."""
    body = {**{kind: ref(name + "Request") for kind in FORMS}, **{kind: TEXT for kind in texts}}
    answers = responses(summary, types, refusal)
    beside = [one for one in parameters(name, ()) if one["name"] != "data"]
    return {"get": {"summary": summary, "operationId": f"get{name}", "responses": answers,
                    "parameters": list(parameters(name, REQUIRED[name]))},
            "post": {"summary": summary, "operationId": f"post{name}", "responses": answers,
                     "parameters": beside,
                     "requestBody": {"required": True, "content": content(body)}}}


def tell(name, summary, types, methods=("get",), **more):
    return {method: {"summary": summary, "operationId": method + name, "responses": {
        "200": {"description": summary, "content": content(types)},
        **{status.strip("_"): {"description": reason, "content": content({PLAIN: TEXT})}
           for status, reason in more.items()}}} for method in methods}


def annotation(name, summary, answer, method="post", **more):
    """A path of ArboratorGrew's parser."""
    refused = {status: {"description": reason, "content": content({JSON: ref("Failure")})} for status, reason in {
        **REFUSALS, "404": "There is no such model or task, or the server runs without --train.",
        "409": "The project has a training that is not done, or the model is not trained yet.",
        "500": "A file cannot be written or removed.",
        "507": "The disk is full, or the folder."}.items()}
    body = {"requestBody": {"required": True, "content": content({JSON: ref(name + "Request")})}}
    return {method: {"summary": summary, "operationId": method + name, "responses": {
        "200": {"description": summary, "content": content({JSON: answer})}, **refused},
        **(body if method == "post" else {}), **more}}


def succeeded(properties):
    return an_object({"status": choice("As it went.", "success", "failure"), "error": TEXT,
                      "data": an_object(properties)}, "status")


SAMPLES = {"type": "object", "additionalProperties": TEXT, "description": "Texts in CoNLL-U, by name."}
KEEP = choice("NONE: predicted again; EXISTING: `_` is predicted; ALL: `_` is kept, too.", "NONE", "EXISTING", "ALL")
SCORES = {"type": "object", "nullable": True}
ANNOTATION = {
    "ModelInfo": an_object({"project_name": TEXT, "model_id": TEXT}, "project_name"),
    "Failure": an_object({"status": choice("It failed.", "failure"), "error": TEXT}, "status", "error"),
    "TrainRequest": an_object({
        "project_name": TEXT, "train_samples": SAMPLES, "max_epoch": whole("Most iterations."),
        "base_model": {"oneOf": [ref("ModelInfo")], "nullable": True},
        "scorer": choice("What is trained; default: --train-scorer.", "linear", "neural")},
        "project_name", "train_samples"),
    "TrainedRequest": an_object({"model_info": ref("ModelInfo"), "train_task_id": TEXT}, "model_info"),
    "FillRequest": an_object({
        "model_info": ref("ModelInfo"), "to_parse_samples": SAMPLES,
        "parsing_settings": an_object({f"keep_{name}": KEEP for name in (
            "lemmas", "upos", "xpos", "feats", "heads", "deprels")})}, "model_info", "to_parse_samples"),
    "FilledRequest": an_object({"parse_task_id": TEXT}, "parse_task_id"),
}
NAMES = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in ("project", "model")]
ANNOTATION_PATHS = {
    "/parser/models/list": annotation("Trained", "The models that were trained.", an_object(
        {"status": TEXT, "data": items(an_object({"model_info": ref("ModelInfo"), "scores_best": SCORES},
                                                 "model_info", "scores_best"))}, "status", "data"), "get"),
    "/parser/models/list/{project}/{model}": annotation(
        "Trained", "Deletes a model, or ends its training.", an_object({"status": TEXT}, "status"), "delete",
        parameters=NAMES),
    "/parser/models/train/start": annotation("Train", "Trains a model.", succeeded(
        {"model_info": ref("ModelInfo"), "train_task_id": TEXT})),
    "/parser/models/train/status": annotation("Trained", "How far a training is.", succeeded(
        {"ready": flag("The model can parse."), "model_info": ref("ModelInfo"), "scores_best": SCORES,
         "scores_history": {**items("object"), "nullable": True}, "waits_for": whole("Trainings before it.", 0),
         "progress": TEXT})),
    "/parser/models/parse/start": annotation("Fill", "Parses texts around what is annotated.", succeeded(
        {"model_info": ref("ModelInfo"), "parse_task_id": TEXT})),
    "/parser/models/parse/status": annotation("Filled", "The texts, once they are parsed.", succeeded(
        {"ready": flag("The texts are there."), "model_info": ref("ModelInfo"), "parsed_samples": SAMPLES})),
}
STEPS = {JSON: ref("Steps"), LINES: TEXT}
DESCRIPTION = {
    "openapi": "3.0.3",
    "info": {"title": "Dodona", "version": "1", "license": {"name": "MIT"},
             "description": "Dependency parsing over HTTP; docs/server.md explains it."},
    "paths": {
        "/process": work("Process", "As UDPipe's server answers.", {JSON: ref("Processed")},
                         (PLAIN, CONLLU), PLAIN),
        "/models": tell("Models", "The models, as UDPipe's server lists them.",
                        {JSON: ref("Models")}, ("get", "post")),
        "/api/v1/parse": work("Parse", "Sentences with their trees.",
                              {JSON: ref("Sentences"), LINES: TEXT, CONLLU: TEXT, SVG: TEXT},
                              (PLAIN, CONLLU)),
        "/api/v1/draw": work("Draw", "A drawing of a tree in the data.", {SVG: TEXT},
                             (CONLLU,)),
        "/api/v1/oracle": work("Oracle", "The loss of configurations and the cost of transitions.",
                               STEPS, (CONLLU,)),
        "/api/v1/trace": work("Trace", "A parse step by step.", {**STEPS, HTML: TEXT}, (PLAIN, CONLLU)),
        "/api/v1/models": tell("ModelFacts", "The models with all their facts.",
                               {JSON: ref("ModelFacts")}),
        **ANNOTATION_PATHS,
        "/openapi.json": tell("Description", "This description.", {JSON: {"type": "object"}}),
        "/live": tell("Live", "Whether the process answers.", {PLAIN: TEXT}),
        "/health": tell("Health", "The same.", {PLAIN: TEXT}),
        "/ready": tell("Ready", "Whether requests should be sent here.", {PLAIN: TEXT},
                       _503="It is shutting down, or its queue is full."),
        "/metrics": tell("Metrics", "Counts, in Prometheus' text format.", {PLAIN: TEXT}),
        "/": tell("Page", "The page for browsers.", {HTML: TEXT}),
    },
    "components": {
        "schemas": {**{name + "Request": an_object(asked, *REQUIRED[name])
                       for name, asked in REQUESTS.items()}, **ANSWERS, **ANNOTATION},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    },
    "security": [{}, {"token": []}],
}

if sys.argv[1:] == ["json"]:
    print(json.dumps(DESCRIPTION, indent=2))
else:
    data = json.dumps(DESCRIPTION, separators=(",", ":")).encode() + b"\n"
    for at in range(0, len(data), 20):
        print(",".join(str(byte) for byte in data[at:at + 20]) + ",")
