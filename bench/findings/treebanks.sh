#!/bin/sh
# The treebanks of the plans in this folder, from the open ones that docs/experiments.md lists:
#
#     bench/findings/treebanks.sh TREEBANKS FOLDER
#
# Five as they are, and da_ddt; the same with function words as heads (CODE-f); and the Danish treebank
# in the scheme of CoNLL-X, which has no dev set: the last tenth of its training sentences is taken for one.
set -eu
from=$1 to=$2 here=$(dirname "$0")
for code in hu_szeged it_partut tr_imst sv_talbanken eu_bdt da_ddt; do
    mkdir -p "$to/$code" "$to/$code-f"
    for set in train dev test; do
        cp "$from/$code/$set.conllu" "$to/$code/"
        python3 "$here/function_heads.py" <"$from/$code/$set.conllu" >"$to/$code-f/$set.conllu"
    done
done
danish=$from/conllx_da_rebuilt
mkdir -p "$to/conllx_da"
sentences=$(awk 'BEGIN { RS = "" } END { print NR }' "$danish/train.conll")
cut=$((sentences - sentences / 10))
awk -v n=$cut 'BEGIN { RS = ""; ORS = "\n\n" } NR <= n' "$danish/train.conll" >"$to/conllx_da/train.conll"
awk -v n=$cut 'BEGIN { RS = ""; ORS = "\n\n" } NR > n' "$danish/train.conll" >"$to/conllx_da/dev.conll"
cp "$danish/test.conll" "$to/conllx_da/"
