#!/bin/bash
# Installs the build under another root, as packages do, and uses what is there:
#     test_install.sh BUILD PREFIX LIBDIR CC EXAMPLES
set -u
build=$1 prefix=$2 libdir=$3 cc=$4 examples=$5
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
. "$(dirname "$0")/../claim.sh"

at=$root$prefix
# Models that the user has must not be found.
export XDG_DATA_HOME=$root/data
unset DODONA_MODEL DODONA_MODELS
claim 'installs under DESTDIR' env DESTDIR="$root" meson install --no-rebuild -C "$build"
claim 'the program runs' "$at/bin/dodona" --version
claim 'the default model reads text' \
    bash -c 'echo "Time flies." | "$1/bin/dodona" parse | grep -q "^2	flies	fly	VERB"' bash "$at"
claim 'and is found by its name and its language' \
    bash -c '"$1/bin/dodona" info english >"$2/one" && "$1/bin/dodona" info en >"$2/other" && cmp "$2/one" "$2/other"' \
    bash "$at" "$root"
claim 'with those of all languages that were built' bash -c '
    cd "$1/models" && ls -- *.dodona | diff - <(cd "$2/share/dodona/models" && ls -- *.dodona)' bash "$build" "$at"
claim 'with its licence' grep -q 'CC BY-SA 4.0' "$at/share/dodona/models/README.md"
claim 'a manual page for each subcommand' bash -c '
    for name in $("$1/bin/dodona" --help | sed -n "/^Subcommands/,/^$/s/^  \([a-z]\+\) .*/\1/p"); do
        test -f "$1/share/man/man1/dodona-$name.1" || { echo "dodona-$name.1 is missing"; exit 1; }
    done' bash "$at"
claim 'which the page of the program refers to, each once in its list and once at its end' bash -c '
    page=$1/share/man/man1/dodona.1
    for name in $("$1/bin/dodona" --help | sed -n "/^Subcommands/,/^$/s/^  \([a-z]\+\) .*/\1/p"); do
        for part in "/^.SH \"SEE ALSO/,\$p" "/^.SH \"SEE ALSO/,\$!p"; do
            test "$(sed -n "$part" "$page" | grep -c "^.BR dodona.-$name (1)")" = 1 ||
                { echo "dodona-$name: $part"; exit 1; }
        done
    done' bash "$at"
claim 'a manual page for the library' test -f "$at/share/man/man3/libdodona.3"
claim 'completion for bash' bash -n "$at/share/bash-completion/completions/dodona"
claim 'completion for zsh' grep -q '^#compdef dodona' "$at/share/zsh/site-functions/_dodona"

export PKG_CONFIG_PATH=$at/$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
cflags=$(pkg-config --cflags --libs dodona 2>&1)
claim 'pkg-config gives no flags for headers of other libraries' test \
    "$(pkg-config --cflags dodona | sed 's/ *$//')" = "-I$at/include"
# shellcheck disable=SC2086 # the flags are words
claim 'a program compiles against the library' \
    "$cc" -std=c17 "$examples/draw.c" -o "$root/draw" $cflags "-Wl,-rpath,$at/$libdir"
printf '1\tHi\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n' >"$root/hi.conllu"
claim 'and runs with it' bash -c '"$1/draw" <"$1/hi.conllu" | grep -q "^ *Hi$"' bash "$root"
for standard in c11 c17; do
    for header in dodona dodona_tools; do
        claim "$header.h gives no warnings as $standard" bash -c '
            echo "#include <$2.h>" | "$0" "-std=$3" -Wall -Wextra -Wpedantic -Werror -x c -fsyntax-only - $1' \
            "$cc" "$cflags" "$header" "$standard"
    done
done
claim 'the header for papers compiles too' \
    bash -c 'echo "#include <dodona_tools.h>" | "$0" -std=c17 -x c -fsyntax-only - $1' "$cc" "$cflags"

cxx=${CXX:-c++}
if command -v "$cxx" >/dev/null; then
    # shellcheck disable=SC2086
    claim 'a program in C++ compiles without warnings' "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror \
        "$(dirname "$0")/program.cc" -o "$root/program" $cflags "-Wl,-rpath,$at/$libdir"
    claim 'and runs' bash -c '"$1/program" <"$1/hi.conllu" | grep -qx "Hi: [0-9]\+"' bash "$root"
else
    skip 'a program in C++ compiles without warnings' "there is no $cxx"
fi

# The library taken along, whatever else is shared.
static=$(pkg-config --static --libs dodona 2>&1)
# shellcheck disable=SC2086
claim 'a program takes libdodona.a along' "$cc" -std=c11 -Wpedantic "$examples/embedded.c" -o "$root/embedded" \
    $(pkg-config --cflags dodona) "$at/$libdir/libdodona.a" ${static//-ldodona/}
claim 'and reads text with a model in memory, without libdodona.so' bash -c '
    ! ldd "$1/embedded" | grep -q libdodona &&
    echo "Time flies." | "$1/embedded" "$2/share/dodona/models/english.dodona" | grep -q "^5-10 (5-10) flies 0 root"' \
    bash "$root" "$at"

# Static archives of what the library needs are not everywhere, nor have all that the shared
# libraries have. The example loads a model, which takes in most of the library.
static=$(pkg-config --static --cflags --libs dodona 2>&1)
needed=$(pkg-config --static --libs libxxhash zlib libzstd libutf8proc 2>&1)
echo 'int main(void) { return 0; }' >"$root/empty.c"
# shellcheck disable=SC2086
if "$cc" -static "$root/empty.c" -o "$root/empty" $needed -lm -pthread 2>"$root/missing"; then
    claim 'a program links statically' \
        "$cc" -std=c17 -static "$examples/parse_text.c" -o "$root/parse_text" $static
    claim 'and reads text with a model' \
        bash -c '"$1/parse_text" "$2/share/dodona/models/english.dodona" "Time flies." | grep -q "^2 flies VERB"' \
        bash "$root" "$at"
else
    skip 'a program links statically' "$(grep -o 'cannot find.*' "$root/missing" | head -n 1)"
fi
echo "1..$number"
[ "$failures" -eq 0 ]
