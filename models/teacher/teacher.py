"""The teacher: a biaffine parser and taggers over the pretrained encoder

    teacher.py train FOLDER TREEBANK NUMBER    fine-tunes model NUMBER, from 0, of the ensemble
    teacher.py joint FOLDER TREEBANK           fine-tunes the encoder on treebanks of several languages, joined in one, and
                                               replaces it by the result: the first step of several teachers
    teacher.py score FOLDER TREEBANK PART      scores each model and the ensemble on PART.conllu
    teacher.py label FOLDER TREEBANK WORDS OUT [SECONDS]
                                               labels sentences, one a line as words.py writes them, until the time is up

FOLDER has bpe.json and lm.pt of pretrain.py and gets teacher-NUMBER.pt. TREEBANK has train.conllu and dev.conllu.
OUT gets one array a column, packed by xz, which silver.py puts together as CoNLL-U.
"""

import concurrent.futures
import json
import lzma
import multiprocessing
import pathlib
import random
import sys
import time
import tomllib

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer, pre_tokenizers
from torch import nn

import encoder as lm
import trees

SETTINGS = tomllib.loads((pathlib.Path(__file__).parent / "settings.toml").read_text())
HOW = SETTINGS["fine_tune"]
UPOS, XPOS, FEATS, HEAD, DEPREL = 2, 3, 4, 5, 6  # in a word; FORM and whether a space precedes it come first
COLUMNS = [DEPREL, UPOS, XPOS, FEATS]
NAMES = ["head", "label", "upos", "xpos", "feats", "head-p", "label-p", "second", "second-p"]  # of files


def read_treebank(path):
    sentences, words, space, last = [], [], True, 0
    for line in open(path, encoding="utf-8"):
        cells = line.rstrip("\n").split("\t")
        if len(cells) == 1:
            if not cells[0] and words:
                sentences.append(words)
                words, space, last = [], True, 0
            continue
        after = "SpaceAfter=No" not in cells[9]
        if "-" in cells[0]:
            last, last_after = int(cells[0].split("-")[1]), after
        elif "." not in cells[0]:
            words.append((cells[1], space, cells[3], cells[4], cells[5], int(cells[6]), cells[7]))
            number = int(cells[0])
            space = after if number > last else number == last and last_after
    return sentences


