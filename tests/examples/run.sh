#!/bin/bash
# Runs the example programs as their first lines say, and looks at what they print; in TAP:
#     run.sh EXAMPLES PROGRAM...
set -u
examples=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
for program in "$@"; do cp "$program" "$root/${program##*/example_}"; done
cd "$root" || exit 1
number=0 failures=0

claim() { # NAME COMMAND
    local told
    number=$((number + 1))
    if told=$(bash -c "$2" 2>&1); then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        printf '%s\n' "$told" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
}

export train=$examples/demo-train.conllu test=$examples/demo-test.conllu
claim 'train: makes a model and tells how it goes' '
    ./train "$train" "$test" m >out && cat out && test -s m &&
    grep -qx tokenizer out && grep -q "^5/5 LAS [0-9.]* *\*\?$" out'
claim 'parse_text: cuts text into sentences and words, and gives each a tree' '
    ./parse_text m "The king doesn'\''t sing. Birds sing." >out && cat out &&
    test "$(grep -c "^$" out)" = 2 && test "$(grep -c " 0 root$" out)" = 2 &&
    grep -qx "1 Birds NOUN 2 nsubj" out'
claim 'simple: parses a text in one call' '
    ./simple m "Birds sing. Birds sing." >out && cat out && test "$(grep -c "^$" out)" = 2 &&
    test "$(cut -f 7,8 out | grep -cx "0	root")" = 2'
claim 'constrain: keeps what it is told' '
    ./constrain m Birds sing in the wind >out && cat out && grep -qx "1 Birds 0" out &&
    ! grep -qx "3 in 1" out && ! grep -q " [45]$" <(head -n 3 out) &&
    tail -n 3 out | diff - <(printf "# arc 0 root 1\n# not-arc 1 3\n# span 4 5 none\n")'
claim 'nbest: gives several trees, the best first' '
    ./nbest m <"$test" >out && head -n 4 out && test "$(grep -c "^demo-test" out)" = 16 &&
    grep "^[123] " out | awk "\$1 > 1 && \$2 > last { exit 1 } { last = \$2 }"'
claim 'oracle: costs along the gold path' '
    ./oracle covington <"$test" >out && head -n 4 out && ! grep -v " loss 0:" out &&
    grep -qx "demo-test-001 step 0 loss 0: SH 0" out'
claim 'threads: one model, many parsers' './threads m "$test" | grep -qx "4 threads agree"'
claim 'draw: draws trees' './draw <"$test" >out && grep -q "nsubj" out'
claim 'embedded: a model in memory, text from a function, places in it' '
    printf "The king'\''s \303\251t\303\251 sings. Birds sing." | ./embedded m >out && cat out &&
    grep -q "^4-10 (4-10) king'\''s [0-9]* [a-z:]* [0-9]* [a-z:]*$" out &&
    grep -q "^11-14 (11-16) " out && grep -qx "0-5 (0-5) Birds 2 nsubj" out'
claim 'all say how they are used' '
    for name in simple train parse_text constrain nbest oracle threads embedded; do
        ! ./$name 2>err && grep -q "^usage: $name " err || exit 1
    done'
claim 'all fail on a file that is missing' '
    for call in "parse_text none.dodona x" "constrain none a b c" "nbest none" "threads none x" \
        "train none none m2" "embedded none"; do
        ! ./$call 2>err && grep -qE "^none(.dodona)?: " err || { echo "$call"; cat err; exit 1; }
    done'
echo "1..$number"
[ "$failures" -eq 0 ]
