#!/bin/sh
# Everyday English, from plain text to trees: bench/everyday.sh [-v] [MODEL]...
# Scores bench/everyday.conllu for each model of all components (default: the one that comes with Dodona):
# F1 from its text, and LAS also from its words; then LAS and the number of trees that are wholly right for
# each phenomenon, from its words and from its text. -v lists what is wrong. DODONA (build/dodona).
set -eu

verbose=
[ "${1-}" != -v ] || { verbose=yes && shift; }
here=$(dirname "$0")
dodona=${DODONA:-$here/../build/dodona}
gold=$here/everyday.conllu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

f1() { # SYSTEM METRIC...
    "$dodona" eval "$gold" "$1" | awk -F '|' -v metrics="$*" '
        { gsub(/ /, "", $1); f1[$1] = $4 + 0 }
        END {
            n = split(metrics, wanted, " ")
            for (i = 2; i <= n; i++) printf " %9.2f", f1[wanted[i]]
        }'
}

phenomena() { # SYSTEM...
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here python3 - "$gold" "$@" <<'END'
import collections
import sys

import mistakes

with open(sys.argv[1], encoding="utf-8") as file:
    kinds = [line.split(" = ")[1].strip() for line in file if line.startswith("# phenomenon =")]
gold = list(mistakes.sentences(sys.argv[1]))
rows = {kind: [0, 0] for kind in (*sorted({*kinds}), "all")}
for kind, sentence in zip(kinds, gold):
    for row in rows[kind], rows["all"]:
        row[0] += 1
        row[1] += len(sentence.words)
for path in sys.argv[2:]:
    parsed = list(mistakes.sentences(path))
    words = {word.place: (word.head, word.relation) for sentence in parsed for word in sentence.words}
    spans = {(sentence.start, sentence.end) for sentence in parsed}
    given, found, right, whole = (collections.Counter() for _ in range(4))
    for kind, sentence in zip(kinds, gold):
        theirs = sum(sentence.start <= place[0] < sentence.end for place in words)
        good = sum(words.get(word.place) == (word.head, word.relation) for word in sentence.words)
        alone = (sentence.start, sentence.end) in spans and good == len(sentence.words) == theirs
        for name in kind, "all":
            given[name] += len(sentence.words)
            found[name] += theirs
            right[name] += good
            whole[name] += alone
    for name, row in rows.items():
        row += [200 * right[name] / (given[name] + found[name]), whole[name]]
for name, row in rows.items():
    print(f"{name:24} {row[0]:9} {row[1]:9}", *(f"{las:9.2f} {whole:9}" for las, whole in zip(row[2::2], row[3::2])))
END
}

report() { # NAME [OPTION]...
    name=$1
    shift
    "$dodona" parse -q "$@" --paragraphs blank -o "$work/text.conllu" "$work/text.txt"
    "$dodona" parse -q "$@" --tag -o "$work/words.conllu" "$gold"
    printf '%-24s %9s %9s %9s %9s %9s %9s %9s\n' everyday Sentences Words UPOS Lemmas UAS LAS '(tokens)'
    printf '%-24s%s%s\n\n' "$name" "$(f1 "$work/text.conllu" Sentences Words UPOS Lemmas UAS LAS)" \
        "$(f1 "$work/words.conllu" LAS)"
    printf '%-24s %9s %9s %9s %9s %9s %9s\n' phenomenon sentences words 'LAS words' right 'LAS text' right
    phenomena "$work/words.conllu" "$work/text.conllu"
    echo
    [ -z "$verbose" ] || "$here/mistakes.py" "$gold" "$work/text.conllu"
}

"$here/raw_text.py" "$gold" >"$work/text.txt"
[ $# -gt 0 ] || report default
for model; do report "$(basename "$model" .dodona)" -m "$model"; done
