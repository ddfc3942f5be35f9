#!/bin/bash
# Fuzzes readers and other code that meets foreign bytes, for hours:
#     scripts/fuzz.sh HOURS [TARGET...]
# HOURS may be a fraction; they are shared out evenly among the targets, which are those of tests/fuzz
# unless named. With clang and its runtime, libFuzzer searches for inputs that reach new code; without,
# each target's seeds are mutated at random, which finds less. Both run under AddressSanitizer and
# UndefinedBehaviorSanitizer, in build-fuzz/: corpus/TARGET/ there grows from run to run, and inputs
# that end a target are kept in crashes/. Ends with 0 if there are none of this run, else with 1.
set -u
cd "$(dirname "$0")/.." || exit 2
build=build-fuzz

usage() {
    echo "usage: scripts/fuzz.sh HOURS [TARGET...]" >&2
    exit 2
}

[ $# -ge 1 ] || usage
[[ $1 =~ ^[0-9]*\.?[0-9]+$ ]] || usage
hours=$1
shift
mapfile -t all < <(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')
targets=("$@")
[ $# -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
    [ -f "tests/fuzz/fuzz_$target.c" ] && continue
    echo "there is no target '$target', only ${all[*]}" >&2
    exit 2
done

has_libfuzzer() {
    echo 'int LLVMFuzzerTestOneInput(const char *d, long n); int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
        clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null
}

if has_libfuzzer; then
    kind=libFuzzer
    export CC=clang CFLAGS=-fsanitize=fuzzer-no-link
else
    kind='random mutations (there is no clang with its runtime)'
fi
# A folder that was set up for the other kind cannot serve.
[ -f $build/kind ] && [ "$(cat $build/kind)" != "$kind" ] && rm -rf $build/meson-private $build/build.ninja
if [ ! -f $build/build.ninja ]; then
    meson setup $build --buildtype debugoptimized -Db_sanitize=address,undefined -Db_lundef=false \
        -Dwerror=false -Dfuzzer="$([ "$kind" = libFuzzer ] && echo true || echo false)" >$build.log ||
        { cat $build.log >&2; exit 2; }
    mv $build.log $build/setup.log
    echo "$kind" >$build/kind
fi
programs=()
for target in "${targets[@]}"; do
    programs+=("tests/fuzz/fuzz_$target")
    [ "$kind" = libFuzzer ] && programs+=("tests/fuzz/libfuzzer_$target")
done
ninja -C $build --quiet "${programs[@]}" || exit 2

mkdir -p $build/crashes $build/corpus $build/logs
touch $build/start
seconds=$(awk -v hours="$hours" -v n=${#targets[@]} 'BEGIN { s = int(hours * 3600 / n); print s < 1 ? 1 : s }')
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ASAN_OPTIONS=allocator_may_return_null=1
echo "$kind: $seconds seconds for each of ${targets[*]}"

# Goes on after a crash until the time is over.
run_libfuzzer() { # TARGET
    local longest # what libFuzzer does not cut
    mkdir -p "$build/corpus/$1"
    "$build/tests/fuzz/fuzz_$1" --seeds "$build/corpus/$1"
    longest=$("$build/tests/fuzz/fuzz_$1" --longest)
    "$build/tests/fuzz/libfuzzer_$1" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
        -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -max_len="$longest" \
        -artifact_prefix="$build/crashes/$1-" "$build/corpus/$1" >"$build/logs/$1" 2>&1
}

# Ten crashes are enough to work on.
run_mutations() { # TARGET
    local end=$((SECONDS + seconds)) found=0 seed
    seed=$(date +%s)
    : >"$build/logs/$1"
    while [ $SECONDS -lt $end ] && [ $found -lt 10 ]; do
        seed=$((seed + 1))
        # The shell's own word on a crash is not wanted.
        { "$build/tests/fuzz/fuzz_$1" --for $((end - SECONDS)) $seed "$build/input" \
            >>"$build/logs/$1" 2>&1; } 2>/dev/null && continue
        mv "$build/input" "$build/crashes/$1-$seed"
        found=$((found + 1))
    done
}

for target in "${targets[@]}"; do
    printf '%-12s' "$target"
    if [ "$kind" = libFuzzer ]; then
        run_libfuzzer "$target"
        rounds=$(grep -oE '^#[0-9]+' "$build/logs/$target" | tail -n 1 | tr -d '#')
        echo "${rounds:-0} executions, $(ls "$build/corpus/$target" | wc -l) kept"
    else
        run_mutations "$target"
        echo "$(awk '/ mutations$/ { n += $1 } END { print n + 0 }' "$build/logs/$target") executions"
    fi
done

mapfile -t crashes < <(find $build/crashes -type f -newer $build/start | sort)
if [ ${#crashes[@]} -eq 0 ]; then
    echo "no input ended a target"
    exit 0
fi
echo "${#crashes[@]} inputs ended a target, or took too long or too much memory; to see it again:"
for crash in "${crashes[@]:0:20}"; do
    target=${crash##*/}
    echo "  $build/tests/fuzz/fuzz_${target%%-*} $crash"
done
[ ${#crashes[@]} -le 20 ] || echo "  ..."
exit 1
