#!/bin/sh
# What known arcs and spans are worth (constrained-arc-eager-2014, sections 3 and 4), greedily and
# with a beam of 8:
#     bench/case_studies.sh build/dodona TREEBANKS
# TREEBANKS is a folder with en_ewt, tr_imst and ar_padt, each with train, dev and test.conllu. The
# dev and test sentences for which constrain.py has constraints are parsed without them, with all of
# them, and with those that the gold tree satisfies. All words count, labels in full. STUDIES,
# ITERATIONS and SEED can be set.
set -eu

dodona=$1 treebanks=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

train() { # treebank beam
    "$dodona" train --quiet --system arc-eager --beam "$2" --iterations "${ITERATIONS:-10}" \
        --seed "${SEED:-1}" --dev "$1/dev.conllu" -o "$work/model" "$1/train.conllu"
}

constrain() { # constraints set treebank
    python3 "$here/constrain.py" "$1" "$2" "$3/dev.conllu" "$3/test.conllu" \
        >"$work/$2.conllu" 2>"$work/$2.counts"
}

scores() { # input: "UAS / LAS" of its parse
    "$dodona" parse --quiet -m "$work/model" -o "$work/parsed" "$work/$1.conllu"
    "$dodona" eval --conllx "$work/none.conllu" "$work/parsed" |
        awk '$1 == "UAS" { uas = $3 } $1 == "LAS" { las = $3 } END { print uas " / " las }'
}

study() { # treebank constraints
    constrain "$2" all "$treebanks/$1"
    constrain "$2" right "$treebanks/$1"
    grep -v '^# constraint = ' "$work/all.conllu" >"$work/none.conllu"
    read -r sentences constraints broken <"$work/all.counts"
    for beam in 1 8; do
        train "$treebanks/$1" $beam
        echo "| $1, $2 | $sentences | $constraints | $broken | $beam |" \
            "$(scores none) | $(scores all) | $(scores right) |"
    done
}

echo '| data | sentences | constraints | broken in gold | beam | none: UAS / LAS | all | right ones |'
echo '|---|---|---|---|---|---|---|---|'
for name in ${STUDIES:-commands ranges clitics}; do
    case $name in
    commands) study en_ewt commands ;;
    ranges) study tr_imst ranges ;;
    clitics) study ar_padt clitics ;;
    esac
done
