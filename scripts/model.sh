#!/bin/sh
# Trains the default English model: model.sh PROGRAM TREEBANK TEXT [MODEL.xz]
# TREEBANK is a folder with train.conllu and dev.conllu of UD English EWT, TEXT running English for word
# vectors, packed by xz; VECTORS may name a file of them instead. What is made on the way is left in
# $WORK, if that is given: then a part that is there is not made again. OPTIONS may hold further
# options of `dodona train` for the parser.
set -eu

dodona=$1
treebank=$2
text=$3
packed=${4:-models/english.dodona.xz}
most=14000000 # bytes; it is kept in the repository
models=$(dirname "$0")/../models
threads=$(nproc)
if [ -z "${WORK:-}" ]; then
    WORK=$(mktemp -d)
    trap 'rm -rf "$WORK"' EXIT
fi
vectors=${VECTORS:-$WORK/words.vec}

stop() {
    echo "$1" >&2
    exit 1
}

for part in train dev; do
    [ -f "$treebank/$part.conllu" ] ||
        stop "$treebank/$part.conllu is missing; name the folder: make model TREEBANK=path"
done
if [ ! -f "$vectors" ]; then
    [ -f "$text" ] || stop "$text is missing; name the file: make model TEXT=path"
    command -v fasttext >/dev/null || stop "fasttext is missing; Debian has it in a package of that name"
fi

# train MODEL OPTION...: unless the model is there
train() {
    model=$WORK/$1.dodona
    shift
    [ -f "$model" ] || "$dodona" train --threads "$threads" -o "$model.new" "$@"
    [ -f "$model" ] || mv "$model.new" "$model"
}

python3 "$models/sentences.py" "$models/english-extra.txt" >"$WORK/extra.conllu"
train tokenizer --only tokenizer "$treebank/train.conllu" "$WORK/extra.conllu"

if [ ! -f "$vectors" ]; then
    xz -dc "$text" | "$dodona" parse -q -m "$WORK/tokenizer.dodona" --threads "$threads" --from text |
        python3 "$models/words.py" >"$WORK/words.txt"
    fasttext skipgram -input "$WORK/words.txt" -output "$WORK/words" -dim 100 -ws 3 -epoch 1 \
        -minCount 5 -maxn 0 -bucket 0 -thread "$threads"
    rm "$WORK/words.txt" "$WORK/words.bin"
fi

# Tags first, and those of folds, from which the parser learns.
train tags --components-from "$WORK/tokenizer.dodona" --only tagger,lemmatizer \
    --jackknife 10 --jackknifed "$WORK/folds.conllu" --tagger-bytes 4000000 --lemmatizer-bytes 1000000 \
    "$treebank/train.conllu"
# shellcheck disable=SC2086 # the options are words
train english --components-from "$WORK/tags.dodona" --scorer neural --system arc-hybrid \
    --vectors "$vectors" --vectors-words 50000 --tidy --dev "$treebank/dev.conllu" --language en \
    --treebank 'UD English EWT (Silveira et al. 2014)' --licence 'CC BY-SA 4.0' \
    ${OPTIONS:-} "$WORK/folds.conllu"

"$models/pack.py" "$WORK/english.dodona" "$packed"
size=$(wc -c <"$packed")
echo "$packed: $size bytes, unpacked $(wc -c <"$WORK/english.dodona")"
[ "$size" -le "$most" ] || stop "larger than $most bytes"
