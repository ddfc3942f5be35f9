#!/bin/sh
# Tokenizers beside each other: bench/tokenizers.sh PROGRAM TREEBANK...
# Trains a tokenizer of each kind on train.conllu of each folder and prints F1 of words, sentences
# and, where paragraphs are marked, sentences of the text in one paragraph. A treebank that does not
# tell how words are spaced is named and passed over. KINDS (linear neural), SPLIT (dev), OPTIONS
# (further options of `train`), MODELS (a folder to keep the models in, or to take them from where
# they are there), PARSERS (a folder: the words are also parsed with its model TREEBANK.dodona, and LAS is printed),
# TIMES (with PARSERS: that often each kind parses COPIES (8) of the text, in turn, and the median of the words per
# second of processor time is printed).
set -eu

dodona=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
models=${MODELS:-$work}
split=${SPLIT:-dev}
kinds=${KINDS:-linear neural}
here=$(dirname "$0")

f1() { # METRIC
    awk -F '|' -v metric="$1" '{ gsub(/ /, "", $1) } $1 == metric { printf " %9.2f", $4 }' \
        "$work/scores"
}

# A model without a parser makes no trees, and eval wants some: all words depend on the first.
add_trees() {
    awk 'BEGIN { FS = OFS = "\t" } $1 ~ /^[0-9]+$/ { $7 = $1 > 1; $8 = $1 > 1 ? "dep" : "root" } 1'
}

make_trees() {
    if [ -n "$parser" ]; then "$dodona" parse -q --tag -m "$parser"; else add_trees; fi
}

score() { # MODEL TEXT
    "$dodona" parse -q --from text --paragraphs blank -m "$1" "$2" |
        make_trees >"$work/parsed.conllu"
    "$dodona" eval "$gold" "$work/parsed.conllu" >"$work/scores"
}

row() { # MODEL
    score "$1" "$work/text.txt"
    f1 Words
    f1 Sentences
    [ -z "$parser" ] || f1 LAS
    if cmp -s "$work/text.txt" "$work/flat.txt"; then
        printf ' %9s' ''
    else
        score "$1" "$work/flat.txt"
        f1 Sentences
    fi
}

# Seconds of processor time of tokenizer and parser together are appended to $work/KIND.
measure() { # KIND MODEL
    /usr/bin/time -f '%U %S' -o "$work/first" "$dodona" parse -q --threads 1 --from text --paragraphs blank \
        -m "$2" "$work/copies.txt" |
        /usr/bin/time -f '%U %S' -o "$work/second" "$dodona" parse -q --threads 1 --tag -m "$parser" >/dev/null
    cat "$work/first" "$work/second" | awk '{ all += $1 + $2 } END { print all }' >>"$work/$1"
}

speeds() {
    words=$(grep -cE '^[0-9]+	' "$gold" || true)
    for kind in $kinds; do rm -f "$work/$kind"; done
    for _ in $(seq "${COPIES:-8}"); do cat "$work/text.txt" && printf '\n\n'; done >"$work/copies.txt"
    for _ in $(seq "$TIMES"); do
        for kind in $kinds; do measure "$kind" "$models/$name-$kind.dodona"; done
    done
    for kind in $kinds; do
        sort -n "$work/$kind" | sed -n "$(((TIMES + 1) / 2))p" |
            awk -v words="$words" -v copies="${COPIES:-8}" -v kind="$kind" \
                '{ printf "  %s %d words/s", kind, words * copies / $1 }'
    done
}

printf '%-14s' "$split"
for kind in $kinds; do printf "  %-$((${PARSERS:+10+}28))s" "$kind"; done
printf '\n%-14s' ''
for kind in $kinds; do printf ' %9s %9s%s %9s' Words Sentences "${PARSERS:+       LAS}" 'one par.'; done
echo
for treebank; do
    name=$(basename "$treebank") gold=$treebank/$split.conllu
    if ! grep -q -e '^# text =' -e 'SpaceAfter=No' "$treebank/train.conllu"; then
        printf '%-14s does not tell how words are spaced\n' "$name"
        continue
    fi
    parser=${PARSERS:+$PARSERS/$name.dodona}
    "$here/raw_text.py" "$gold" >"$work/text.txt"
    "$here/raw_text.py" --flat "$gold" >"$work/flat.txt"
    printf '%-14s' "$name"
    for kind in $kinds; do
        model=$models/$name-$kind.dodona
        # shellcheck disable=SC2086 # the options are words
        [ -f "$model" ] || "$dodona" train -q --only tokenizer --tokenizer "$kind" \
            ${OPTIONS:-} -o "$model" "$treebank/train.conllu"
        row "$model"
    done
    [ -z "${TIMES:-}" ] || speeds
    echo
done
