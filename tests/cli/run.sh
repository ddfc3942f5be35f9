#!/bin/bash
# Runs one file of cases against the program and reports in TAP:
#     run.sh PROGRAM CASES.sh
#
# A case begins with `begin NAME` and makes any number of claims:
#     run ARGS...         run the program in the case's folder (standard input: whatever run has)
#     status N            its exit status
#     stdout / stderr     its whole output equals standard input (a here-document)
#     stdout_file FILE    its whole output equals tests/cli/expected/FILE
#     claim COMMAND...    the command succeeds
#     skip REASON         nothing was claimed, as something is not there to test with
# `double N FILE` makes a long file of a short one.
# Every case has a fresh folder that holds copies of tests/cli/data.
set -u

program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
cases=$(realpath "$2")
root=$(mktemp -d)
trap 'cd /; rm -rf "$root"' EXIT
# Models that the user has must not be found.
export XDG_DATA_HOME=$root/data
unset DODONA_MODEL DODONA_MODELS
number=0 failures=0 name='' problem='' skipped=''

finish() {
    [ -n "$name" ] || return 0
    number=$((number + 1))
    if [ -z "$problem" ] && [ -n "$skipped" ]; then
        echo "ok $number - $name # SKIP $skipped"
    elif [ -z "$problem" ]; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        printf '%s\n' "$problem" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
    name=''
}

begin() {
    finish
    name=$1 problem='' skipped=''
    mkdir "$root/$number" && cd "$root/$number" && cp "$here"/data/* .
}

skip() { skipped=$*; }
complain() { problem+="$*"$'\n'; }

run() {
    ran="dodona $*"
    "$program" "$@" >out 2>err
    exit_status=$?
}

status() {
    [ "$exit_status" -eq "$1" ] || complain "$ran: status $exit_status, not $1; $(head -c 2000 err)"
}

same() { # WHAT EXPECTED GOT
    local difference
    difference=$(diff -u --label expected --label "$1" "$2" "$3") || complain "$ran:"$'\n'"$difference"
}

stdout() { cat >expected; same stdout expected out; }
stderr() { cat >expected; same stderr expected err; }
stdout_file() { same stdout "$here/expected/$1" out; }
# FILE twice as long, N times over.
double() { # N FILE
    for ((i = 0; i < $1; i++)); do cat "$2" "$2" >doubled && mv doubled "$2"; done
}
claim() { "$@" || complain "failed: $*"; }

# shellcheck source=/dev/null
. "$cases"
finish
echo "1..$number"
[ "$failures" -eq 0 ] && [ "$number" -gt 0 ]
