#!/bin/bash
# Leaves in dist/ what a release offers to download, made from what is committed:
#     scripts/release.sh [STEP...]
# The steps are those of `steps` below, all of them unless some are named. A step that is run again takes up what it
# finds in build-release/, where all that is in between lies. Runs on Debian 12 or later for x86_64, and says what
# else must be installed. tests/release/run.sh, the last step, tries everything in clean environments.
set -euo pipefail
steps=(sources programs wheels sdist debs images packages list try)
read -ra arches <<<"${ARCHES:-x86_64 aarch64}"
here=$(realpath "$(dirname "$0")/..")
work=$here/build-release dist=$here/dist
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
# That of this system.
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' "Codename: $suite" 'Component: main' | head -n 1)}
# Debian's own, which has the modules that its packages bring.
python=/usr/bin/python3
export PATH=/usr/bin:$PATH

say() { echo "release: $*" >&2; }

# Runs a command, silent unless it fails.
log=$work/log.$$
quiet() {
    "$@" >"$log" 2>&1 || {
        tail -n 40 "$log" >&2
        say "failed: $*"
        exit 1
    }
}

# ---- what is there ---------------------------------------------------------------------------------------------

check_tools() {
    local missing=() package
    for package in dpkg-dev fakeroot gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross make meson mmdebstrap \
        musl-tools ninja-build pkg-config python3-cffi python3-dev python3-setuptools python3-wheel \
        qemu-user-static xz-utils; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    # And what debian/control asks for.
    if [ ${#missing[@]} -eq 0 ]; then
        while read -r package; do missing+=("$package"); done < <(cd "$here" &&
            dpkg-checkbuilddeps -Pnocheck 2>&1 | sed -n 's/.*Unmet build dependencies: //p' |
            sed 's/([^)]*)//g; s/| *[^ ]*//g' | tr -s ' ' '\n' | grep .)
    else
        missing+=(debhelper dh-python libcurl4-gnutls-dev libmicrohttpd-dev libutf8proc-dev libxxhash-dev \
            libzstd-dev pybuild-plugin-pyproject zlib1g-dev)
    fi
    [ ${#missing[@]} -eq 0 ] && return
    say 'these packages are missing; this installs them:'
    echo "apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
}

# What is committed, in a clone, where only those files become new that have changed.
take_source() {
    git -C "$here" diff --quiet HEAD || say 'there are changes that are not committed; the release is without them'
    local commit
    commit=$(git -C "$here" rev-parse HEAD)
    [ -d "$work/source" ] || quiet git clone --shared --no-checkout "$here" "$work/source"
    quiet git -C "$work/source" checkout --detach "$commit"
    echo "$commit" >"$work/commit"
    SOURCE_DATE_EPOCH=$(git -C "$here" log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
    version=$(sed -n "/^  version: /{s/.*'\(.*\)',/\1/p;q}" "$work/source/meson.build")
}

# apt with lists of its own, so that it needs neither root nor changes of the system's sources.
own_apt() { # COMMAND ARGUMENT...
    local apt=$work/apt
    mkdir -p "$apt"/{lists/partial,cache/archives/partial,none}
    printf '%s %s main\n' "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror" "$suite" \
        "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror" "$suite" >"$apt/sources.list"
    "$1" -qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/none" \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)" \
        -o APT::Architectures=amd64,arm64 "${@:2}"
}

# The sources of the libraries, and what Debian has of musl and Python for ARM.
step_sources() {
    local sources=$work/sources package
    mkdir -p "$sources" "$work/arm64"
    if [ ! -e "$sources/complete" ]; then
        quiet own_apt apt-get update
        (cd "$sources" && rm -rf ./* && quiet own_apt apt-get source zlib libzstd utf8proc xxhash libmicrohttpd musl \
            mbedtls curl)
        (cd "$work/arm64" && quiet own_apt apt-get download musl-dev:arm64 "lib$($python -c 'import sys; print("python%d.%d" % sys.version_info[:2])')-dev:arm64" &&
            for package in ./*.deb; do dpkg-deb -x "$package" .; done)
        touch "$sources/complete"
    fi
}

# ---- the libraries that are linked in ----------------------------------------------------------------------------

# Sets CC, AR and host for a machine and a libc. musl's files for ARM lie in build-release/, where its specs say /usr.
choose() { # ARCH LIBC
    arch=$1 libc=$2 host=$1-linux-$2 prefix=
    [ "$arch" = x86_64 ] || prefix=$arch-linux-gnu-
    AR=${prefix}ar CC=${prefix}gcc
    root=$work/libraries/$host objects=$work/libraries/$host/objects sources=$work/sources
    mkdir -p "$root"
    [ "$libc" = musl ] || return 0
    CC=musl-gcc
    if [ "$arch" = aarch64 ]; then
        sed "s|/usr/|$work/arm64/usr/|g; s|-dynamic-linker $work/arm64|-dynamic-linker |" \
            "$work/arm64/usr/lib/$host/musl-gcc.specs" >"$root/specs"
        printf '#!/bin/sh\nexec %sgcc "$@" -specs %s/specs\n' "$prefix" "$root" >"$root/musl-gcc"
        chmod +x "$root/musl-gcc"
        CC=$root/musl-gcc
    fi
}

# In a shell of its own, as its functions are only wanted here.
compile_libraries() (
    # shellcheck source=scripts/libraries.sh
    . "$here/scripts/libraries.sh"
    compile_needed
)

# One that brings a configure: NAME FOLDER FLAG...
configure_library() {
    local name=$1 folder=$2
    shift 2
    [ ! -e "$objects/$name.made" ] || return 0
    rm -rf "${objects:?}/$name"
    mkdir -p "$objects/$name"
    (cd "$objects/$name" && PKG_CONFIG_LIBDIR=$root/lib/pkgconfig quiet "$folder/configure" --host="$arch-linux-gnu" \
        --prefix="$root" --disable-shared --enable-static --disable-dependency-tracking "$@" CC="$CC" AR="$AR" \
        CFLAGS="-O2 $CFLAGS" && quiet make -j "$(nproc)" && quiet make install)
    touch "$objects/$name.made"
}

# What the program needs and the library does not: a server, and a client that has TLS.
compile_network() {
    configure_library libmicrohttpd "$(echo "$sources"/libmicrohttpd-*/)" --disable-https --disable-doc \
        --disable-examples --disable-curl --disable-nls
    if [ ! -e "$objects/mbedtls.made" ]; then
        rm -rf "$objects/mbedtls"
        cp -r "$(echo "$sources"/mbedtls-*/)" "$objects/mbedtls"
        quiet make -C "$objects/mbedtls/library" -j "$(nproc)" CC="$CC" AR="$AR" CFLAGS="-O2 $CFLAGS" static
        cp "$objects"/mbedtls/library/*.a "$root/lib/"
        cp -r "$objects"/mbedtls/include/{mbedtls,psa} "$root/include/"
        touch "$objects/mbedtls.made"
    fi
    configure_library curl "$(echo "$sources"/curl-*/)" --with-mbedtls="$root" --without-zlib --without-zstd \
        --without-brotli --without-libpsl --disable-ldap --disable-manual --enable-http --disable-ftp --disable-file \
        --disable-dict --disable-gopher --disable-imap --disable-mqtt --disable-pop3 --disable-rtsp --disable-smb \
        --disable-smtp --disable-telnet --disable-tftp --disable-unix-sockets --without-nghttp2 --without-libidn2 \
        --disable-threaded-resolver --with-ca-bundle=/etc/ssl/certs/ca-certificates.crt --without-ca-path
}

# How Meson builds for it.
cross_file() {
    local runs="needs_exe_wrapper = false" wrapper='' flags=''
    # Threads of musl have small stacks unless they are told otherwise.
    [ "$libc" != musl ] || flags="'-static', '-Wl,-z,stack-size=8388608'"
    [ "$arch" = x86_64 ] || {
        runs="needs_exe_wrapper = true"
        wrapper="exe_wrapper = ['qemu-$arch-static', '-L', '/usr/$arch-linux-gnu']"
    }
    cat >"$root/cross" <<CROSS
[binaries]
c = '$CC'
ar = '$AR'
strip = '${prefix}strip'
pkgconfig = 'pkg-config'
$wrapper
[built-in options]
c_args = ['-DUTF8PROC_STATIC', '-I$root/include']
c_link_args = [$flags]
[properties]
$runs
pkg_config_libdir = '$root/lib/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = '$arch'
cpu = '$arch'
endian = 'little'
CROSS
}

# The terms of what is linked in, as Debian has gathered them.
copy_licences() { # FOLDER LIBRARY...
    local folder=$1 library
    shift
    mkdir -p "$folder"
    for library; do
        cp "$(echo "$work/sources/$library"-*/debian/copyright)" "$folder/$library.txt"
    done
}

# ---- programs --------------------------------------------------------------------------------------------------

# An archive whose bytes depend on its contents alone.
pack() { # FOLDER ARCHIVE
    tar -C "$(dirname "$1")" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --mode=u+rwX,go+rX,go-w -c "$(basename "$1")" | gzip -9n >"$2.new"
    mv "$2.new" "$2"
}

# Linked with musl, so that they run on every Linux.
step_programs() {
    local each made build
    for each in "${arches[@]}"; do
        choose "$each" musl
        CFLAGS='-fPIC' compile_libraries
        CFLAGS='-fPIC' compile_network
        cross_file
        build=$work/program-$arch
        [ -f "$build/build.ninja" ] || quiet meson setup "$build" "$work/source" --cross-file "$root/cross" \
            --prefix /usr/local --libdir lib -Ddefault_library=static -Dwerror=false -Dtests=false -Dlanguages=en \
            -Dcurl=enabled -Dmicrohttpd=enabled
        quiet ninja -j "$(nproc)" -C "$build"
        made=$work/dodona-$version-linux-$arch
        rm -rf "$made" "$made.root"
        DESTDIR=$made.root quiet meson install --no-rebuild --strip -C "$build"
        mv "$made.root/usr/local" "$made"
        rm -r "$made"/include "$made"/lib/{libdodona.a,pkgconfig} "$made"/share/man/man3 "$made.root"
        mkdir -p "$made/share/doc/dodona"
        cp "$work/source/LICENSE" "$made/share/doc/dodona/"
        copy_licences "$made/share/doc/dodona/libraries" musl zlib libzstd utf8proc xxhash libmicrohttpd curl mbedtls
        pack "$made" "$dist/$(basename "$made").tar.gz"
    done
}

# ---- packages for Python -------------------------------------------------------------------------------------

# What a package of bindings/ is built from, in a folder that may be written to; prints the package's folder.
copy_binding() { # NAME FOLDER
    rm -rf "$2"
    mkdir -p "$2/bindings"
    cp -r "$work/source/bindings/$1" "$2/bindings/"
    ln -s "$work/source"/{include,src,models,meson.build,meson_options.txt,LICENSE} "$2/"
    echo "$2/bindings/$1"
}

# One hook of PEP 517, without pip, and so without a network.
setuptools() { # HOOK FOLDER SOURCE
    (cd "$3" && quiet "$python" -c 'import sys; from setuptools import build_meta
getattr(build_meta, sys.argv[1])(sys.argv[2])' "$1" "$2")
}

# With Debian's glibc, and its libraries linked in. The tag is that of the oldest glibc that will do.
step_wheels() {
    local each source build include
    for each in "${arches[@]}"; do
        choose "$each" gnu
        CFLAGS='-fPIC' compile_libraries
        cross_file
        build=$work/library-$arch
        [ -f "$build/build.ninja" ] || quiet meson setup "$build" "$work/source" --cross-file "$root/cross" \
            -Ddefault_library=static -Dwerror=false -Dlibrary_only=true
        quiet ninja -j "$(nproc)" -C "$build"
        source=$(copy_binding python "$work/wheel-$arch")
        # Debian's Python.h asks for the settings of the machine by a path that is its own.
        include=
        [ "$arch" = x86_64 ] || include="-idirafter $work/arm64/usr/include"
        copy_licences "$work/wheel-$arch/licences" zlib libzstd utf8proc xxhash
        DODONA_BUILD=$build PKG_CONFIG_LIBDIR=$root/lib/pkgconfig _PYTHON_HOST_PLATFORM=linux-$arch \
            CC=$CC LDSHARED="$CC -shared" CFLAGS="-g0 $include" LDFLAGS='-Wl,--exclude-libs,ALL -Wl,--strip-all' \
            setuptools build_wheel "$work/wheel-$arch" "$source"
        rm -f "$dist"/dodona-"$version"-*"_$arch.whl"
        quiet "$python" -B "$here/scripts/wheel.py" "$work/wheel-$arch"/dodona-*-linux_"$arch".whl \
            "$work/wheel-$arch/licences" "$dist"
    done
    source=$(copy_binding python-models "$work/wheel-models")
    setuptools build_wheel "$dist" "$source"
}

step_sdist() {
    local source
    source=$(copy_binding python "$work/sdist")
    setuptools build_sdist "$dist" "$source"
}

# ---- packages for other systems ------------------------------------------------------------------------------

step_debs() {
    local deb=$work/deb
    if ! cmp -s "$work/commit" "$deb/commit"; then
        rm -rf "$deb"
        mkdir -p "$deb"
        cp -r "$work/source" "$deb/dodona-$version"
        (cd "$deb/dodona-$version" &&
            DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)" quiet dpkg-buildpackage -b -us -uc -Pnocheck)
        cp "$work/commit" "$deb/"
    fi
    rm -f "$dist"/*.deb
    cp "$deb"/*.deb "$dist/"
}

step_images() {
    PYTHON=$python quiet "$here/scripts/image.sh" "$work/deb" "$dist/dodona-$version-image-$(dpkg --print-architecture).tar.gz"
}

# Those of bindings/ that need tools of their own, with the models that the programs have.
step_packages() {
    local models=$work/program-${arches[0]} scripts=$work/source/scripts
    if command -v emcc >/dev/null && command -v npm >/dev/null; then
        quiet "$scripts/js.sh" "$work/sources" "$work/npm" "$models/models/english-fast.dodona"
        cp "$work/npm"/dodona-*.tgz "$dist/"
    else
        say 'no npm package: emcc or npm is missing (Debian: emscripten, npm)'
    fi
    if command -v R >/dev/null; then
        quiet "$scripts/r-package.sh" "$work/r" "$models"
        cat "$log" >&2
        cp "$work/r"/dodona_*.tar.gz "$dist/"
    else
        say 'no R package: R is missing (Debian: r-base-dev)'
    fi
}

# ---- what there is -------------------------------------------------------------------------------------------

# What a file is, by its name.
tell() {
    case $1 in
    dodona-*-linux-*) echo 'program with the English models, for every Linux: unpack it and run `bin/dodona`' ;;
    dodona-*.whl) echo 'Python package with the English model: `pip install` it' ;;
    dodona_models-*.whl) echo 'models of other languages, for Python' ;;
    dodona-*-image-*) echo 'container image: `podman load -i` or `docker load -i` takes it' ;;
    dodona-"$version".tar.gz) echo 'source of the Python package' ;;
    dodona_*.tar.gz) echo 'R package: `R CMD INSTALL` it' ;;
    *.tgz) echo 'npm package: `npm install` it' ;;
    dodona-model*.deb) echo 'models, for Debian' ;;
    *.deb) echo 'for Debian: `apt-get install ./FILE`' ;;
    esac
}

step_list() {
    local file
    cd "$dist"
    rm -f SHA256SUMS CONTENTS.md
    {
        printf '# Dodona %s\n\n| file | bytes | what it is |\n|---|---:|---|\n' "$version"
        for file in *; do
            [ "$file" = CONTENTS.md ] || echo "| \`$file\` | $(stat -c %s "$file") | $(tell "$file") |"
        done
        printf '\n`sha256sum -c SHA256SUMS` checks them.\n'
    } >"$work/contents"
    mv "$work/contents" CONTENTS.md
    sha256sum -- * >"$work/sums"
    mv "$work/sums" SHA256SUMS
    cat CONTENTS.md
    cd "$here"
}

step_try() {
    "$here/tests/release/run.sh" "$dist" "$work"
}

main() {
    local step
    mkdir -p "$work" "$dist"
    trap 'rm -f "$log"' EXIT
    check_tools
    take_source
    [ $# -gt 0 ] || set -- "${steps[@]}"
    for step; do
        say "$step"
        "step_$step"
    done
}

# On one line, since bash reads on while it runs and the file may change.
main "$@"; exit
