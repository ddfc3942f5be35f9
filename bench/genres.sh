#!/bin/sh
# Scores by genre: bench/genres.sh MODEL GOLD
# The genre of a sentence is what its sent_id begins with, up to the first hyphen, as in UD English EWT. Prints F1 of UPOS and
# LAS from words, and of sentences and LAS from text, as `dodona eval` computes them. DODONA (build/dodona).
set -eu

model=$1 gold=$2
dodona=${DODONA:-$(dirname "$0")/../build/dodona}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

f1() { # GIVEN FILE METRIC...
    given=$1 file=$2
    shift 2
    "$dodona" eval -m "$model" --given "$given" "$file" | awk -F '|' -v metrics="$*" '
        { gsub(/ /, "", $1); f1[$1] = $4 + 0 }
        END {
            n = split(metrics, wanted, " ")
            for (i = 1; i <= n; i++) printf " %9.2f", f1[wanted[i]]
        }'
}

awk -v work="$work" 'BEGIN { RS = ""; ORS = "\n\n" }
    match($0, /# sent_id = [^-\n]*/) { print >(work "/" substr($0, RSTART + 12, RLENGTH - 12)) }' "$gold"
cp "$gold" "$work/all"
printf '%-12s %9s %9s %9s %9s %9s\n' genre words UPOS LAS 'text: S' 'text: LAS'
for file in "$work"/*; do
    printf '%-12s %9d' "$(basename "$file")" "$(grep -c -E '^[0-9]+	' "$file")"
    f1 words "$file" UPOS LAS
    f1 text "$file" Sentences LAS
    echo
done