def read_words(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield [(w.lstrip("\x01"), w[0] != "\x01") for w in line.rstrip("\n").split("\t")]


class Pieces:
    """Words as pieces, which depend on whether a space precedes the word."""

    def __init__(self, folder):
        self.spaced = Tokenizer.from_file(str(folder / "bpe.json"))
        self.joined = Tokenizer.from_file(str(folder / "bpe.json"))
        self.joined.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self.known = {}

    def of(self, word):
        key = word[:2]
        if key not in self.known:
            bpe = self.spaced if word[1] else self.joined
            self.known[key] = bpe.encode(word[0]).ids[:40] or [lm.MASK]
        return self.known[key]


class Batch:
    """Sentences side by side as tensors. Piece and word 0 of each are the root's."""

    def __init__(self, sentences, numbers, coded, names):
        self.numbers = numbers
        rows = len(numbers)
        most_pieces = max(1 + sum(map(len, coded[i])) for i in numbers)
        most_words = 1 + max(len(sentences[i]) for i in numbers)
        self.pieces = np.zeros((rows, most_pieces), np.int64)
        self.word_of = np.full((rows, most_pieces), most_words, np.int64)  # of no word: one after the last
        self.lengths = np.array([len(sentences[i]) for i in numbers])
        self.heads = np.zeros((rows, most_words), np.int64)
        self.targets = np.full((len(COLUMNS), rows, most_words), -1, np.int64)
        for row, i in enumerate(numbers):
            flat = [lm.BEGIN] + [p for word in coded[i] for p in word]
            self.pieces[row, :len(flat)] = flat
            self.word_of[row, :len(flat)] = np.repeat(np.arange(len(coded[i]) + 1), [1] + [len(w) for w in coded[i]])
            for k, word in enumerate(sentences[i], 1):
                if len(word) > 2:
                    self.heads[row, k] = word[HEAD]
                    for c, column in enumerate(COLUMNS):
                        self.targets[c, row, k] = names[c].get(word[column], -1)

    def to_device(self):
        for name in ("pieces", "word_of", "lengths", "heads", "targets"):
            setattr(self, name, torch.from_numpy(getattr(self, name)).pin_memory().cuda(non_blocking=True))
        return self


def make_batches(sentences, pieces, names, most):
    """Sentences of similar length together."""
    coded = [[pieces.of(word) for word in sentence] for sentence in sentences]
    sizes = [1 + sum(map(len, c)) for c in coded]
    some = []
    for i in sorted(range(len(sentences)), key=lambda i: sizes[i]):
        if some and sizes[i] * (len(some) + 1) > most:
            yield Batch(sentences, some, coded, names)
            some = []
        some.append(i)
    if some:
        yield Batch(sentences, some, coded, names)


class Teacher(nn.Module):
    def __init__(self, encoder, sizes):
        super().__init__()
        width, arcs, labels = encoder.shape[1], HOW["arc_width"], HOW["label_width"]
        self.encoder = encoder
        self.mix = nn.Parameter(torch.zeros(encoder.shape[2]))  # of the layers
        self.norm = nn.LayerNorm(width)
        self.arc_head, self.arc_dependent = nn.Linear(width, arcs), nn.Linear(width, arcs)
        self.label_head, self.label_dependent = nn.Linear(width, labels), nn.Linear(width, labels)
        self.arc = nn.Parameter(0.01 * torch.randn(arcs + 1, arcs))
        self.label = nn.Parameter(0.01 * torch.randn(labels + 1, sizes[0], labels + 1))
        self.tags = nn.ModuleList(nn.Linear(width, size) for size in sizes[1:])

    def words(self, batch):
        """A word is the mean of its pieces in a learnt mixture of the layers."""
        is_piece = batch.word_of < batch.heads.shape[1]
        layers = self.encoder.layers(batch.pieces, is_piece, HOW["encoder_dropout"])
        x = sum(share * layer.float() for share, layer in zip(self.mix.softmax(0), layers))
        rows, words = batch.heads.shape
        sums = x.new_zeros(rows, words + 1, x.shape[-1])
        sums.scatter_add_(1, batch.word_of[..., None].expand(-1, -1, x.shape[-1]), x)
        counts = x.new_zeros(rows, words + 1).scatter_add_(1, batch.word_of, torch.ones_like(x[..., 0]))
        x = self.norm(sums[:, :words] / counts[:, :words, None].clamp(min=1))
        return F.dropout(x, 0.2, self.training)

    def forward(self, batch):
        """Scores of arcs [row, dependent, head], the label layer's vectors, scores of tags."""
        with torch.autocast("cuda", torch.bfloat16):
            x = self.words(batch)
            project = lambda layer: F.dropout(F.leaky_relu(layer(x), 0.1), HOW["dropout"], self.training)
            one = torch.ones_like(x[..., :1]).bfloat16()
            heads, dependents = project(self.arc_head), project(self.arc_dependent)
            arcs = torch.cat([dependents, one], -1) @ self.arc.to(one.dtype) @ heads.transpose(1, 2)
            ends = [torch.cat([project(layer), one], -1) for layer in (self.label_dependent, self.label_head)]
            tags = [layer(x).float() for layer in self.tags]
        words = torch.arange(arcs.shape[1], device=arcs.device)
        never = (words > batch.lengths[:, None])[:, None, :] | (words[:, None] == words)
        return arcs.float().masked_fill(never, -1e9), ends, tags

    def labels(self, ends, heads):
        """Scores of the labels of the arcs from these heads."""
        with torch.autocast("cuda", torch.bfloat16):
            dependents, sources = ends
            sources = sources.gather(1, heads[..., None].expand(-1, -1, sources.shape[-1]))
            side = torch.einsum("bni,ilj->bnlj", dependents, self.label.to(dependents.dtype))
            return torch.einsum("bnlj,bnj->bnl", side, sources).float()


def name_values(train):
    names = [{} for _ in COLUMNS]
    for sentence in train:
        for word in sentence:
            for known, column in zip(names, COLUMNS):
                known.setdefault(word[column], len(known))
    return names


def compute_loss(model, batch):
    arcs, ends, tags = model(batch)
    words = torch.arange(arcs.shape[1], device=arcs.device)
    real = (words > 0) & (words <= batch.lengths[:, None])
    entropy = lambda scores, gold: F.cross_entropy(scores[real], gold[real], ignore_index=-1)
    loss = entropy(arcs, batch.heads) + entropy(model.labels(ends, batch.heads), batch.targets[0])
    return loss + HOW["tag_weight"] * sum(entropy(t, g) for t, g in zip(tags, batch.targets[1:]))


def train(folder, treebank, number, how=HOW):
    torch.manual_seed(number)
    random.seed(number)
    pieces = Pieces(folder)
    gold, dev = read_treebank(treebank / "train.conllu"), read_treebank(treebank / "dev.conllu")
    names = name_values(gold)
    model = Teacher(lm.load(folder / "lm.pt"), [len(n) for n in names]).cuda()
    rate = how["rates"][number]
    own = {id(p) for p in model.encoder.parameters()}
    adam = torch.optim.AdamW([{"params": model.encoder.parameters(), "first": rate},
                              {"params": [p for p in model.parameters() if id(p) not in own],
                               "first": HOW["head_rate"]}], betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    batches = [b.to_device() for b in make_batches(gold, pieces, names, how["batch"])]
    total, step, best, begun = how["passes"] * len(batches), 0, -1, time.time()
    for k in range(how["passes"]):
        random.shuffle(batches)
        model.train()
        for batch in batches:
            for group in adam.param_groups:
                group["lr"] = group["first"] * min(1, step / 200) * max(0.02, 1 - step / total)
            step += 1
            adam.zero_grad(set_to_none=True)
            compute_loss(model, batch).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            adam.step()
        if k < how["passes"] - 4 and k % 6 != 5:
            continue
        scores = score([model], dev, pieces, names)
        print(f"model {number}, rate {rate}, pass {k + 1}: {scores}, {time.time() - begun:.0f} s", flush=True)
        if scores["LAS"] > best:
            best = scores["LAS"]
            torch.save({n: v.half() for n, v in model.state_dict().items()}, folder / f"teacher-{number}.pt")
    return model


def train_joint(folder, treebank):
    lm.save(train(folder, treebank, 0, {**HOW, **SETTINGS["joint"]}).encoder, folder / "lm.pt")
    (folder / "teacher-0.pt").unlink()


def load_models(folder, names):
    models = []
    for path in sorted(folder.glob("teacher-*.pt")):
        model = Teacher(lm.load(folder / "lm.pt"), [len(n) for n in names])
        model.load_state_dict({k: v.float() for k, v in torch.load(path, map_location="cpu").items()})
        models.append(model.cuda().eval())
    return models


def are_trees(heads, lengths):
    """Which rows have one root and no cycle."""
    words = torch.arange(heads.shape[1], device=heads.device)
    real = (words > 0) & (words <= lengths[:, None])
    roots = ((heads == 0) & real).sum(1)
    reached = torch.where(real, heads, 0)
    for _ in range(heads.shape[1].bit_length()):
        reached = reached.gather(1, reached)
    return (roots == 1) & (reached == 0).all(1)


@torch.no_grad()
def predict(models, batch, roots, pool):
    """Heads, labels, tags [row, word] of the ensemble's mean probabilities, the probability of the head and of the
    label, and the second best head with its probability."""
    found = [model(batch) for model in models]
    arcs = sum(f[0].softmax(-1) for f in found) / len(models)
    heads = arcs.argmax(-1)
    bad = (~are_trees(heads, batch.lengths)).nonzero()[:, 0].tolist()
    if bad:
        lengths = batch.lengths.tolist()
        scores = (arcs[bad] + 1e-9).log().cpu().numpy()
        jobs = [scores[k, :lengths[row] + 1, :lengths[row] + 1] for k, row in enumerate(bad)]
        for row, tree in zip(bad, (pool.map if pool else map)(trees.best_tree, jobs)):
            heads[row, :len(tree)] = torch.from_numpy(tree).cuda()
    labels = sum(m.labels(f[1], heads).softmax(-1) for m, f in zip(models, found)) / len(models)
    labels[..., roots] = torch.where(heads == 0, 2.0, 0.0)
    tags = [sum(f[2][k].softmax(-1) for f in found).argmax(-1) for k in range(3)]
    sure = arcs.gather(-1, heads[..., None])
    other = arcs.scatter(-1, heads[..., None], 0).max(-1)
    label = labels.max(-1)
    return [heads, label.indices, *tags, sure[..., 0], label.values.clamp(max=1), other.indices, other.values]


def score(models, gold, pieces, names):
    listed = [list(n) for n in names]
    right, total = np.zeros(6), 0
    for model in models:
        model.eval()
    for batch in make_batches(gold, pieces, names, SETTINGS["label"]["batch"]):
        found = [f.cpu().numpy() for f in predict(models, batch.to_device(), names[0]["root"], None)[:5]]
        for row, i in enumerate(batch.numbers):
            for k, word in enumerate(gold[i], 1):
                head, label, *tags = (f[row, k] for f in found)
                attached, label = head == word[HEAD], listed[0][label]
                right += (attached, attached and label.split(":")[0] == word[DEPREL].split(":")[0],
                          attached and label == word[DEPREL],
                          *(listed[c + 1][tag] == word[COLUMNS[c + 1]] for c, tag in enumerate(tags)))
                total += 1
    return dict(zip(("UAS", "LAS", "full LAS", "UPOS", "XPOS", "FEATS"), (100 * right / total).round(2).tolist()))


def label(folder, treebank, words, out, seconds):
    pieces, names = Pieces(folder), name_values(read_treebank(treebank / "train.conllu"))
    models = load_models(folder, names)
    sentences = list(read_words(words))
    starts = np.concatenate([[0], np.cumsum([len(s) for s in sentences])])
    print(f"{len(sentences)} sentences, {starts[-1]} words", flush=True)
    kinds = (np.int16, np.uint8, np.uint8, np.uint16, np.uint16, np.uint8, np.uint8, np.int16, np.uint8)
    columns = [np.zeros(starts[-1], kind) for kind in kinds]
    begun = time.time()
    with concurrent.futures.ProcessPoolExecutor(8, multiprocessing.get_context("spawn")) as pool:
        for at in range(0, len(sentences), 30000):
            if time.time() - begun > seconds:
                columns = [column[:starts[at]] for column in columns]
                break
            some = sentences[at:at + 30000]
            for batch in make_batches(some, pieces, names, SETTINGS["label"]["batch"]):
                numbers = batch.numbers
                found = predict(models, batch.to_device(), names[0]["root"], pool)
                place = torch.arange(found[0].shape[1], device="cuda")
                second = found[8] >= SETTINGS["label"]["second"]
                found[7] = torch.where(second, found[7] - place, 0)
                found[8] = torch.where(second, found[8], 0)
                found[0] = torch.where(found[0] == 0, 0, found[0] - place)
                for k in (5, 6, 8):
                    found[k] = (found[k] * 100).round()
                table = torch.stack([f.short() for f in found]).cpu().numpy()
                for row, i in enumerate(numbers):
                    n = len(some[i])
                    for k, column in enumerate(columns):
                        column[starts[at + i]:starts[at + i] + n] = table[k, row, 1:n + 1]
            if at % 300000 == 0:
                print(f"{starts[at]} words, {time.time() - begun:.0f} s", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / "names.json").write_text(json.dumps([list(n) for n in names]))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        packed = pool.map(lambda column: lzma.compress(column.tobytes(), preset=6), columns)
        for name, content in zip(NAMES, packed):
            (out / f"{name}.xz").write_bytes(content)
    print(f"labelled {len(columns[0])} words, {time.time() - begun:.0f} s", flush=True)


def main():
    torch.set_float32_matmul_precision("high")
    what, folder, treebank, *rest = sys.argv[1:]
    folder, treebank = pathlib.Path(folder), pathlib.Path(treebank)
    if what == "train":
        train(folder, treebank, int(rest[0]))
    elif what == "joint":
        train_joint(folder, treebank)
    elif what == "score":
        names = name_values(read_treebank(treebank / "train.conllu"))
        models, pieces = load_models(folder, names), Pieces(folder)
        gold = read_treebank(treebank / f"{rest[0]}.conllu")
        for number, model in enumerate(models):
            print(f"{rest[0]}, model {number}: {score([model], gold, pieces, names)}", flush=True)
        print(f"{rest[0]}, ensemble: {score(models, gold, pieces, names)}", flush=True)
    elif what == "label":
        label(folder, treebank, pathlib.Path(rest[0]), pathlib.Path(rest[1]), float(rest[2]) if rest[2:] else 1e9)


if __name__ == "__main__":
    main()
