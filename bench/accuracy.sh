#!/bin/sh
# Dev UAS and LAS of every system with every oracle, best of 10 iterations:
#     bench/accuracy.sh build/dodona TREEBANK...
# A treebank is a folder with train.conllu and dev.conllu. All words count, labels in full.
set -eu

dodona=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '%-16s %-14s %-8s %6s %6s\n' treebank system oracle UAS LAS
for treebank in "$@"; do
    for system in $("$dodona" systems | awk 'NR > 1 { print $1 }'); do
        for oracle in static nondet dynamic; do
            "$dodona" train --quiet --system "$system" --oracle "$oracle" --iterations 10 \
                --dev "$treebank/dev.conllu" -o "$work/model" "$treebank/train.conllu"
            "$dodona" info "$work/model" | awk -v treebank="$(basename "$treebank")" \
                -v system_name="$system" -v oracle="$oracle" '
                $1 == "dev" && $2 == "UAS" { uas = $3 }
                $1 == "dev" && $2 == "LAS" { las = $3 }
                END { printf "%-16s %-14s %-8s %6s %6s\n", treebank, system_name, oracle, uas, las }'
        done
    done
done
