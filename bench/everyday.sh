#!/bin/sh
# Everyday English, from plain text to trees: bench/everyday.sh [-v] [MODEL]...
# Prints F1 on bench/everyday.conllu for each model of all components (default: the one that comes with
# Dodona): from its text, and LAS also from its tokens. -v lists what is wrong. DODONA (build/dodona).
set -eu

verbose=
[ "${1-}" != -v ] || { verbose=yes && shift; }
here=$(dirname "$0")
dodona=${DODONA:-$here/../build/dodona}
gold=$here/everyday.conllu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

f1() { # SYSTEM METRIC...
    "$dodona" eval "$gold" "$1" | awk -F '|' -v metrics="$*" '
        { gsub(/ /, "", $1); f1[$1] = $4 + 0 }
        END {
            n = split(metrics, wanted, " ")
            for (i = 2; i <= n; i++) printf " %9.2f", f1[wanted[i]]
        }'
}

row() { # NAME [OPTION]...
    name=$1
    shift
    "$dodona" parse -q "$@" -o "$work/text.conllu" "$work/text.txt"
    "$dodona" parse -q "$@" --tag -o "$work/tokens.conllu" "$gold"
    printf '%-24s%s%s\n' "$name" "$(f1 "$work/text.conllu" Sentences Words UPOS Lemmas UAS LAS)" \
        "$(f1 "$work/tokens.conllu" LAS)"
    [ -z "$verbose" ] || "$here/mistakes.py" "$gold" "$work/text.conllu"
}

"$here/raw_text.py" "$gold" >"$work/text.txt"
printf '%-24s %9s %9s %9s %9s %9s %9s %9s\n' everyday Sentences Words UPOS Lemmas UAS LAS '(tokens)'
[ $# -gt 0 ] || row default
for model; do row "$(basename "$model" .dodona)" -m "$model"; done
