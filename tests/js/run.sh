#!/bin/bash
# Packs the npm package as it is in the source, installs it in an empty folder, and runs one of its tests there:
#     run.sh NAME PROGRAM
# Compiling the library takes minutes, so that scripts/web.sh has to have done it.
set -euo pipefail
name=$1 program=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
source=$here/../..

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

command -v node >/dev/null && command -v npm >/dev/null || skip 'Node.js or npm is not installed'
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip 'Node.js is older than 20'
[ -f "$source/build-web/build/tools/web/dodona-web.js" ] || skip 'scripts/web.sh has not compiled the library'
model=$(dirname "$program")/models/english-fast.dodona
[ -f "$model" ] || skip 'the English models have not been built'
[ "$name" != types ] || command -v tsc >/dev/null || skip 'tsc is not installed (npm: typescript)'
[ "$name" != browser ] || command -v chromium chromium-browser google-chrome >/dev/null ||
    skip 'Chromium is not installed'

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
"$source/scripts/js.sh" '' "$root/packed" "$model" >"$root/log"
mkdir "$root/app" && cd "$root/app"
echo '{"private": true, "type": "module"}' >package.json
npm install --silent --offline --no-audit --no-fund "$root"/packed/dodona-*.tgz >>"$root/log" 2>&1 ||
    { sed 's/^/# /' "$root/log" && exit 1; }
cp "$here"/*.test.* "$here/page.html" "$root/app"
export DODONA=$program DODONA_SOURCE=$source DODONA_MODEL_FILE=$model
case $name in
types) bash "$here/types.sh" "$root/app" ;;
browser) python3 -B "$here/test_browser.py" "$root/app" ;;
*) node --test-reporter tap "$name.test.js" ;;
esac
