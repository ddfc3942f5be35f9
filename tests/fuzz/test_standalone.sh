#!/bin/bash
# What scripts/fuzz.sh relies on where there is no libFuzzer:
#     test_standalone.sh FUZZ_TRAP
set -u
trap_target=$(realpath "$1")
. "$(dirname "$0")/../claim.sh"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$root" || exit 1

seeds() {
    mkdir seeds && "$trap_target" --seeds seeds && [ "$(cat seeds/seed-0)" = one ] &&
        [ ! -s seeds/seed-1 ] && [ "$(cat seeds/seed-2)" = three ] && [ "$(ls seeds | wc -l)" -eq 3 ]
}
claim 'seeds are written' seeds
claim 'they are run' "$trap_target" seeds/*
claim 'a fault ends the program' sh -c 'printf "a!" >bad; ! "$0" bad 2>/dev/null' "$trap_target"
# A mark is among the bytes drawn, so that some round of many meets it.
kept() {
    ! "$trap_target" --for 60 1 input 2>/dev/null && grep -q '!' input && ! "$trap_target" input 2>/dev/null
}
claim 'the input that ended the program is kept, and ends it again' kept
claim 'no time is no round' sh -c '[ "$("$0" --for 0 1 input)" = "0 mutations" ]' "$trap_target"
echo "1..$number"
[ "$failures" -eq 0 ]
