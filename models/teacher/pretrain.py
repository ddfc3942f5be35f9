"""pretrain.py FOLDER TEXT... [--from FOLDER | --layers-of FOLDER] [--minutes M]: a masked language model of running text

TEXT is one paragraph a line, plain or packed by xz, or a file of words.py; several may be of several languages. FOLDER
gets bpe.json, pieces.npy (the text as pieces, which a second run reuses), lm.pt and the packed weights. With --from, the
BPE and the weights of an earlier one are where training continues. With --layers-of the text gets a BPE of its own, for
other languages, and the layers and the embeddings of pieces known there are those of an earlier one. With --minutes 0 it
stops before training.
"""

import argparse
import lzma
import pathlib
import random
import shutil
import time
import tomllib

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import encoder as lm

HERE = pathlib.Path(__file__).parent
# What pieces that begin a word begin with: a space, a name such as <s>, or, where no spaces separate words, the first
# byte of a Chinese or Japanese character.
BEGINNINGS = "Ġ<" + "".join(map(chr, range(0xE3, 0xEA)))


def read_lines(path):
    opener = lzma.open if str(path).endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8", errors="ignore", newline="\n") as file:
        return [line.rstrip("\n").replace("\t\x01", "").replace("\t", " ") for line in file if line.strip()]


