#!/bin/sh
# Trains the default English model: model.sh PROGRAM [TREEBANK [MODEL]]
# TREEBANK is a folder with train.conllu and dev.conllu of UD English EWT. OPTIONS may hold further
# options of `dodona train`.
set -eu

dodona=$1
treebank=${2:-../shared/treebanks/en_ewt}
model=${3:-models/english.dodona}
most=10000000 # bytes; the model is kept in the repository

for part in train dev; do
    [ -f "$treebank/$part.conllu" ] && continue
    echo "$treebank/$part.conllu is missing; name the folder: make model TREEBANK=path" >&2
    exit 1
done

# shellcheck disable=SC2086 # the options are words
"$dodona" train --only all --jackknife 10 --system arc-eager-nm --iterations 15 \
    --tagger-bytes 2000000 --lemmatizer-bytes 600000 --parser-bytes 5900000 \
    --dev "$treebank/dev.conllu" \
    --licence 'CC BY-SA 4.0; trained on UD English EWT (Silveira et al. 2014)' \
    ${OPTIONS:-} -o "$model" "$treebank/train.conllu"

size=$(wc -c <"$model")
echo "$model: $size bytes"
[ "$size" -le "$most" ] || { echo "larger than $most bytes" >&2; exit 1; }
