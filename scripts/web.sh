#!/bin/bash
# Builds the page that parses by itself, without a server, as a folder of static files, build-web/site:
#     scripts/web.sh SOURCES [MODEL]
# SOURCES is a folder with the sources of zlib, zstd and utf8proc, which are compiled to WebAssembly too
# (Debian: apt-get source zlib libzstd utf8proc); MODEL is english-fast unless another is given. It
# needs Debian's emscripten.
set -euo pipefail
source=$(realpath "$(dirname "$0")/..")
sources=$(realpath "${1:?usage: scripts/web.sh SOURCES [MODEL]}")
model=$(realpath "${2:-$source/build/models/english-fast.dodona}")
web=$source/build-web root=$source/build-web/root
# Where Debian has what emcc asks of Node.js; one from elsewhere does not look there.
export NODE_PATH=/usr/share/nodejs

CC=emcc AR=emar objects=$web/objects
. "$source/scripts/libraries.sh"
compile_needed

cat >"$web/cross" <<END
[binaries]
c = 'emcc'
ar = 'emar'
pkgconfig = 'pkg-config'
[built-in options]
c_args = ['-std=c17', '-DUTF8PROC_STATIC', '-D_DEFAULT_SOURCE']
[properties]
pkg_config_libdir = '$root/lib/pkgconfig'
[host_machine]
system = 'emscripten'
cpu_family = 'wasm32'
cpu = 'wasm32'
endian = 'little'
END
[ -f "$web/build/build.ninja" ] ||
    meson setup "$web/build" "$source" --cross-file "$web/cross" -Ddefault_library=static -Dc_std=none -Dwerror=false -Dtests=false \
        -Dcurl=disabled -Dmicrohttpd=disabled >"$web/log" 2>&1 || { tail -n 30 "$web/log" && exit 1; }
ninja -j 2 -C "$web/build" tools/web/dodona-web.js >"$web/log" 2>&1 || { tail -n 40 "$web/log" && exit 1; }

# The page, with another source of trees, and a policy where no server sends one.
site=$web/site
policy="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
mkdir -p "$site/page"
cp "$source"/tools/serve/page/*.{js,css} "$site/page"
cp "$source"/tools/web/*.js "$web"/build/tools/web/dodona-web.{js,wasm} "$site/page"
sed "s|^<meta charset.*|&\n<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">|" \
    "$source/tools/serve/page/index.html" >"$site/index.html"
python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); import embed
sys.stdout.write(embed.compose(*map(embed.read, sys.argv[2:])).replace("@DATA@", ""))' \
    "$source"/tools/explorer{,/page.html,/style.css,/tree.js,/explorer.js} >"$site/page/explorer.html"
# Not .gz: some servers would have browsers unpack it before the page does.
gzip -9 -n -c "$model" >"$site/page/model.packed"
basename "$model" .dodona >"$site/page/model.name"
du -bh "$site/page/"{dodona-web.*,model.packed}
