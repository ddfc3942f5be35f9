#!/bin/sh
# Compares the library's binary interface with that of an older version:
#     scripts/abi.sh [COMMIT]
# COMMIT is the last tag unless told. Both are built from what is committed or lies here, in a folder
# of their own. Ends with 0 if programs that were linked with the older one go on working (functions
# may have been added) or cannot meet this one, as it has another soname; else with abidiff's status.
set -eu
cd "$(dirname "$0")/.."
old=${1:-$(git describe --tags --abbrev=0 2>/dev/null)} || {
    echo "there is no tag yet: name a commit to compare with" >&2
    exit 2
}
command -v abidiff >/dev/null || {
    echo "abidiff is missing: apt-get install abigail-tools" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # SOURCE BUILD
    if ! { meson setup "$2" "$1" --buildtype debugoptimized &&
        meson compile -C "$2" dodona:shared_library; } >"$work/log" 2>&1; then
        cat "$work/log" >&2
        exit 2
    fi
}

mkdir "$work/old"
git archive "$old" | tar -x -C "$work/old"
build "$work/old" "$work/old-build"
build . "$work/new-build"
# abidiff's status has one bit for a failure, one for a change, one for an incompatible change.
status=0
abidiff --no-added-syms --headers-dir1 "$work/old/include" --headers-dir2 include \
    "$work/old-build/libdodona.so" "$work/new-build/libdodona.so" || status=$?
soname() { readelf -d "$1/libdodona.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'; }
before=$(soname "$work/old-build") now=$(soname "$work/new-build")
echo "$old: $before, here: $now"
[ "$before" = "$now" ] || status=0
exit "$status"
