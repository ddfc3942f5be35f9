#!/bin/sh
# From plain text to trees: bench/raw.sh PROGRAM TREEBANK...
# Trains a model of all components on train.conllu of each folder, with dev.conllu to choose the
# iteration, and prints F1 on test.conllu: from its text with and without marks of paragraphs, from
# its words, and from its words and tags. A treebank without `# text` has the last two only. MODELS
# names a folder to keep the models in, or to take them from where they are there. SPLIT (test),
# OPTIONS (further options of `train`).
set -eu

dodona=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
models=${MODELS:-$work}
split=${SPLIT:-test}
here=$(dirname "$0")
metrics='Tokens Sentences Words UPOS XPOS UFeats AllTags Lemmas UAS LAS CLAS MLAS BLEX'

row() { # NAME GOLD
    "$dodona" eval "$2" "$work/parsed.conllu" | awk -F '|' -v name="$1" -v metrics="$metrics" '
        { gsub(/ /, "", $1); f1[$1] = $4 + 0 }
        END {
            printf "%-24s", name
            n = split(metrics, wanted, " ")
            for (i = 1; i <= n; i++) printf " %9.2f", f1[wanted[i]]
            print ""
        }'
}

printf '%-24s' "$split"
for metric in $metrics; do printf ' %9s' "$metric"; done
echo
for treebank; do
    name=$(basename "$treebank") gold=$treebank/$split.conllu
    model=$models/$name.dodona
    parts=all
    grep -q '^# text =' "$gold" || parts=tagger,lemmatizer,parser
    # shellcheck disable=SC2086 # the options are words
    [ -f "$model" ] || "$dodona" train -q --only $parts --jackknife 10 ${OPTIONS:-} \
        --dev "$treebank/dev.conllu" -o "$model" "$treebank/train.conllu"
    for flat in '' --flat; do
        [ "$parts" = all ] || continue
        "$here/raw_text.py" $flat "$gold" >"$work/text.txt"
        "$dodona" parse -q --paragraphs blank -m "$model" -o "$work/parsed.conllu" "$work/text.txt"
        row "$name text${flat:+, flat}" "$gold"
    done
    "$dodona" parse -q -m "$model" --tag -o "$work/parsed.conllu" "$gold"
    row "$name words" "$gold"
    "$dodona" parse -q -m "$model" -o "$work/parsed.conllu" "$gold"
    row "$name words and tags" "$gold"
done
