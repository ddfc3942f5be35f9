#!/bin/bash
# run.sh SOURCE CC vnni|neon|dotprod|simd128 NAME
# Builds the kernels and tests/unit/test_NAME.c for a processor that this one may not be, and runs them
# by what stands in for it: SIMDe for VNNI, qemu for ARM, without and with its dotprod, and Node.js for
# WebAssembly.
set -euo pipefail
source=$1 cc=$2 processor=$3 name=$4
here=$source/tests/kernels

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

program=test arm=aarch64-linux-gnu-gcc emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static || true)
case $processor in
vnni)
    grep -qw avx2 /proc/cpuinfo 2>/dev/null || skip 'the other kernels of these rows need AVX2'
    echo '#include <simde/x86/avx512/dpbusd.h>' | "$cc" -fsyntax-only -x c - 2>/dev/null ||
        skip 'SIMDe is not installed (Debian: libsimde-dev)'
    build=("$cc" -mavx2 -mfma -DDD_EMULATE_VNNI) run=() row=avx512-vnni
    ;;
simd128)
    command -v emcc >/dev/null || skip 'no compiler for WebAssembly (Debian: emscripten)'
    command -v node >/dev/null || skip 'Node.js is not installed (Debian: nodejs)'
    export NODE_PATH=/usr/share/nodejs
    # Else what emcc makes would fetch its module, which younger versions of Node.js refuse.
    build=(emcc -msimd128 -sWASM_ASYNC_COMPILATION=0 -sALLOW_MEMORY_GROWTH=1)
    run=(node) row=simd128 program=test.js
    ;;
*)
    command -v $arm >/dev/null && echo '#include <math.h>' | $arm -fsyntax-only -x c - 2>/dev/null ||
        skip 'no compiler for ARM (Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross)'
    [ -n "$emulator" ] || skip 'qemu is not installed (Debian: qemu-user)'
    build=($arm -static)
    case $processor in
    neon) run=("$emulator" -cpu cortex-a53) row=neon ;;
    dotprod) run=("$emulator" -cpu max) row=neon-dotprod ;;
    esac
    ;;
esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${build[@]}" -std=c17 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -O2 -Wall -Wextra -Werror \
    -Wno-psabi -ffp-contract=off -fno-math-errno -DBEST_ROW="\"$row\"" -I"$here" -I"$source/src" \
    -I"$source/include" "$source/tests/unit/test_$name.c" "$source"/src/kernels/*.c \
    -o "$scratch/$program" -lm
"${run[@]}" "$scratch/$program"
