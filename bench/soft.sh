#!/bin/sh
# Dev UAS and LAS of a student that learns from half of a treebank and from the trees that three
# parsers, which were trained on that half, give the other half: the vote of the three as one tree
# a sentence, or as a probability for each head (train --soft):
#     bench/soft.sh build/dodona TREEBANK
# A treebank is a folder with train.conllu and dev.conllu. SYSTEM, SEEDS and ITERATIONS can be set.
set -eu

dodona=$1
treebank=$2
system=${SYSTEM:-arc-hybrid}
iterations=${ITERATIONS:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$treebank/train.conllu" "$work" <<'END'
import sys
sentences = open(sys.argv[1], encoding="utf-8").read().strip("\n").split("\n\n")
for name, part in ("gold", sentences[::2]), ("rest", sentences[1::2]):
    open(f"{sys.argv[2]}/{name}.conllu", "w", encoding="utf-8").write("\n\n".join(part) + "\n\n")
END

train() { # system, seed, model, options and files
    name=$1 seed=$2 model=$3
    shift 3
    "$dodona" train --quiet --only parser --system "$name" --seed "$seed" \
        --iterations "$iterations" --dev "$treebank/dev.conllu" -o "$model" "$@"
}

seed=1
for teacher in arc-eager covington arc-hybrid; do
    train "$teacher" "$seed" "$work/teacher" "$work/gold.conllu"
    "$dodona" parse -m "$work/teacher" "$work/rest.conllu" >"$work/by$seed.conllu"
    "$dodona" eval "$work/rest.conllu" "$work/by$seed.conllu" |
        awk -v name="$teacher" '$1 == "UAS" || $1 == "LAS" { printf "%s, other half: %s %s\n", name, $1, $7 }'
    seed=$((seed + 1))
done

# The heads of most parsers where they are a tree, else all heads of the second one; the label that
# comes with such a head first.
python3 - "$work" <<'END'
import collections, sys

def read(path):
    for block in open(path, encoding="utf-8").read().strip("\n").split("\n\n"):
        yield [line.split("\t") for line in block.split("\n")]

def is_word(cells):
    return len(cells) == 10 and cells[0].isdigit()

def is_tree(heads):
    for word in heads:
        steps = 0
        while word and steps <= len(heads):
            word, steps = heads[word], steps + 1
        if word:
            return False
    return list(heads.values()).count(0) == 1

folder = sys.argv[1]
hard, soft = (open(f"{folder}/{name}.conllu", "w", encoding="utf-8") for name in ("hard", "soft"))
words = split = voted = sentences = 0
for annotations in zip(*(read(f"{folder}/by{seed}.conllu") for seed in (1, 2, 3))):
    rows = [list(filter(is_word, lines)) for lines in annotations]
    votes = [collections.Counter(int(cells[6]) for cells in word) for word in zip(*rows)]
    heads = {at + 1: vote.most_common(1)[0][0] for at, vote in enumerate(votes)}
    tree = is_tree(heads)
    words, split = words + len(votes), split + sum(len(vote) > 1 for vote in votes)
    sentences, voted = sentences + 1, voted + tree
    for at, word in enumerate(zip(*rows)):
        head = heads[at + 1] if tree else int(word[1][6])
        label = next(cells[7] for cells in (word[1], word[0], word[2]) if int(cells[6]) == head)
        shares = ",".join(f"{h}:{10000 * count // 3 / 100:g}" for h, count in votes[at].items())
        row = word[0][:6] + [str(head), label, "_"]
        print(*row, "_", sep="\t", file=hard)
        print(*row, "HeadProbs=" + shares, sep="\t", file=soft)
    print(file=hard)
    print(file=soft)
print(f"{words} words, {100 * split / words:.1f} % with several heads; "
      f"{100 * voted / sentences:.1f} % of {sentences} sentences have the heads of most")
END

students() { # what is learnt from, options and files
    what=$1
    shift
    for seed in ${SEEDS:-1 2 3}; do
        train "$system" "$seed" "$work/model" "$@"
        "$dodona" info "$work/model"
    done | awk -v what="$what" '
        $1 == "dev" && $2 == "UAS" { uas += $3; runs++ }
        $1 == "dev" && $2 == "LAS" { las += $3; each = each " " $3 }
        END { printf "%-34s %6.2f %6.2f  (%s )\n", what, uas / runs, las / runs, each }'
}

printf '%-34s %6s %6s\n' "$system learns from" UAS LAS
students 'half' "$work/gold.conllu"
students 'half, and hard trees' "$work/gold.conllu" "$work/hard.conllu"
students 'half, and hard trees, whole' --unbuildable whole "$work/gold.conllu" "$work/hard.conllu"
students 'half, and probabilities' --soft "$work/gold.conllu" "$work/soft.conllu"
students 'all' "$treebank/train.conllu"
