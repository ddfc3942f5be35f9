#!/bin/bash
# Whether the library needs nothing that POSIX does not have; in TAP:
#     strict.sh SOURCE BUILD CC
# Compiles it as C11 with POSIX.1-2008 and its X/Open part, which has realpath(), by a compiler that does
# not know it is on Linux, so that whatever stands in for Linux's own calls is what is compiled, linked and
# run. The program's files are compiled too, but for those that need libraries which may be missing.
set -u
source=$1 build=$2 cc=$3
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
. "$(dirname "$0")/../claim.sh"

flags=(-std=c11 -U__linux__ -U__linux -Ulinux -U__gnu_linux__ -Wall -Wextra -Wno-psabi -Werror
    -ffp-contract=off -fno-math-errno "-I$source/include" "-I$source/src" "-I$build/src/linear"
    '-DDODONA_VERSION="0"' '-DDODONA_MODELS="/none"')
read -ra needed < <(pkg-config --cflags --libs libxxhash zlib libzstd libutf8proc)

compile_library() {
    local file object
    while read -r file; do
        object=$root/$(echo "${file#"$source"/}" | tr / _).o
        "$cc" "${flags[@]}" -D_XOPEN_SOURCE=700 -O0 -c "$file" -o "$object" || return 1
    done < <(find "$source/src" -name '*.c')
    ar rcs "$root/libdodona.a" "$root"/*.o
}

compile_program() {
    local file
    while read -r file; do
        "$cc" "${flags[@]}" -D_XOPEN_SOURCE=700 "-I$source/tools" "-I$build/tools" -fsyntax-only "$file" || return 1
    done < <(find "$source/tools" -name '*.c' ! -name http_curl.c -exec grep -LE '<(microhttpd|emscripten)' {} +)
}

link() { # NAME SOURCE
    "$cc" -std=c11 -Wpedantic -Werror "-I$source/include" "$2" "$root/libdodona.a" \
        "${needed[@]}" -lm -pthread -o "$root/$1"
}

claim 'the library compiles with POSIX alone' compile_library
claim 'and the program' compile_program
claim 'it asks for no call of GNU or Linux alone' bash -c '
    ! nm -u "$1" | grep -E " (sched_|__sched|getrandom|madvise|secure_getenv|qsort_r|memmem|asprintf)"' \
    bash "$root/libdodona.a"
claim 'a program that trains links with it' link train "$source/examples/train.c"
claim 'and trains, which writes a file' "$root/train" "$source/examples/demo-train.conllu" \
    "$source/examples/demo-test.conllu" "$root/model"
claim 'a program that parses links with it' link embedded "$source/examples/embedded.c"
claim 'and parses' bash -c 'echo "Birds sing." | "$1/embedded" "$1/model" | grep -qx "0-5 (0-5) Birds 2 nsubj"' \
    bash "$root"
echo "1..$number"
[ "$failures" -eq 0 ]
