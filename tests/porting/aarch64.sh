#!/bin/bash
# Builds the library, the program and the unit tests for 64-bit ARM, and runs the tests with qemu:
#     tests/porting/aarch64.sh [SYSROOT] [TEST...]
# SYSROOT is a Debian root for arm64 with the libraries' development files. Without it one is made in
# a scratch folder with mmdebstrap, which takes a few minutes and Debian's archive. Skips, and says
# why, where the compiler, qemu or the libraries are missing. TESTs are names as in tests/unit. If
# build/dodona is there, its trees of English text are compared with those of the program for ARM.
set -euo pipefail
source=$(realpath "$(dirname "$0")/../..")
packages=libxxhash-dev,zlib1g-dev,libzstd-dev,libutf8proc-dev,libcmocka-dev,libc6-dev
default=(text text_files text_sources outline json core newfile load model catalogue plain segment
    tagger lemmatizer kernels neural_kernels memo learn tree features golden)

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

command -v aarch64-linux-gnu-gcc >/dev/null ||
    skip 'no compiler for ARM (Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross)'
emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) ||
    skip 'qemu is not installed (Debian: qemu-user)'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sysroot=${1:-}
[ $# -gt 0 ] && shift
if [ -z "$sysroot" ]; then
    command -v mmdebstrap >/dev/null || skip 'no root for arm64, and no mmdebstrap to make one'
    sysroot=$scratch/root
    # Only unpacked: nothing of it is run.
    mmdebstrap --quiet --variant=extract --arch=arm64 --include="$packages" "$(. /etc/os-release &&
        echo "$VERSION_CODENAME")" "$sysroot" >"$scratch/log" 2>&1 ||
        skip "no packages for arm64: $(tail -n 1 "$scratch/log")"
fi

# qemu looks for every file in its prefix first; one with a /tmp would get what the tests write there.
mkdir "$scratch/prefix"
ln -s "$sysroot/lib" "$sysroot/usr" "$scratch/prefix/"
libraries=$sysroot/usr/lib/aarch64-linux-gnu
cat >"$scratch/cross" <<END
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['$emulator', '-L', '$scratch/prefix']
[built-in options]
c_args = ['--sysroot=$sysroot', '-I$sysroot/usr/include/aarch64-linux-gnu']
c_link_args = ['--sysroot=$sysroot', '-L$libraries', '-Wl,-rpath-link,$libraries', '-Wl,-rpath-link,$sysroot/lib/aarch64-linux-gnu']
[properties]
sys_root = '$sysroot'
pkg_config_libdir = '$libraries/pkgconfig:$sysroot/usr/share/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END

tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=("${default[@]}")
targets=("${tests[@]/#/tests/unit/test_}")
meson setup "$scratch/build" "$source" --cross-file "$scratch/cross" -Dcurl=disabled \
    >"$scratch/log" 2>&1 || { cat "$scratch/log" && exit 1; }
ninja -j 2 -C "$scratch/build" dodona models/english.dodona "${targets[@]}" >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log" && exit 1; }

number=0 failures=0
. "$source/tests/claim.sh"
export QEMU_LD_PREFIX=$scratch/prefix
claim 'the program runs' "$emulator" "$scratch/build/dodona" --version
for name in "${tests[@]}"; do
    claim "$name" "$emulator" "$scratch/build/tests/unit/test_$name"
done
claim 'it trains and parses' bash -c '
    run="$1 $2/dodona" && cd "$3/examples" &&
    $run train -q --iterations 2 -o "$2/m" demo-train.conllu && $run parse -q -m "$2/m" demo-test.conllu |
        grep -c "	root	"' bash "$emulator" "$scratch/build" "$source"
if [ -x "$source/build/dodona" ]; then
    python3 -B "$source/bench/raw_text.py" "$source/bench/everyday.conllu" >"$scratch/text"
    # shellcheck disable=SC2016 # the inner shell's arguments
    claim 'English text gets the same trees' bash -c '
        cmp <("$1" "$2/dodona" parse -q -m en "$4") <("$3" parse -q -m en "$4")' \
        bash "$emulator" "$scratch/build" "$source/build/dodona" "$scratch/text"
else
    skip 'English text gets the same trees' 'build/dodona is not there'
fi
echo "1..$number"
[ "$failures" -eq 0 ]
