#!/bin/sh
# Trains a linear arc-eager parser and neural parsers, for few iterations, and compares how fast they
# parse the dev file:
#     bench/neural.sh DODONA [TREEBANK]
# TREEBANK is a folder with train.conllu and dev.conllu.
set -eu

dodona=$1
treebank=${2:-../shared/treebanks/en_ewt}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
train() {
    name=$1
    shift
    "$dodona" train -q --only parser "$@" -o "$folder/$name" "$treebank/train.conllu"
}

train linear --system arc-eager --iterations "${ITERATIONS:-3}"
train neural-2x128 --scorer neural --system arc-hybrid --threads 2 --iterations 1
train neural-2x256 --scorer neural --system arc-hybrid --threads 2 --iterations 1 --width 256
against=$(cd "$(dirname "$dodona")" && pwd)/bench/against
dev=$(cd "$treebank" && pwd)/dev.conllu
cd "$folder" && "$against" "$dev" linear neural-2x128 neural-2x256
