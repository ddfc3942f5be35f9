#!/bin/sh
# Writes debian/libdodona0.symbols, the list of what the library exports:
#     scripts/symbols.sh [BUILD]
# A function that was there keeps the version in which it came; a new one gets that of the build.
# tests/docs/check_manual.py compares the list with the library.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
list=debian/libdodona0.symbols
version=$(sed -n "s/^  version: '\(.*\)',\$/\1/p" meson.build | head -n 1)
new=$(mktemp)
trap 'rm -f "$new"' EXIT
printf '%s\n' 'libdodona.so.0 libdodona0 #MINVER#' '* Build-Depends-Package: libdodona-dev' >"$new"
nm -D --defined-only "$build/libdodona.so" | sed -n 's/.* T \(dd_.*\)$/\1/p' | LC_ALL=C sort |
    while read -r name; do
        since=$(sed -n "s/^ $name@Base \(.*\)\$/\1/p" "$list" 2>/dev/null || true)
        echo " $name@Base ${since:-$version}"
    done >>"$new"
cat "$new" >"$list"
