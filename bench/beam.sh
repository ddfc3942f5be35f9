#!/bin/sh
# Dev UAS and LAS of the greedy parser and of one with a beam, the best of their iterations, and how
# many times longer parsing takes with the beam:
#     bench/beam.sh build/dodona TREEBANK...
# A treebank is a folder with train.conllu and dev.conllu. All words count, labels in full.
# SYSTEMS, BEAM, ITERATIONS, SEED and OPTIONS (further options of train with the beam) can be set.
set -eu

dodona=$1
shift
beam=${BEAM:-8}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

train() { # treebank system name options...
    treebank=$1 system=$2 name=$3
    shift 3
    "$dodona" train --quiet --system "$system" --iterations "${ITERATIONS:-10}" \
        --seed "${SEED:-1}" "$@" --dev "$treebank/dev.conllu" -o "$work/$name" \
        "$treebank/train.conllu"
}

fact() { # name key
    "$dodona" info "$work/$1" | awk -v key="$2" '$1 == "dev" && $2 == key { print $3 }'
}

# Words a second, the median of three.
speed() { # name treebank
    for _ in 1 2 3; do
        "$dodona" parse --verbose -m "$work/$1" -o "$work/parsed" "$2/dev.conllu" 2>&1 |
            awk '$NF == "words/s" { gsub(",", "", $(NF - 1)); print $(NF - 1) }'
    done | sort -n | sed -n 2p
}

printf '%-16s %-13s %4s  %6s %6s  %12s\n' treebank system beam UAS LAS words/s
for treebank in "$@"; do
    for system in ${SYSTEMS:-arc-eager arc-standard}; do
        train "$treebank" "$system" greedy
        # shellcheck disable=SC2086
        train "$treebank" "$system" beam --beam "$beam" ${OPTIONS:-}
        greedy_speed=$(speed greedy "$treebank")
        beam_speed=$(speed beam "$treebank")
        line='%-16s %-13s %4s  %6.2f %6.2f  %12d\n'
        name=$(basename "$treebank")
        # shellcheck disable=SC2059
        printf "$line" "$name" "$system" 1 "$(fact greedy UAS)" "$(fact greedy LAS)" "$greedy_speed"
        # shellcheck disable=SC2059
        printf "$line" "$name" "$system" "$beam" "$(fact beam UAS)" "$(fact beam LAS)" "$beam_speed"
        awk -v name="$name" -v moves="$system" -v one="$(fact greedy LAS)" \
            -v other="$(fact beam LAS)" -v fast="$greedy_speed" -v slow="$beam_speed" '
            BEGIN { printf "%-16s %-13s gain %+.2f LAS, %.1f times slower\n", name, moves,
                           other - one, fast / slow }'
    done
done
