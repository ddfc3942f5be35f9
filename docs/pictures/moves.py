"""What the transitions of the nine systems do, as plainly as it can be said.

make.py compares this with what the program does along gold paths. Words are numbers, 0 is the root.
"""

import dataclasses


@dataclasses.dataclass
class Config:
    stack: list  # bottom first; of Covington's systems and pointer the words up to the left focus word
    passed: list  # of Covington's systems the words between the two focus words
    buffer: list
    heads: dict  # dependent: head

    def copy(self):
        return Config(list(self.stack), list(self.passed), list(self.buffer), dict(self.heads))


def shift(c):
    c.stack += c.passed + [c.buffer.pop(0)]
    c.passed = []


def arc(c, head, dependent):
    c.heads[dependent] = head


def standard(c, move):
    """Also Attardi's system: LA2 and RA2 pass over one node."""
    far = -3 if move.endswith("2") else -2
    if move.startswith("LA"):
        arc(c, c.stack[-1], c.stack[far])
        del c.stack[far]
    else:
        arc(c, c.stack[far], c.stack.pop())


def eager(c, move):
    if move == "LA":
        arc(c, c.buffer[0], c.stack.pop())
    elif move == "RA":
        arc(c, c.stack[-1], c.buffer[0])
        shift(c)
    else:
        c.stack.pop()


def eager_nm(c, move):
    if move == "RE" and c.stack[-1] not in c.heads:
        arc(c, c.stack[-2], c.stack[-1])
    eager(c, move)


def hybrid(c, move):
    arc(c, c.buffer[0] if move == "LA" else c.stack[-2], c.stack.pop())


def spine(c, root, side):
    """The nodes from which an arc to that side (-1: left, 1: right) may start."""
    nodes = [root]
    while True:
        below = [d for d, h in c.heads.items() if h == nodes[-1] and (d - h) * side > 0]
        if not below:
            return nodes
        nodes.append(max(below, key=lambda d: d * side))


def lr_spine(c, move):
    name, k = move.split("@")
    second, top = c.stack[-2:]
    if name == "LA":
        arc(c, spine(c, top, -1)[int(k) - 1], second)
        del c.stack[-2]
    else:
        arc(c, spine(c, second, 1)[int(k) - 1], top)
        c.stack.pop()


def covington(c, move):
    i, j = c.stack[-1], c.buffer[0]
    if move == "LA":
        arc(c, j, i)
    elif move == "RA":
        arc(c, i, j)
    c.passed.insert(0, c.stack.pop())


def covington_nm(c, move):
    head, dependent = {"LA": (c.buffer[0], c.stack[-1]), "RA": (c.stack[-1], c.buffer[0])}.get(
        move, (None, None))
    above = head
    while above in c.heads and above != dependent:
        above = c.heads[above]
    if head is not None and above == dependent:  # a cycle: the arc into the new head goes
        c.heads.pop(head, None)
    covington(c, move)


def pointer(c, move):
    arc(c, int(move[3:] or 0), c.buffer[0])
    shift(c)


RULES = {
    "arc-standard": standard,
    "arc-eager": eager,
    "arc-hybrid": hybrid,
    "arc-eager-nm": eager_nm,
    "lr-spine": lr_spine,
    "attardi": standard,
    "covington": covington,
    "covington-nm": covington_nm,
    "pointer": pointer,
}


def after(system, config, move):
    """The configuration behind a move that may be made."""
    result = config.copy()
    if move == "SH":
        shift(result)
    else:
        RULES[system](result, move)
    return result
