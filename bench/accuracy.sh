#!/bin/sh
# Dev UAS and LAS, mean over seeds, of systems with oracles; each run is the best of its iterations:
#     bench/accuracy.sh build/dodona TREEBANK...
# A treebank is a folder with train.conllu and dev.conllu. All words count, labels in full.
# SYSTEMS, ORACLES, SEEDS, ITERATIONS and OPTIONS (further options of train) can be set.
set -eu

dodona=$1
shift
systems=${SYSTEMS:-$("$dodona" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }')}
oracles=${ORACLES:-static nondet dynamic}
seeds=${SEEDS:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

one_run() { # treebank system oracle seed: "UAS LAS"
    # shellcheck disable=SC2086
    "$dodona" train --quiet --system "$2" --oracle "$3" --seed "$4" \
        --iterations "${ITERATIONS:-10}" ${OPTIONS:-} --dev "$1/dev.conllu" -o "$work/model" \
        "$1/train.conllu"
    "$dodona" info "$work/model" | awk '
        $1 == "dev" && $2 == "UAS" { uas = $3 }
        $1 == "dev" && $2 == "LAS" { las = $3 }
        END { print uas, las }'
}

printf '%-16s %-14s %-8s %6s %6s\n' treebank system oracle UAS LAS
for treebank in "$@"; do
    for system in $systems; do
        for oracle in $oracles; do
            for seed in $seeds; do one_run "$treebank" "$system" "$oracle" "$seed"; done |
                awk -v treebank="$(basename "$treebank")" -v name="$system" -v oracle="$oracle" '
                    { uas += $1; las += $2 }
                    END { if (NR == 0) exit 1
                          printf "%-16s %-14s %-8s %6.2f %6.2f\n", treebank, name, oracle,
                                 uas / NR, las / NR }'
        done
    done
done
