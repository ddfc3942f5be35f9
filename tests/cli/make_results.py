"""Results of an experiment that was never made, with numbers small enough to work out by hand.

Three treebanks aa, bb and cc; arc-eager and covington with the static and dynamic oracles,
covington-nm with those and the loss lower; seeds 1 and 2; two iterations. Each test set has ten sentences of twenty
words. In every sentence of every static run 14 words have the right head and label, and 15 the
right head. The dynamic oracle of arc-eager has one word more right, head and label, in the first 2
sentences of aa, 4 of bb and 6 of cc, whatever the seed.
"""
import json

GAINS = {
    ("arc-eager", "dynamic", None): {"aa": 2, "bb": 4, "cc": 6},
    ("covington-nm", "dynamic", None): {"aa": -6, "bb": 0, "cc": 8},
    ("covington-nm", "dynamic", "lower"): {"aa": 1, "bb": 1, "cc": 1},
}
NONPROJECTIVE = {"aa": 2, "bb": 10, "cc": 30}
LENGTHS = 41


def arcs(right):
    """200 arcs: 10 from the root, 90 of length 1, 50 of 2, 25 of 5, 15 of 8, 10 of 20; as many are
    right as can be, short ones first."""
    rows = [[0, 0, 0, 0] for _ in range(LENGTHS)]
    for length, count in ((0, 10), (1, 90), (2, 50), (5, 25), (8, 15), (20, 10)):
        good = min(count, right)
        right -= good
        rows[length] = [count, good, count, good]
    return rows


def run(treebank, system, oracle, loss, seed):
    gain = GAINS.get((system, oracle, loss), {}).get(treebank, 0)
    sign = 1 if gain > 0 else -1
    labelled = [14 + (sign if i < abs(gain) else 0) for i in range(10)]
    heads = [15 + (sign if i < abs(gain) else 0) for i in range(10)]
    las, uas = sum(labelled) / 2, sum(heads) / 2
    # On cc test LAS is one point below and above its mean, so the variance between seeds is 2.
    seed_effect = 2 * seed - 3 if treebank == "cc" else 0
    nonmonotonic = {"arcs": 250, "breaking": 100, "gold": 60, "harmful": 5}
    return {
        "treebank": treebank, "system": system, "oracle": oracle, "loss": loss, "seed": seed,
        "iterations": 2, "parser_bytes": 0, "version": "0.1.0", "best_iteration": 2,
        "data": {"sentences": 90, "words": 900, "skipped": 10 if system == "arc-eager" else 0,
                 "all_sentences": 100, "all_words": 1000,
                 "nonprojective_sentences": NONPROJECTIVE[treebank],
                 "nonprojective_arcs": 2 * NONPROJECTIVE[treebank], "hash": "xxh3:0"},
        # Dev scores differ by seed: 70 and 72 have the mean 71.
        "dev": {"uas": 80 + las - 70, "las": 68 + las - 70 + 2 * seed, "clas": 60},
        "test": {"uas": uas, "las": las + seed_effect, "clas": None if treebank == "aa" else 65.5},
        "curve": [[60, 50 + seed], [70, 60 + seed]],
        "arcs": {"length": arcs(sum(heads)), "projective": [190, 145, 195, 147],
                 "nonprojective": [10, 5, 5, 3]},
        "nonmonotonic": nonmonotonic if system == "covington-nm" else None,
        "sentences": {"words": [20] * 10, "heads": heads, "labelled": labelled},
        "cost": {"seconds": 36, "cpu_seconds": 18, "train_cpu_seconds": 9,
                 "train_words_per_second": 1000 * seed, "parse_words_per_second": 4000,
                 "peak_memory_mib": 50},
    }


SETUPS = [("arc-eager", "static", None), ("arc-eager", "dynamic", None),
          ("covington", "static", None), ("covington", "dynamic", None),
          ("covington-nm", "static", None), ("covington-nm", "dynamic", None),
          ("covington-nm", "dynamic", "lower")]
for number in (2, 1):  # the order of the lines does not matter
    for code in ("cc", "aa", "bb"):
        for name in SETUPS:
            print(json.dumps(run(code, *name, number)))
