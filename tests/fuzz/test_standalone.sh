#!/bin/bash
# What scripts/fuzz.sh relies on where there is no libFuzzer, and that it cuts no seed where there is:
#     test_standalone.sh FUZZ_TRAP SOURCE
set -u
trap_target=$(realpath "$1") source=$(realpath "$2")
. "$(dirname "$0")/../claim.sh"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$root" || exit 1

seeds() {
    mkdir seeds && "$trap_target" --seeds seeds && [ "$(cat seeds/seed-0)" = one ] &&
        [ ! -s seeds/seed-1 ] && [ "$(cat seeds/seed-2)" = three ] && [ "$(ls seeds | wc -l)" -eq 4 ] &&
        [ "$(stat -c %s seeds/seed-3)" -eq $((1 << 20)) ]
}
claim 'seeds are written' seeds
claim 'they are run' "$trap_target" seeds/*
claim 'a fault ends the program' sh -c 'printf "a!" >bad; ! "$0" bad 2>/dev/null' "$trap_target"
claim 'also at the end of a long input' \
    sh -c '{ cat seeds/seed-3 seeds/seed-3; printf "!"; } >long; ! "$0" long 2>/dev/null' "$trap_target"
# A mark is among the bytes drawn, so that some round of many meets it.
kept() {
    ! "$trap_target" --for 60 1 input 2>/dev/null && grep -q '!' input && ! "$trap_target" input 2>/dev/null
}
claim 'the input that ended the program is kept, and ends it again' kept
claim 'no time is no round' sh -c '[ "$("$0" --for 0 1 input)" = "0 mutations" ]' "$trap_target"

# With all that it starts replaced: what libFuzzer is given, and told of it.
campaign() {
    mkdir -p tree/scripts tree/tests/fuzz tree/build-fuzz/tests/fuzz bin || return 1
    cp "$source/scripts/fuzz.sh" tree/scripts && touch tree/tests/fuzz/fuzz_trap.c tree/build-fuzz/build.ninja
    cp "$trap_target" tree/build-fuzz/tests/fuzz/fuzz_trap
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >given\necho "#1234: cov: 1"\n' >tree/build-fuzz/tests/fuzz/libfuzzer_trap
    for tool in clang meson ninja; do printf '#!/bin/sh\n' >bin/$tool; done
    chmod +x bin/* tree/build-fuzz/tests/fuzz/libfuzzer_trap
    PATH=$PWD/bin:$PATH bash tree/scripts/fuzz.sh 0.001 trap >told
}
claim 'a campaign runs' campaign
claim 'no seed is longer than libFuzzer may read' sh -c '
    [ "$(sed -n "s/^-max_len=//p" tree/given)" -gt "$(find tree/build-fuzz/corpus/trap -printf "%s\n" | sort -n | tail -n 1)" ]'
claim 'and tells how many inputs were executed' grep -qx 'trap *1234 executions, 4 kept' told
echo "1..$number"
[ "$failures" -eq 0 ]
