#!/bin/sh
# Dev UAS and LAS after training on the whole treebank, on partial trees, and on fewer whole trees:
#     bench/partial.sh build/dodona TREEBANK
# A treebank is a folder with train.conllu and dev.conllu. SYSTEMS, SHARE (of the heads, or the
# sentences, that are forgotten), SEED and ITERATIONS can be set.
set -eu

dodona=$1
treebank=$2
share=${SHARE:-0.5}
seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

forget="$(dirname "$0")/forget_heads.py"
"$forget" "$share" "$seed" <"$treebank/train.conllu" >"$work/heads.conllu"
"$forget" "$share" "$seed" --sentences <"$treebank/train.conllu" >"$work/sentences.conllu"

one_run() { # system, what is in the file, file
    "$dodona" train --quiet --system "$1" --iterations "${ITERATIONS:-10}" \
        --dev "$treebank/dev.conllu" -o "$work/model" "$3"
    "$dodona" info "$work/model" | awk -v name="$1" -v data="$2" '
        $1 == "words" { heads += $2 }
        $1 == "unknown" { heads -= $3 }
        $1 == "dev" && $2 == "UAS" { uas = $3 }
        $1 == "dev" && $2 == "LAS" { las = $3 }
        END { printf "%-14s %-26s %9d %6.2f %6.2f\n", name, data, heads, uas, las }'
}

printf '%-14s %-26s %9s %6s %6s\n' system 'trained on' heads UAS LAS
for system in ${SYSTEMS:-arc-eager}; do
    one_run "$system" 'all' "$treebank/train.conllu"
    one_run "$system" "without $share of the heads" "$work/heads.conllu"
    one_run "$system" "without $share of sentences" "$work/sentences.conllu"
done
