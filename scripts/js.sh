#!/bin/bash
# Packs the npm package, bindings/js and the library in WebAssembly, as build-web/dodona-VERSION.tgz:
#     scripts/js.sh [SOURCES [FOLDER [MODEL...]]]
# SOURCES is what scripts/web.sh needs to compile the library; without it, "", the one that it made before is taken.
# FOLDER gets the package instead of build-web. MODEL is english-fast unless others are given. It needs npm.
set -euo pipefail
source=$(realpath "$(dirname "$0")/..")
sources=${1-} folder=$(realpath -m "${2:-$source/build-web}")
models=("${@:3}")
[ ${#models[@]} -gt 0 ] || models=("$source/build/models/english-fast.dodona")
built=$source/build-web/build/tools/web package=$folder/package

[ -z "$sources" ] || "$source/scripts/web.sh" "$sources" "${models[0]}" >/dev/null
[ -f "$built/dodona-web.wasm" ] ||
    { echo 'the library is not compiled: name the folder of its sources, as docs/js.md says' >&2; exit 1; }

rm -rf "$package" && mkdir -p "$package/models"
cp "$source"/bindings/js/{*.js,index.d.ts,package.json,README.md} "$source/LICENSE" "$built/dodona-web.wasm" "$package"
{ cat "$built/dodona-web.js" && echo 'export default createDodona;'; } >"$package/dodona-web.js"
# Addresses are written out, so that bundlers find them.
{
    echo 'export const models = {'
    for model in "${models[@]}"; do
        name=$(basename "$model" .dodona)
        gzip -9 -n -c "$model" >"$package/models/$name.dodona.gz"
        echo "  \"$name\": () => new URL(\"./models/$name.dodona.gz\", import.meta.url),"
    done
    echo '};'
} >"$package/models.js"
cd "$folder" && npm pack --silent --pack-destination "$folder" ./package >/dev/null
ls -l "$folder"/dodona-*.tgz | awk '{print $5, $9}'
