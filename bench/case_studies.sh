#!/bin/sh
# What known arcs and spans are worth (constrained-arc-eager-2014, sections 3 and 4), greedily and
# with a beam of 8:
#     bench/case_studies.sh build/dodona TREEBANKS
# TREEBANKS is a folder with en_ewt, tr_imst and ar_padt, each with train, dev and test.conllu. The
# dev and test sentences that have constraints are parsed with and without them. All words count,
# labels in full. ITERATIONS and SEED can be set.
set -eu

dodona=$1 treebanks=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scores() { # file: "UAS / LAS"
    "$dodona" eval --conllx "$work/plain.conllu" "$1" |
        awk '$1 == "UAS" { uas = $3 } $1 == "LAS" { las = $3 } END { print uas " / " las }'
}

study() { # name treebank constraints
    treebank=$treebanks/$2
    python3 "$here/constrain.py" "$3" "$treebank/dev.conllu" "$treebank/test.conllu" \
        >"$work/constrained.conllu" 2>"$work/counts"
    grep -v '^# constraint = ' "$work/constrained.conllu" >"$work/plain.conllu"
    read -r sentences constraints broken <"$work/counts"
    for beam in 1 8; do
        "$dodona" train --quiet --system arc-eager --beam $beam --iterations "${ITERATIONS:-10}" \
            --seed "${SEED:-1}" --dev "$treebank/dev.conllu" -o "$work/model" \
            "$treebank/train.conllu"
        for input in plain constrained; do
            "$dodona" parse --quiet -m "$work/model" -o "$work/$input.out" "$work/$input.conllu"
        done
        echo "| $1 | $sentences | $constraints | $broken | $beam |" \
            "$(scores "$work/plain.out") | $(scores "$work/constrained.out") |"
    done
}

echo '| study | sentences | constraints | broken in gold | beam | without, UAS / LAS | with |'
echo '|---|---|---|---|---|---|---|'
study 'commands, en_ewt' en_ewt commands
study 'multiword tokens, tr_imst' tr_imst ranges
study 'clitics, ar_padt' ar_padt clitics
