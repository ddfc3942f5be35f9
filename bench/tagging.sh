#!/bin/sh
# Accuracy of tags and lemmas on test.conllu of each folder after training on its train.conllu.
#     bench/tagging.sh build path/to/folder...
set -eu
build=$1
shift
out=$(mktemp)
trap 'rm -f "$out"' EXIT
printf '| treebank | UPOS | XPOS | UFeats | AllTags | Lemmas | bytes |\n|---|---:|---:|---:|---:|---:|---:|\n'
for folder in "$@"; do
    log=$("$build/bench/tagging" -o "$out" "$folder/train.conllu" "$folder/test.conllu" 2>/dev/null)
    bytes=$(echo "$log" | sed -n 's/.* s, \([0-9]*\) bytes.*/\1/p' | awk '{ sum += $1 } END { print sum }')
    scores=$("$build/dodona" eval "$folder/test.conllu" "$out" |
        awk -F'|' '/^(UPOS|XPOS|UFeats|AllTags|Lemmas) /{ gsub(/ /, "", $4); printf " %s |", $4 }')
    printf '| %s |%s %s |\n' "$(basename "$folder")" "$scores" "$bytes"
done
