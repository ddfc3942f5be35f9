"""The encoder: a pre-norm transformer with rotary positions, normalised queries and keys, and GEGLU."""

import pathlib
import pickle

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

PAD, BEGIN, MASK = 0, 1, 2
PARTS = 3  # files that packed weights are cut into


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.g = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return F.rms_norm(x, x.shape[-1:], self.g.to(x.dtype), 1e-6)


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Block(nn.Module):
    def __init__(self, width, heads, feed_forward):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = Norm(width), Norm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.o = nn.Linear(width, width, bias=False)
        self.i = nn.Linear(width, 2 * feed_forward, bias=False)
        self.w = nn.Linear(feed_forward, width, bias=False)
        nn.init.zeros_(self.o.weight)
        nn.init.zeros_(self.w.weight)

    def forward(self, x, cos, sin, mask, dropout):
        rows, length, width = x.shape
        split = self.qkv(self.n1(x)).view(rows, length, 3, self.heads, width // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        q = rotate(F.rms_norm(q, q.shape[-1:]), cos, sin)
        k = rotate(F.rms_norm(k, k.shape[-1:]), cos, sin)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        a = a.transpose(1, 2).reshape(rows, length, width)
        x = x + F.dropout(self.o(a), dropout, self.training)
        gate, up = self.i(self.n2(x)).chunk(2, -1)
        return x + F.dropout(self.w(F.gelu(gate) * up), dropout, self.training)


class Encoder(nn.Module):
    """Pieces to vectors. The names of the parameters are those of the packed files."""

    def __init__(self, pieces, width, layers, heads, feed_forward):
        super().__init__()
        self.shape = (pieces, width, layers, heads, feed_forward)
        self.e = nn.Embedding(pieces, width)
        nn.init.normal_(self.e.weight, std=0.02)
        self.n0 = Norm(width)
        self.b = nn.ModuleList(Block(width, heads, feed_forward) for _ in range(layers))
        self.nf = Norm(width)
        self.t = nn.Linear(width, width, bias=False)  # for the masked language model
        self.nt = Norm(width)
        self.bias = nn.Parameter(torch.zeros(pieces))

    def positions(self, length, like):
        half = self.shape[1] // self.shape[3] // 2
        speed = 10000.0 ** (-torch.arange(half, device=like.device).float() / half)
        angle = torch.arange(length, device=like.device).float()[:, None] * speed
        return angle.cos().to(like.dtype), angle.sin().to(like.dtype)

    def layers(self, pieces, mask=None, dropout=0.0):
        """The output of each layer; mask is true where there is a piece."""
        x = F.dropout(self.n0(self.e(pieces)), dropout, self.training)
        if torch.is_autocast_enabled():
            x = x.bfloat16()
        cos, sin = self.positions(pieces.shape[1], x)
        mask = None if mask is None else mask[:, None, None, :]
        for block in self.b:
            x = block(x, cos, sin, mask, dropout)
            yield x

    def forward(self, pieces):
        for x in self.layers(pieces):
            pass
        return self.nf(x)

    def predict_pieces(self, x):
        x = self.nt(F.gelu(self.t(x)))
        return x @ self.e.weight.to(x.dtype).t() + self.bias.to(x.dtype)


def adopt(encoder, other, pieces, other_pieces):
    """Takes over the weights of an encoder of the same size with another BPE: all of its layers, and the embeddings of
    the pieces that both have. The pieces are numbers by name."""
    own, given = encoder.state_dict(), other.state_dict()
    shared = [(number, other_pieces[name]) for name, number in pieces.items() if name in other_pieces]
    here, there = map(list, zip(*shared))
    for name, value in given.items():
        if name in ("e.weight", "bias"):
            own[name][here] = value[there]
        else:
            own[name] = value
    encoder.load_state_dict(own)
    return len(shared)


def save(encoder, path):
    torch.save({"shape": encoder.shape,
                "weights": {k: v.half() for k, v in encoder.state_dict().items()}}, path)


def load(path):
    """An encoder from a file of `save`, or from a folder of packed weights."""
    if pathlib.Path(path).is_dir():
        return unpack(pathlib.Path(path))
    kept = torch.load(path, map_location="cpu")
    encoder = Encoder(*kept["shape"])
    encoder.load_state_dict({k: v.float() for k, v in kept["weights"].items()})
    return encoder


def unpack(folder):
    """Packed weights: a byte each and a factor for each row in lm.0 .., the rest in lm.head."""
    with open(folder / "lm.head", "rb") as file:
        shape, names, rest = pickle.load(file)
    encoder = Encoder(*shape)
    weights = encoder.state_dict()
    raw = b"".join((folder / f"lm.{i}").read_bytes() for i in range(PARTS))
    at = 0
    for name in names:
        if weights[name].dim() == 2:
            size = weights[name].numel()
            rows = np.frombuffer(raw, np.int8, size, at).reshape(weights[name].shape)
            weights[name] = torch.from_numpy(rows.astype(np.float32) * rest[name].astype(np.float32))
            at += size
        else:
            weights[name] = torch.from_numpy(rest[name].astype(np.float32))
    assert at == len(raw)
    encoder.load_state_dict(weights)
    return encoder


def pack(encoder, folder):
    folder.mkdir(parents=True, exist_ok=True)
    raw, rest = [], {}
    for name, value in encoder.state_dict().items():
        value = value.float().cpu().numpy()
        if value.ndim == 2:
            rest[name] = (np.abs(value).max(1, keepdims=True) / 127 + 1e-12).astype(np.float32)
            raw.append(np.rint(value / rest[name]).astype(np.int8).tobytes())
        else:
            rest[name] = value.astype(np.float32)
    raw = b"".join(raw)
    size = -(-len(raw) // PARTS)
    for i in range(PARTS):
        (folder / f"lm.{i}").write_bytes(raw[i * size:(i + 1) * size])
    with open(folder / "lm.head", "wb") as file:
        pickle.dump((encoder.shape, list(rest), rest), file)