def learn_bpe(lines, settings):
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    sample = random.Random(1).sample(lines, min(len(lines), settings["sample"]))
    bpe.train_from_iterator(sample, trainers.BpeTrainer(
        vocab_size=settings["pieces"], special_tokens=["<pad>", "<s>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return bpe


def encode(lines, bpe):
    """All lines in a random order, each after a <s>, as one array."""
    rows = []
    for at in range(0, len(lines), 100000):
        for coded in bpe.encode_batch_fast(lines[at:at + 100000]):
            rows.append(np.array([lm.BEGIN] + coded.ids, dtype=np.uint16))
    random.Random(1).shuffle(rows)
    return np.concatenate(rows)


def prepare_text(options, settings):
    """The BPE and the text as its pieces, from the folder if they are there."""
    bpe_file, pieces_file = options.folder / "bpe.json", options.folder / "pieces.npy"
    if bpe_file.exists() and pieces_file.exists():
        return Tokenizer.from_file(str(bpe_file)), np.load(pieces_file)
    lines = [line for path in options.text for line in read_lines(path)]
    if options.start:
        shutil.copy(options.start / "bpe.json", bpe_file)
        bpe = Tokenizer.from_file(str(bpe_file))
    else:
        bpe = learn_bpe(lines, settings)
        bpe.save(str(bpe_file))
    coded = encode(lines, bpe)
    np.save(pieces_file, coded)
    return bpe, coded


class Muon(torch.optim.Optimizer):
    """Momentum whose update is made orthogonal by Newton and Schulz's iteration (Jordan 2024)."""

    def __init__(self, matrices, momentum=0.95, decay=0.01):
        super().__init__(matrices, {"lr": 0.0, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self):
        group = self.param_groups[0]
        shapes = {}
        for p in group["params"]:
            shapes.setdefault(tuple(p.shape), []).append(p)
        for same in shapes.values():
            updates = self.orthogonal(torch.stack([self.direction(p, group["momentum"]) for p in same]))
            scale = max(1, same[0].shape[0] / same[0].shape[1]) ** 0.5
            for p, update in zip(same, updates):
                p.mul_(1 - group["lr"] * group["decay"])
                p.add_(update.to(p.dtype), alpha=-group["lr"] * scale)

    def direction(self, p, momentum):
        state = self.state[p]
        if "mean" not in state:
            state["mean"] = torch.zeros_like(p)
        state["mean"].lerp_(p.grad, 1 - momentum)
        return p.grad.lerp(state["mean"], momentum)

    @staticmethod
    def orthogonal(x):
        x = x.bfloat16()
        tall = x.shape[1] > x.shape[2]
        x = x.mT if tall else x
        x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
        for _ in range(5):
            a = x @ x.mT
            x = 3.4445 * x + (-4.775 * a + 2.0315 * (a @ a)) @ x
        return x.mT if tall else x


def mask_words(rows, begins, count, pieces):
    """Masks whole words until `count` pieces of each row are masked; the last word may be cut."""
    word = (begins[rows].cumsum(1) - 1).clamp(min=0)
    chance = torch.rand(rows.shape, device=rows.device).gather(1, word)
    chance = chance - 1e-6 * torch.arange(rows.shape[1], device=rows.device)
    where = chance.topk(count, 1).indices
    hidden = rows.gather(1, where)
    kind = torch.rand(where.shape, device=rows.device)
    other = torch.randint(3, pieces, hidden.shape, device=rows.device, dtype=hidden.dtype)
    shown = torch.where(kind < 0.8, torch.full_like(hidden, lm.MASK),
                        torch.where(kind < 0.9, other, hidden))
    return rows.scatter(1, where, shown), where, hidden


def train(model, data, begins, settings, minutes, strength):
    how = settings["pretrain"]
    matrices = [p for block in model.b for p in block.parameters() if p.ndim == 2]
    ids = {id(p) for p in matrices}
    muon = Muon(matrices)
    adam = torch.optim.AdamW([p for p in model.parameters() if id(p) not in ids], lr=0.0,
                             betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    count = int(data.shape[1] * how["masked"])

    def compute_loss(rows, where, hidden):
        with torch.autocast("cuda", torch.bfloat16):
            x = model(rows)
            x = x.gather(1, where[..., None].expand(-1, -1, x.shape[-1])).flatten(0, 1)
            scores = model.predict_pieces(x)
        return F.cross_entropy(scores.float(), hidden.flatten())

    compiled = torch.compile(compute_loss)
    order, at, step, mean, begun = None, 0, 0, None, None
    while True:
        if order is None or at + how["rows"] > len(data):
            order, at = torch.randperm(len(data), device="cuda"), 0
        rows = data[order[at:at + how["rows"]]].long()
        at += how["rows"]
        done = 0 if begun is None else (time.time() - begun) / (60 * minutes)
        if done >= 1:
            return step
        fall = 1 if done < how["level"] else (1 - done) / (1 - how["level"])
        rate = strength * min(1, step / how["warm_up"]) * max(how["last_rate"], fall)
        muon.param_groups[0]["lr"] = rate * how["matrix_rate"]
        adam.param_groups[0]["lr"] = rate * how["other_rate"]
        loss = compiled(*mask_words(rows, begins, count, len(begins)))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        muon.step()
        adam.step()
        model.zero_grad(set_to_none=True)
        step += 1
        if step == 5:
            torch.cuda.synchronize()
            begun = time.time()
        if step % 100 == 0:
            mean = loss.item() if mean is None else 0.8 * mean + 0.2 * loss.item()
            speed = how["rows"] * data.shape[1] * (step - 5) / (time.time() - begun)
            print(f"step {step}: loss {mean:.3f}, {speed / 1000:.0f}k pieces/s, "
                  f"{100 * done:.0f} % of the time", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("text", nargs="+")
    parser.add_argument("--pieces", type=int, help="of the BPE, if not those of the settings")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--from", dest="start", type=pathlib.Path)
    start.add_argument("--layers-of", dest="layers", type=pathlib.Path)
    parser.add_argument("--minutes", type=float)
    options = parser.parse_args()
    settings = tomllib.loads((HERE / "settings.toml").read_text())
    minutes = settings["pretrain"]["minutes"] if options.minutes is None else options.minutes
    options.folder.mkdir(parents=True, exist_ok=True)
    begun = time.time()
    if options.pieces:
        settings["text"]["pieces"] = options.pieces

    bpe, coded = prepare_text(options, settings["text"])
    print(f"{len(coded)} pieces, {time.time() - begun:.0f} s", flush=True)
    if minutes == 0:
        return
    chunk = settings["text"]["chunk"]
    data = torch.from_numpy(coded[:len(coded) // chunk * chunk].astype(np.int16)).view(-1, chunk).cuda()
    begins = torch.tensor([bpe.id_to_token(i)[0] in BEGINNINGS for i in range(bpe.get_vocab_size())],
                          dtype=torch.long, device="cuda")

    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    how = settings["encoder"]
    model = lm.load(options.start) if options.start else lm.Encoder(
        bpe.get_vocab_size(), how["width"], how["layers"], how["heads"], how["feed_forward"])
    if options.layers:
        known = Tokenizer.from_file(str(options.layers / "bpe.json")).get_vocab()
        shared = lm.adopt(model, lm.load(options.layers), bpe.get_vocab(), known)
        print(f"{shared} of {len(begins)} pieces have an embedding", flush=True)
    model = model.cuda()
    strength = settings["pretrain"]["continue_rate"] if options.start or options.layers else 1
    steps = train(model, data, begins, settings, minutes, strength)
    lm.save(model, options.folder / "lm.pt")
    lm.pack(model, options.folder)
    print(f"{steps} steps, {time.time() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
