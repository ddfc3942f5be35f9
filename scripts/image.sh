#!/bin/bash
# Makes a small image of the program and its models from Debian packages, without a registry:
#     scripts/image.sh DEBS [IMAGE.tar]
# DEBS is the folder with dodona_*.deb, dodona-model-en_*.deb and dodona-models_*.deb, as dpkg-buildpackage leaves
# them.
# The packages and what they depend on are unpacked and nothing else, so the image has no shell and no
# package manager. It prints how docker or podman take it. With --try, and as root, the image is
# unpacked and used in a chroot instead, as a user that is not root.
set -euo pipefail
try=no
[ "${1:-}" = --try ] && try=yes && shift
debs=$(realpath "${1:?the folder with the packages}")
image=$(realpath -m "${2:-dodona.tar}")
user=1000
command -v mmdebstrap >/dev/null || {
    echo 'mmdebstrap is missing: apt-get install mmdebstrap' >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mkdir "$work/debs"
cp "$debs"/dodona_*.deb "$debs"/dodona-model-en_*.deb "$debs"/dodona-models_*.deb "$work/debs/"
(cd "$work/debs" && dpkg-scanpackages -m . 2>/dev/null >Packages)
chmod 755 "$work" # apt reads there as a user of its own
# shellcheck disable=SC2016 # mmdebstrap replaces $1
mmdebstrap --quiet --variant=extract --include=dodona,dodona-model-en,dodona-models \
    --setup-hook="echo 'deb [trusted=yes] copy:$work/debs ./' >\"\$1/etc/apt/sources.list.d/dodona.list\"" \
    --customize-hook='rm -rf "$1/usr/share/doc" "$1/usr/share/man" "$1/usr/share/locale" "$1/etc/apt"' \
    --customize-hook='rm -rf "$1/var/lib/dpkg" "$1/var/lib/apt" "$1/var/cache" "$1/var/log"' \
    --customize-hook='mkdir -p "$1/work" "$1/tmp" "$1/etc" && chmod 1777 "$1/tmp"' \
    --customize-hook="echo 'dodona:x:$user:$user::/work:/usr/sbin/nologin' >\"\$1/etc/passwd\"" \
    --customize-hook="echo 'dodona:x:$user:' >\"\$1/etc/group\" && chown $user:$user \"\$1/work\"" \
    "$suite" "$work/image.tar" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
if [ "$try" = yes ]; then
    mkdir "$work/root"
    tar -x -C "$work/root" -f "$work/image.tar" --exclude='./dev/*'
    echo 'Time flies like an arrow.' | chroot --userspec=$user:$user "$work/root" /usr/bin/dodona parse
    exit
fi
mv "$work/image.tar" "$image"
echo "$image: $(($(stat -c %s "$image") / 1000000)) MB; to be taken by docker or podman:"
echo "docker import --change 'ENTRYPOINT [\"dodona\"]' --change 'USER $user' --change 'WORKDIR /work'" \
    "--change 'ENV PATH=/usr/bin' $image dodona"
