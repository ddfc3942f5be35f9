#!/bin/sh
# Runs the benchmarks on a treebank folder with train.conllu and dev.conllu, or on the examples.
set -eu

bench=$1
treebank=${2:-../shared/treebanks/en_ewt}
if [ -f "$treebank/train.conllu" ] && [ -f "$treebank/dev.conllu" ]; then
    # shellcheck disable=SC2086
    "$bench" "$treebank/train.conllu" "$treebank/dev.conllu" "${ITERATIONS:-3}" ${SYSTEMS:-}
    echo
    # shellcheck disable=SC2086
    "${bench%bench}speed" "$treebank/train.conllu" "$treebank/dev.conllu" "${ITERATIONS:-3}" \
        ${SYSTEMS:-}
    echo
    "${bench%bench}kernels"
    echo
    exec "$(dirname "$0")/neural.sh" "$(dirname "$bench")/../dodona" "$treebank"
fi
echo "no train.conllu and dev.conllu in '$treebank': measuring on the small examples instead"
echo "(make bench TREEBANK=folder)"
exec "$bench" examples/demo-train.conllu examples/demo-test.conllu
