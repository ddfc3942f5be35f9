#!/bin/sh
# Trains the default English model: model.sh PROGRAM [TREEBANK [MODEL.xz]]
# TREEBANK is a folder with train.conllu and dev.conllu of UD English EWT. OPTIONS may hold further
# options of `dodona train`.
set -eu

dodona=$1
treebank=${2:-../shared/treebanks/en_ewt}
packed=${3:-models/english.dodona.xz}
most=10000000 # bytes; it is kept in the repository
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for part in train dev; do
    [ -f "$treebank/$part.conllu" ] && continue
    echo "$treebank/$part.conllu is missing; name the folder: make model TREEBANK=path" >&2
    exit 1
done

# shellcheck disable=SC2086 # the options are words
"$dodona" train --only all --jackknife 10 --threads "$(nproc)" --system arc-eager-nm --iterations 20 \
    --tagger-bytes 4000000 --lemmatizer-bytes 1000000 --parser-bytes 26000000 \
    --dev "$treebank/dev.conllu" \
    --language en --treebank 'UD English EWT (Silveira et al. 2014)' --licence 'CC BY-SA 4.0' \
    ${OPTIONS:-} -o "$work/english.dodona" "$treebank/train.conllu"

"$here/../models/pack.py" "$work/english.dodona" "$packed"
size=$(wc -c <"$packed")
echo "$packed: $size bytes, unpacked $(wc -c <"$work/english.dodona")"
[ "$size" -le "$most" ] || { echo "larger than $most bytes" >&2; exit 1; }
