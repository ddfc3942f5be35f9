# The libraries that Dodona needs, compiled from their sources for a machine or a libc that Debian has no packages of
# them for. To be sourced; $CC, $AR and $CFLAGS say how, $root is where they go, $objects where their objects lie, and
# $sources the folder with what `apt-get source zlib libzstd utf8proc xxhash` unpacks.
mkdir -p "$root/include" "$root/lib/pkgconfig" "$objects"

# NAME LIBRARY [FLAG]..., of the files on standard input.
compile() {
    local name=$1 library=$2 made=() file object
    shift 2
    while read -r file; do
        object=$objects/$name-$(basename "$file" .c).o
        # shellcheck disable=SC2086 # the flags are words
        [ "$object" -nt "$file" ] || $CC -O2 -DNDEBUG ${CFLAGS:-} "$@" -c "$file" -o "$object"
        made+=("$object")
    done
    rm -f "$root/lib/lib$library.a"
    $AR rcs "$root/lib/lib$library.a" "${made[@]}"
}

# By the archive's path: a shared library elsewhere may come first where -l looks.
describe() { # PACKAGE VERSION LIBRARY
    printf '%s\n' "Name: $1" "Description: $1" "Version: $2" "Libs: $root/lib/lib$3.a" \
        "Cflags: -I$root/include" >"$root/lib/pkgconfig/$1.pc"
}

# What `dodona` and its library cannot do without. xxHash may be missing from the sources: its header has all of it,
# and Debian's libxxhash-dev has the header.
compile_needed() {
    local zlib zstd utf8proc xxhash
    zlib=$(echo "$sources"/zlib-*/) zstd=$(echo "$sources"/libzstd-*/lib/) utf8proc=$(echo "$sources"/utf8proc-*/)
    xxhash=$(compgen -G "$sources/xxhash-*/" || echo /usr/include)
    cp "$zlib"/{zlib,zconf}.h "$zstd"/{zstd,zstd_errors}.h "$utf8proc/utf8proc.h" "$xxhash"/xxh*.h "$root/include"
    ls "$zlib"/*.c | compile zlib z -DHAVE_UNISTD_H
    ls "$zstd"/{common,compress,decompress}/*.c | compile zstd zstd -DZSTD_DISABLE_ASM
    echo "$utf8proc/utf8proc.c" | compile utf8proc utf8proc -DUTF8PROC_STATIC
    printf '#define %s\n' XXH_STATIC_LINKING_ONLY XXH_IMPLEMENTATION >"$objects/xxhash.new"
    echo '#include "xxhash.h"' >>"$objects/xxhash.new"
    cmp -s "$objects/xxhash.new" "$objects/xxhash.c" || mv "$objects/xxhash.new" "$objects/xxhash.c"
    { # Kernels for wider vectors, which it picks when it runs.
        echo "$objects/xxhash.c"
        $CC -dM -E - </dev/null | grep __x86_64__ >/dev/null && compgen -G "$xxhash/xxh_x86dispatch.c" || true
    } | compile xxhash xxhash -I"$root/include"
    describe zlib 1.2 z
    describe libzstd 1.5 zstd
    describe libutf8proc 2.8 utf8proc
    describe libxxhash 0.8 xxhash
}
