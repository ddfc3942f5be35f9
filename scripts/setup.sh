#!/bin/sh
# Installs what the build needs on Debian and its kin, or says the one line that would.
# Further packages to ask for may be given as arguments.
set -eu

build='meson ninja-build pkg-config'
libraries='libxxhash-dev zlib1g-dev libzstd-dev libutf8proc-dev libcmocka-dev'
optional='libcurl4-openssl-dev libmicrohttpd-dev'

# Where the parts came some other way than by dpkg, finding them is enough.
present() {
    case $1 in
    meson) command -v meson ;;
    ninja-build) command -v ninja ;;
    pkg-config) command -v pkg-config ;;
    clang-format) command -v clang-format ;;
    libxxhash-dev) pkg-config --exists libxxhash ;;
    zlib1g-dev) pkg-config --exists zlib ;;
    libzstd-dev) pkg-config --exists libzstd ;;
    libutf8proc-dev) pkg-config --exists libutf8proc ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    libcurl4-openssl-dev) pkg-config --exists libcurl ;;
    libmicrohttpd-dev) pkg-config --exists libmicrohttpd ;;
    *) dpkg-query -W -f '${Status}' "$1" | grep -q 'install ok installed' ;;
    esac >/dev/null 2>&1
}

missing=
for package in $build $libraries "$@"; do
    present "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
# What the build can do without is only got along with the rest.
for package in $optional; do
    present "$package" || missing="$missing $package"
done

install="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null; then
    echo "Missing, to be installed by your system's own means:$missing" >&2
    exit 1
fi
if [ "$(id -u)" != 0 ]; then
    echo "Parts are missing; run:  sudo sh -c 'apt-get update && $install'" >&2
    exit 1
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# One archive of several that cannot be reached need not be the one that has the packages.
apt-get update -qq || echo 'apt-get update failed; trying with the lists that are there' >&2
# shellcheck disable=SC2086 # the packages are words
$install -qq >/dev/null
