#!/bin/sh
# Trains on the small treebank in examples/, parses with the model and evaluates.
set -eu

dodona=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

show() {
    printf '\n$ %s\n' "$*" | sed "s#$work/##g; s#$dodona#dodona#"
    "$@"
}

echo "Dodona: a parser trained, used and measured on examples/ (English, 84 sentences)."
show "$dodona" stats examples/demo-train.conllu
show "$dodona" train --system arc-eager --iterations 5 --dev examples/demo-test.conllu \
    -o "$work/demo.dodona" examples/demo-train.conllu
show "$dodona" parse -m "$work/demo.dodona" -o "$work/parsed.conllu" examples/demo-test.conllu
printf '\n$ %s\n' 'head -n 10 parsed.conllu'
head -n 10 "$work/parsed.conllu"
show "$dodona" eval examples/demo-test.conllu "$work/parsed.conllu"
if [ -f "$(dirname "$dodona")/models/english.dodona" ]; then
    printf '\n%s\n' "The English model that comes with Dodona reads plain text:"
    printf '\n$ %s\n' 'echo "Time flies like an arrow." | dodona parse'
    echo "Time flies like an arrow." | "$dodona" parse
fi
printf '\n%s\n' "Next: 'build/dodona --help', and docs/guide.md."
