"""The best tree of given scores, with one root (Chu and Liu 1965; Edmonds 1967)."""

import numpy as np

NEVER = -1e18


def best_tree(scores):
    """Heads [n + 1] for scores[dependent, head]; head 0 is the root, which gets one dependent."""
    scores = scores.astype(np.float64)
    scores[:, 0] -= 1e6  # one root is better than two, whatever the other arcs are
    scores[0] = NEVER
    np.fill_diagonal(scores, NEVER)
    return best_heads(scores)


def find_cycle(heads):
    seen = [0] * len(heads)
    for start in range(1, len(heads)):
        path, node = [], start
        while node and not seen[node]:
            seen[node] = start
            path.append(node)
            node = heads[node]
        if node and seen[node] == start:
            return path[path.index(node):]
    return None


def best_heads(scores):
    heads = scores.argmax(1)
    heads[0] = 0
    cycle = find_cycle(heads)
    if cycle is None:
        return heads
    # The cycle becomes one node, the last; an arc into it replaces the head of the node it enters.
    rest = np.array([i for i in range(len(heads)) if i not in set(cycle)])
    cycle = np.array(cycle)
    kept = scores[cycle, heads[cycle]]
    small = np.full((len(rest) + 1, len(rest) + 1), NEVER)
    small[:-1, :-1] = scores[np.ix_(rest, rest)]
    leaves = scores[np.ix_(rest, cycle)]
    enters = scores[np.ix_(cycle, rest)] - kept[:, None]
    small[:-1, -1] = leaves.max(1)
    small[-1, :-1] = enters.max(0) + kept.sum()
    small[0] = NEVER
    np.fill_diagonal(small, NEVER)
    found = best_heads(small)
    for i, node in enumerate(rest[1:], 1):
        heads[node] = cycle[leaves[i].argmax()] if found[i] == len(rest) else rest[found[i]]
    heads[cycle[enters[:, found[-1]].argmax()]] = rest[found[-1]]
    return heads
