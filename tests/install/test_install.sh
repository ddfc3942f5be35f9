#!/bin/bash
# Installs the build under another root, as packages do, and uses what is there:
#     test_install.sh BUILD PREFIX LIBDIR CC SOURCE
set -u
build=$1 prefix=$2 libdir=$3 cc=$4 source=$5
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
. "$(dirname "$0")/../claim.sh"

at=$root$prefix
claim 'installs under DESTDIR' env DESTDIR="$root" meson install --no-rebuild -C "$build"
claim 'the program runs' "$at/bin/dodona" --version
claim 'the default model reads text' \
    bash -c 'echo "Time flies." | env -u DODONA_MODEL "$1/bin/dodona" parse | grep -q "^2	flies	fly	VERB"' bash "$at"
claim 'with its licence' grep -q 'CC BY-SA 4.0' "$at/share/dodona/README.md"
claim 'a manual page for each subcommand' bash -c '
    for name in $("$1/bin/dodona" --help | sed -n "/^Subcommands/,/^$/s/^  \([a-z]\+\) .*/\1/p"); do
        test -f "$1/share/man/man1/dodona-$name.1" || { echo "dodona-$name.1 is missing"; exit 1; }
    done' bash "$at"
claim 'a manual page for the library' test -f "$at/share/man/man3/libdodona.3"
claim 'completion for bash' bash -n "$at/share/bash-completion/completions/dodona"
claim 'completion for zsh' grep -q '^#compdef dodona' "$at/share/zsh/site-functions/_dodona"

export PKG_CONFIG_PATH=$at/$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
cflags=$(pkg-config --cflags --libs dodona 2>&1)
# shellcheck disable=SC2086 # the flags are words
claim 'a program compiles against the library' \
    "$cc" -std=c17 "$source" -o "$root/draw" $cflags "-Wl,-rpath,$at/$libdir"
printf '1\tHi\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n' >"$root/hi.conllu"
claim 'and runs with it' bash -c '"$1/draw" <"$1/hi.conllu" | grep -q "^ *Hi$"' bash "$root"
claim 'the header for papers compiles too' \
    bash -c 'echo "#include <dodona_research.h>" | "$0" -std=c17 -x c -fsyntax-only - $1' "$cc" "$cflags"
echo "1..$number"
[ "$failures" -eq 0 ]
