#!/bin/bash
# Makes a small image of the program and its models from Debian packages, without a registry:
#     scripts/image.sh DEBS [IMAGE.tar.gz]
# DEBS is the folder with dodona_*.deb, dodona-model-en_*.deb and dodona-models_*.deb, as dpkg-buildpackage leaves
# them. `docker load` and `podman load` take the image; it does what one made with Containerfile does.
# The packages and what they depend on are unpacked and nothing else, so the image has no shell and no
# package manager. With --try, and as root, the image is unpacked and used in a chroot instead, as a user that
# is not root: it parses, and it serves.
set -euo pipefail
try=no
[ "${1:-}" = --try ] && try=yes && shift
here=$(dirname "$(realpath "$0")")
debs=$(realpath "${1:?the folder with the packages}")
image=$(realpath -m "${2:-dodona.tar.gz}")
user=1000
command -v mmdebstrap >/dev/null || {
    echo 'mmdebstrap is missing: apt-get install mmdebstrap' >&2
    exit 2
}
work=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# What Debian knows of its packages goes, and the rest of what no program reads.
make_root() { # TARGET
    local suite
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mkdir "$work/debs"
    cp "$debs"/dodona_*.deb "$debs"/dodona-model-en_*.deb "$debs"/dodona-models_*.deb "$work/debs/"
    (cd "$work/debs" && dpkg-scanpackages -m . 2>/dev/null >Packages)
    chmod 755 "$work" # apt reads there as a user of its own
    # shellcheck disable=SC2016 # mmdebstrap replaces $1
    mmdebstrap --quiet --variant=extract --include=dodona,dodona-model-en,dodona-models,ca-certificates \
        --setup-hook="echo 'deb [trusted=yes] copy:$work/debs ./' >\"\$1/etc/apt/sources.list.d/dodona.list\"" \
        --customize-hook='mkdir -p "$1/etc/ssl/certs"' \
        --customize-hook='cat "$1"/usr/share/ca-certificates/mozilla/*.crt >"$1/etc/ssl/certs/ca-certificates.crt"' \
        --customize-hook='rm -rf "$1/usr/share/doc" "$1/usr/share/man" "$1/usr/share/locale" "$1/etc/apt"' \
        --customize-hook='rm -rf "$1/var/lib/dpkg" "$1/var/lib/apt" "$1/var/cache" "$1/var/log"' \
        --customize-hook='mkdir -p "$1/work" "$1/tmp" "$1/etc" && chmod 1777 "$1/tmp"' \
        --customize-hook="echo 'dodona:x:$user:$user::/work:/usr/sbin/nologin' >\"\$1/etc/passwd\"" \
        --customize-hook="echo 'dodona:x:$user:' >\"\$1/etc/group\" && chown $user:$user \"\$1/work\"" \
        "$suite" "$1" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
}

inside() { chroot --userspec=$user:$user "$work/root" /usr/bin/dodona "$@"; }

# On a port that is free, which the log names.
try_server() {
    local address
    inside serve --listen 0.0.0.0:0 2>"$work/served" &
    server=$!
    until address=$(grep -o '"address":"[^"]*' "$work/served"); do
        kill -0 "$server" || { cat "$work/served" >&2 && exit 1; }
        sleep 0.2
    done
    address=${address##*\"}
    inside serve --check --listen "$address"
    exec 3<>"/dev/tcp/127.0.0.1/${address##*:}"
    printf 'GET /health HTTP/1.0\r\n\r\n' >&3
    tr -d '\r' <&3 | sed -n '1p;$p'
}

make_root "$work/image.tar"
if [ "$try" = yes ]; then
    mkdir "$work/root"
    tar -x -C "$work/root" -f "$work/image.tar" --exclude='./dev/*'
    echo 'Time flies like an arrow.' | inside parse
    try_server
    exit
fi
version=$(basename "$(echo "$work"/debs/dodona_*.deb)" | cut -d _ -f 2)
"${PYTHON:-python3}" -B "$here/image.py" "$work/image.tar" "$(dpkg --print-architecture)" "$version" "$image"
echo "$image: $(($(stat -c %s "$image") / 1000000)) MB; to be taken by docker or podman: podman load -i $image"
